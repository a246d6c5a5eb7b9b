"""What a measure of errors is: a function of two systems' answers, and what makes it faster or its intervals right."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from erralign._validation import check_all_answers, check_choice, check_n_options
from erralign.measures.about import ABOUT, About
from erralign.measures.matrix import Ends, Limits, Resampling, ResponseMatrix, count_classes

# What becomes of trials on which a system gave no answer, or none that could be read.
UNREAD = ("wrong", "left out")
# Why measures of wrong answers lack a value.
_NOT_GIVEN = "not given: with fewer than three classes there is one wrong answer, on which any two systems agree"
_OF_POSITIONS = (
    "not given: letters of options mean nothing on other trials, and shuffling them within each trial would change the "
    "value; if classes do mean the same on all trials, leave out options"
)
_FEWEST_CLASSES = 3
# How a result says that each trial was left out in turn, and that nobody has studied how often such limits hold.
LEFT_OUT, JACKKNIFE = "leave-one-out", "generic jackknife"


class LeftOut(NamedTuple):
    """Values of pairs, and the same values without one trial. The rest is for means with people."""

    values: np.ndarray  # (n_pairs,)
    without: np.ndarray  # (n_pairs, n_trials)
    # Both without bias, by which means are corrected; None: the jackknife estimates the bias.
    unbiased: tuple[np.ndarray, np.ndarray] | None = None
    # How values change with the count of each trial and of pseudo-trials, which stand for what was not seen, and these
    # counts. Means have at least the variance that follows, which does not vanish where errors are few.
    unseen: tuple[np.ndarray, np.ndarray] | None = None
    enough: np.ndarray | None = None  # (n_pairs,) whether errors are enough for limits of a mean


@dataclass(frozen=True)
class Measure:
    """A measure of how alike two systems err. Its name, its abbreviation and its function are enough.

    Without more, pairs are computed one after another, and intervals by the jackknife, which say so in their method.
    Each of the four further functions is given a :class:`~erralign.measures.ResponseMatrix`, whose ``pairs`` it is
    about, and makes a value faster, or an interval right.

    Parameters
    ----------
    name : str
        The name of the function.
    short : str
        The abbreviation: the key in ``erralign.MEASURES``, and the measure's column in tables.
    function : callable
        The measure of two systems, of ``(y_true, y_a, y_b)``: arrays of class ids of shape (n_trials,), where -1 is "no
        answer in time". It returns a number, or nan where the measure is 0/0.
    range : tuple of float
        The lowest and the highest possible value.
    values : callable, optional
        The values of all pairs at once, (n_pairs,).
    left_out : callable, optional
        A :class:`~erralign.measures.LeftOut`: these values, and the same without each trial.
    limits : callable, optional
        Limits of all pairs; it is given a :class:`~erralign.measures.Resampling`, too.
    draws : callable, optional
        Values of all pairs with trials drawn again, the same ones for all, (n_resamples, n_pairs), from which
        differences get their limits. It is given a Resampling, too.

    Examples
    --------
    >>> same = Measure("same_answer", "same", lambda y_true, y_a, y_b: (y_a == y_b).mean(), range=(0, 1))
    >>> same.words
    'same answer'
    """

    name: str
    short: str
    function: Callable[..., float]
    range: tuple[float, float] = (-math.inf, math.inf)
    values: Callable[[ResponseMatrix], np.ndarray] | None = None
    left_out: Callable[[ResponseMatrix], LeftOut] | None = None
    limits: Callable[[ResponseMatrix, Resampling], Limits] | None = None
    draws: Callable[[ResponseMatrix, Resampling], np.ndarray] | None = None

    larger_is_more_similar: ClassVar[bool] = True

    @property
    def about(self) -> About:
        """What is to be said of the measure: of one of your own, nothing."""
        return ABOUT.get(self.name, About())

    @property
    def words(self) -> str:
        """The name in a sentence."""
        return self.about.words or self.name.replace("_", " ")

    @property
    def meaning(self) -> str:
        """What the value says, for reports."""
        return self.about.meaning

    @property
    def invariances(self) -> frozenset[str]:
        """Changes of the data that leave the value as it is: keys of ``INVARIANCES``."""
        return self.about.invariances

    # ---- values --------------------------------------------------------------------------------------------------

    def matrix_of(
        self, n_classes: int | None, n_options: ArrayLike | None = None, **answers: ArrayLike
    ) -> ResponseMatrix:
        """Return true classes (``y_true``) and the answers of systems as a matrix, unless the measure says nothing."""
        truth, *systems = check_all_answers(n_classes, self.about.right_or_wrong, **answers)
        named = dict(zip(answers, (truth, *systems), strict=True))
        offered = None if n_options is None else check_n_options(n_options, answers["y_true"], named)
        size = int(n_classes or count_classes(truth, *systems))
        self.check_classes(size, offered)
        return ResponseMatrix(truth, np.stack(systems), size, n_options=offered)

    def of_all_pairs(self, matrix: ResponseMatrix) -> np.ndarray:
        """Return the values of all pairs of systems, nan where one is undefined."""
        if self.why_not(matrix.n_classes, matrix.n_options):
            return np.full(len(matrix.pairs[0]), np.nan)
        if self.values is None:
            return np.array([self.of_two(*pair) for pair in matrix.each()])
        values = np.asarray(self.values(matrix), dtype=float)
        if values.shape != matrix.pairs[0].shape:
            raise ValueError(
                f"values of {self.name} give an array of shape {values.shape}; expected one value for each of "
                f"{len(matrix.pairs[0])} pairs: leave them out, and pairs are computed one after another"
            )
        return values

    def of_two(self, truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
        """Return the value of two systems by the function; 0/0 of NumPy is nan, without a warning."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(self.function(truth, a, b))

    def leave_one_out(self, matrix: ResponseMatrix) -> LeftOut:
        """Compute the measure of pairs, and again without each trial in turn."""
        self.check_classes(matrix.n_classes, matrix.n_options)
        if self.left_out is not None:
            left_out = self.left_out(matrix)
        else:
            without = np.array([self._without_each(*pair) for pair in matrix.each()])
            left_out = LeftOut(self.of_all_pairs(matrix), without)
        return left_out._replace(without=steadied(left_out.values, left_out.without))

    def _without_each(self, truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Compute the function again without each trial, once for equal trials."""
        if len(truth) == 1:
            return np.array([np.nan])
        _, example, kind = np.unique(np.stack([truth, a, b]), axis=1, return_index=True, return_inverse=True)
        trials = np.arange(len(truth))
        without = []
        for trial in example:
            others = trials != trial
            without.append(self.of_two(truth[others], a[others], b[others]))
        return np.array(without)[kind.ravel()]

    def limits_of(self, matrix: ResponseMatrix, values: np.ndarray, resampling: Resampling) -> Limits:
        """Return the limits of all pairs: the measure's own, or values ± z standard errors by the jackknife."""
        if reason := self.why_not(matrix.n_classes, matrix.n_options):
            return Limits(values, values, np.zeros(len(values), dtype=int), reason)
        if self.limits is not None:
            return self.limits(matrix, resampling)
        ends = [np.empty((2, 0))]
        for part in matrix.parts():
            left_out = self.leave_one_out(part)
            moves = moves_of(left_out.without)
            limits = np.stack(jackknife_limits(left_out.values, moves, resampling.level, self.range))
            # Where no trial moves the value, nothing is known of how far others would.
            ends.append(np.where(np.any(np.abs(moves) > 1e-12, axis=1), limits, np.nan))
        low, high = np.concatenate(ends, axis=1)
        method = JACKKNIFE if self.left_out is None else LEFT_OUT
        return Limits(low, high, np.zeros(len(values), dtype=int), method)

    # ---- what it can be asked ------------------------------------------------------------------------------------

    def why_not(self, n_classes: int, n_options: ArrayLike | None) -> str:
        """Say why the value says nothing with so many classes, or with options of each trial; empty where it does."""
        if self.about.of_wrong_answers and n_classes < _FEWEST_CLASSES:
            return _NOT_GIVEN
        if self.about.of_classes and n_options is not None:
            return _OF_POSITIONS
        return ""

    def check_classes(self, n_classes: int, n_options: ArrayLike | None = None) -> None:
        """Refuse classes with which the measure says nothing."""
        if reason := self.why_not(n_classes, n_options):
            hint = "; if there are more classes, declare them" if reason == _NOT_GIVEN else ""
            raise ValueError(f"{self.short} is {reason}{hint}")

    def check_unread(self, unread: str) -> None:
        """Refuse to leave out unread answers of a measure that cannot."""
        check_choice("unread", unread, UNREAD)
        if not self.about.leaves_unread:
            raise ValueError(f"{self.short} counts no answer as wrong; unread={unread!r} is there for EC, MA and CLES")


def left_out_of_sums(value: Callable[..., np.ndarray], columns: Sequence[np.ndarray]) -> LeftOut:
    """Compute a function of sums, and again without each trial, from what each trial adds: (n_pairs, n_trials)."""
    sums = [column.sum(axis=-1, keepdims=True) for column in columns]
    without = value(*(whole - one for whole, one in zip(sums, columns, strict=True)))
    return LeftOut(value(*sums)[:, 0], without)


def steadied(values: np.ndarray, without: np.ndarray) -> np.ndarray:
    """Put the value with all trials where the value without one is undefined: how it would move is not known."""
    return np.where(np.isnan(without), values[:, None], without)


def moves_of(without: np.ndarray) -> np.ndarray:
    """Return how far each value without a trial is from their mean, along the last axis."""
    return without - without.mean(axis=-1, keepdims=True)


def jackknife_error(moves: np.ndarray) -> np.ndarray:
    """Return standard errors by the jackknife: the root of (n - 1)/n times the sum of squared moves."""
    n = moves.shape[-1]
    return np.sqrt((n - 1) / n * (moves**2).sum(axis=-1))


def jackknife_limits(values: np.ndarray, moves: np.ndarray, level: float, within: tuple[float, float]) -> Ends:
    """Return values ± z standard errors by the jackknife, within the range of the measure."""
    half = ndtri((1 + level) / 2) * jackknife_error(moves)
    return np.clip(values - half, *within), np.clip(values + half, *within)
