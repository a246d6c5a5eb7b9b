"""Class-level error similarity: whether two systems confuse the same classes.

For all pairs it is computed a few true classes at a time. Most cells of a row are empty, and all empty cells add the
same to its divergence. So only the cells in which a system has errors need work: what such a cell of B adds is computed
for all systems A at once, and a sparse product adds it up by row. Each pair is computed twice, as (A, B) and as (B, A),
and the divergence is the mean of both results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csc_array

from erralign._validation import check_answers, check_choice, check_n_classes, check_positive
from erralign.measures.class_level_counts import (
    CLES_VARIANTS,
    class_level_error_similarity_from_counts,
    similarities_without_each,
)
from erralign.measures.matrix import ResponseMatrix, blocks, count_classes, error_matrix, ratio
from erralign.measures.measure import Measure


def class_level_error_similarity(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    *,
    n_classes: int | None = None,
    alpha: float = 0.5,
    variant: str = "released",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Measure whether two systems confuse the same classes, whether or not on the same trials.

    Each true class c has two rows of counts, the wrong answers of A and of B. The rows are smoothed by :math:`\alpha`
    and compared by a divergence :math:`d_c`. With weights :math:`w_c` in proportion to their errors,
    :math:`CLES = 1 / (1 + \sum_c w_c d_c)`.

    Parameters
    ----------
    y_true, y_a, y_b
        As for :func:`erralign.error_consistency`, but -1 is an error of no class and is left out.
    n_classes : int, optional
        The number of classes, C. The value depends on it, since :math:`\alpha` is added to every cell. Default: 1 + the
        largest label. Give the data set's own number if a class may not occur in your trials.
    alpha, variant, replace_undefined_by
        As for :func:`erralign.behaviour.class_level_error_similarity_from_counts`.

    Returns
    -------
    float
        Above 0, at most 1; always 1 with two classes. In the released form even a system compared with itself is below
        1, unless its errors are spread evenly over the wrong classes. There is no useful zero, and the value depends on
        the number of errors: compare at equal numbers only. Undefined if neither system has an error.

    References
    ----------
    Xu et al. (2024), equations 2 and 3, appendix 2, https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> round(class_level_error_similarity(y_true=[0, 0, 1, 1], y_a=[0, 2, 1, 1], y_b=[2, 0, 1, 1]), 4)
    0.9781
    """
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, n_classes)
    size = check_n_classes(int(n_classes or count_classes(y_true, y_a, y_b)))
    check_choice("variant", variant, CLES_VARIANTS)
    check_positive("alpha", alpha)
    (value,) = _values(alpha, variant, ResponseMatrix(y_true, np.stack([y_a, y_b]), size))
    return float(np.nan_to_num(value, nan=replace_undefined_by))


# Cells of error matrices, of all systems, that are compared in one step: few enough for the processor's cache.
CELLS = 2**18


def _values(alpha: float, variant: str, matrix: ResponseMatrix) -> np.ndarray:
    if variant == "released":
        return _released(alpha, matrix)
    return _printed(alpha, variant, matrix)


def _released(alpha: float, matrix: ResponseMatrix) -> np.ndarray:
    """Compute the released form for all pairs."""
    n_systems = len(matrix.answers)
    distances, n_errors = np.zeros((n_systems, n_systems)), np.zeros(n_systems)
    for errors in _by_classes(matrix):
        distances += np.einsum("cba,cba->ba", errors.pooled, _one_sided(errors, alpha))
        n_errors += errors.totals.sum(axis=0)
    distances = ratio((distances + distances.T) / 2, n_errors[:, None] + n_errors)
    return 1 / (1 + distances[matrix.pairs])


def _printed(alpha: float, variant: str, matrix: ResponseMatrix) -> np.ndarray:
    """Compute one of the printed forms for all pairs, one after another."""
    tables = [error_matrix(matrix.truth, answers, matrix.n_classes) for answers in matrix.answers.astype(np.int64)]
    values = []
    for a, b in zip(*matrix.pairs, strict=True):
        values.append(class_level_error_similarity_from_counts(tables[a], tables[b], alpha=alpha, variant=variant))
    return np.array(values)


