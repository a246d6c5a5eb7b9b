"""A measure of the shape of the cloud of trials, seen through the graph of nearest neighbours."""

from __future__ import annotations

import numpy as np

from erralign.errors import check_choice
from erralign.similarity.prepared import TIMES, Representation, prepare_two

FACTOR = 1e6


def multiscale_intrinsic_distance(X: Representation, Y: Representation, *, variant: str = "exact") -> float:
    r"""Compare how heat spreads on the graphs that join each trial to its five nearest: the IMD score.

    .. math:: IMD = 10^6 \max_t e^{-2(t + 1/t)} |h_X(t) - h_Y(t)|, \quad h(t) = \frac1n \sum_i e^{-t \lambda_i}

    with all eigenvalues :math:`\lambda_i` of the graph's normalised Laplacian, at 256 times from 0.1 to 10, evenly
    spaced on a logarithmic scale. Neighbours are those of smallest Euclidean distance, edges have no direction. Which
    of equally near rows is taken is not defined.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials. The order of trials, even, plays no part.
    variant : {"exact", "textbook"}
        Without the factor and the division by n: the exact value times n over a million. It matters where numbers of
        trials differ. The release estimates h from random vectors; its value for two equal representations is above 0,
        and varies from run to run by several units.

    Returns
    -------
    float
        From 0 up. Undefined, and nan, with fewer than 7 trials, and when X or Y does not vary.

    References
    ----------
    Klabunde et al. (2024), https://doi.org/10.48550/arXiv.2408.00531; Tsitsulin et al. (2020),
    https://doi.org/10.48550/arXiv.1905.11141.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(20, 3))
    >>> round(multiscale_intrinsic_distance(X, 3 * X[:, ::-1] + 1), 6)
    0.0
    """
    check_choice("variant", variant, ("exact", "textbook"))
    x, y = prepare_two(X, Y)
    if x.heat_trace is None or y.heat_trace is None:
        return float("nan")
    score = (np.exp(-2 * (TIMES + 1 / TIMES)) * np.abs(x.heat_trace - y.heat_trace)).max()
    return float(score * (FACTOR if variant == "exact" else x.n))
