"""What every method is given: what each system answered, and how limits are to be found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from erralign.clusters import Clusters, clusters_of, effect_of_pair
from erralign.errors import check_level, check_resamples
from erralign.pairs.answers import pairs_of
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
        """Refuse a level that is not between 0 and 1, and too few draws for limits."""
        check_level(self.level)
        object.__setattr__(self, "n_resamples", check_resamples(self.n_resamples))


@dataclass(frozen=True)
class Trials:
    """What each system answered, as arrays.

    Parameters
    ----------
    truth : numpy.ndarray of int, shape (n_trials,)
        True class ids.
    answers : numpy.ndarray of int, shape (n_systems, n_trials)
        Answers; -1 is "no answer in time".
    n_classes : int
        The number of classes, C.
    variant : str
        The form of class-level error similarity.
    alpha : float
        Its smoothing.
    wanted : numpy.ndarray of bool, shape (n_systems,), optional
        Only pairs with at least one of these systems. Default: all pairs.
    clusters : Clusters, optional
        Which trials share material. Default: trials are independent.
    """

    truth: np.ndarray
    answers: np.ndarray
    n_classes: int
    variant: str = "released"
    alpha: float = 0.5
    wanted: np.ndarray | None = None
    clusters: Clusters | None = None

    @property
    def form(self) -> dict[str, Any]:
        """The options of class-level error similarity, as arguments."""
        return {"variant": self.variant, "alpha": self.alpha}

    @property
    def right(self) -> np.ndarray:
        """Who was right on what, shape (n_systems, n_trials)."""
        return self.answers == self.truth

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The systems of each pair, in the order of :func:`erralign.pairwise`."""
        return pairs_of(len(self.answers), self.wanted)

    @property
    def with_last(self) -> tuple[np.ndarray, np.ndarray]:
        """The pairs of each system with the last one."""
        last = len(self.answers) - 1
        return np.arange(last), np.full(last, last)

    def of_pair(self, first: int, second: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what a measure of two systems takes."""
        return self.truth, self.answers[first], self.answers[second]

    def effect(self, measure: str, first: int, second: int) -> float:
        """Return the design effect of a measure of two systems."""
        return effect_of_pair(self.clusters, measure, *self.of_pair(first, second), self.n_classes, **self.form)


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


def trials_of(
    responses: Responses,
    systems: list[str] | None = None,
    *,
    with_: str | Iterable[str] | None = None,
    variant: str = "released",
    alpha: float = 0.5,
    clusters: Any = None,
) -> Trials:
    """Return responses as arrays of 64-bit integers, in which labels can be multiplied."""
    answers = responses.answers if systems is None else responses.answers[systems]
    wanted = None if with_ is None else answers.columns.isin([with_] if isinstance(with_, str) else list(with_))
    arrays = responses.truth.to_numpy(np.int64), answers.to_numpy(np.int64).T
    shared = clusters_of(clusters, responses.truth)
    return Trials(*arrays, len(responses.classes), variant, alpha, wanted, shared)
