"""How much more a value varies where whole groups of trials are drawn, not single trials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit


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
    2.81
    """

    factors: tuple[np.ndarray, ...]

    def variances(self, influences: np.ndarray) -> np.ndarray:
        r"""Return variances and covariances of values whose trials come in clusters.

        Let :math:`s_g` be the sum of the influences in cluster g of a factor with G clusters.
        """
        parts = [_clustered(influences, codes) for codes in self.factors]
        if len(parts) == 2:
            parts.append(-_clustered(influences, self._crossed()))
        return np.sum(parts, axis=0) * self._few_clusters()

    def effect(self, influence: np.ndarray) -> float:
        """Return the design effect of one value: its variance divided by that of independent trials."""
        n = len(influence)
        alone = n / (n - 1) * (influence @ influence)
        together = float(self.variances(influence[:, None])[0, 0])
        return max(float(together / alone), 1.0) if alone > 0 else 1.0

    def _crossed(self) -> np.ndarray:
        first, second = self.factors
        return _numbered(first * (second.max() + 1) + second)

    def _few_clusters(self) -> float:
        fewest = min(codes.max() + 1 for codes in self.factors)
        return float(stdtrit(fewest - 1, 0.975) / ndtri(0.975)) ** 2


def _numbered(labels: np.ndarray) -> np.ndarray:
    return np.unique(labels, return_inverse=True)[1].ravel()


def _clustered(influences: np.ndarray, codes: np.ndarray) -> np.ndarray:
    n = codes.max() + 1
    sums = np.stack([np.bincount(codes, column, n) for column in influences.T], axis=1)
    return n / (n - 1) * (sums.T @ sums)
