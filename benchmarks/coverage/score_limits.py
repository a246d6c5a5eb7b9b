"""Limits of EC by Pearson's chi-square test: all values whose likeliest table it does not reject."""

from collections.abc import Callable

import numpy as np
from scipy.special import chdtri  # not scipy.stats, which would double the time that importing takes

from erralign.measures.matrix import kappa

STEPS = 32


def score_limits(table: np.ndarray, level: float) -> tuple[float, float]:
    """Find the smallest and the largest EC that fit a table."""
    if np.isnan(kappa(*table)):
        return np.nan, np.nan
    # Both limits are searched at once on four grids, each 32 times finer than the one before.
    cut = chdtri(1, 1 - level)
    inside, outside = np.full(2, float(kappa(*table))), np.array([-1.0, 1.0])
    for _ in range(4):
        grids = np.stack([np.linspace(*ends, STEPS + 1) for ends in zip(inside, outside, strict=True)])
        kept = score_chi_square(table, grids.ravel()).reshape(grids.shape) <= cut
        last = np.where(kept.all(axis=1), STEPS, np.maximum(kept.argmin(axis=1) - 1, 0))
        inside, outside = grids[[0, 1], last], grids[[0, 1], np.minimum(last + 1, STEPS)]
    low, high = (inside + outside) / 2
    if table[1] + table[2] == 0:
        high = 1.0  # no disagreement was seen
    return float(low), float(high)


def score_chi_square(table: np.ndarray, kappas: np.ndarray) -> np.ndarray:
    """Measure by Pearson's chi-square how far a table is from the likeliest one that has a given kappa."""
    counts = np.broadcast_to(np.asarray(table, dtype=float), (*np.shape(kappas), 4)).reshape(-1, 4)
    kappas = np.ravel(kappas)
    with np.errstate(divide="ignore", invalid="ignore"):
        around_half = _farthest_from_half(kappas)
        accuracies = _highest(lambda p: _likeliest(counts, kappas, p)[0], 0.5 - around_half, 0.5 + around_half)
        expected = counts.sum(axis=1, keepdims=True) * _likeliest(counts, kappas, accuracies)[1]
        terms = np.where(expected > 0, (counts - expected) ** 2 / expected, np.where(counts > 0, np.inf, 0.0))
    return terms.sum(axis=1)


def _farthest_from_half(kappas: np.ndarray) -> np.ndarray:
    """Return how far from 0.5 an accuracy can be with these values of kappa; the search would fail beyond."""
    # The smallest kappa that an accuracy p allows is reached if the other is 1 - p: -s / (1 - s) with s = 2 p (1 - p).
    below_zero = np.maximum(-kappas, 0)
    return np.sqrt(0.25 - below_zero / (2 * (1 + below_zero)))


def _highest(function: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Find where functions with one peak each are highest between low and high, by golden sections."""
    golden = (np.sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(45):
        go_left = at_left > at_right
        high, low = np.where(go_left, right, high), np.where(go_left, low, left)
        new = np.where(go_left, high - golden * (high - low), low + golden * (high - low))
        value = function(new)
        left, right = np.where(go_left, new, right), np.where(go_left, left, new)
        at_left, at_right = np.where(go_left, value, at_right), np.where(go_left, at_left, value)
    return (low + high) / 2


def _likeliest(counts: np.ndarray, kappas: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Maximise over the accuracy of B for given accuracies p of A; return the likelihood and the cells."""
    half = kappas / 2
    bent = half * (1 - 2 * p)
    # Cells in the order of a table, linear in the accuracy of B: its likelihood is concave.
    slope = np.stack([p - 1 + bent, 1 - p - bent, -p - bent, p + bent], axis=1)
    start = np.stack([1 - p + half * p, -half * p, p - half * p, half * p], axis=1)
    zero = -start / slope
    low = np.where(slope > 0, zero, 0.0).max(axis=1).clip(0, 1)
    high = np.where(slope < 0, zero, 1.0).min(axis=1).clip(0, 1)
    feasible = low <= high
    for _ in range(40):
        middle = (low + high) / 2
        cells = start + slope * middle[:, None]
        rising = np.where(counts > 0, counts * slope / cells, 0.0).sum(axis=1) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    cells = (start + slope * ((low + high) / 2)[:, None]).clip(0, None)
    likelihood = np.where(counts > 0, counts * np.log(cells), 0.0).sum(axis=1)
    return np.where(feasible, likelihood, -np.inf), cells
