"""Limits where trials share material: their distances from the value grow by the square root of the design effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.clusters import Clusters, effect_of_difference, effects_of_pairs
from erralign.measures import ACCURACY, Measure, Trials
from erralign.measures.limits import spread


def spread_of_pairs(
    trials: Trials,
    clusters: Clusters | None,
    measure: Measure,
    limits: tuple[ArrayLike, ArrayLike],
    values: ArrayLike,
    level: float,
    options: Mapping[str, Any],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the limits of a measure of all pairs of systems, wider apart if trials share material."""
    return spread(*limits, values, effects_of_pairs(clusters, measure, trials, level, **options), measure.range)


def spread_of_difference(
    trials: Trials,
    clusters: Clusters | None,
    measure: Measure,
    places: tuple[int, int],
    limits: tuple[float, float],
    value: float,
    level: float,
    options: Mapping[str, Any],
) -> tuple[float, float]:
    """Return the limits of a difference of two systems, wider apart if trials share material."""
    if clusters is None:
        return limits
    systems = [*places] if measure is ACCURACY else [*places, -1]
    three = replace(trials, answers=trials.answers[systems])
    effect = effect_of_difference(clusters, measure, three, level, **options)
    widest = measure.range[1] - measure.range[0]
    low, high = spread(*limits, value, effect, (-widest, widest))
    return float(low), float(high)


def clustered_covariance(
    clusters: Clusters, influences: np.ndarray, changes: Sequence[np.ndarray], independent: np.ndarray, level: float
) -> np.ndarray:
    """Return the covariance of values where trials share material, larger if clusters are few.

    No variance is below that of independent trials, neither that of a value nor that of the difference of two values.
    """
    n, wider = len(influences), clusters.widening(influences, level)
    together = clusters.variances(influences, changes) * np.outer(wider, wider) * (n - 1) / n
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
