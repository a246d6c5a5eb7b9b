"""Class-level error similarity: whether two systems confuse the same classes.

For all pairs it is computed a few true classes at a time. Most cells of a row are empty, and all empty cells add the
same to its divergence. So only the cells in which a system has errors need work: what such a cell of B adds is computed
for all systems A at once, and a sparse product adds it up by row. Each pair is computed twice, as (A, B) and as (B, A),
and the divergence is the mean of both results.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.special import gammaln, xlog1py, xlogy

from erralign._validation import check_answers, check_choice, check_n_classes, check_positive
from erralign.measures.class_level_counts import (
    CLES_VARIANTS,
    class_level_error_similarity_from_counts,
    similarities_without_each,
)
from erralign.measures.matrix import ResponseMatrix, blocks, count_classes, error_matrix, ratio, wrong_answers
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
_CELLS = 2**18


def _values(alpha: float, variant: str, matrix: ResponseMatrix) -> np.ndarray:
    if variant == "released":
        return _released(alpha, matrix)
    return _printed(alpha, variant, matrix)


def _released(alpha: float, matrix: ResponseMatrix) -> np.ndarray:
    """Compute the released form for all pairs, a few true classes at a time."""
    order = matrix.truth.argsort(kind="stable")
    truth, answers = matrix.truth.take(order), matrix.answers.take(order, axis=1)
    wrong = wrong_answers(truth.astype(answers.dtype), answers)
    n_systems, n_classes = len(answers), matrix.n_classes
    distances, n_errors = np.zeros((n_systems, n_systems)), np.zeros(n_systems)
    for rows in blocks(n_classes, max(1, _CELLS // (n_classes * n_systems))):
        own = slice(*truth.searchsorted((rows.start, rows.stop)))
        shape = n_systems, rows.stop - rows.start, n_classes
        cells = (truth[own] - rows.start) * n_classes + answers[:, own]
        cells += np.arange(n_systems)[:, None] * (shape[1] * n_classes)
        errors = cells[wrong[:, own]]
        if len(errors):
            of_rows, n = _one_sided(errors, shape, alpha)
            distances += of_rows
            n_errors += n
    distances = ratio((distances + distances.T) / 2, n_errors[:, None] + n_errors)
    return 1 / (1 + distances[matrix.pairs])


def _counted(cells: np.ndarray, n_cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the different cells, in order, and how often each occurs; few cells are counted without sorting."""
    if n_cells > 4 * len(cells):
        return np.unique(cells, return_counts=True)
    counts = np.bincount(cells, minlength=n_cells)
    different = counts.nonzero()[0]
    return different, counts[different]


