"""Covariances of means, where errors are few and where trials share material."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri, stdtrit

from erralign.clusters import Clusters, equal_clusters

# Where fewer trials decide a value, limits are as wide as for so many. Means of pairs have at least as many errors.
FEWEST_TRIALS = 5


def few_trials(influences: np.ndarray, level: float) -> np.ndarray:
    """Return how much wider limits at a level are if few trials decide a value: Student's t over the normal's z."""
    worth = equal_clusters(influences**2, np.arange(len(influences)))
    return stdtrit(np.maximum(worth, FEWEST_TRIALS) - 1, (1 + level) / 2) / ndtri((1 + level) / 2)


def clustered_covariance(
    clusters: Clusters, influences: np.ndarray, changes: Sequence[np.ndarray], level: float
) -> np.ndarray:
    """Return the covariance of values where trials share material, larger if clusters are few."""
    n, wider = len(influences), clusters.widening(influences, level)
    return clusters.variances(influences, changes) * np.outer(wider, wider) * (n - 1) / n


def larger_covariance(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the larger variances of two covariances, of each value and of the difference of any two values."""
    own = np.maximum(np.diag(one), np.diag(other))
    between = np.maximum(_of_differences(one), _of_differences(other))
    return (own[:, None] + own - between) / 2


def _of_differences(covariance: np.ndarray) -> np.ndarray:
    own = np.diag(covariance)
    return own[:, None] + own - covariance - covariance.T


def nearest_covariance(matrix: np.ndarray) -> np.ndarray:
    """Return a symmetric matrix with its negative eigenvalues set to 0, so that it is a possible covariance."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.maximum(values, 0)) @ vectors.T
