"""A measure of the shape of the cloud of trials, seen through the graph of nearest neighbours."""

import numpy as np
from scipy.sparse import csr_array

from erralign._validation import check_choice, check_rng
from erralign.similarity.prepared import TIMES, Representation, prepare_two

FACTOR = 1e6
# Of the release's estimate.
VECTORS, _AT_A_TIME, _STEPS, _REPEATS = 8_000, 500, 10, 5
EXHAUSTED = 1e-10  # a shorter rest is rounding: the space of a start vector holds no further step


def multiscale_intrinsic_distance(
    X: Representation, Y: Representation, *, variant: str = "exact", rng: int | np.random.Generator = 0
) -> float:
    r"""Compare how heat spreads on the graphs that join each trial to its five nearest: the IMD score.

    .. math:: IMD = 10^6 \max_t e^{-2(t + 1/t)} |h_X(t) - h_Y(t)|, \quad h(t) = \frac1n \sum_i e^{-t \lambda_i}

    with all eigenvalues :math:`\lambda_i` of the graph's normalised Laplacian, at 256 times from 0.1 to 10, evenly
    spaced on a logarithmic scale. Neighbours are the rows at the smallest Euclidean distance, and edges have no
    direction. Which of equally near rows is taken is not defined. Source: Tsitsulin et al. (2020),
    https://doi.org/10.48550/arXiv.1905.11141.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials. Not even the order of the trials matters.
    variant : {"exact", "resi", "textbook"}
        ``"exact"``, the default, is the formula above. The release (``"resi"``) estimates h from 8,000 random vectors
        and takes the mean of five such scores. Its value differs from run to run by several percent and more; it is too
        large for similar systems, and above 0 for X with itself. The textbook form has neither the factor nor the
        division by n, which matters where numbers of trials differ: it is the exact value times n over a million.
    rng : int or numpy.random.Generator
        The source of the release's random vectors.

    Returns
    -------
    float
        From 0 up. Undefined, and nan, with fewer than 7 trials, and when X or Y does not vary.
    """
    check_choice("variant", variant, ("exact", "resi", "textbook"))
    x, y = prepare_two(X, Y)
    generator = check_rng(rng)
    if variant != "resi":
        return _score(x.heat_trace, y.heat_trace) * (FACTOR if variant == "exact" else x.n)
    if x.laplacian is None or y.laplacian is None:
        return float("nan")
    laplacians = csr_array(x.laplacian), csr_array(y.laplacian)
    repeats = ([_sampled_heat_trace(laplacian, generator) for laplacian in laplacians] for _ in range(_REPEATS))
    return float(np.mean([_score(*traces) for traces in repeats])) * FACTOR


def _score(trace_x: np.ndarray, trace_y: np.ndarray) -> float:
    return float((np.exp(-2 * (TIMES + 1 / TIMES)) * np.abs(trace_x - trace_y)).max())


def _sampled_heat_trace(laplacian: csr_array, rng: np.random.Generator) -> np.ndarray:
    """Estimate the mean of exp(-tλ) by Lanczos quadrature, with -tλ, whose mean is known to be -t, as a control."""
    sums = np.zeros((2, len(TIMES)))
    for start in range(0, VECTORS, _AT_A_TIME):
        vectors = rng.standard_normal((laplacian.shape[0], min(_AT_A_TIME, VECTORS - start)))
        nodes, weights = _quadrature(laplacian, vectors / np.linalg.norm(vectors, axis=0))
        sums[0] += [(weights * np.exp(-t * nodes)).sum() for t in TIMES]
        sums[1] += -TIMES * (weights * nodes).sum()
    heat, control = sums / VECTORS
    return heat - (control + TIMES) * np.exp(-TIMES)


def _quadrature(laplacian: csr_array, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of the Gauss quadrature that belongs to each start vector, shape (vectors, steps)."""
    tridiagonal = np.zeros((vectors.shape[1], _STEPS, _STEPS))
    basis = [vectors]
    for step in range(_STEPS):
        rest = laplacian @ basis[step]
        tridiagonal[:, step, step] = (rest * basis[step]).sum(axis=0)
        for _ in range(2):  # once is not enough for vectors that are orthogonal to rounding
            for before in basis:
                rest -= before * (before * rest).sum(axis=0)
        length = np.linalg.norm(rest, axis=0)
        length[length < EXHAUSTED] = 0
        if step + 1 < _STEPS:
            tridiagonal[:, step, step + 1] = tridiagonal[:, step + 1, step] = length
            basis.append(np.where(length > 0, rest / np.where(length > 0, length, 1), 0))
    nodes, vectors_of_nodes = np.linalg.eigh(tridiagonal)
    return nodes, vectors_of_nodes[:, 0, :] ** 2
