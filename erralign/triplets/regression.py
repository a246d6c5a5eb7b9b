"""Can the dimensions of an embedding of people's answers be read off features? Ridge regression, cross-validated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_features, check_rng, check_same_length, check_whole

STRENGTHS = (0.01, 0.1, 1.0, 10.0, 100.0, 1e4, 1e5, 1e6)
"""The grid of the paper for α, as printed: without 1,000."""


def folds_of(n: int, n_folds: int, rng: int | np.random.Generator = 0) -> np.ndarray:
    """Put objects into folds of nearly equal size, at random."""
    check_whole("n_folds", n_folds, 2, hint="each fold is predicted from the others")
    return check_rng(rng).permutation(np.arange(n) % n_folds)


def predict_dimensions(
    X: ArrayLike,
    Y: ArrayLike,
    *,
    strengths: Sequence[float] = STRENGTHS,
    n_folds: int = 5,
    rng: int | np.random.Generator = 0,
) -> np.ndarray:
    r"""Predict each dimension of Y from features by ridge regression, for objects that were left out (appendix A.3).

    For each outer fold and each dimension y, a and b are fitted on the other folds, where they minimise
    :math:`\|y - X a - b\|^2 + \alpha \|a\|^2`. The strength α of this penalty (not the alpha of smoothing) is the one
    with the smallest leave-one-out error on the same folds.

    Parameters
    ----------
    X : array_like of float, shape (n_objects, n_features)
        Features.
    Y : array_like of float, shape (n_objects, n_dimensions)
        Dimensions, such as those of an embedding of people's answers.
    strengths : sequence of float
        The values of α to try. Default: those printed in the paper, powers of ten from 0.01 to 1,000,000 without 1,000.
    n_folds : int
        The number of outer folds.
    rng : int or numpy.random.Generator
        Which objects are in which fold.

    Returns
    -------
    numpy.ndarray of float, shape (n_objects, n_dimensions)
        Predictions, each from folds without the object.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((50, 3))
    >>> Y = X @ [[1.0], [2.0], [0.0]] + 5
    >>> bool(np.abs(predict_dimensions(X, Y) - Y).max() < 0.01)
    True
    """
    X, Y = check_features("X", X), check_features("Y", Y)
    check_same_length(X=X, Y=Y)
    folds, predicted = folds_of(len(X), n_folds, rng), np.empty_like(Y)
    for fold in range(n_folds):
        inside = folds != fold
        predicted[~inside] = _ridge(X[inside], Y[inside], X[~inside], strengths)
    return predicted


def _ridge(X: np.ndarray, Y: np.ndarray, new: np.ndarray, strengths: Sequence[float]) -> np.ndarray:
    """Fit each column with the strength whose leave-one-out error is smallest, and predict new rows."""
    means = X.mean(axis=0), Y.mean(axis=0)
    U, s, Vt = np.linalg.svd(X - means[0], full_matrices=False)
    projected, turned = U.T @ (Y - means[1]), (new - means[0]) @ Vt.T
    errors, predictions = [], []
    for strength in strengths:
        shrunk = s**2 / (s**2 + strength)
        fitted = U @ (shrunk[:, None] * projected)
        leverage = (U**2) @ shrunk + 1 / len(X)
        errors.append((((Y - means[1] - fitted) / (1 - leverage)[:, None]) ** 2).sum(axis=0))
        predictions.append(turned @ ((s / (s**2 + strength))[:, None] * projected) + means[1])
    best = np.argmin(errors, axis=0)
    return np.array(predictions)[best, :, np.arange(len(best))].T
