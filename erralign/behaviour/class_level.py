"""Class-level error similarity: whether two systems confuse the same classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from erralign.behaviour.counting import count_classes, error_matrix, off_diagonal
from erralign.errors import check_answers, check_choice, check_counts, checked, in_one_order

CLES_VARIANTS = ("released", "printed", "printed-unnormalised")


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
    size = int(n_classes or count_classes(y_true, y_a, y_b))
    return class_level_error_similarity_from_counts(
        error_matrix(y_true, y_a, size),
        error_matrix(y_true, y_b, size),
        alpha=alpha,
        variant=variant,
        replace_undefined_by=replace_undefined_by,
    )


def class_level_error_similarity_from_counts(
    errors_a: ArrayLike,
    errors_b: ArrayLike,
    *,
    alpha: float = 0.5,
    variant: str = "released",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Measure class-level error similarity from two confusion matrices, which may come from different trials.

    Let :math:`f^g_{ck}` count the trials of true class c that system g called k, and let :math:`n^g_c` be the sum of
    row c. The variants differ in what they compare:

    * ``"released"`` (the authors' code): cells k ≠ c only, :math:`\pi^g_{ck} = (f^g_{ck} + α) / (n^g_c + (C - 1)α)`,
      reference :math:`\pi^0_{ck} = (f^A_{ck} + f^B_{ck} + α) /` :math:`(n^A_c + n^B_c + (C - 1)α)`,
      :math:`d_c = ½ KL(π^A_c ‖ π^0_c) + ½ KL(π^B_c ‖ π^0_c)`, weights :math:`n^A_c + n^B_c` over their sum;
    * ``"printed"`` (the appendix): all C cells, reference the midpoint of the two rows (so :math:`d_c` is the
      Jensen-Shannon divergence), the same weights;
    * ``"printed-unnormalised"`` (equation 2): as printed, with weights :math:`n^A_c + n^B_c` that are not divided
      by their sum, so the value falls towards 0 as errors become more numerous.

    All logarithms are natural.

    Parameters
    ----------
    errors_a, errors_b : array_like of int, shape (C, C)
        Confusion matrices of A and of B; rows are true classes, columns are answers. The diagonal holds right answers
        and is ignored.
    alpha : float
        The number that is added to every cell, above 0.
    variant : {"released", "printed", "printed-unnormalised"}
        The form of the measure.
    replace_undefined_by : float
        The value to return where neither system has an error.

    Returns
    -------
    float
        Above 0, at most 1. Undefined if neither system has an error.

    References
    ----------
    Xu et al. (2024), equations 2 to 5, https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> a = [[9, 1, 0], [0, 9, 1], [0, 0, 10]]
    >>> b = [[5, 0, 5], [0, 9, 1], [0, 0, 10]]
    >>> round(class_level_error_similarity_from_counts(a, b), 4)
    0.7849
    """
    errors_a, errors_b = in_one_order({"errors_a": errors_a, "errors_b": errors_b}).values()
    errors_a = off_diagonal(check_counts("errors_a", errors_a))
    errors_b = off_diagonal(check_counts("errors_b", errors_b, size=len(errors_a)))
    check_choice("variant", variant, CLES_VARIANTS)
    checked(alpha=alpha)
    weights = errors_a.sum(axis=1) + errors_b.sum(axis=1)
    if weights.sum() == 0:
        return float(replace_undefined_by)
    divergence = _released_divergence if variant == "released" else _printed_divergence
    total = 1 if variant == "printed-unnormalised" else weights.sum()
    return float(1 / (1 + weights @ divergence(errors_a, errors_b, alpha) / total))


def _released_divergence(errors_a: np.ndarray, errors_b: np.ndarray, alpha: float) -> np.ndarray:
    wrong = ~np.eye(len(errors_a), dtype=bool)
    pooled = _shares(errors_a + errors_b, alpha, wrong)
    row_a, row_b = _shares(errors_a, alpha, wrong), _shares(errors_b, alpha, wrong)
    return (rel_entr(row_a, pooled).sum(axis=1) + rel_entr(row_b, pooled).sum(axis=1)) / 2


def _printed_divergence(errors_a: np.ndarray, errors_b: np.ndarray, alpha: float) -> np.ndarray:
    cells = np.ones(errors_a.shape, dtype=bool)
    row_a, row_b = _shares(errors_a, alpha, cells), _shares(errors_b, alpha, cells)
    middle = (row_a + row_b) / 2
    return (rel_entr(row_a, middle) + rel_entr(row_b, middle)).sum(axis=1) / 2


def _shares(errors: np.ndarray, alpha: float, cells: np.ndarray) -> np.ndarray:
    smoothed = np.where(cells, errors + alpha, 0.0)
    return smoothed / smoothed.sum(axis=1, keepdims=True)
