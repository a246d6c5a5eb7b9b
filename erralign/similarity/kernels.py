"""Measures that compare kernels: who is near whom, in each system's own space."""

import numpy as np

from erralign._validation import check_enough_trials
from erralign.similarity.prepared import Representation, prepare_two


def cka(X: Representation, Y: Representation, *, unbiased: bool = False, replace_undefined_by: float = np.nan) -> float:
    r"""Measure how alike two representations arrange the same trials: linear centred kernel alignment.

    With the kernels :math:`K = X X^T`, :math:`L = Y Y^T` and the Hilbert-Schmidt independence criterion,

    .. math:: CKA = \frac{HSIC(K, L)}{\sqrt{HSIC(K, K) \, HSIC(L, L)}}.

    The biased estimate is :math:`HSIC(K, L) = tr(KHLH) / (n - 1)^2` with the centring matrix H. By this
    estimate CKA grows with the number of features, also for unrelated features. The unbiased estimate of HSIC (Song et
    al. 2012) is 0 on average for unrelated features.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    unbiased : bool
        Whether to take the unbiased estimate of HSIC, which needs at least 4 trials.
    replace_undefined_by : float
        Returned where a representation does not vary.

    Returns
    -------
    float
        Biased: from 0 to 1. Unbiased: at most 1, and negative values occur for unrelated features. Rotations, a common
        scale and a shift leave it unchanged. Undefined when all trials have the same features.

    References
    ----------
    Kornblith et al. (2019), https://doi.org/10.48550/arXiv.1905.00414; Xu et al. (2024), equations 6 and 7,
    https://doi.org/10.48550/arXiv.2409.13919; Song et al. (2012), equation 5,
    https://doi.org/10.48550/arXiv.1007.0296 (unbiased HSIC).

    Examples
    --------
    >>> X = [[0, 1], [1, 0], [2, 2], [4, 1]]
    >>> Y = [[1, 0], [0, 1], [2, 2], [1, 4]]
    >>> round(cka(X, Y), 6)
    1.0
    """
    x, y = prepare_two(X, Y)
    check_enough_trials("X", x.n, least=4 if unbiased else 2)
    X, Y = x.scaled, y.scaled
    # No n x n kernel is formed when features are few: tr(KHLH) is the squared Frobenius norm of X'Y for centred X, Y.
    few = not unbiased and max(x.width, y.width) < x.n
    of_x, of_y = (X, Y) if few else (X @ X.T, Y @ Y.T)
    if unbiased:
        of_x, of_y = (kernel - np.diag(np.diag(kernel)) for kernel in (of_x, of_y))
    criterion = _hsic_unbiased if unbiased else _squared_products if few else lambda K, L: (K * L).sum()
    within = criterion(of_x, of_x) * criterion(of_y, of_y)
    return float(criterion(of_x, of_y) / np.sqrt(within)) if within > 0 else float(replace_undefined_by)


def _squared_products(X: np.ndarray, Y: np.ndarray) -> float:
    return ((X.T @ Y) ** 2).sum()


def _hsic_unbiased(K: np.ndarray, L: np.ndarray) -> float:
    n = len(K)
    k, l = K.sum(axis=0), L.sum(axis=0)  # noqa: E741
    return (K * L).sum() + k.sum() * l.sum() / ((n - 1) * (n - 2)) - 2 * (k @ l) / (n - 2)