@dataclass(frozen=True)
class _Errors:
    """Some rows of the error matrices of all S systems: all cells, and a list of those that are not 0."""

    n_classes: int
    table: np.ndarray  # (rows * C, S) all counts
    cells: np.ndarray  # of the list: row times C plus answer
    systems: np.ndarray  # of the list
    counts: np.ndarray  # of the list
    totals: np.ndarray  # (rows, S)
    pooled: np.ndarray  # (rows, S, S) the totals of two systems together

    def sum_by_row(self, terms: np.ndarray, places: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Add line k of the terms, one value for each A, to ``places[starts[k]:starts[k + 1]]``: (rows, B, A)."""
        adding = csc_array((np.ones(len(places)), places, starts), shape=(self.totals.size, len(terms)))
        return (adding @ terms).reshape(self.pooled.shape)


def _by_classes(matrix: ResponseMatrix) -> Iterator[_Errors]:
    order = matrix.truth.argsort(kind="stable")
    truth, answers = matrix.truth.take(order), matrix.answers.take(order, axis=1)
    wrong = (answers != truth.astype(answers.dtype)) & (answers >= 0)
    for rows in blocks(matrix.n_classes, size=max(1, CELLS // (matrix.n_classes * len(answers)))):
        own = slice(*truth.searchsorted((rows.start, rows.stop)))
        if wrong[:, own].any():
            yield _count_errors(answers[:, own], wrong[:, own], truth[own], rows, matrix.n_classes)


def _count_errors(answers: np.ndarray, wrong: np.ndarray, truth: np.ndarray, rows: slice, n_classes: int) -> _Errors:
    n_systems, n_rows = len(answers), rows.stop - rows.start
    small = np.min_scalar_type(n_rows * n_classes)  # for a short sort
    codes = ((truth - rows.start) * n_classes + 1).astype(small) + answers.astype(small)  # 0 is no error
    codes *= wrong
    codes.sort(axis=1)
    begins = np.ones(codes.shape, dtype=bool)
    np.not_equal(codes[:, 1:], codes[:, :-1], out=begins[:, 1:])
    at = begins.ravel().nonzero()[0]
    cells, counts = codes.ravel()[at], np.diff(at, append=codes.size)
    held = cells > 0
    systems, cells, counts = at[held] // codes.shape[1], cells[held].astype(np.intp) - 1, counts[held]
    table = np.zeros((n_rows * n_classes, n_systems), dtype=np.intp)
    table[cells, systems] = counts
    totals = np.bincount(cells // n_classes * n_systems + systems, counts, n_rows * n_systems).reshape(n_rows, -1)
    return _Errors(n_classes, table, cells, systems, counts, totals, totals[:, :, None] + totals[:, None])


def _one_sided(errors: _Errors, alpha: float) -> np.ndarray:
    r"""Return :math:`KL(π^A ‖ π^0)`, one side of the released divergence: (rows, B, A).

    With smoothed row sums :math:`m = n + (C - 1)α` that is :math:`\log((n^A + n^B + (C - 1)α) / m^A) - \sum_k t(f^B_k,
    f^A_k) / m^A`, where :math:`t(h, f) = (f + α)(\log(f + h + α) - \log(f + α))` is 0 for h = 0.
    """
    smoothing = max(errors.n_classes - 1, 1) * alpha
    values, ranks = _distinct(errors.counts)
    terms = (values + alpha) * (np.log(np.add.outer(values, values) + alpha) - np.log(values + alpha))
    cells, cell_ranks, places, starts = _group(errors, ranks, len(values))
    rank_table = np.zeros_like(errors.table)
    rank_table[errors.cells, errors.systems] = ranks
    looked_up = rank_table.take(cells, axis=0)
    looked_up += (cell_ranks * len(values))[:, None]
    sums = errors.sum_by_row(terms.ravel().take(looked_up), places, starts)
    m = (errors.totals + smoothing)[:, None]
    return np.log((errors.pooled + smoothing) / m) - sums / m


def _distinct(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return 0 and the distinct counts in order, and each count's place among them."""
    present = np.bincount(counts) > 0
    present[0] = True
    return present.nonzero()[0], (np.cumsum(present) - 1)[counts]


def _group(errors: _Errors, ranks: np.ndarray, n_ranks: int) -> tuple[np.ndarray, ...]:
    """Group the systems with the same count in the same cell, since they share one line of terms."""
    n_systems = errors.table.shape[1]
    codes = np.sort((errors.cells * n_ranks + ranks) * n_systems + errors.systems)
    lines = codes // n_systems
    places = lines // (n_ranks * errors.n_classes) * n_systems + codes - lines * n_systems
    starts = np.concatenate([[0], (lines[1:] != lines[:-1]).nonzero()[0] + 1, [len(lines)]])
    lines = lines[starts[:-1]]
    cells = lines // n_ranks
    return cells, lines - cells * n_ranks, places, starts


def cles(*, alpha: float = 0.5, variant: str = "released") -> Measure:
    """Return class-level error similarity with another smoothing, or in another form, as a measure.

    Parameters
    ----------
    alpha, variant
        As for :func:`erralign.behaviour.class_level_error_similarity_from_counts`.

    Returns
    -------
    Measure
        Any function that takes the name of a measure takes it. Forms other than ``released`` are slow: pairs are
        computed one after another, and again without each trial.

    Examples
    --------
    >>> from erralign import pairwise
    >>> from erralign.datasets.examples import twelve_pictures
    >>> pairwise(twelve_pictures(), cles(alpha=1.0))["CLES"].round(3).tolist()[:2]
    [0.983, 0.946]
    """
    check_choice("variant", variant, CLES_VARIANTS)
    check_positive("alpha", alpha)
    form = partial(class_level_error_similarity, alpha=alpha, variant=variant)
    left_out = None
    if variant == "released":
        left_out = partial(similarities_without_each, alpha)
    values = partial(_values, alpha, variant)
    return Measure("class_level_error_similarity", "CLES", form, (0.0, 1.0), values, left_out)


CLASS_LEVEL_ERROR_SIMILARITY = cles()
