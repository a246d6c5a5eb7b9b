"""Measures of canonical correlations: how well directions of one system match directions of the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import check_choice
from erralign.similarity.prepared import Prepared, Representation, prepare_two

SHARE = 0.99  # of the variance, kept by SVCCA
RIDGE = 1e-10  # SVCCA as released adds it to each variance, relative to the largest


def singular_vector_cca(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Average the canonical correlations between the first principal components of two systems.

    With the singular value decompositions :math:`X_c = U S V^T` and :math:`Y_c = U' S' V'^T`, of which the first k and
    l components are kept,

    .. math:: SVCCA = \frac{1}{\min(k, l)} \sum_j \sigma_j(U_k^T U'_l).

    Source of the textbook form: Raghu et al. (2017), https://doi.org/10.48550/arXiv.1706.05806.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    variant : {"resi", "textbook"}
        The textbook form keeps the fewest components with 99 % of the variance. The release asks for a share of 0.99
        times the total sum of squares instead. No share is that large once the sum exceeds 1.0101, and then one
        component is kept: for ordinary features its value is the correlation of the first principal components.
        So the released form depends on the scale of the features, though it is declared not to. It also adds
        :math:`10^{-10}` to each variance, so that X with itself is a little below 1.

    Returns
    -------
    float
        From 0 to 1. Undefined, and nan, when X or Y does not vary.
    """
    check_choice("variant", variant, ("resi", "textbook"))
    x, y = prepare_two(X, Y)
    if not x.norm or not y.norm:
        return float("nan")
    components = _kept_as_released if variant == "resi" else _kept
    return float(np.linalg.svd(components(x).T @ components(y), compute_uv=False).mean())


def _kept(x: Prepared, threshold: float = SHARE) -> np.ndarray:
    U, s, _ = x.svd
    enough = np.flatnonzero((s**2).cumsum() / (s**2).sum() >= threshold)
    return U[:, : enough[0] + 1] if len(enough) else U[:, :1]


def _kept_as_released(x: Prepared) -> np.ndarray:
    s = x.svd[1]
    components = _kept(x, SHARE * (s**2).sum())
    variances = (s[: components.shape[1]] / s[0]) ** 2
    large = variances >= RIDGE
    return (components * np.sqrt(variances / (variances + RIDGE)))[:, large]


def projection_weighted_cca(
    X: Representation, Y: Representation, *, variant: str = "resi", signs: ArrayLike | None = None
) -> float:
    r"""Average the canonical correlations of two systems, weighted by how much of X each direction carries.

    .. math:: PWCCA = \frac{\sum_i w_i r_i}{\sum_i w_i}, \quad w_i = \sum_j |\langle h_i, x_j \rangle|

    with the canonical correlations :math:`r_i` and the columns :math:`x_j` of X. In the textbook form the :math:`h_i`
    are the canonical variates of X, and the columns are centred. It is not symmetric. If X and Y together have more
    than n - 1 features, some correlations are 1 and their directions arbitrary, and values differ from one computer to
    the next in the fifth digit. Source of the textbook form: Morcos, Raghu and Bengio (2018),
    https://doi.org/10.48550/arXiv.1806.05759.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order.
    variant : {"resi", "textbook"}
        The release takes other directions: it applies the rotation of the whitened features to features that are not
        whitened, adds the mean of column i to direction i, and orthonormalises the directions in their order. With p
        features in X, it needs more than p trials and at least p features in Y. It is not invariant to translation,
        though declared so. Because of the added means its value depends on the signs of the directions, which no
        definition fixes.
    signs : array_like of int, shape (p,), optional
        For the released form only: one sign, 1 or -1, per direction, in order of decreasing correlation. Each direction
        is flipped so that its entry of largest absolute value has this sign. Default: all 1. Try all choices to see how
        far they matter.

    Returns
    -------
    float
        From 0 to 1. Undefined, and nan, when X or Y does not vary; as released also when X has as many features as
        trials or more than Y, or when the centred columns of X or Y are linearly dependent.
    """
    check_choice("variant", variant, ("resi", "textbook"))
    x, y = prepare_two(X, Y)
    if not x.norm or not y.norm:
        return float("nan")
    if variant == "textbook":
        U, r, _ = np.linalg.svd(x.svd[0].T @ y.svd[0], full_matrices=False)
        return _weighted(r, x.svd[0] @ U, x.centred)
    has_full_rank = len(x.svd[1]) == x.width and len(y.svd[1]) == y.width
    return _as_released(x, y, signs) if has_full_rank and x.width <= y.width else float("nan")


def _as_released(x: Prepared, y: Prepared, signs: ArrayLike | None) -> float:
    U, s, Vt = x.svd
    rotation, r, _ = np.linalg.svd(U.T @ y.svd[0], full_matrices=False)
    whitened = Vt.T @ rotation
    largest = np.take_along_axis(whitened, np.abs(whitened).argmax(axis=0)[None], axis=0)[0]
    turned = np.sign(largest) * (1 if signs is None else np.asarray(signs))
    directions = (U * s) @ (rotation * turned) + x.features.mean(axis=0)
    return _weighted(r, np.linalg.qr(directions)[0], x.features)


def _weighted(correlations: np.ndarray, directions: np.ndarray, features: np.ndarray) -> float:
    weights = np.abs(directions.T @ features).sum(axis=1)
    return float(weights @ correlations / weights.sum())
