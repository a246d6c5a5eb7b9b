"""Loevinger's H: a function of four counts, with the draws of EC, and what it is called."""

from operator import attrgetter

import numpy as np

from erralign.behaviour.consistency import kappa
from erralign.behaviour.counting import four_cells
from erralign.behaviour.loevinger import loevingers_h, share_of_largest
from erralign.measures.error_consistency import right_counts
from erralign.measures.matrix import Resampling, ResponseMatrix, drawn_values
from erralign.measures.measure import ORDER_AND_NAMES, Form, Limits, Measure
from erralign.measures.registry import register


def _draw(matrix: ResponseMatrix, resampling: Resampling) -> np.ndarray:
    """Draw H of pairs; the system that is more accurate in the data counts as the more accurate one in each draw."""
    # If the two changed places, H would be too large on average where they are about equally accurate.
    first, second = matrix.pairs
    n_right = matrix.right.sum(axis=1)
    a_is_better = n_right[first] >= n_right[second]

    def value(n: np.ndarray, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
        kappas, a, b = kappa(*four_cells(n, a, b, both)), a / n, b / n
        only_a, only_b = a * (1 - b), b * (1 - a)  # by chance
        return kappas * (only_a + only_b) / (2 * np.where(a_is_better, only_b, only_a))

    return drawn_values(value, matrix.right, matrix.pairs, resampling.n_resamples, resampling.rng)


def _limits(matrix: ResponseMatrix, values: np.ndarray, resampling: Resampling, _: str) -> Limits:
    low, high = np.quantile(_draw(matrix, resampling), resampling.tails, axis=0)
    undefined = np.isnan(values)
    # No draw is exactly 1, so equal tails could never cover it.
    low, high = np.where(undefined, np.nan, low), np.where(undefined, np.nan, np.where(values == 1, 1.0, high))
    return Limits(low, high, np.zeros(len(low), dtype=int), values)


register(
    Measure(
        "loevingers_h",
        "H",
        loevingers_h,
        form=Form(
            right_counts,
            lambda *counts: share_of_largest(*four_cells(*counts)),
            sums=attrgetter("counts"),
            methods={"population": ("dirichlet",)},
            limits=_limits,
            draw=_draw,
        ),
        enough_errors=5,
        range=(-np.inf, 1.0),
        invariances=ORDER_AND_NAMES | {"choice of wrong answers"},
        words="Loevinger's H",
        meaning="EC as a share of the largest that the two accuracies allow. "
        "1: wherever the more accurate one fails, the other fails too.",
    )
)
