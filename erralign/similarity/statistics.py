"""Measures that describe each system by one number, and take the difference."""

import numpy as np

from erralign._validation import check_choice
from erralign.similarity.prepared import Prepared, Representation, prepare_two, to_unit_length

SHARPNESS = 2  # of the kernel


def concentricity_difference(X: Representation, Y: Representation) -> float:
    r"""Compare how closely the rows of two systems point along their mean.

    .. math:: ConcDiff = \Big| \frac1n \sum_i \cos(x_i, \bar x) - \frac1n \sum_i \cos(y_i, \bar y) \Big|

    Source: Wang et al. (2020), https://doi.org/10.1109/TKDE.2020.2989512.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials. The numbers of features may differ.

    Returns
    -------
    float
        From 0 to 2. Always defined: a row of zeros, or a mean of zero, has cosine 0.
    """
    x, y = prepare_two(X, Y)
    return abs(_concentricity(x) - _concentricity(y))


def _concentricity(x: Prepared) -> float:
    mean = to_unit_length(x.features.mean(axis=0, keepdims=True), axis=1)[0]
    return float((x.unit_rows @ mean).mean())


def magnitude_difference(X: Representation, Y: Representation) -> float:
    r"""Compare the lengths of the mean rows of two systems.

    .. math:: MagDiff = \big| \|\bar x\| - \|\bar y\| \big|

    Source: Wang et al. (2020), https://doi.org/10.1109/TKDE.2020.2989512.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials. The numbers of features may differ.

    Returns
    -------
    float
        From 0 up, in the units of the features. Always defined.

    Examples
    --------
    >>> magnitude_difference([[3.0, 4.0], [3.0, 4.0]], [[1.0], [2.0]])
    3.5
    """
    x, y = prepare_two(X, Y)
    lengths = [np.linalg.norm(system.features.mean(axis=0)) for system in (x, y)]
    return float(abs(lengths[0] - lengths[1]))


def uniformity_difference(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Compare how evenly the rows of two systems are spread.

    .. math:: UnifDiff = |u(X) - u(Y)|, \quad u(X) = \log \frac{1}{n^2} \sum_{i, j} e^{-2 \|x_i - x_j\|^2}

    Source of the textbook form: Wang and Isola (2020), https://doi.org/10.48550/arXiv.2005.10242.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials. The numbers of features may differ.
    variant : {"resi", "textbook"}
        The textbook form first scales the rows to length one, and leaves out the pairs of a row with itself. The
        release does neither. If all rows lie far apart, as they do when features have large norms, all terms of the sum
        vanish except those of a row with itself. Then u is -log n for every system, and the value is 0 for every pair.

    Returns
    -------
    float
        From 0 to log n (textbook: 8). Always defined.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
    >>> round(uniformity_difference(X, X[:, ::-1] + 1), 6)
    0.0
    >>> uniformity_difference(100 * X, 1000 * X)
    0.0
    """
    check_choice("variant", variant, ("resi", "textbook"))
    x, y = prepare_two(X, Y)
    uniformity = _uniformity_as_released if variant == "resi" else _uniformity
    return abs(uniformity(x) - uniformity(y))


def _uniformity_as_released(x: Prepared) -> float:
    return float(np.log(np.exp(-SHARPNESS * x.distances**2).mean()))


def _uniformity(x: Prepared) -> float:
    if x.n < 2:
        return float("nan")
    kernel = np.exp(-SHARPNESS * Prepared(x.unit_rows).distances ** 2)
    return float(np.log((kernel.sum() - x.n) / (x.n * (x.n - 1))))
