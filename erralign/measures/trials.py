"""What every road of a measure is given, and what it gives back: arrays of answers, values, limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from erralign.errors import check_level, check_resamples
from erralign.measures.limits import LimitsOfDifference

# With more, limits of all pairs come from methods whose time does not grow with trials times draws. No public data set
# in erralign.catalog has as many.
MANY_TRIALS = 10_000
# Systems compared in one step.
BLOCK = 64
# Words of 64 trials compared in one step: few enough for the processor's cache, enough to be worth a call.
WORDS = 2**15


@dataclass(frozen=True)
class Draws:
    """How limits are to be found."""

    level: float  # the share of experiments in which limits should contain the true value
    n_resamples: int  # how many draws; methods with a closed form need none
    rng: np.random.Generator
    asked: bool = True  # whether a caller asked for so many draws; if not, a formula may serve in their place

    def __post_init__(self) -> None:
        """Refuse a level that is not between 0 and 1, and too few draws for limits."""
        check_level(self.level)
        object.__setattr__(self, "n_resamples", check_resamples(self.n_resamples))


@dataclass(frozen=True)
class Trials:
    """What each system answered, as arrays."""

    truth: np.ndarray  # (n_trials,) true class ids
    answers: np.ndarray  # (n_systems, n_trials) class ids; -1 is "no answer in time"
    n_classes: int  # C
    wanted: np.ndarray | None = None  # (n_systems,) bools: only pairs with at least one of these; None: all pairs
    n_options: np.ndarray | None = None  # (n_trials,) where classes are positions, how many each trial offers
    leave_unread: bool = False  # whether each pair leaves out trials on which either gave no answer

    @cached_property
    def right(self) -> np.ndarray:
        """Who was right on what, shape (n_systems, n_trials)."""
        return self.answers == self.truth.astype(self.answers.dtype)

    @cached_property
    def both_right(self) -> np.ndarray:
        """On how many trials two systems are right, in the upper triangle; on the diagonal, on how many one is."""
        return count_both_right(self.right)

    @property
    def tables(self) -> np.ndarray:
        """On how many trials both systems of each pair are wrong, only B right, only A right, both right."""
        first, second = self.pairs
        both, alone = self.both_right[first, second], self.both_right.diagonal()
        n, right_a, right_b = np.array(len(self.truth)), alone[first], alone[second]
        if self.leave_unread:
            read = (self.answers >= 0).astype(float)
            all_read, right = ((each @ read.T).astype(np.int64) for each in (read, self.right.astype(float)))
            n, right_a, right_b = all_read[first, second], right[first, second], right[second, first]
        return np.stack([n - right_a - right_b + both, right_b - both, right_a - both, both], axis=1)

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The systems of each pair, in the order of :func:`erralign.pairwise`."""
        return pairs_of(len(self.answers), self.wanted)

    @property
    def with_last(self) -> tuple[np.ndarray, np.ndarray]:
        """The pairs of each system with the last one."""
        last = len(self.answers) - 1
        return np.arange(last), np.full(last, last)

    def each_with_last(self, value: Callable[..., float]) -> np.ndarray:
        """Return the values of each system with the last one."""
        return np.array([value(*self.of_pair(a, c)) for a, c in zip(*self.with_last, strict=True)])

    def keep(self, kept: np.ndarray) -> Trials:
        """Return the same for some of the trials."""
        options = None if self.n_options is None else self.n_options[kept]
        return replace(self, truth=self.truth[kept], answers=self.answers[:, kept], n_options=options)

    def of_pair(self, first: int, second: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what a measure of two systems takes."""
        return self.truth, self.answers[first], self.answers[second]


class LeftOut(NamedTuple):
    """Values of pairs, and the same values without one trial; nan where undefined."""

    values: np.ndarray  # (n_pairs,)
    without: np.ndarray  # (n_pairs, n_patterns) the values without a trial of each pattern
    place: np.ndarray  # (n_trials,) the pattern of each: trials with the same answers have one, and the same values


@dataclass(frozen=True)
class Intervals:
    """How intervals of one measure are found. Each function takes the options of the measure, too, by their names."""

    methods: dict[str, tuple[str, ...]]  # each estimand with its methods; the first of each is the default
    # From the answers of two systems, a method and Draws: low, high, the value, the number of undefined draws.
    of_pair: Callable[..., tuple[float, float, float, int]]
    # From the answers of all systems, the values of all pairs and Draws: arrays of lower limits, upper limits and
    # numbers of undefined draws, by the default method, from draws that all pairs share.
    of_all_pairs: Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray]]
    # From the answers of systems, the last of them C, and Draws: the values of all others with C, and a function that
    # gives the limits of the difference of two of these values.
    of_differences: Callable[..., tuple[np.ndarray, LimitsOfDifference]]
    # From the number of trials and Draws: the method of all pairs, where that is not always the default one.
    choose: Callable[..., str] | None = None

    @property
    def default_method(self) -> str:
        """The first method of the first estimand."""
        return next(iter(self.methods.values()))[0]

    def method_of_all_pairs(self, n_trials: int, draws: Draws, **options: Any) -> str:
        """Return the method by which all pairs of systems that answered so many trials get their limits."""
        return self.choose(n_trials, draws, **options) if self.choose else self.default_method


def pairs_of(n_systems: int, wanted: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the systems of each unordered pair, in the order of :func:`erralign.pairwise`."""
    above = np.tri(n_systems, k=-1, dtype=bool).T
    first, second = (above if wanted is None else above & (wanted | wanted[:, None])).nonzero()
    return first, second


def count_both_right(right: np.ndarray) -> np.ndarray:
    """Count the trials on which two systems are right, 64 trials at a time."""
    packed = np.packbits(right, axis=1)
    bits = np.zeros((len(right), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    bits[:, : packed.shape[1]] = packed
    words = bits.view(np.uint64)
    both = np.zeros((len(right),) * 2, dtype=np.int64)
    for rows in blocks(len(right), size=max(1, WORDS // words.size)):
        shared = words[rows, None] & words[rows.start :]
        both[rows, rows.start :] = np.bitwise_count(shared).sum(axis=2, dtype=np.int32)
    return both


def blocks(n: int, start: int = 0, size: int = BLOCK) -> Iterator[slice]:
    """Cut a range into slices."""
    return (slice(i, min(i + size, n)) for i in range(start, n, size))


def left_out_of_counts(value: Callable[..., np.ndarray]) -> Callable[..., LeftOut]:
    """Turn a function of how many trials there are, and on how many A, B and both are right, into one of pairs."""

    def of_pairs(truth: np.ndarray, answers: np.ndarray, first: np.ndarray, second: np.ndarray, _: int) -> LeftOut:
        n, right = len(truth), (answers == truth).astype(np.int32)
        alone, both = right.sum(axis=1), np.einsum("pt,pt->p", right[first], right[second])
        patterns, place = patterns_of(right)
        a, b = patterns[first], patterns[second]
        without = value(n - 1, alone[first, None] - a, alone[second, None] - b, both[:, None] - a * b)
        return LeftOut(value(n, alone[first], alone[second], both), without, place)

    return of_pairs


def pair_by_pair(of_pair: Callable[..., tuple[float, np.ndarray]]) -> Callable[..., LeftOut]:
    """Turn a function that leaves out the trials of one pair into one that does so for many."""

    def of_pairs(
        truth: np.ndarray, answers: np.ndarray, first: np.ndarray, second: np.ndarray, n_classes: int, **options: Any
    ) -> LeftOut:
        found = [
            of_pair(truth, answers[a], answers[b], n_classes, **options) for a, b in zip(first, second, strict=True)
        ]
        values, without = zip(*found, strict=True)
        return LeftOut(np.array(values), np.stack(without), np.arange(len(truth)))

    return of_pairs


def patterns_of(right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct columns in order, and each column's place among them."""
    patterns, place = np.unique(right, axis=1, return_inverse=True)
    return patterns, place.ravel()
