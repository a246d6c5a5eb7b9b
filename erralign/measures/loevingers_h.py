"""Loevinger's H: all pairs from four counts, intervals from the draws of EC, and what it is called."""

from __future__ import annotations

from copy import deepcopy

import numpy as np

from erralign.behaviour.counting import four_cells
from erralign.behaviour.loevinger import loevingers_h, share_of_largest
from erralign.measures.limits import LimitsOfDifference, differences_of_draws, tails
from erralign.measures.measure import ORDER_AND_NAMES, Measure
from erralign.measures.registry import register
from erralign.measures.trials import Draws, Intervals, Trials, left_out_of_counts
from erralign.measures.worlds import drawn_accuracies, drawn_kappas


def _drawn(trials: Trials, first: np.ndarray, second: np.ndarray, draws: Draws) -> np.ndarray:
    """Draw H of pairs; the system that is more accurate in the data counts as the more accurate one in each draw."""
    # If the two changed places, H would be too large on average where they are about equally accurate.
    right, again = trials.right, deepcopy(draws.rng)
    kappas = drawn_kappas(right, first, second, draws.n_resamples, draws.rng)
    accuracies = drawn_accuracies(right, draws.n_resamples, again)  # in the same drawn worlds
    a, b, n_right = accuracies[:, first], accuracies[:, second], right.sum(axis=1)
    only_a, only_b = a * (1 - b), b * (1 - a)  # by chance
    return kappas * (only_a + only_b) / (2 * np.where(n_right[first] >= n_right[second], only_b, only_a))


def _of_pair(trials: Trials, _: str, draws: Draws) -> tuple[float, float, float, int]:
    value = loevingers_h(*trials.of_pair(0, 1))
    low, high, undefined = _of_all_pairs(trials, np.array([value]), draws)
    return float(low[0]), float(high[0]), value, int(undefined[0])


def _of_all_pairs(trials: Trials, values: np.ndarray, draws: Draws) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    low, high = np.quantile(_drawn(trials, *trials.pairs, draws), tails(draws.level), axis=0)
    undefined = np.isnan(values)
    # No draw is exactly 1, so equal tails could never cover it.
    low, high = np.where(undefined, np.nan, low), np.where(undefined, np.nan, np.where(values == 1, 1.0, high))
    return low, high, np.zeros(len(low), dtype=int)


def _of_differences(trials: Trials, draws: Draws) -> tuple[np.ndarray, LimitsOfDifference]:
    drawn = _drawn(trials, *trials.with_last, draws)
    return differences_of_draws(trials.each_with_last(loevingers_h), drawn, draws.level)


register(
    Measure(
        "loevingers_h",
        "H",
        loevingers_h,
        all_pairs=lambda trials: share_of_largest(*trials.tables.T),
        left_out=left_out_of_counts(lambda *counts: share_of_largest(*four_cells(*counts))),
        intervals=Intervals({"population": ("dirichlet",)}, _of_pair, _of_all_pairs, _of_differences),
        enough_errors=5,
        range=(-np.inf, 1.0),
        invariances=ORDER_AND_NAMES | {"choice of wrong answers"},
        words="Loevinger's H",
        meaning="EC as a share of the largest that the two accuracies allow. "
        "1: wherever the more accurate one fails, the other fails too.",
    )
)
