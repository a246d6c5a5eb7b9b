"""Measures that rotate, permute or map the features of one system onto those of the other, and look at what is left."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from erralign._validation import check_choice
from erralign.similarity.prepared import Prepared, Representation, prepare_two

# Below this share of both sums of squares their difference has lost half of its digits.
CANCELLED = 1e-6


def aligned_cosine_similarity(X: Representation, Y: Representation) -> float:
    r"""Rotate X onto Y as well as possible, and average the cosines between their rows.

    With the singular value decomposition :math:`X^T Y = U S V^T`,

    .. math:: AlignCos = \frac1n \sum_i \frac{\langle U^T x_i, V^T y_i \rangle}{\|x_i\| \, \|y_i\|}.

    Rows that are zero in X or Y are left out. When :math:`X^T Y` lacks rank, the best rotation is not unique, and the
    value can depend on which one is taken. Source: Hamilton, Leskovec and Jurafsky (2016),
    https://doi.org/10.48550/arXiv.1605.09096.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.

    Returns
    -------
    float
        From -1 to 1. Undefined, and nan, when no row is left.
    """
    x, y = prepare_two(X, Y)
    U, _, Vt = np.linalg.svd(x.features.T @ y.features, full_matrices=False)
    products = ((x.features @ U) * (y.features @ Vt.T)).sum(axis=1)
    lengths = np.linalg.norm(x.features, axis=1) * np.linalg.norm(y.features, axis=1)
    left = lengths > 0
    return float((products[left] / lengths[left]).mean()) if left.any() else float("nan")


def angular_shape_distance(X: Representation, Y: Representation) -> float:
    r"""Measure the angle between two representations as shapes, that is, apart from rotation, scale and place.

    .. math:: AngShape = \arccos \frac{\|X_c^T Y_c\|_*}{\|X_c\|_F \, \|Y_c\|_F}

    with centred columns and the nuclear norm (the sum of singular values). It orders pairs exactly as
    :func:`orthogonal_procrustes_distance` does, which equals twice the sine of half this angle. Source: Williams et al.
    (2021), https://doi.org/10.48550/arXiv.2110.14739.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.

    Returns
    -------
    float
        From 0 (the same shape) to π/2. Undefined, and nan, when X or Y does not vary.
    """
    # The arc cosine would lose half of the digits near zero.
    return float(2 * np.arcsin(orthogonal_procrustes_distance(X, Y) / 2))


def orthogonal_procrustes_distance(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Measure what is left between two centred representations of size one after the best rotation.

    .. math:: OrthProc = \sqrt{2 - 2 \frac{\|X_c^T Y_c\|_*}{\|X_c\|_F \, \|Y_c\|_F}}

    Source of the textbook form: Ding, Denain and Steinhardt (2021), https://doi.org/10.48550/arXiv.2108.01661.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    variant : {"resi", "textbook"}
        The textbook form has no root: it is the square of the released form, and puts pairs in the same order. It
        matters only for a mean over pairs, or for a correlation other than by ranks.

    Returns
    -------
    float
        From 0 to the root of 2, or to 2 for the textbook form. Undefined, and nan, when X or Y does not vary.
    """
    check_choice("variant", variant, ("resi", "textbook"))
    x, y = prepare_two(X, Y)
    if not x.norm or not y.norm:
        return float("nan")
    distance = _after_rotation(x, y, 1 / x.norm, 1 / y.norm)
    return distance if variant == "resi" else distance**2


def size_and_shape_distance(X: Representation, Y: Representation) -> float:
    r"""Measure what is left between two centred representations after the best rotation; size counts.

    .. math:: ProcDist = \min_{Q^T Q = 1} \|X_c Q - Y_c\|_F
        = \sqrt{\|X_c\|_F^2 + \|Y_c\|_F^2 - 2 \|X_c^T Y_c\|_*}

    Source: Williams et al. (2021), https://doi.org/10.48550/arXiv.2110.14739.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The narrower one gets columns of zeros.

    Returns
    -------
    float
        From 0 up, in the units of the features. Always defined.
    """
    return _after_rotation(*prepare_two(X, Y))


def permutation_procrustes_distance(X: Representation, Y: Representation) -> float:
    r"""Measure what is left between two representations after the best permutation of features.

    .. math:: PermProc = \min_\Pi \|X - Y \Pi\|_F

    over all permutation matrices. Nothing is centred or scaled. Source: Williams et al. (2021),
    https://doi.org/10.48550/arXiv.2110.14739, who centre the columns first.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The narrower one gets columns of zeros.

    Returns
    -------
    float
        From 0 up, in the units of the features. Always defined.
    """
    x, y = prepare_two(X, Y)
    rows, columns = linear_sum_assignment(x.features.T @ y.features, maximize=True)
    differences = x.features[:, rows] - y.features[:, columns]
    without_partner = np.delete(x.features, rows, axis=1), np.delete(y.features, columns, axis=1)
    return float(np.sqrt(sum((part**2).sum() for part in (differences, *without_partner))))


