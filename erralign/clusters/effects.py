"""How much more a value varies where whole groups of trials are drawn, not single trials."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

# From this share of the trials on, the value without a cluster is computed; for at most a hundred clusters, then.
LARGE = 0.01
# Two degrees of freedom are the least: with one, t says nothing.
FEWEST = 3
# From which trials are kept to how that changes a value.
Change = Callable[[np.ndarray], float]


@dataclass(frozen=True)
class Clusters:
    r"""Which trials share material, by one label per trial or by two (two factors that cross).

    Parameters
    ----------
    factors : tuple of numpy.ndarray of int, each of shape (n_trials,)
        The cluster of each trial, 0, 1, …, with one array per factor.

    Examples
    --------
    >>> pairs = Clusters((np.repeat(np.arange(10), 2),))
    >>> round(pairs.effect(np.repeat(np.tile([1.0, -1.0], 5), 2)), 2)
    2.74
    """

    factors: tuple[np.ndarray, ...]

    def variances(self, influences: np.ndarray, change: Change | None = None) -> np.ndarray:
        """Return variances and covariances of values whose trials come in clusters, by leaving out each cluster.

        With ``change``, that of a single value, large clusters are left out in fact; otherwise the influences of the
        trials of a cluster say what leaving it out would change.
        """
        parts = [_left_out(influences, codes, change) for codes in self.factors]
        if len(parts) == 2:
            parts.append(-_left_out(influences, self._crossed(), None))
        return np.sum(parts, axis=0)

    def widening(self, influences: np.ndarray) -> np.ndarray:
        """Return how much larger Student's t is for clusters than for trials, for each value.

        The degrees of freedom are Satterthwaite's for independent trials: clusters count by their share of the variance
        that the value would then have. Few trials may have most of it too, but then limits allow for that already.
        """
        worth = np.min([_equal_clusters(influences**2, codes) for codes in self.factors], axis=0)
        alone = _equal_clusters(influences**2, np.arange(len(influences)))
        of_clusters, of_trials = (stdtrit(np.maximum(each, FEWEST) - 1, 0.975) for each in (worth, alone))
        return of_clusters / of_trials

    def effect(self, influence: np.ndarray, change: Change | None = None) -> float:
        """Return the design effect of one value: its variance divided by that of independent trials."""
        n = len(influence)
        alone = n / (n - 1) * (influence @ influence)
        if alone == 0:
            return 1.0
        together = self.variances(influence[:, None], change)[0, 0] * self.widening(influence[:, None])[0] ** 2
        return max(float(together / alone), 1.0)

    def _crossed(self) -> np.ndarray:
        first, second = self.factors
        return np.unique(first * (second.max() + 1) + second, return_inverse=True)[1].ravel()


def _left_out(influences: np.ndarray, codes: np.ndarray, change: Change | None) -> np.ndarray:
    """Sum squares and products of what leaving out each cluster changes."""
    shares = np.bincount(codes) / len(codes)
    changes = -_sums(influences, codes) / (1 - shares)[:, None]
    if change is not None:
        large = np.flatnonzero(shares >= LARGE)
        changes[large, 0] = [change(codes != cluster) for cluster in large]
    return changes.T @ changes


def _equal_clusters(amounts: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return how many equal clusters spread an amount as evenly: the inverse of the sum of squared shares."""
    sums = _sums(amounts, codes)
    total, squares = sums.sum(axis=0), (sums**2).sum(axis=0)
    return np.divide(total**2, squares, out=np.full(total.shape, len(sums), dtype=float), where=squares > 0)


def _sums(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
    return np.stack([np.bincount(codes, column) for column in columns.T], axis=1)
