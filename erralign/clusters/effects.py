"""How much more a value varies where whole groups of trials are drawn, not single trials."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from scipy.special import stdtrit

# From this share of the trials on, the value without a cluster is computed; for at most a hundred clusters, then.
LARGE = 0.01
# Two degrees of freedom are the least: with one, t says nothing.
FEWEST = 3


@dataclass(frozen=True)
class Clusters:
    r"""Which trials share material, by one label per trial or by two (two factors that cross).

    >>> pairs = Clusters((np.repeat(np.arange(10), 2),))
    >>> round(pairs.effect(np.repeat(np.tile([1.0, -1.0], 5), 2)), 2)
    3.04
    """

    factors: tuple[np.ndarray, ...]  # the cluster of each trial, 0, 1, …, one array per factor

    def changes(self, values: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
        """Return for each factor how leaving out each large cluster changes values of the trials that are kept."""
        whole = values(np.ones(len(self.factors[0]), dtype=bool))
        without = [[values(codes != cluster) for cluster in _large(codes)] for codes in self.factors]
        return [np.nan_to_num(np.reshape(each, (-1, len(whole))) - whole) for each in without]

    def variances(self, influences: np.ndarray, changes: Sequence[np.ndarray] = ()) -> np.ndarray:
        """Return variances and covariances of values, by leaving out each cluster.

        Without ``changes``, and for small clusters, the influences of its trials say what that would change.
        """
        parts = [_left_out(influences, *factor) for factor in zip_longest(self.factors, changes)]
        if len(parts) == 2:
            parts.append(-_left_out(influences, self._crossed(), None))
        return np.sum(parts, axis=0)

    def widening(self, influences: np.ndarray, level: float = 0.95) -> np.ndarray:
        """Return how much wider limits at a level are for few clusters than for as many trials, for each value."""
        # Satterthwaite's degrees of freedom for independent trials: clusters count by their share of the variance that
        # the value would then have. Few trials may have most of it too, but then limits allow for that already.
        worth = np.min([equal_clusters(influences**2, codes) for codes in self.factors], axis=0)
        alone = equal_clusters(influences**2, np.arange(len(influences)))
        return of_few_clusters(worth, level) / stdtrit(np.maximum(alone, FEWEST) - 1, (1 + level) / 2)

    def effect(self, influence: np.ndarray, changes: Sequence[np.ndarray] = (), level: float = 0.95) -> float:
        """Return the design effect of one value: its variance divided by that of independent trials."""
        n = len(influence)
        alone = n / (n - 1) * (influence @ influence)
        if alone == 0:
            return 1.0
        column = influence[:, None]
        together = self.variances(column, changes)[0, 0] * self.widening(column, level)[0] ** 2
        return max(float(together / alone), 1.0)

    def _crossed(self) -> np.ndarray:
        first, second = self.factors
        return np.unique(first * (second.max() + 1) + second, return_inverse=True)[1].ravel()


def of_few_clusters(worth: np.ndarray, level: float) -> np.ndarray:
    """Return Student's t for the m equal clusters that clusters are worth, times the root of m / (m - 1)."""
    # With t alone, coverage falls to .92 in the study ``coverage/clusters``: where few clusters happen to give a low
    # value, they give too small a variance, too.
    m = np.maximum(worth, FEWEST)
    return np.sqrt(m / (m - 1)) * stdtrit(m - 1, (1 + level) / 2)


def equal_clusters(amounts: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return how many equal clusters spread amounts as evenly, but never more than spread the trials as evenly."""
    sums = _sums(np.column_stack([amounts, np.ones(len(codes))]), codes)
    total, squares = sums.sum(axis=0), (sums**2).sum(axis=0)
    worth = np.divide(total**2, squares, out=np.full(total.shape, np.inf), where=squares > 0)
    return np.minimum(worth[:-1], worth[-1])


def _large(codes: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.bincount(codes) >= LARGE * len(codes))


def _left_out(influences: np.ndarray, codes: np.ndarray, changed: np.ndarray | None) -> np.ndarray:
    """Sum squares and products of what leaving out each cluster changes."""
    shares = np.bincount(codes) / len(codes)
    changes = -_sums(influences, codes) / (1 - shares)[:, None]
    if changed is not None:
        changes[_large(codes)] = changed
    return changes.T @ changes


def _sums(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
    return np.stack([np.bincount(codes, column) for column in columns.T], axis=1)
