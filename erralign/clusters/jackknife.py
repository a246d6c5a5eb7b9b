"""A function of sums over trials, and how far it may be off, by leaving out each trial."""

from collections.abc import Callable

import numpy as np
from scipy.special import stdtrit

from erralign.clusters.effects import FEWEST, Clusters, equal_clusters


def jackknife(
    value: Callable[[np.ndarray], np.ndarray], columns: np.ndarray, clusters: Clusters | None, level: float
) -> tuple[float, float]:
    """Return a function of sums of columns over trials, and half the width of its interval: t standard errors."""
    n, sums = len(columns), columns.sum(axis=0)
    whole = float(value(sums))
    without = value(sums - columns)
    without = np.where(np.isnan(without), whole, without)
    influence = without.mean() - without
    # As many degrees of freedom as trials that move the value, less one.
    free = equal_clusters(influence[:, None] ** 2, np.arange(n))[0]
    half = stdtrit(max(free, FEWEST) - 1, (1 + level) / 2) * np.sqrt((n - 1) / n * influence @ influence)
    if clusters is not None:
        changes = clusters.changes(lambda kept: np.atleast_1d(value(columns[kept].sum(axis=0))))
        half *= np.sqrt(clusters.effect(influence, changes, level))
    return whole, float(half)
