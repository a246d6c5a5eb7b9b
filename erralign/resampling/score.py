"""The score interval of error consistency: all values that Pearson's chi-square does not reject."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import chdtri  # not scipy.stats, which would double the time that importing takes

from erralign.behaviour import kappa

STEPS = 32


def score_limits(table: np.ndarray, level: float) -> tuple[float, float]:
    """Find the smallest and the largest EC that fit a table.

    Both limits are searched at once on four grids, each 32 times finer than the one before. A root finder would need
    more evaluations, and would fail where no EC beyond a certain one is possible, since chi-square is infinite there.

    Parameters
    ----------
    table : numpy.ndarray of int, shape (4,)
        Both wrong, only B right, only A right, both right; EC must be defined.
    level : float
        The share of experiments in which the limits should contain the true value.

    Returns
    -------
    tuple of float
        Low and high, from -1 to 1. They are precise to a millionth of the distance from EC to -1 or to 1.

    Examples
    --------
    >>> [round(limit, 2) for limit in score_limits(np.array([3, 5, 7, 145]), 0.95)]
    [0.08, 0.59]
    """
    cut = chdtri(1, 1 - level)
    inside, outside = np.full(2, float(kappa(*table))), np.array([-1.0, 1.0])
    for _ in range(4):
        grids = np.stack([np.linspace(*ends, STEPS + 1) for ends in zip(inside, outside, strict=True)])
        kept = score_chi_square(table, grids.ravel()).reshape(grids.shape) <= cut
        last = np.where(kept.all(axis=1), STEPS, np.maximum(kept.argmin(axis=1) - 1, 0))
        inside, outside = grids[[0, 1], last], grids[[0, 1], np.minimum(last + 1, STEPS)]
    low, high = (inside + outside) / 2
    return float(low), float(high)


def score_chi_square(table: np.ndarray, kappas: np.ndarray) -> np.ndarray:
    """Measure by Pearson's chi-square how badly tables fit a given kappa.

    Each table is compared with the likeliest cells that have this kappa.

    Parameters
    ----------
    table : numpy.ndarray of int, shape (4,) or (n, 4)
        Both wrong, only B right, only A right, both right.
    kappas : numpy.ndarray of float, shape (n,)
        One per table, or many for one table.

    Returns
    -------
    numpy.ndarray
        Shape (n,), from 0 up. The score interval for 95 % contains the values of kappa at which it is at most 3.84.

    Examples
    --------
    >>> score_chi_square(np.array([3, 5, 7, 145]), np.array([0.0, 0.3])).round(2).tolist()
    [14.04, 0.0]
    """
    counts = np.broadcast_to(np.asarray(table, dtype=float), (*np.shape(kappas), 4)).reshape(-1, 4)
    kappas = np.ravel(kappas)
    with np.errstate(divide="ignore", invalid="ignore"):
        around_half = _farthest_from_half(kappas)
        accuracies = _highest(lambda p: _likeliest(counts, kappas, p)[0], 0.5 - around_half, 0.5 + around_half)
        expected = counts.sum(axis=1, keepdims=True) * _likeliest(counts, kappas, accuracies)[1]
        terms = np.where(expected > 0, (counts - expected) ** 2 / expected, np.where(counts > 0, np.inf, 0.0))
    return terms.sum(axis=1)


def _farthest_from_half(kappas: np.ndarray) -> np.ndarray:
    """Return how far from 0.5 an accuracy can be with these values of kappa; the search would fail beyond.

    The smallest kappa that an accuracy p allows is reached if the other is 1 - p: -s / (1 - s) with s = 2 p (1 - p).
    """
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
