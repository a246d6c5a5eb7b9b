"""What a probe makes small: the penalised loss of a map over all triplets at once, and its gradient."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Value = Callable[[np.ndarray], tuple[float, np.ndarray]]
Loss = Callable[[np.ndarray, np.ndarray, float], Value]
"""From features, triplets and λ to a function of the map W, which returns the loss and its gradient."""
PAIRS = ((0, 1), (0, 2), (1, 2))
"""The pairs of a triplet; people left the first together."""


def penalised_loss(rows: np.ndarray, triplets: np.ndarray, penalty: float) -> Value:
    r"""Return the loss of equation 2 of the paper as a function of the map.

    .. math:: L(W) = -\frac{1}{n} \sum_{s=1}^{n} \log \frac{\exp S_{ab}}{\exp S_{ij} + \exp S_{ik} + \exp S_{jk}}
        + \lambda \|W\|^2, \qquad S = X W (X W)^\top

    S is computed for all pairs of objects, and the derivatives are summed by pair of objects: that leaves two products
    of matrices, which is less work than a product for each triplet.
    """
    m = len(rows)
    pairs = np.concatenate([triplets[:, a] * m + triplets[:, b] for a, b in PAIRS])

    def value(W: np.ndarray) -> tuple[float, np.ndarray]:
        Z = rows @ W
        loss, odds = _with_slopes((Z @ Z.T).ravel()[pairs].reshape(3, -1))
        sums = np.bincount(pairs, odds.ravel(), m * m).reshape(m, m).astype(rows.dtype)
        gradient = rows.T @ ((sums + sums.T) @ Z) + 2 * penalty * W
        return loss + penalty * float((W**2).sum(dtype=float)), gradient

    return value


def _with_slopes(each: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the mean loss of similarities of shape (3, n_triplets), and its derivatives by them."""
    each = each - each.max(axis=0)
    odds = np.exp(each)
    total = odds.sum(axis=0)
    loss = float((np.log(total) - each[0]).mean(dtype=float))
    odds /= total
    odds[0] -= 1
    return loss, odds / each.shape[1]
