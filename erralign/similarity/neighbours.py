"""Measures that ask whether a trial has the same neighbours in both systems: its ten nearest by cosine."""

import numpy as np

from erralign._validation import check_choice
from erralign.similarity.prepared import N_NEIGHBOURS, Prepared, Representation, prepare_two

_PLACES = np.arange(1, N_NEIGHBOURS + 1)
# What a common neighbour counts, by its place in either list.
_CLOSENESS = 2 / ((1 + np.abs(_PLACES[:, None] - _PLACES)) * (_PLACES[:, None] + _PLACES))
_HARMONIC = np.concatenate([[1], np.cumsum(1 / _PLACES)])  # by the number of common neighbours; none: a sum of nothing


def jaccard_similarity(X: Representation, Y: Representation) -> float:
    r"""Average, over trials, how many nearest neighbours two systems share, out of those of either.

    .. math:: Jaccard = \frac1n \sum_i \frac{|N_X(i) \cap N_Y(i)|}{|N_X(i) \cup N_Y(i)|}

    where :math:`N_X(i)` are the ten rows of X that are nearest to row i, those with the largest cosine, and
    :math:`N_Y(i)` those of Y. If five of the ten are the same, five are common out of fifteen in all, so the trial
    counts 1/3. A row is never its own neighbour here. In the released code it can be, if another row is identical to
    it. Which of equally near rows is taken is not defined. Source: Wang et al. (2020),
    https://doi.org/10.1109/TKDE.2020.2989512, and Hryniowski and Wong (2020),
    https://doi.org/10.48550/arXiv.2012.03793.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.

    Returns
    -------
    float
        From 0 to 1. Undefined, and nan, with fewer than 11 trials, and when the nearest rows of every trial are all
        equally near. This is so when X or Y does not vary, or has only one feature.
    """
    same = _same_neighbours(*prepare_two(X, Y))
    if same is None:
        return float("nan")
    common = same.sum(axis=(1, 2))
    return float((common / (2 * N_NEIGHBOURS - common)).mean())


def rank_similarity(X: Representation, Y: Representation) -> float:
    r"""Compare the order of the neighbours that two systems have in common; the nearest count most.

    .. math:: RankSim = \frac1n \sum_i \frac{1}{H_{|C_i|}} \sum_{j \in C_i}
        \frac{2}{(1 + |r_X(j) - r_Y(j)|) \, (r_X(j) + r_Y(j))}

    where :math:`C_i` are the rows that are among the ten nearest of trial i (those with the largest cosine) in both
    systems, r are their places in either list, from 1 for the nearest, and :math:`H_m = 1 + 1/2 + … + 1/m`. A trial
    without common neighbours counts 0. Source: Wang et al. (2020), https://doi.org/10.1109/TKDE.2020.2989512.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.

    Returns
    -------
    float
        From 0 to 1. Undefined, and nan, where :func:`jaccard_similarity` is.
    """
    same = _same_neighbours(*prepare_two(X, Y))
    if same is None:
        return float("nan")
    return float(((same * _CLOSENESS).sum(axis=(1, 2)) / _HARMONIC[same.sum(axis=(1, 2))]).mean())


def second_order_cosine_similarity(X: Representation, Y: Representation, *, variant: str = "resi") -> float:
    r"""Compare how far each trial lies from those that are its neighbours in either system.

    .. math:: \text{2nd-Cos} = \frac1n \sum_i \frac{\langle a_i, b_i \rangle}{\|a_i\| \, \|b_i\|}, \quad
        a_i = \big(1 - \cos(x_i, x_j)\big)_{j \in U_i}

    where :math:`U_i` contains the ten nearest neighbours of trial i in X, by cosine, and its ten nearest in Y, and
    :math:`b_i` is computed from Y as :math:`a_i` is from X. Source of the textbook form: Hamilton, Leskovec and
    Jurafsky (2016), https://doi.org/10.48550/arXiv.1606.02821.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    variant : {"resi", "textbook"}
        The textbook form takes the cosines themselves, the release takes the distances 1 - cos. Vectors of positive
        distances are always rather alike, so the released values lie closer to 1 where neighbours are not very near.

    Returns
    -------
    float
        From 0 to 1, or from -1 for the textbook form. Undefined, and nan, where :func:`jaccard_similarity` is, and when
        a trial has distance 0 (textbook: cosine 0) to all these neighbours.
    """
    check_choice("variant", variant, ("resi", "textbook"))
    x, y = prepare_two(X, Y)
    same = _same_neighbours(x, y)
    if same is None or x.neighbours is None or y.neighbours is None:
        return float("nan")
    united = np.hstack([x.neighbours, y.neighbours])
    # A common neighbour stands in both lists and counts once.
    once = np.hstack([np.ones(x.neighbours.shape, bool), ~same.any(axis=1)])
    distances = (np.take_along_axis(of_system.cosine_distances, united, axis=1) for of_system in (x, y))
    a, b = (np.where(once, of_system if variant == "resi" else 1 - of_system, 0) for of_system in distances)
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return float(((a * b).sum(axis=1) / lengths).mean()) if lengths.all() else float("nan")


def _same_neighbours(x: Prepared, y: Prepared) -> np.ndarray | None:
    """Return, for each trial, which place in X's list of neighbours has the same row as which place in Y's."""
    if x.neighbours is None or y.neighbours is None:
        return None
    return x.neighbours[:, :, None] == y.neighbours[:, None, :]
