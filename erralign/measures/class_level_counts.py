"""Class-level error similarity from counts of errors: of two tables, and without each trial."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from erralign._validation import check_choice, check_counts, checked, in_one_order
from erralign.measures.matrix import ResponseMatrix, off_diagonal, ratio, wrong_answers
from erralign.measures.measure import LeftOut, steadied

CLES_VARIANTS = ("released", "printed", "printed-unnormalised")


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


# ---- each trial left out -----------------------------------------------------------------------------------------


def similarities_without_each(alpha: float, matrix: ResponseMatrix) -> LeftOut:
    """Return the released form of all pairs, and again without each trial."""
    values, without = np.empty(len(matrix.pairs[0])), np.empty((len(matrix.pairs[0]), len(matrix.truth)))
    for place, (truth, a, b) in enumerate(matrix.each()):
        values[place], without[place] = _without_each(truth, np.stack([a, b]), matrix.n_classes, alpha)
    # The value is meant for about as many errors as here, so its bias stays in means.
    return LeftOut(values, without, (values, steadied(values, without)))


def _without_each(truth: np.ndarray, answers: np.ndarray, n_classes: int, alpha: float) -> tuple[float, np.ndarray]:
    """Compute the released form, and again without each trial, which changes one row by at most one cell of each."""
    # With counts f and h of errors of A and B in a cell, row sums m of f + α, and log' x = log(x + α) - log α, which is
    # 0 in empty cells, the divergence of a row is half of
    #     Σ (f + α)(log' f - log'(f + h)) / m_A + Σ (h + α)(log' h - log'(f + h)) / m_B + log(M² / (m_A m_B)),
    # where M is that of both together. So only cells that hold errors need work.
    wrong = wrong_answers(truth, answers)
    held = wrong.any(axis=0)
    trial_truth, wrong = truth[held], wrong[:, held]
    codes = np.where(wrong, trial_truth * n_classes + answers[:, held], -1)  # -1 is no error
    cells, places = np.unique(np.append(-1, codes), return_inverse=True)
    at_a, at_b = places[1:].reshape(2, -1)
    counts = np.stack([np.bincount(at, minlength=len(cells)) for at in (at_a, at_b)]) * (cells >= 0)
    # Rows that hold errors, numbered from 0.
    _, rows = np.unique(np.maximum(cells, 0) // n_classes, return_inverse=True)
    row = rows[np.maximum(at_a, at_b)]
    logs = np.log1p(np.arange(counts.sum(axis=0).max() + 1) / alpha)
    whole = _terms(counts, logs, alpha)
    n, sums = (np.stack([np.bincount(rows, part) for part in both]) for both in (counts, whole))
    # What the sums lose with an error of A, of B, or of both in one cell; the first cell, no error, loses nothing.
    lost_a, lost_b, lost_both = (
        (_terms(np.maximum(counts - np.array(fewer)[:, None], 0), logs, alpha) - whole) * (cells >= 0)
        for fewer in ((1, 0), (0, 1), (1, 1))
    )
    lost = np.where(at_a == at_b, lost_both[:, at_a], lost_a[:, at_a] + lost_b[:, at_b])
    smoothing = max(n_classes - 1, 1) * alpha
    parts, left = n.sum(axis=0) * _divergence(sums, n, smoothing), n[:, row] - wrong
    rest = parts.sum() - parts[row] + left.sum(axis=0) * _divergence(sums[:, row] + lost, left, smoothing)
    value = float(1 / (1 + ratio(parts.sum(), n.sum())))
    without = np.full(len(truth), value)  # a trial that holds no error changes nothing
    without[held] = 1 / (1 + ratio(rest, n.sum() - wrong.sum(axis=0)))
    return value, without


def _terms(counts: np.ndarray, logs: np.ndarray, alpha: float) -> np.ndarray:
    """Return what cells add to the sums of A and of B."""
    return (counts + alpha) * (logs[counts] - logs[counts.sum(axis=0)])


def _divergence(sums: np.ndarray, n: np.ndarray, smoothing: float) -> np.ndarray:
    """Return the divergence of rows, from the sums of A's and B's terms and their numbers of errors, (2, n_rows)."""
    m = n + smoothing
    return (sums / m - np.log(m)).sum(axis=0) / 2 + np.log(n.sum(axis=0) + smoothing)
