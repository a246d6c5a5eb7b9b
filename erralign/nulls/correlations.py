"""Do two measures rank pairs alike, where pairs share systems? A test, and an interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_features


def mantel_test(
    matrix_a: ArrayLike, matrix_b: ArrayLike, *, n_permutations: int = 9999, rng: int | np.random.Generator = 0
) -> tuple[float, float]:
    r"""Test whether two measures rank the pairs of the same systems alike, although pairs share systems.

    The statistic is Spearman's r over the pairs. The null shuffles the systems of one matrix, rows and columns
    together, which keeps what pairs with a common system have in common; with b shuffles of m at least as far
    from 0 as the data, :math:`p = (b + 1) / (m + 1)`. Two-sided; ties count as extreme.

    Parameters
    ----------
    matrix_a, matrix_b : array_like of float, shape (n_systems, n_systems)
        Symmetric; the diagonal is ignored.
    n_permutations : int
        m, the number of shuffles.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    tuple of float
        Spearman's r from -1 to 1, and p from 1/(m + 1) to 1; r is undefined (nan) when a matrix is constant.

    Raises
    ------
    ValueError
        Matrices that are not square, not of one size, or hold NaN.

    References
    ----------
    Mantel (1967), https://cancerres.aacrjournals.org/content/27/2_Part_1/209.

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    >>> mantel_test(line, line ** 2, n_permutations=99)
    (1.0, 0.01)
    """
    matrix_a, matrix_b = check_features("matrix_a", matrix_a), check_features("matrix_b", matrix_b)
    if matrix_a.shape != matrix_b.shape or len(matrix_a) != matrix_a.shape[1]:
        raise ValueError(
            f"matrix_a is {matrix_a.shape}, matrix_b {matrix_b.shape}; expected two square ones of one size"
        )
    rng = np.random.default_rng(rng)
    rows, columns = np.triu_indices(len(matrix_a), k=1)
    ranks_a = _standard_ranks(matrix_a[rows, columns])
    ranks_b = np.zeros(matrix_b.shape)
    ranks_b[rows, columns] = ranks_b[columns, rows] = _standard_ranks(matrix_b[rows, columns])
    orders = rng.permuted(np.tile(np.arange(len(matrix_a)), (n_permutations, 1)), axis=1)
    observed = ranks_a @ ranks_b[rows, columns]
    shuffled = ranks_b[orders[:, rows], orders[:, columns]] @ ranks_a
    extreme = int(np.count_nonzero(np.abs(shuffled) >= abs(observed) - 1e-12))
    return round(float(observed), 15), (extreme + 1) / (n_permutations + 1)


def _standard_ranks(values: np.ndarray) -> np.ndarray:
    from scipy.stats import rankdata  # here, since it would double the time that importing erralign takes

    centred = rankdata(values) - (len(values) + 1) / 2
    length = np.sqrt(centred @ centred)
    return centred / length if length > 0 else np.full(len(values), np.nan)
