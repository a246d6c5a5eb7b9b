"""Covariances where trials share material."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from erralign.clusters import Clusters


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
