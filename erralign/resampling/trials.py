"""What every method is given: who answered what, and how limits are to be found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from erralign.errors import check_level, check_resamples
from erralign.responses import Responses


@dataclass(frozen=True)
class Draws:
    """How limits are to be found.

    Parameters
    ----------
    level : float
        The share of experiments in which limits should contain the true value.
    n_resamples : int
        How many draws; methods with a closed form need none.
    rng : numpy.random.Generator
        The source of randomness.
    """

    level: float
    n_resamples: int
    rng: np.random.Generator

    def __post_init__(self) -> None:
        """Refuse a level that is no share, and draws too few for limits."""
        check_level(self.level)
        object.__setattr__(self, "n_resamples", check_resamples(self.n_resamples))


@dataclass(frozen=True)
class Trials:
    """Who answered what, as arrays.

    Parameters
    ----------
    truth : numpy.ndarray of int, shape (n_trials,)
        True class ids.
    answers : numpy.ndarray of int, shape (n_systems, n_trials)
        Answers; -1 is "no answer in time".
    n_classes : int
        C.
    """

    truth: np.ndarray
    answers: np.ndarray
    n_classes: int

    @property
    def right(self) -> np.ndarray:
        """Who was right on what, shape (n_systems, n_trials)."""
        return self.answers == self.truth

    @property
    def all_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The systems of each pair, in the order of :func:`erralign.pairwise`."""
        first, second = np.triu_indices(len(self.answers), k=1)
        return first, second

    @property
    def with_last(self) -> tuple[np.ndarray, np.ndarray]:
        """The pairs of each system with the last one."""
        last = len(self.answers) - 1
        return np.arange(last), np.full(last, last)

    def of_pair(self, first: int, second: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what a measure of two systems takes.

        Parameters
        ----------
        first, second : int
            Rows of ``answers``.

        Returns
        -------
        tuple of numpy.ndarray
            True class ids, and the answers of both.
        """
        return self.truth, self.answers[first], self.answers[second]


# Of two systems with C, by their places: low, high, and the number of undefined draws.
LimitsOfDifference = Callable[[int, int], tuple[float, float, int]]


@dataclass(frozen=True)
class Intervals:
    """How intervals of one measure are found.

    Parameters
    ----------
    methods : dict of str to tuple of str
        Each estimand with its methods; the first of each is the default.
    of_pair : callable
        From the answers of two systems, a method and :class:`Draws`: low, high, the value, the number of undefined
        draws.
    of_all_pairs : callable
        From the answers of all systems, the values of all pairs and :class:`Draws`: arrays of lower limits, upper
        limits and numbers of undefined draws, by the default method, from draws that all pairs share.
    of_differences : callable
        From the answers of systems, the last of them C, and :class:`Draws`: the values of all others with C, and a
        function that gives the limits of the difference of two of these values.
    """

    methods: dict[str, tuple[str, ...]]
    of_pair: Callable[[Trials, str, Draws], tuple[float, float, float, int]]
    of_all_pairs: Callable[[Trials, np.ndarray, Draws], tuple[np.ndarray, np.ndarray, np.ndarray]]
    of_differences: Callable[[Trials, Draws], tuple[np.ndarray, LimitsOfDifference]]

    @property
    def default_method(self) -> str:
        """The first method of the first estimand."""
        return next(iter(self.methods.values()))[0]


def trials_of(responses: Responses, systems: list[str] | None = None) -> Trials:
    """Return responses as arrays of 64-bit integers, in which labels can be multiplied.

    Parameters
    ----------
    responses : Responses
        What every system answered on every trial, shape (n_trials, n_systems).
    systems : list of str, optional
        Which systems, in which order. Default: all.

    Returns
    -------
    Trials
        The same as arrays.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> trials_of(twelve_pictures(), ["A", "Twin"]).answers.shape
    (2, 12)
    """
    answers = responses.answers if systems is None else responses.answers[systems]
    return Trials(responses.truth.to_numpy(np.int64), answers.to_numpy(np.int64).T, len(responses.classes))
