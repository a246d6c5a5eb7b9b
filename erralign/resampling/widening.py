"""Limits where trials share material: their distances from the value grow by the square root of the design effect."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.clusters import Clusters, influence_of_difference
from erralign.resampling.trials import Trials

# Where limits may lie.
RANGES = {
    "error_consistency": (-1.0, 1.0),
    "misclassification_agreement": (-1.0, 1.0),
    "class_level_error_similarity": (0.0, 1.0),
    "accuracy": (0.0, 1.0),
}


def spread(
    low: ArrayLike, high: ArrayLike, value: ArrayLike, effect: ArrayLike, within: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    r"""Multiply the distance of each limit from its value by the square root of a design effect.

    The limits become :math:`v - \sqrt{d} (v - l)` and :math:`v + \sqrt{d} (u - v)`.
    """
    low, high, value, more = (np.asarray(each, dtype=float) for each in (low, high, value, np.sqrt(effect) - 1))
    lower = np.clip(low - more * np.maximum(value - low, 0), *within)
    higher = np.clip(high + more * np.maximum(high - value, 0), *within)
    return np.where(more > 0, lower, low), np.where(more > 0, higher, high)


def spread_of_pair(trials: Trials, measure: str, limits: tuple[float, float], value: float) -> tuple[float, float]:
    """Return the limits of a measure of two systems, wider apart if trials share material."""
    if trials.clusters is None:
        return limits
    low, high = spread(*limits, value, trials.effect(measure, 0, 1), RANGES[measure])
    return float(low), float(high)


def spread_of_difference(
    trials: Trials, measure: str, places: tuple[int, int], limits: tuple[float, float], value: float
) -> tuple[float, float]:
    """Return the limits of a difference of two systems, wider apart if trials share material."""
    if trials.clusters is None:
        return limits
    a, b = trials.answers[list(places)]
    partner = None if measure == "accuracy" else trials.answers[-1]
    influence = influence_of_difference(measure, trials.truth, a, b, partner, trials.n_classes, **trials.form)
    lowest, highest = RANGES[measure]
    widest = highest - lowest
    low, high = spread(*limits, value, trials.clusters.effect(influence), (-widest, widest))
    return float(low), float(high)


def clustered_covariance(clusters: Clusters, influences: np.ndarray, independent: np.ndarray) -> np.ndarray:
    """Return the covariance of values where trials share material.

    No variance is below that of independent trials, neither that of a value nor that of the difference of two values.
    """
    n = len(influences)
    together = clusters.variances(influences) * (n - 1) / n
    own = np.maximum(np.diag(together), np.diag(independent))
    between = np.maximum(_of_differences(together), _of_differences(independent))
    return (own[:, None] + own - between) / 2


def _of_differences(covariance: np.ndarray) -> np.ndarray:
    own = np.diag(covariance)
    return own[:, None] + own - covariance - covariance.T


def nearest_covariance(matrix: np.ndarray) -> np.ndarray:
    """Return a symmetric matrix with its negative eigenvalues set to 0, so that it is a possible covariance."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.maximum(values, 0)) @ vectors.T
