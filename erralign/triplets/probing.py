"""How much of people's choices does a linear map of the features recover, on objects that it has not seen?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from erralign._validation import check_features, check_positive, check_rng, check_triplets, check_whole
from erralign.triplets.choices import folds_of, odd_one_out

_PENALTIES = (1.0, 0.1, 0.01, 0.001, 0.0001)
"""The grid of the paper for λ, from the strongest."""
_RANK = 48
_MOST_STEPS = 1000
_ENOUGH = 1e-6  # relative gain of a step, below which the search ends


@dataclass(frozen=True)
class Probing:
    """What cross-validated probes find, fold by fold.

    Parameters
    ----------
    penalties : tuple of float
        The values of λ, from the strongest.
    inner : numpy.ndarray of float, shape (n_folds, n_penalties)
        Inner accuracy: the mean over the folds into which the training objects are put; nan where the search had ended.
    new : numpy.ndarray of float, shape (n_folds, n_penalties)
        Accuracy on the triplets of the fold's own objects, which the probe has not seen.
    seen : numpy.ndarray of float, shape (n_folds, n_penalties)
        Accuracy on the triplets that the probe was fitted to.
    tested : numpy.ndarray of int, shape (n_tested,)
        Rows of the triplets whose three objects are in one fold.
    right : numpy.ndarray of bool, shape (n_tested,)
        Whether the probe of that fold, with the penalty of the best inner accuracy, finds the odd one out.
    """

    penalties: tuple[float, ...]
    inner: np.ndarray
    new: np.ndarray
    seen: np.ndarray
    tested: np.ndarray
    right: np.ndarray

    @property
    def chosen(self) -> np.ndarray:
        """The place of each fold's penalty with the best inner accuracy, shape (n_folds,)."""
        return np.nanargmax(self.inner, axis=1)

    @property
    def accuracy(self) -> float:
        """The mean accuracy on new objects over folds, each with the penalty of the best inner accuracy."""
        return float(self.new[np.arange(len(self.new)), self.chosen].mean())

    @property
    def accuracy_seen(self) -> float:
        """The mean accuracy on the triplets of the training objects over folds, with the same penalties."""
        return float(self.seen[np.arange(len(self.seen)), self.chosen].mean())

    @property
    def accuracy_chosen_on_test(self) -> float:
        """The accuracy on new objects with the one penalty that is best on them, which is too optimistic."""
        return float(np.fmax.reduce(self.new.mean(axis=0)))