def hard_correlation_match(X: Representation, Y: Representation) -> float:
    r"""Pair each feature of X with one of Y, and average the correlations of the pairs.

    .. math:: HardCorr = \frac1m \max_\pi \sum_{j=1}^m C_{j, \pi(j)}

    with the correlations C between columns and the smaller number of columns m. No feature has two partners. Features
    of the wider system that are left over do not count. Correlations keep their sign. Source: Li et al. (2016),
    https://doi.org/10.48550/arXiv.1511.07543.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.

    Returns
    -------
    float
        From -1 to 1. Always defined: a constant feature has correlation 0 with all others.
    """
    correlations = _correlations(*prepare_two(X, Y))
    return float(correlations[linear_sum_assignment(correlations, maximize=True)].mean())


def soft_correlation_match(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Let each feature of both systems take its best partner in the other, and average the correlations.

    .. math:: SoftCorr = \frac12 \Big( \frac1p \sum_i \max_j C_{ij} + \frac1q \sum_j \max_i C_{ij} \Big)

    with the correlations C between the p columns of X and the q columns of Y. A feature may have many partners. Source
    of the textbook form: Li et al. (2016), https://doi.org/10.48550/arXiv.1511.07543.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    variant : {"resi", "textbook"}
        The textbook form takes the first term alone: how well Y's features match those of X. It is not symmetric,
        which matters when the systems differ in width.

    Returns
    -------
    float
        From -1 to 1. Always defined: a constant feature has correlation 0 with all.
    """
    check_choice("variant", variant, ("resi", "textbook"))
    correlations = _correlations(*prepare_two(X, Y))
    forth, back = correlations.max(axis=1).mean(), correlations.max(axis=0).mean()
    return float((forth + back) / 2 if variant == "resi" else forth)


def linear_regression(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Return the share of the variance of X that a linear map of Y explains.

    .. math:: LinReg = \frac{\|Q_Y^T X_c\|_F^2}{\|X_c\|_F^2}

    with an orthonormal basis :math:`Q_Y` of the space of the centred columns of Y. It is not symmetric: X is predicted,
    Y predicts. Invertible linear maps of Y, but not of X, leave it unchanged. The release does not declare it invariant
    to translation, but it is. Source: Kornblith et al. (2019), https://doi.org/10.48550/arXiv.1905.00414.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    variant : {"resi", "textbook"}
        The release inverts the covariance of Y. This needs more trials than features, and no constant or redundant
        feature. The textbook form takes any basis, so it is always defined for an X that varies. If Y has as many
        features as there are trials, with linearly independent rows, it is 1 whatever X is.

    Returns
    -------
    float
        From 0 to 1. Undefined, and nan, when X does not vary; as released also when the centred columns of Y are
        linearly dependent.

    Examples
    --------
    >>> X = np.array([[1.0], [3.0], [0.0], [2.0]])
    >>> Y = np.array([[1.0, 2.0], [3.0, 1.0], [0.0, 1.0], [2.0, 2.0]])
    >>> round(linear_regression(X, Y), 6), round(linear_regression(Y, X), 6)
    (1.0, 0.833333)
    """
    check_choice("variant", variant, ("resi", "textbook"))
    x, y = prepare_two(X, Y)
    basis = y.svd[0]
    if not x.norm or (variant == "resi" and basis.shape[1] < y.width):
        return float("nan")
    return float(np.linalg.norm(basis.T @ x.centred) ** 2 / x.norm**2)


def _correlations(x: Prepared, y: Prepared) -> np.ndarray:
    return np.clip(x.unit_columns.T @ y.unit_columns, -1, 1)


def _after_rotation(x: Prepared, y: Prepared, scale_x: float = 1.0, scale_y: float = 1.0) -> float:
    """Return the distance of the centred and scaled features after the best rotation."""
    products, nuclear = x.products(y)
    whole = (scale_x * x.norm) ** 2 + (scale_y * y.norm) ** 2
    squared = whole - 2 * scale_x * scale_y * nuclear
    if squared > CANCELLED * whole:
        return float(np.sqrt(squared))
    if x.width > y.width:  # the wider one is not turned
        return _after_rotation(y, x, scale_y, scale_x)
    U, _, Vt = np.linalg.svd(products, full_matrices=False)
    return float(np.linalg.norm(scale_x * (x.centred @ U @ Vt) - scale_y * y.centred))