def _one_sided(errors: np.ndarray, shape: tuple[int, int, int], alpha: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Sum :math:`(n^A + n^B) KL(π^A ‖ π^0)`, one side of the divergence, over some rows: (B, A), and count errors.

    With smoothed row sums :math:`m = n + (C - 1)α` the divergence is :math:`\log((n^A + n^B + (C - 1)α) / m^A) - \sum_k
    t(f^B_k, f^A_k) / m^A`, where :math:`t(h, f) = (f + α)(\log(f + h + α) - \log(f + α))` is 0 for h = 0. So only cells
    in which B has errors need work.

    Each error is a cell of all systems' matrices, (S, rows, C).
    """
    n_systems, n_rows, n_classes = shape
    table = np.zeros((n_rows * n_classes, n_systems), dtype=np.intp)
    codes, counts = _counted(errors, table.size)
    system, cell = np.divmod(codes, len(table))
    row_and_system = cell // n_classes * n_systems + system
    n = np.bincount(row_and_system, counts, n_rows * n_systems).reshape(n_rows, n_systems)
    # Few different counts occur: the table holds the place of each among them, and t is looked up.
    distinct = np.unique(np.append(0, counts))
    place, n_distinct = np.searchsorted(distinct, counts), len(distinct)
    table[cell, system] = place
    terms = (distinct + alpha) * (np.log(np.add.outer(distinct, distinct) + alpha) - np.log(distinct + alpha))
    # Systems B with the same count in the same cell share one line of terms, with a value for each A.
    lines, line = np.unique(cell * n_distinct + place, return_inverse=True)
    looked_up = table.take(lines // n_distinct, axis=0)
    looked_up += (lines % n_distinct * n_distinct)[:, None]
    adding = csr_array((np.ones(len(line)), (row_and_system, line)), shape=(n.size, len(lines)))
    pooled = n[:, :, None] + n[:, None]
    sums = (adding @ terms.take(looked_up)).reshape(pooled.shape)
    smoothing = max(n_classes - 1, 1) * alpha
    m = (n + smoothing)[:, None]
    return np.einsum("cba,cba->ba", pooled, np.log((pooled + smoothing) / m) - sums / m), n.sum(axis=0)


def _printed(alpha: float, variant: str, matrix: ResponseMatrix) -> np.ndarray:
    """Compute one of the printed forms for all pairs, one after another."""
    tables = [error_matrix(matrix.truth, answers, matrix.n_classes) for answers in matrix.answers.astype(np.int64)]
    values = []
    for a, b in zip(*matrix.pairs, strict=True):
        values.append(class_level_error_similarity_from_counts(tables[a], tables[b], alpha=alpha, variant=variant))
    return np.array(values)


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


# ---- independent errors ----------------------------------------------------------------------------------------------


_SCALINGS = 200  # of the shares of wrong answers; far more than they need to settle


def _similarity_of_independent_errors(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, n_classes: int | None = None
) -> float:
    r"""Return the CLES that two systems would have if neither confused any classes more than others.

    Each keeps its number of errors in every true class, and how often it gives each wrong answer over all classes. But
    which wrong answer it gives in which class is drawn by these frequencies alone, for A and for B independently. (To
    draw them by their frequencies *within* each true class would change nothing: CLES reads no more than these.)

    System g gives the wrong answer k to a trial of class c with probability :math:`p^g_{ck} = v^g_k / \sum_{j \ne c}
    v^g_j`, where :math:`v^g` is such that :math:`\sum_c n^g_c\, p^g_{ck}` is the number of its wrong answers k
    (quasi-independence). So cell (c, k) has a binomial distribution, and the mean of each term of CLES is a sum over
    the counts of A and of B. Returned is :math:`1 / (1 + D)`, D being the mean of the weighted divergence.

    Parameters
    ----------
    y_true, y_a, y_b, n_classes
        As for :func:`class_level_error_similarity`, of which it is the released form.

    Returns
    -------
    float
        Above 0, at most 1. Undefined if neither system has an error.

    Examples
    --------
    >>> truth, always_dog = [0, 0, 1, 1, 2, 2], [1, 1, 1, 1, 1, 1]
    >>> round(_similarity_of_independent_errors(truth, always_dog, always_dog), 3)
    0.979
    """
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, n_classes)
    size = check_n_classes(int(n_classes or count_classes(y_true, y_a, y_b)))
    (value,) = _of_independent_errors(ResponseMatrix(y_true, np.stack([y_a, y_b]), size))
    return float(value)


def _of_independent_errors(matrix: ResponseMatrix, alpha: float = 0.5) -> np.ndarray:
    tables = np.array([error_matrix(matrix.truth, said, matrix.n_classes) for said in matrix.answers.astype(np.int64)])
    n = tables.sum(axis=2)  # errors of each system in each true class
    shares = np.array([_quasi_independent(table) for table in tables])
    smoothing = max(matrix.n_classes - 1, 1) * alpha
    distances = np.zeros((len(n), len(n)))
    for label in n.any(axis=0).nonzero()[0]:
        counts = np.arange(n[:, label].max() + 1)
        # How likely each count is in each cell of this true class: (systems, wrong answers, counts).
        likely = _binomial(counts, n[:, label, None], np.delete(shares[:, label], label, axis=1))
        weighted = likely * (counts + alpha)
        alone = (weighted * np.log(counts + alpha)).sum(axis=(1, 2))
        logs = np.log(np.add.outer(counts, counts) + alpha)
        together = (weighted @ logs).reshape(len(n), -1) @ likely.reshape(len(n), -1).T
        m, pooled = (n[:, label] + smoothing)[:, None], np.add.outer(n[:, label], n[:, label])
        distances += pooled * ((alone[:, None] - together) / m + np.log((pooled + smoothing) / m))
    n_errors = n.sum(axis=1)
    distances = ratio((distances + distances.T) / 2, np.add.outer(n_errors, n_errors))
    return 1 / (1 + distances[matrix.pairs])


def _quasi_independent(table: np.ndarray) -> np.ndarray:
    """Return the probability of each wrong answer in each true class, from how often it is given over all classes."""
    wrong = ~np.eye(len(table), dtype=bool)
    by_class, by_answer = table.sum(axis=1), table.sum(axis=0)
    weights = by_answer.astype(float)
    for _ in range(_SCALINGS):
        by_answer_now = (wrong * ratio(by_class, wrong @ weights, 0)[:, None]).sum(axis=0)
        weights = ratio(by_answer, by_answer_now, 0)
    return wrong * weights * ratio(1, wrong @ weights, 0)[:, None]


def _binomial(counts: np.ndarray, n: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return how likely each count of n trials is, along a further axis."""
    n, share = np.broadcast_arrays(n[..., None], share[..., None])
    left = np.maximum(n - counts, 0)
    ways = gammaln(n + 1) - gammaln(counts + 1) - gammaln(left + 1)
    likely = np.exp(ways + xlogy(counts, share) + xlog1py(left, -share))
    return np.where(counts <= n, likely, 0.0)


INDEPENDENT_ERRORS = Measure(
    "similarity_of_independent_errors",
    "CLES_independent",
    _similarity_of_independent_errors,
    (0.0, 1.0),
    _of_independent_errors,
)