def probe(
    X: ArrayLike,
    triplets: ArrayLike,
    penalty: float,
    *,
    rank: int = _RANK,
    start: np.ndarray | None = None,
    loss: Loss | None = None,
) -> np.ndarray:
    r"""Fit a linear map under which the pairs that people left together become the most similar.

    .. math:: \min_W \; -\frac{1}{n} \sum_{s=1}^{n} \log p(\{a_s, b_s\} \mid \{i_s, j_s, k_s\}) + \lambda \|W\|^2,
        \qquad S_{ij} = (W^\top x_i)^\top (W^\top x_j)

    with p as in :func:`choice_probabilities`, at τ = 1 (equation 2 of the paper). As a function of
    :math:`G = W W^\top` this is convex, and its penalty, the trace of G, favours a low rank. The search is for W, in
    which it is not convex; but a local minimum whose columns are linearly dependent is a global one (Burer and Monteiro
    2003, https://doi.org/10.1007/s10107-002-0352-8). So W should have more columns than the rank of the best G. The
    search uses L-BFGS, all triplets at once, and single precision.

    Parameters
    ----------
    X : array_like of float, shape (n_objects, n_features)
        Features. The columns of the best W lie in the span of the rows of X. So with more features than objects, reduce
        X with :func:`in_span` first.
    triplets : array_like of int, shape (n_triplets, 3)
        Three objects each; the third is the odd one out.
    penalty : float
        λ, the weight of the penalty.
    rank : int
        How many columns W has, at most n_features. The released code of the paper has n_features columns.
    start : numpy.ndarray of float, shape (n_features, rank), optional
        Where to begin, such as the result for a stronger penalty.
    loss : callable, optional
        What computes the sum above and its gradient, such as ``benchmarks/probes.py`` has it for a GPU. Default: NumPy.

    Returns
    -------
    numpy.ndarray of float, shape (n_features, rank)
        W; the transformed features are ``X @ W``, to be compared by dot product.

    Examples
    --------
    >>> X = np.eye(4)
    >>> W = probe(X, [[0, 1, 2], [0, 1, 3], [2, 3, 0], [2, 3, 1]], 0.01)
    >>> odd_one_out(X @ W, [[0, 1, 2], [3, 0, 2]], similarity="dot").tolist()
    [2, 1]
    """
    rows = check_features("X", X)
    triplets = check_triplets("triplets", triplets, len(rows))
    check_positive("penalty", penalty)
    rank = min(check_whole("rank", rank, 1), rows.shape[1])
    objects, places = np.unique(triplets, return_inverse=True)
    rows, triplets = rows[objects], places.reshape(-1, 3)
    scales, of = _scales(rows, penalty), (loss or penalised_loss)(rows.astype(np.float32), triplets, penalty)

    def scaled(numbers: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = of((numbers.reshape(len(scales), -1) / scales).astype(np.float32))
        return value, (gradient / scales).ravel().astype(float)

    # A result for a stronger penalty has columns near 0, where the gradient is near 0: they get a push.
    begin = _beginning(rows, rank) if start is None else start + _beginning(rows, rank) / 10
    options: Any = {"maxiter": _MOST_STEPS, "maxfun": 10 * _MOST_STEPS, "ftol": _ENOUGH, "gtol": 0.0}
    search = minimize(scaled, (begin * scales).ravel(), jac=True, method="L-BFGS-B", options=options)
    return search.x.reshape(begin.shape) / scales


def in_span(X: ArrayLike) -> np.ndarray:
    """Standardise features, and rotate them so that no more columns are left than there are objects.

    As in the released code, one mean and one standard deviation are taken over all numbers. The rotation changes
    neither similarities nor the penalty of a probe.

    Parameters
    ----------
    X : array_like of float, shape (n_objects, n_features)
        Features.

    Returns
    -------
    numpy.ndarray of float, shape (n_objects, rank of X)
        Features with the same dot products as the standardised ones.

    Examples
    --------
    >>> in_span(np.random.default_rng(0).standard_normal((5, 100))).shape
    (5, 5)
    """
    rows = check_features("X", X)
    if not rows.std():
        raise ValueError("X holds one number only; expected features that vary")
    left, sizes, _ = np.linalg.svd((rows - rows.mean()) / rows.std(), full_matrices=False)
    large = sizes > 1e-10 * sizes[0]
    return left[:, large] * sizes[large]


def cross_validate_probe(
    X: ArrayLike,
    triplets: ArrayLike,
    *,
    penalties: Sequence[float] = _PENALTIES,
    n_folds: int = 3,
    rank: int = _RANK,
    rng: int | np.random.Generator = 0,
    loss: Loss | None = None,
) -> Probing:
    """Measure how well probes do on objects that they have not seen (Muttenthaler et al. 2023, algorithm 1).

    For each fold of the objects a probe is fitted to the triplets whose three objects are all outside the fold, and
    tested on those whose three objects are all in it; the others are left out. The penalty is chosen by the same
    procedure among the training objects, from the strongest on: each fit starts from the previous result, and the
    search ends when the inner accuracy falls.

    Parameters
    ----------
    X, triplets, rank, loss
        As for :func:`probe`.
    penalties : sequence of float
        The values of λ to try, from the strongest.
    n_folds : int
        Into how many folds the objects are put, and again the training objects of each fold.
    rng : int or numpy.random.Generator
        Which objects are in which fold.

    Returns
    -------
    Probing
        Accuracies on new and on seen objects.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 4))
    >>> triplets = np.array([rng.choice(60, 3, replace=False) for _ in range(3000)])
    >>> rows, odd = np.arange(3000), odd_one_out(X[:, :2], triplets, similarity="dot")
    >>> triplets[rows, odd], triplets[:, 2] = triplets[:, 2], triplets[rows, odd]
    >>> cross_validate_probe(X, triplets).accuracy > 0.8
    True
    """
    rows, rng = in_span(X), check_rng(rng)
    triplets = check_triplets("triplets", triplets, len(rows))
    folds, fit = folds_of(len(rows), n_folds, rng), partial(probe, rows, rank=rank, loss=loss)
    shape = n_folds, len(penalties)
    inner, new, seen = np.full(shape, np.nan), np.full(shape, np.nan), np.full(shape, np.nan)
    tested, right = [], []
    for fold in range(n_folds):
        outside = folds == fold
        inner[fold] = _inside(fit, rows, triplets, np.flatnonzero(~outside), penalties, n_folds, rng)
        best, path = np.nanargmax(inner[fold]), int(np.isfinite(inner[fold]).sum())
        own, others = _held(triplets, outside), _held(triplets, ~outside)
        W = None
        for place in range(path):
            W = fit(triplets[others], penalties[place], start=W)
            new[fold, place], seen[fold, place] = (_right(rows @ W, triplets[some]).mean() for some in (own, others))
            if place == best:
                tested.append(own)
                right.append(_right(rows @ W, triplets[own]))
    return Probing(tuple(penalties), inner, new, seen, np.concatenate(tested), np.concatenate(right))


def _inside(
    fit: Callable[..., np.ndarray],
    rows: np.ndarray,
    triplets: np.ndarray,
    objects: np.ndarray,
    penalties: Sequence[float],
    n_folds: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return the mean accuracy of each penalty on objects left out of these, as far as it rises."""
    folds = np.full(len(rows), -1)
    folds[objects] = folds_of(len(objects), n_folds, rng)
    starts: list[np.ndarray | None] = [None] * n_folds
    accuracies = np.full(len(penalties), np.nan)
    for place, penalty in enumerate(penalties):
        shares = []
        for fold in range(n_folds):
            train = _held(triplets, (folds >= 0) & (folds != fold))
            starts[fold] = fit(triplets[train], penalty, start=starts[fold])
            shares.append(_right(rows @ starts[fold], triplets[_held(triplets, folds == fold)]).mean())
        accuracies[place] = np.mean(shares)
        if place and accuracies[place] < accuracies[place - 1]:
            break
    return accuracies


def _held(triplets: np.ndarray, objects: np.ndarray) -> np.ndarray:
    """Return the rows of the triplets whose three objects are among those marked."""
    rows = np.flatnonzero(objects[triplets].all(axis=1))
    if not len(rows):
        raise ValueError("triplets has none whose three objects are in one fold; give more triplets or fewer folds")
    return rows


def _right(rows: np.ndarray, triplets: np.ndarray) -> np.ndarray:
    return odd_one_out(rows, triplets, similarity="dot") == 2


# ---- where the search begins, and how far it steps -------------------------------------------------------------------


def _scales(rows: np.ndarray, penalty: float) -> np.ndarray:
    """Return what makes the loss nearly as curved in one direction of the features as in another."""
    return np.sqrt((rows**2).mean(axis=0) + 2 * penalty)[:, None]


def _beginning(rows: np.ndarray, rank: int) -> np.ndarray:
    """Return a small multiple of the leading features, since at 0 the gradient is 0."""
    leading = np.argsort(-(rows**2).sum(axis=0), kind="stable")[:rank]
    start = np.zeros((rows.shape[1], rank))
    start[leading, np.arange(rank)] = 0.3 / np.sqrt((rows**2).sum(axis=1).mean())
    return start


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


def _with_slopes(similarities: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the mean loss of similarities of shape (3, n_triplets), and its derivatives by them."""
    similarities = similarities - similarities.max(axis=0)
    odds = np.exp(similarities)
    total = odds.sum(axis=0)
    loss = float((np.log(total) - similarities[0]).mean(dtype=float))
    odds /= total
    odds[0] -= 1
    return loss, odds / similarities.shape[1]
