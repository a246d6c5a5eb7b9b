"""Measures that compare matrices of similarities or distances between trials, each in its own system."""

import numpy as np

from erralign._validation import check_choice
from erralign.similarity.prepared import Prepared, Representation, prepare_two
from erralign.similarity.profiles import cosines, distance_profile, rank_profile

# The weights of the ridge in GULP; the release takes none.
RIDGES = {"resi": 0.0, "lambda_1e-4": 1e-4, "lambda_1e-2": 1e-2, "lambda_1": 1.0}


def representational_similarity(X: Representation, Y: Representation) -> float:
    r"""Correlate, by ranks, how alike two systems find each pair of trials: representational similarity analysis.

    .. math:: RSA = \rho_{Spearman}\big(triu(S_X), triu(S_Y)\big)

    where S contains the Pearson correlations between rows, of which the n(n - 1)/2 above the diagonal count;
    dissimilarities 1 - S give the same. The release declares it invariant to translation, which it is not. Only a
    constant added to all features of one trial changes nothing. To correlate two matrices that you have already, use
    :func:`erralign.triplets.representational_similarity`. Source: Kriegeskorte, Mur and Bandettini (2008),
    https://doi.org/10.3389/neuro.06.004.2008.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.

    Returns
    -------
    float
        From -1 to 1. A row whose features are all the same has correlation 0 with the others, as in the release.
        Undefined, and nan, when all pairs of trials are
        equally alike in X or in Y, for example with one feature or with two trials.
    """
    x, y = prepare_two(X, Y)
    return float(cosines([rank_profile(x), rank_profile(y)])[0, 1])


def distance_correlation(X: Representation, Y: Representation) -> float:
    r"""Correlate the distances between trials in two systems.

    .. math:: DistCorr = \sqrt{\frac{\langle D_X, D_Y \rangle}{\|D_X\|_F \, \|D_Y\|_F}}

    with the doubly centred matrices D of Euclidean distances; this is the biased form. It is 0 only where X and Y are
    independent, in the limit of many trials. The release does not declare it invariant to scaling, but it is. Source:
    Székely, Rizzo and Bakirov (2007), https://doi.org/10.1214/009053607000000505.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.

    Returns
    -------
    float
        From 0 to 1. Undefined, and nan, when X or Y does not vary (its authors set 0 there).
    """
    x, y = prepare_two(X, Y)
    return float(np.sqrt(max(cosines([distance_profile(x), distance_profile(y)])[0, 1], 0)))


def eigenspace_overlap(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Measure how much the spaces spanned by the columns of two systems have in common.

    .. math:: EOS = \frac{\|U^T V\|_F^2}{\max(p, q)}

    with orthonormal bases U, V of the column spaces and the numbers of columns p, q. The value of a system with itself
    is its rank divided by p. If both systems have at least as many features as there are trials n, and the rows of each
    are linearly independent, the value is n / max(p, q), or (n - 1) / max(p, q) for the centred form. It then says
    nothing about the data. Source: May et al. (2019), https://doi.org/10.48550/arXiv.1909.01264.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    variant : {"resi", "centred"}
        The release, as its source, takes the columns as they are. Centred columns make it invariant to translation,
        which matters when means are large.

    Returns
    -------
    float
        From 0 to 1. Always defined: a zero matrix spans nothing and gives 0.
    """
    check_choice("variant", variant, ("resi", "centred"))
    x, y = prepare_two(X, Y)
    bases = (x.basis, y.basis) if variant == "resi" else (x.svd[0], y.svd[0])
    return float(np.linalg.norm(bases[0].T @ bases[1]) ** 2 / max(x.width, y.width))


def gulp_distance(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Measure how far best linear predictions from two systems can lie apart, over all targets.

    With centred features scaled to a mean squared length of 1, covariances :math:`\Sigma` and
    :math:`A = (\Sigma_X + \lambda)^{-1}`, :math:`B = (\Sigma_Y + \lambda)^{-1}`,

    .. math:: GULP_\lambda^2 = tr(A \Sigma_X A \Sigma_X) + tr(B \Sigma_Y B \Sigma_Y)
        - 2 \, tr(A \Sigma_{XY} B \Sigma_{YX}).

    Source: Boix-Adserà et al. (2022), https://doi.org/10.48550/arXiv.2210.06545.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    variant : {"resi", "lambda_1e-4", "lambda_1e-2", "lambda_1"}
        The release takes λ = 0 and the square: the two ranks minus twice the sum of squared canonical correlations, so
        directions with hardly any variance count as much as the largest. The others are the distance of the source,
        with a root, for three weights λ > 0; the larger λ, the more large directions count.

    Returns
    -------
    float
        From 0 up; as released at most the sum of the ranks. Undefined, and nan, when X or Y does not vary; as released
        also when X or Y has more features than trials.
    """
    check_choice("variant", variant, tuple(RIDGES))
    x, y = prepare_two(X, Y)
    if not x.norm or not y.norm or (variant == "resi" and max(x.width, y.width) > x.n):
        return float("nan")
    of_x, of_y = (_shrinkage(of_system, RIDGES[variant]) for of_system in (x, y))
    squared = (of_x**2).sum() + (of_y**2).sum() - 2 * (of_x @ (x.svd[0].T @ y.svd[0]) ** 2 @ of_y)
    return float(max(squared, 0) if variant == "resi" else np.sqrt(max(squared, 0)))


def _shrinkage(x: Prepared, ridge: float) -> np.ndarray:
    """Return how much of each principal component a ridge regression keeps."""
    variances = (x.svd[1] / x.norm) ** 2
    return variances / (variances + ridge)


def rsm_norm_difference(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Return the norm of the difference of two matrices that say how far trials lie apart in each system.

    .. math:: RSMDiff = \|S_X - S_Y\|_2

    with the matrices S of Euclidean distances between rows. The release does not declare it invariant to translation,
    but it is. Source: Shahbazi et al. (2021), https://doi.org/10.1016/j.neuroimage.2021.118271; of ``"pip"``
    Yin and Shen (2018), https://doi.org/10.48550/arXiv.1812.04224.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    variant : {"resi", "frobenius", "pip"}
        The release takes the spectral norm, the largest stretch that the difference gives to any vector: mostly, it
        compares mean distances. The Frobenius norm, which adds up the squared differences of all pairs of trials, is
        what the source means. ``"pip"``, the loss of pairwise inner products, takes the Frobenius norm and products of
        rows in place of distances; translation changes it.

    Returns
    -------
    float
        From 0 up, in the units of the features (squared units for ``"pip"``). Always defined.
    """
    check_choice("variant", variant, ("resi", "frobenius", "pip"))
    x, y = prepare_two(X, Y)
    if variant == "pip":
        return float(np.linalg.norm(x.features @ x.features.T - y.features @ y.features.T))
    difference = x.distances - y.distances
    if variant == "frobenius":
        return float(np.linalg.norm(difference))
    return float(np.abs(np.linalg.eigvalsh(difference)[[0, -1]]).max())
