"""What each system answered, as arrays: counts, contingency tables of all pairs, draws of them, and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import hadamard
from scipy.special import ndtri

from erralign._validation import check_n_classes, check_responses


def count_classes(*labels: np.ndarray) -> int:
    """Return the smallest number of classes that the labels allow."""
    return 1 + int(max(ids.max() for ids in labels))


def joint_errors(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> np.ndarray:
    """Return on which trials two systems are both wrong, where no answer in time counts as wrong."""
    return (y_a != y_true) & (y_b != y_true)


def wrong_answers(y_true: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Return on which trials systems gave an answer that is wrong."""
    return (answers != y_true) & (answers >= 0)


def joint_answers(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the answers of both systems on the trials on which both answered and both were wrong."""
    both = wrong_answers(y_true, y_a) & wrong_answers(y_true, y_b)
    return y_a[both], y_b[both]


def right_table(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> np.ndarray:
    """Count on how many trials both, one or none of two systems are right."""
    return np.bincount(2 * (y_a == y_true) + (y_b == y_true), minlength=4).reshape(2, 2)


def error_matrix(y_true: np.ndarray, answers: np.ndarray, n_classes: int) -> np.ndarray:
    """Count a system's errors by true class and answer."""
    wrong = wrong_answers(y_true, answers)
    return cross_table(y_true[wrong], answers[wrong], n_classes)


def cross_table(rows: np.ndarray, columns: np.ndarray, size: int) -> np.ndarray:
    """Count how often each two labels occur together."""
    check_n_classes(size)
    cells = (rows * size + columns).astype(np.intp, copy=False)  # Python of 32 bits counts nothing wider
    return np.bincount(cells, minlength=size * size).reshape(size, size)


def off_diagonal(counts: np.ndarray) -> np.ndarray:
    """Return the counts with 0 on the diagonal."""
    return counts - np.diag(np.diag(counts))


def as_floats(values: ArrayLike) -> np.ndarray:
    """Return an array of floats, in single precision if it came in single precision; complex numbers as they are."""
    array = np.asarray(values)
    return array if array.dtype.kind in "fc" else array.astype(float)


def four_cells(n: Any, right_a: Any, right_b: Any, both: Any) -> tuple:
    """Return on how many of n trials both are wrong, only B, only A and both are right."""
    return n - right_a - right_b + both, right_b - both, right_a - both, both


def ratio(numerator: ArrayLike, denominator: ArrayLike, undefined: float = np.nan) -> np.ndarray:
    """Divide numbers or arrays, with another value where the denominator is 0."""
    numerator, denominator = as_floats(numerator), as_floats(denominator)
    out = np.full(np.broadcast(numerator, denominator).shape, undefined, dtype=numerator.dtype)
    return np.divide(numerator, denominator, out=out, where=denominator != 0)


def kappa(
    both_wrong: ArrayLike, only_b: ArrayLike, only_a: ArrayLike, both_right: ArrayLike, *, undefined: float = np.nan
) -> np.ndarray:
    """Compute Cohen's kappa of right and wrong for many tables at once, from their four counts."""
    # Floats hold whole numbers up to 2**53: products of counts are exact, and cannot overflow as int64 would.
    both_wrong, only_b, only_a, both_right = (as_floats(cell) for cell in (both_wrong, only_b, only_a, both_right))
    most = (both_right + only_a) * (only_a + both_wrong) + (both_right + only_b) * (only_b + both_wrong)
    return ratio(2 * (both_right * both_wrong - only_a * only_b), most, undefined)


# ---- all pairs -------------------------------------------------------------------------------------------------------


# Words of 64 trials compared in one step: few enough for the processor's cache, enough to be worth a call.
_WORDS = 2**15
_RESAMPLES = 1000  # drawn in one step
_JOINT = 2**20  # trials, or classes, of all pairs that are looked at in one step
_WEIGHTS = 2**26  # of trials that are held at once, in single precision
_VALUES = 2**18  # computed in one step
# Whole numbers up to this are exact in single precision, so their sums do not depend on the order of summation.
EXACT = 2**24

Pairs = tuple[np.ndarray, np.ndarray]
Ends = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Resampling:
    """How limits are to be found."""

    level: float  # the share of experiments in which limits should contain the true value
    n_resamples: int  # how many draws; methods with a closed form need none
    rng: np.random.Generator

    @property
    def tails(self) -> tuple[float, float]:
        """The two shares of a distribution below its limits, if both tails are equal."""
        return (1 - self.level) / 2, (1 + self.level) / 2


class JointErrors(NamedTuple):
    """The trials on which both systems of a pair gave a wrong answer, pair after pair."""

    pair: np.ndarray
    trial: np.ndarray
    a: np.ndarray  # what A answered
    b: np.ndarray
    n_pairs: int

    def total(self, values: np.ndarray | None = None) -> np.ndarray:
        """Sum over the errors of each pair; without values, count them."""
        return np.bincount(self.pair, values, self.n_pairs)

    def keep(self, places: np.ndarray) -> JointErrors:
        """Return some of them, by place or by one bool each."""
        return JointErrors(self.pair[places], self.trial[places], self.a[places], self.b[places], self.n_pairs)

    def answers(self, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
        """Count how often A and B gave each answer, (n_pairs, n_classes)."""
        size = self.n_pairs, n_classes
        of_a = np.bincount(self.pair * n_classes + self.a, minlength=size[0] * size[1])
        of_b = np.bincount(self.pair * n_classes + self.b, minlength=size[0] * size[1])
        return of_a.reshape(size), of_b.reshape(size)


@dataclass(frozen=True)
class ResponseMatrix:
    """What each system answered, and which pairs of systems are compared."""

    truth: np.ndarray  # (n_trials,) true class ids
    answers: np.ndarray  # (n_systems, n_trials) class ids; -1 is "no answer in time"
    n_classes: int  # C
    selected: Pairs | None = None  # the two systems of each pair; None: all unordered pairs
    n_options: np.ndarray | None = None  # (n_trials,) where classes are positions, how many each trial offers
    leave_unread: bool = False  # whether each pair leaves out trials on which either gave no answer

    @cached_property
    def right(self) -> np.ndarray:
        """Who was right on what, shape (n_systems, n_trials)."""
        return self.answers == self.truth.astype(self.answers.dtype)

    @cached_property
    def both_right(self) -> np.ndarray:
        """On how many trials two systems are right; on the diagonal, on how many one is."""
        return count_together(self.right, self.right)

    @cached_property
    def pairs(self) -> Pairs:
        """The systems of each pair, in the order of :func:`erralign.pairwise`."""
        return self.selected or pairs_of(len(self.answers))

    @cached_property
    def counts(self) -> tuple[np.ndarray, ...]:
        """How many trials each pair has, and on how many of them A, B and both are right."""
        first, second = self.pairs
        both, alone = self.both_right[first, second], self.both_right.diagonal()
        if not self.leave_unread:
            return np.array(len(self.truth)), alone[first], alone[second], both
        read = self.answers >= 0
        all_read, right = count_together(read, read), count_together(self.right, read)
        return all_read[first, second], right[first, second], right[second, first], both

    @cached_property
    def tables(self) -> np.ndarray:
        """On how many trials both systems of each pair are wrong, only B right, only A right, both right."""
        return np.stack(four_cells(*self.counts), axis=1)

    @cached_property
    def joint(self) -> JointErrors:
        """All errors that two systems made on the same trial, of pair after pair."""
        # Only the systems of these pairs: there may be many more, and few pairs at a time.
        systems, places = np.unique(np.stack(self.pairs), return_inverse=True)
        first, second = places.reshape(2, -1)
        answers = self.answers[systems]
        wrong = wrong_answers(self.truth.astype(answers.dtype), answers)
        pair, trial = (wrong[first] & wrong[second]).nonzero()
        a, b = (answers[system[pair], trial].astype(np.intp, copy=False) for system in (first, second))
        return JointErrors(pair, trial, a, b, len(first))

    def parts(self) -> Iterator[ResponseMatrix]:
        """Yield the same for some of the pairs at a time."""
        first, second = self.pairs
        for here in blocks(len(first), max(1, _JOINT // max(len(self.truth), self.n_classes))):
            yield replace(self, selected=(first[here], second[here]))

    def keep(self, trials: np.ndarray) -> ResponseMatrix:
        """Return the same for some of the trials."""
        options = None if self.n_options is None else self.n_options[trials]
        return replace(self, truth=self.truth[trials], answers=self.answers[:, trials], n_options=options)

    def each(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield what a measure of two systems takes, pair after pair."""
        for a, b in zip(*self.pairs, strict=True):
            yield self.truth, self.answers[a].astype(np.int64), self.answers[b].astype(np.int64)

    def only(self, *systems: int) -> ResponseMatrix:
        """Return the same for some systems, of which the last is compared with each of the others."""
        answers, last = self.answers[list(systems)], len(systems) - 1
        return replace(self, answers=answers, selected=(np.arange(last), np.full(last, last)))


def response_matrix(
    responses: Any,
    systems: list[str] | None = None,
    *,
    with_: str | Iterable[str] | None = None,
    short: bool = False,
    unread: str = "wrong",
) -> ResponseMatrix:
    """Return Responses as arrays: of 64-bit integers, in which labels can be multiplied, or answers of short ones."""
    check_responses("responses", responses)
    answers = responses.answers if systems is None else responses.answers[systems]
    chosen = None if with_ is None else answers.columns.isin([with_] if isinstance(with_, str) else list(with_))
    small = np.int16 if len(responses.classes) < 2**15 else np.int32
    array = np.ascontiguousarray(answers.to_numpy(small).T) if short else answers.to_numpy(np.int64).T
    return ResponseMatrix(
        responses.truth.to_numpy(np.int64),
        array,
        len(responses.classes),
        None if chosen is None else pairs_of(len(array), chosen),
        None if responses.options is None else responses.options.to_numpy(np.int64),
        unread == "left out",
    )


def pairs_of(n_systems: int, wanted: np.ndarray | None = None) -> Pairs:
    """Return the systems of each unordered pair, or of those with a wanted one, in the order of ``pairwise``."""
    above = np.tri(n_systems, k=-1, dtype=bool).T
    first, second = (above if wanted is None else above & (wanted | wanted[:, None])).nonzero()
    return first, second


def count_together(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Count the trials on which a row of one array and a row of another are both true, for all pairs of rows."""
    is_one = first is second  # then half the pairs are the others the other way round
    first, second = _words(first), _words(second)
    counts = np.empty((len(first), len(second)), dtype=np.int64)
    for rows in blocks(len(first), max(1, _WORDS // second.size)):
        here = slice(rows.start if is_one else 0, None)
        counts[rows, here] = np.bitwise_count(first[rows, None] & second[here]).sum(axis=2, dtype=np.int32)
        if is_one:
            counts[here, rows] = counts[rows, here].T
    return counts


def _words(rows: np.ndarray) -> np.ndarray:
    """Pack bools, 64 trials into a word."""
    packed = np.packbits(rows, axis=1)
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))).view(np.uint64)


def blocks(n: int, size: int) -> Iterator[slice]:
    """Cut a range into slices."""
    return (slice(start, min(start + size, n)) for start in range(0, n, size))


# ---- draws -------------------------------------------------------------------------------------------------------


def drawn_values(
    value: Callable[..., np.ndarray],
    right: np.ndarray,
    pairs: Pairs,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    half_counts: bool = True,
) -> np.ndarray:
    """Draw a function of the counts n, A right, B right and both right; trials are drawn once for all pairs.

    Each draw gives every trial an exponential weight (the Bayesian bootstrap), and half a count to each cell of every
    pair, by pseudo-trials that nobody was shown: the table of each pair has a Dirichlet distribution. Without half
    counts, trials are resampled.
    """
    (first, second), n_systems = pairs, len(right)
    pseudo, share = pseudo_trials(n_systems) if half_counts else (np.zeros((0, n_systems)), 0.0)
    weigh = _exponential_weights if half_counts else _resampled_trials
    rows = np.concatenate([right.T, pseudo]).astype(np.float32)
    columns = np.concatenate([rows[:, first] * rows[:, second], rows, np.ones((len(rows), 1), np.float32)], axis=1)
    draws = np.empty((n_resamples, len(first)), dtype=np.float32)
    alone = np.empty((n_resamples, n_systems + 1), dtype=np.float32)
    size = int(np.clip(_WEIGHTS // len(rows), 1, _RESAMPLES))
    for here in blocks(n_resamples, size):
        sums = weigh(right.shape[1], here.stop - here.start, rng, len(pseudo), share) @ columns
        draws[here], alone[here] = sums[:, : len(first)], sums[:, len(first) :]
    for here in blocks(n_resamples, max(1, _VALUES // max(1, len(first)))):
        of_each = alone[here]
        draws[here] = value(of_each[:, -1:], of_each[:, first], of_each[:, second], draws[here])
    return draws


def pseudo_trials(n_systems: int) -> tuple[np.ndarray, float]:
    """Return who is right on pseudo-trials, and their weight: half a count for each cell of every two systems."""
    order = 2 ** int(np.ceil(np.log2(n_systems + 1)))
    signs = hadamard(order)[:, 1 : n_systems + 1]
    return np.concatenate([signs, -signs]) > 0, 1 / order


def _exponential_weights(n_trials: int, n: int, rng: np.random.Generator, n_pseudo: int, share: float) -> np.ndarray:
    weights = np.empty((n, n_trials + n_pseudo), dtype=np.float32)
    weights[:, :n_trials] = rng.standard_exponential((n, n_trials), dtype=np.float32)
    weights[:, n_trials:] = rng.standard_gamma(share, (n, n_pseudo), dtype=np.float32)
    weights *= np.float32(2.0 ** np.floor(np.log2(EXACT / (2 * n_trials + 64))))
    return np.rint(weights, out=weights)


def _resampled_trials(n_trials: int, n_resamples: int, rng: np.random.Generator, *_: object) -> np.ndarray:
    """Draw how often each trial occurs in each resample."""
    drawn = rng.integers(n_trials, size=(n_resamples, n_trials))
    drawn += np.arange(n_resamples)[:, None] * n_trials
    counts = np.bincount(drawn.ravel().astype(np.intp, copy=False), minlength=n_resamples * n_trials)
    return counts.reshape(n_resamples, n_trials).astype(np.float32)


# ---- limits ----------------------------------------------------------------------------------------------------------


class Limits(NamedTuple):
    """Limits of all pairs, how many of their draws were undefined, and how the limits were found."""

    low: np.ndarray
    high: np.ndarray
    n_undefined: np.ndarray
    method: str


def percentile_limits(draws: np.ndarray, level: float) -> tuple[float, float, int]:
    """Cut equal tails off the draws that are defined."""
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return np.nan, np.nan, len(draws)
    low, high = np.quantile(defined, ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high), len(draws) - len(defined)


def wilson_interval(share: ArrayLike, n: ArrayLike, level: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Return Wilson's interval of a share p of n trials.

    .. math:: \frac{p + z^2 / 2n \pm z \sqrt{p (1 - p) / n + z^2 / 4n^2}}{1 + z^2 / n}
    """
    share, n = np.asarray(share, dtype=float), np.asarray(n, dtype=float)
    z = ndtri((1 + level) / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return centre - half, centre + half


def limits_of_difference(a: Iterable, b: Iterable, correlation: ArrayLike = 0.0) -> tuple:
    """Return limits of a difference of two values from their own limits, and from how far both vary together."""
    (value_a, low_a, high_a), (value_b, low_b, high_b) = a, b
    middle, apart = value_a - value_b, np.sqrt(1 - np.square(correlation))
    below, above = (value_a - low_a, high_b - value_b), (high_a - value_a, value_b - low_b)
    low, high = (np.hypot(x - correlation * y, apart * y) for x, y in (below, above))
    return middle - low, middle + high


def widen(low: ArrayLike, high: ArrayLike, value: ArrayLike, effect: ArrayLike, within: tuple[float, float]) -> Ends:
    """Multiply the distance of each limit from its value by the square root of a design effect."""
    low, high, value, more = np.asarray(low), np.asarray(high), np.asarray(value), np.sqrt(effect) - 1
    lower = np.clip(low - more * np.maximum(value - low, 0), *within)
    higher = np.clip(high + more * np.maximum(high - value, 0), *within)
    return np.where(more > 0, lower, low), np.where(more > 0, higher, high)


def wilson_of_parts(
    of_pairs: Callable[[ResponseMatrix, float], np.ndarray], matrix: ResponseMatrix, resampling: Resampling
) -> Limits:
    """Return limits that need no draws, from a function of some pairs and a level, a few pairs at a time."""
    ends = [np.empty((2, 0)), *(of_pairs(part, resampling.level) for part in matrix.parts())]
    low, high = np.concatenate(ends, axis=1)
    return Limits(low, high, np.zeros(len(low), dtype=int), "wilson")
