"""Loevinger's H: all pairs from four counts, intervals from the draws of EC, and what it is called."""

from __future__ import annotations

from copy import deepcopy

import numpy as np

from erralign.behaviour.loevinger import loevingers_h, loevingers_h_from_counts, share_of_largest
from erralign.measures.limits import percentile_limits, tails
from erralign.measures.measure import ORDER_AND_NAMES, Measure
from erralign.measures.registry import register
from erralign.measures.trials import Draws, Intervals, LeftOut, LimitsOfDifference, Trials, patterns_of
from erralign.measures.worlds import drawn_accuracies, drawn_kappas


def _all_pairs(trials: Trials) -> np.ndarray:
    return _of_pairs(trials, *trials.pairs)


def _of_pairs(trials: Trials, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    both_right = trials.both_right
    n_right = both_right.diagonal()
    return _share(len(trials.truth), n_right[first], n_right[second], both_right[first, second])


def _share(n: int, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
    return share_of_largest(n - a - b + both, b - both, a - both, both)


def _left_out(truth: np.ndarray, answers: np.ndarray, first: np.ndarray, second: np.ndarray, _: int) -> LeftOut:
    n, right = len(truth), (answers == truth).astype(np.int32)
    alone, both = right.sum(axis=1), np.einsum("pt,pt->p", right[first], right[second])
    patterns, place = patterns_of(right)
    a, b = patterns[first], patterns[second]
    without = _share(n - 1, alone[first, None] - a, alone[second, None] - b, both[:, None] - a * b)
    return LeftOut(_share(n, alone[first], alone[second], both), without, place)


def _drawn(trials: Trials, first: np.ndarray, second: np.ndarray, draws: Draws) -> np.ndarray:
    """Draw H of pairs; the system that is more accurate in the data counts as the more accurate one in each draw.

    If the two changed places, the largest EC would be too small on average, and H too large, where they are about
    equally accurate.
    """
    right, again = trials.right, deepcopy(draws.rng)
    kappas = drawn_kappas(right, first, second, draws.n_resamples, draws.rng)
    accuracies = drawn_accuracies(right, draws.n_resamples, again)  # in the same drawn worlds
    a, b, n_right = accuracies[:, first], accuracies[:, second], right.sum(axis=1)
    only_a, only_b = a * (1 - b), b * (1 - a)  # by chance
    return kappas * (only_a + only_b) / (2 * np.where(n_right[first] >= n_right[second], only_b, only_a))


def _of_pair(trials: Trials, _: str, draws: Draws) -> tuple[float, float, float, int]:
    values = _all_pairs(trials)
    low, high, undefined = _of_all_pairs(trials, values, draws)
    return float(low[0]), float(high[0]), float(values[0]), int(undefined[0])


def _of_all_pairs(trials: Trials, values: np.ndarray, draws: Draws) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    low, high = np.quantile(_drawn(trials, *trials.pairs, draws), tails(draws.level), axis=0)
    undefined = np.isnan(values)
    # No draw is exactly 1, so equal tails could never cover it.
    low, high = np.where(undefined, np.nan, low), np.where(undefined, np.nan, np.where(values == 1, 1.0, high))
    return low, high, np.zeros(len(low), dtype=int)


def _of_differences(trials: Trials, draws: Draws) -> tuple[np.ndarray, LimitsOfDifference]:
    values, drawn = _of_pairs(trials, *trials.with_last), _drawn(trials, *trials.with_last, draws)
    drawn[:, np.isnan(values)] = np.nan
    return values, lambda a, b: percentile_limits(drawn[:, a] - drawn[:, b], draws.level)


register(
    Measure(
        "loevingers_h",
        "H",
        loevingers_h,
        from_counts=loevingers_h_from_counts,
        all_pairs=_all_pairs,
        left_out=_left_out,
        intervals=Intervals({"population": ("dirichlet",)}, _of_pair, _of_all_pairs, _of_differences),
        range=(-np.inf, 1.0),
        invariances=ORDER_AND_NAMES | {"choice of wrong answers"},
        words="Loevinger's H",
        meaning="EC as a share of the largest that the two accuracies allow. "
        "1: wherever the more accurate one fails, the other fails too.",
    )
)
