"""Representational similarity: do two systems put the same pairs of objects near each other?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_features, check_matrices
from erralign.similarity.prepared import centre


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
