"""Odd-one-out choices and their probabilities, and what similarities of objects say of features and of variance."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from erralign._validation import (
    NO_ANSWER,
    check_choice,
    check_features,
    check_matrices,
    check_positive,
    check_rng,
    check_same_length,
    check_triplets,
    check_whole,
)
from erralign.measures.matrix import ratio

_SIMILARITIES = ("cosine", "dot")
# The pair that is left where the first, second, third is the odd one out.
_LEFT = ((1, 2), (0, 2), (0, 1))


def pair_similarities(X: ArrayLike, triplets: ArrayLike, *, similarity: str = "cosine") -> np.ndarray:
    r"""Return how similar the other two of each triplet are, for each of the three.

    The similarity of objects i and j is :math:`S_{ij} = x_i^\top x_j / (\|x_i\| \, \|x_j\|)` (cosine), or the same
    without the denominator (dot).

    Parameters
    ----------
    X : array_like of float, shape (n_objects, n_features)
        A representation, one row per object. All pairs are computed at once, so 20,000 objects take 3 GB.
    triplets : array_like of int, shape (n_triplets, 3)
        Three different objects each, given by their rows in X, from 0.
    similarity : {"cosine", "dot"}
        Which similarity S to take.

    Returns
    -------
    numpy.ndarray of float, shape (n_triplets, 3)
        In column c, the similarity of the two that are left when c is taken away. The cosine with an object whose
        features are all 0 is nan.

    Examples
    --------
    >>> X = [[1, 0], [0, 1], [0, 2]]
    >>> pair_similarities(X, [[0, 1, 2]], similarity="dot").tolist()
    [[2.0, 0.0, 0.0]]
    """
    check_choice("similarity", similarity, _SIMILARITIES)
    rows = check_features("X", X)
    triplets = check_triplets("triplets", triplets, len(rows))
    if similarity == "cosine":
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = ratio(rows, lengths)
    gram = rows @ rows.T
    return np.stack([gram[triplets[:, a], triplets[:, b]] for a, b in _LEFT], axis=1)


def odd_one_out(X: ArrayLike, triplets: ArrayLike, *, similarity: str = "cosine") -> np.ndarray:
    """Return the odd one out of each triplet by a representation: the one that leaves the most similar pair.

    Parameters
    ----------
    X, triplets, similarity
        As for :func:`pair_similarities`.

    Returns
    -------
    numpy.ndarray of int, shape (n_triplets,)
        0, 1 or 2, the place in the triplet. It is -1 if two pairs are equally similar and no pair more so, since a
        representation that cannot decide has not found the odd one out.

    Examples
    --------
    >>> cat, dog, candelabra = [1, 0.9], [0.9, 1], [-1, 0.1]
    >>> odd_one_out([cat, dog, candelabra], [[0, 1, 2], [2, 0, 1]]).tolist()
    [2, 0]
    """
    return _chosen(pair_similarities(X, triplets, similarity=similarity))


def _chosen(similarities: np.ndarray) -> np.ndarray:
    """Return the place of the largest number of each row."""
    ties = (similarities == similarities.max(axis=1, keepdims=True)).sum(axis=1) != 1
    return np.where(ties, NO_ANSWER, similarities.argmax(axis=1))


def odd_one_out_accuracy(X: ArrayLike, triplets: ArrayLike, *, similarity: str = "cosine") -> float:
    r"""Measure how often a representation finds the odd one out that people chose: zero-shot odd-one-out accuracy.

    .. math:: \frac{1}{n} \sum_{s=1}^{n} [\text{the pair } \{a_s, b_s\} \text{ is the most similar of the triplet}]

    where :math:`a_s` and :math:`b_s` are the first two objects of triplet s, those that people left together.

    Parameters
    ----------
    X, triplets, similarity
        As for :func:`pair_similarities`.

    Returns
    -------
    float
        From 0 to 1; chance gives 1/3. Where :func:`odd_one_out` is -1 the choice counts as wrong.

    Examples
    --------
    >>> odd_one_out_accuracy([[1, 0], [1, 1], [0, 1], [-1, 0]], [[0, 1, 2], [0, 1, 3]])
    0.5
    """
    return float((odd_one_out(X, triplets, similarity=similarity) == 2).mean())


def choice_probabilities(similarities: ArrayLike, temperature: float = 1.0) -> np.ndarray:
    r"""Turn similarities into probabilities of each choice (Muttenthaler et al. 2023, equation 1 and appendix A.2).

    .. math:: p(\{a, b\} \mid \{i, j, k\}) = \frac{\exp(\tau S_{ab})}{\exp(\tau S_{ij}) + \exp(\tau S_{ik}) +
        \exp(\tau S_{jk})}

    is the probability that a and b, two of the objects i, j and k, are left together.

    Parameters
    ----------
    similarities : array_like of float, shape (n_triplets, 3)
        As :func:`pair_similarities` returns them.
    temperature : float
        τ, which multiplies the similarities: the inverse of the glossary's temperature T, by which logits are divided.

    Returns
    -------
    numpy.ndarray of float, shape (n_triplets, 3)
        In column c, the probability that c is the odd one out. Each row sums to 1.

    Examples
    --------
    >>> choice_probabilities([[1.0, 0.0, 0.0]], 2.0).round(2).tolist()
    [[0.79, 0.11, 0.11]]
    """
    check_positive("temperature", temperature)
    return softmax(temperature * np.asarray(similarities, dtype=float), axis=1)


def representational_similarity(
    matrix_a: ArrayLike, matrix_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    """Correlate the ranks of two similarity matrices: Spearman's correlation over all pairs of objects.

    The measure of the same name, :func:`erralign.similarity.representational_similarity`, takes features.

    Parameters
    ----------
    matrix_a, matrix_b : array_like of float, shape (n_objects, n_objects)
        Two symmetric matrices of similarities of the same objects in the same order, or two of dissimilarities, such as
        correlations of features or people's judgements. The diagonal plays no part.
    replace_undefined_by : float
        Returned where all values of one matrix are the same.

    Returns
    -------
    float
        From -1 to 1. Any increasing function of either matrix leaves it unchanged.

    Examples
    --------
    >>> representational_similarity([[1, 0.2, 0.5], [0.2, 1, 0.9], [0.5, 0.9, 1]], [[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    1.0
    """
    from scipy.stats import spearmanr  # here, since it takes its time to import

    matrix_a, matrix_b = check_matrices(matrix_a, matrix_b)
    upper = np.triu_indices(len(matrix_a), 1)
    a, b = matrix_a[upper], matrix_b[upper]
    return float(spearmanr(a, b).statistic) if np.ptp(a) and np.ptp(b) else float(replace_undefined_by)


_MANY = 10**6  # sums; beyond, those that are 0 are left out at the price of sorting


def object_variance(values: ArrayLike, triplets: ArrayLike) -> float:
    r"""Return the variance of a mean over triplets when other objects could have been drawn.

    Two triplets with an object in common vary together. With residuals :math:`e_s = v_s - \bar v` of the n triplets,

    .. math:: V = \frac{1}{n^2} \max\Big( T, \; \sum_s e_s^2 \Big),

    .. math:: T = \sum_i e_{(i)}^2 - \sum_{i < j} e_{(ij)}^2 + \sum_{i<j<k} e_{(ijk)}^2, \qquad
        e_{(\cdot)} = \frac{1}{1 - h} \sum_{s \text{ contains } (\cdot)} e_s,

    where :math:`e_{(ij)}` is about the triplets that contain both i and j, and so on, so that a pair of triplets with
    two or three objects in common counts once. These triplets are a share h of all: :math:`e_{(\cdot)} / n` is by how
    much leaving them out changes the mean. An object that is in all triplets changes nothing.

    Parameters
    ----------
    values : array_like of float, shape (n_triplets,)
        What is averaged, such as 1 where a choice was right and 0 where not.
    triplets : array_like of int, shape (n_triplets, 3)
        Objects, in any order.

    Returns
    -------
    float
        V, at least the variance that there would be if no two triplets had an object in common, as in the second
        example, where T is 0.

    References
    ----------
    Cameron, Gelbach & Miller (2011), several ways of clustering, https://doi.org/10.1198/jbes.2010.07136; Aronow,
    Samii & Assenova (2015), the same for pairs, https://doi.org/10.1093/pan/mpv018

    Examples
    --------
    >>> apart = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    >>> round(object_variance([1, 0, 1, 0], apart), 4), round(object_variance([1, 0, 1, 0], [[0, 1, 2]] * 4), 4)
    (0.1111, 0.0625)
    """
    values = np.asarray(values, dtype=float)
    triplets = np.sort(check_triplets("triplets", triplets, np.iinfo(np.int32).max), axis=1)
    check_same_length(triplets=triplets, values=values)
    numbers, places = np.unique(triplets, return_inverse=True)
    m, residuals = len(numbers), values - values.mean()
    together = sum(
        (-1) ** (size + 1) * _sum_of_squares(places.reshape(-1, 3)[:, columns], residuals, m)
        for size in (1, 2, 3)
        for columns in [list(map(list, combinations(range(3), size)))]
    )
    return float(max(together, residuals @ residuals) / len(values) ** 2)


def _sum_of_squares(groups: np.ndarray, residuals: np.ndarray, m: int) -> float:
    """Sum the squares of what leaving out each object, pair or triplet changes; groups of (n, which, how many)."""
    codes = (groups @ m ** np.arange(groups.shape[2])).ravel()
    if m ** groups.shape[2] > _MANY:
        codes = np.unique(codes, return_inverse=True)[1]
    sums, left = np.bincount(codes, np.repeat(residuals, groups.shape[1])), len(groups) - np.bincount(codes)
    changes = ratio(len(groups) * sums, left, undefined=0)
    return float(changes @ changes)


def folds_of(n: int, n_folds: int, rng: int | np.random.Generator = 0) -> np.ndarray:
    """Put objects into folds of nearly equal size, at random."""
    check_whole("n_folds", n_folds, 2, hint="each fold is predicted from the others")
    return check_rng(rng).permutation(np.arange(n) % n_folds)
