"""Limits where trials share material: their distances from the value grow by the square root of the design effect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from erralign.clusters import Clusters, effect_of_difference, effect_of_pair
from erralign.measures import ACCURACY, Measure, Trials
from erralign.measures.limits import spread


def spread_of_pair(
    trials: Trials,
    clusters: Clusters | None,
    measure: Measure,
    limits: tuple[float, float],
    value: float,
    options: Mapping[str, Any],
) -> tuple[float, float]:
    """Return the limits of a measure of two systems, wider apart if trials share material."""
    effect = effect_of_pair(clusters, measure, *trials.of_pair(0, 1), trials.n_classes, **options)
    low, high = spread(*limits, value, effect, measure.range)
    return float(low), float(high)


def spread_of_difference(
    trials: Trials,
    clusters: Clusters | None,
    measure: Measure,
    places: tuple[int, int],
    limits: tuple[float, float],
    value: float,
    options: Mapping[str, Any],
) -> tuple[float, float]:
    """Return the limits of a difference of two systems, wider apart if trials share material."""
    if clusters is None:
        return limits
    a, b = trials.answers[list(places)]
    partner = None if measure is ACCURACY else trials.answers[-1]
    effect = effect_of_difference(clusters, measure, trials.truth, a, b, partner, trials.n_classes, **options)
    widest = measure.range[1] - measure.range[0]
    low, high = spread(*limits, value, effect, (-widest, widest))
    return float(low), float(high)


def clustered_covariance(clusters: Clusters, influences: np.ndarray, independent: np.ndarray) -> np.ndarray:
    """Return the covariance of values where trials share material.

    No variance is below that of independent trials, neither that of a value nor that of the difference of two values.
    """
    n, wider = len(influences), clusters.widening(influences)
    together = clusters.variances(influences) * np.outer(wider, wider) * (n - 1) / n
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
