"""Odd-one-out choices and their probabilities, and what similarities of objects say of features and of variance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from erralign._validation import NO_ANSWER, check_choice, check_positive, check_rng, check_whole
from erralign._validation.labels import check_same_length
from erralign._validation.matrices import check_features, check_matrices, check_triplets
from erralign.similarity.prepared import centre

SIMILARITIES = ("cosine", "dot")
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
    check_choice("similarity", similarity, SIMILARITIES)
    rows = check_features("X", X)
    triplets = check_triplets("triplets", triplets, len(rows))
    if similarity == "cosine":
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = np.divide(rows, lengths, out=np.full_like(rows, np.nan), where=lengths > 0)
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
    return chosen(pair_similarities(X, triplets, similarity=similarity))


def chosen(similarities: np.ndarray) -> np.ndarray:
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


def similarity_matrix(X: ArrayLike) -> np.ndarray:
    """Correlate the features of all pairs of objects: the representational similarity matrix, with Pearson's kernel.

    Source: Kriegeskorte et al. (2008), https://doi.org/10.3389/neuro.06.004.2008.

    Parameters
    ----------
    X : array_like of float, shape (n_objects, n_features)
        A representation.

    Returns
    -------
    numpy.ndarray of float, shape (n_objects, n_objects)
        From -1 to 1, with 1 on the diagonal. All entries of an object whose features are all the same are nan, where
        :func:`erralign.similarity.representational_similarity`, which follows the ReSi benchmark, takes 0.

    Examples
    --------
    >>> similarity_matrix([[1, 2, 3], [2, 4, 6], [3, 2, 1]]).round(2).tolist()
    [[1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]
    """
    rows = centre(check_features("X", X).T).T
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.divide(rows, lengths, out=np.full_like(rows, np.nan), where=lengths > 0)
    return rows @ rows.T


def representational_similarity(
    matrix_a: ArrayLike, matrix_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    """Correlate the ranks of two similarity matrices: Spearman's correlation over all pairs of objects.

    The measure of the same name, :func:`erralign.similarity.representational_similarity`, takes features.

    Parameters
    ----------
    matrix_a, matrix_b : array_like of float, shape (n_objects, n_objects)
        Two symmetric matrices of similarities of the same objects in the same order, or two of dissimilarities, such as
        those of :func:`similarity_matrix` or of people's judgements. The diagonal plays no part.
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


MANY = 10**6  # sums; beyond, those that are 0 are left out at the price of sorting


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
    if m ** groups.shape[2] > MANY:
        codes = np.unique(codes, return_inverse=True)[1]
    sums, left = np.bincount(codes, np.repeat(residuals, groups.shape[1])), len(groups) - np.bincount(codes)
    changes = np.divide(len(groups) * sums, left, out=np.zeros(len(sums)), where=left > 0)
    return float(changes @ changes)


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
    r"""Predict each dimension of Y from features by ridge regression, for objects left out (Muttenthaler et al. 2023).

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
