"""Class-level error similarity from counts of errors: of two tables, without each trial, and at infinite errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, rel_entr

from erralign._validation import check_choice, checked, in_one_order
from erralign._validation.matrices import check_counts
from erralign.measures.matrix import ResponseMatrix, off_diagonal, ratio, wrong_answers
from erralign.measures.measure import LeftOut

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


# Below so many errors per class no method that was tried contains the value at infinite errors as often as it should.
ENOUGH_ERRORS_A_CLASS = 60


# ---- each trial left out -----------------------------------------------------------------------------------------


class _Errors(NamedTuple):
    """The errors of one system."""

    cells: np.ndarray  # true class times C plus answer, of the cells that hold errors, in order
    counts: np.ndarray  # of each of these cells
    place: np.ndarray  # (n_trials,) the cell of each trial; one more than there are, if it holds no error


class _Smooth(NamedTuple):
    n_classes: int
    alpha: float
    logs: np.ndarray  # log(count + α) - log α, or log(count) for α = 0: 0 where there is no error

    def divergence(self, sums: np.ndarray, n: np.ndarray) -> np.ndarray:
        """Return divergences of rows from the sums of :func:`_sums` and the errors of both systems."""
        smoothing = max(self.n_classes - 1, 1) * self.alpha
        m, of_both = n + smoothing, n.sum(axis=0) + smoothing
        # Without smoothing, a system without errors of a class does not differ there.
        some = np.where(m > 0, m, 1)
        return np.where(m > 0, sums / some - np.log(some) + np.log(np.maximum(of_both, some)), 0).sum(axis=0) / 2


def each_left_out(matrix: ResponseMatrix, alpha: float) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Yield for each pair D, D without each trial that holds an error, and which trials these are."""
    errors = [_errors_of(matrix.truth, answers, matrix.n_classes) for answers in matrix.answers]
    counts = np.arange(2 * max(each.counts.max(initial=0) for each in errors) + 1)
    logs = np.log1p(counts / alpha) if alpha else np.log(np.maximum(counts, 1))
    for a, b in zip(*matrix.pairs, strict=True):
        yield _left_out(matrix.truth, errors[a], errors[b], _Smooth(matrix.n_classes, alpha, logs))


def similarities_without_each(matrix: ResponseMatrix, *, alpha: float = 0.5) -> LeftOut:
    """Return the released form of all pairs, and again without each trial."""
    values, without = np.empty(len(matrix.pairs[0])), np.empty((len(matrix.pairs[0]), len(matrix.truth)))
    for place, (distance, fewer, held) in enumerate(each_left_out(matrix, alpha)):
        values[place] = without[place] = 1 / (1 + distance)
        without[place, held] = 1 / (1 + fewer)
    return LeftOut(values, without)


def standard_errors(matrix: ResponseMatrix, alpha: float) -> np.ndarray:
    """Return the standard error of the released form for each pair, by the jackknife over trials."""
    n, variances = len(matrix.truth), []
    for distance, fewer, _ in each_left_out(matrix, alpha):
        moves = 1 / (1 + fewer) - 1 / (1 + distance)  # without a trial that holds no error nothing moves
        variances.append((n - 1) * (moves @ moves / n - (moves.sum() / n) ** 2))
    return np.sqrt(variances)


def _errors_of(truth: np.ndarray, answers: np.ndarray, n_classes: int) -> _Errors:
    wrong = wrong_answers(truth, answers)
    codes = truth[wrong] * n_classes + answers[wrong]
    cells, place, counts = np.unique(codes, return_inverse=True, return_counts=True)
    places = np.full(len(truth), len(cells), dtype=np.int32)
    places[wrong] = place
    return _Errors(cells, counts, places)


def _left_out(truth: np.ndarray, a: _Errors, b: _Errors, smooth: _Smooth) -> tuple[float, np.ndarray, np.ndarray]:
    """Return D, D without each trial that holds an error, and which these are; only cells with errors are looked at."""
    n = np.stack([np.bincount(each.cells // smooth.n_classes, each.counts, smooth.n_classes) for each in (a, b)])
    weights, of_a, of_b = n.sum(axis=0), _counts_of_partner(b, a), _counts_of_partner(a, b)
    sums = _sums(a, of_b, smooth) + _sums(b, of_a, smooth)[::-1]
    parts, total = weights * smooth.divergence(sums, n), weights.sum()
    held = np.flatnonzero((a.place < len(a.cells)) | (b.place < len(b.cells)))
    row, at_a, at_b = truth[held], a.place[held], b.place[held]
    fewer = n[:, row] - np.stack([at_a < len(a.cells), at_b < len(b.cells)])
    less = sums[:, row] + _changes(a.counts, of_b, smooth)[:, at_a] + _changes(b.counts, of_a, smooth)[::-1, at_b]
    same = np.flatnonzero(np.append(a.cells, -1)[at_a] == np.append(b.cells, -2)[at_b])
    less[:, same] += _changes_of_both(a.counts, of_b, smooth)[:, at_a[same]]
    left = fewer.sum(axis=0)
    without = parts.sum() - parts[row] + left * smooth.divergence(less, fewer)
    return float(ratio(parts.sum(), total)), ratio(without, total - weights[row] + left), held


def _counts_of_partner(own: _Errors, partner: _Errors) -> np.ndarray:
    """Return how many errors a partner has in the cells of a system."""
    if not len(partner.cells):
        return np.zeros_like(own.counts)
    at = np.searchsorted(partner.cells[:-1], own.cells)
    return np.where(partner.cells[at] == own.cells, partner.counts[at], 0)


def _sums(own: _Errors, other: np.ndarray, smooth: _Smooth) -> np.ndarray:
    """Sum over the cells of a system, by row, what they add to its divergence and to its partner's: (2, C)."""
    n_classes, alpha, logs = smooth
    f = own.counts
    terms = (f + alpha) * (logs[f] - logs[f + other]), np.where(other == 0, -alpha * logs[f], 0.0)
    return np.stack([np.bincount(own.cells // n_classes, each, n_classes) for each in terms])


def _changes(f: np.ndarray, h: np.ndarray, smooth: _Smooth) -> np.ndarray:
    """Return how both sums change without one of f errors of the one system in a cell with h of the other."""
    _, alpha, logs = smooth
    pooled, less = logs[f + h], logs[f + h - 1]
    own = (f - 1 + alpha) * (logs[f - 1] - less) - (f + alpha) * (logs[f] - pooled)
    return np.pad(np.stack([own, (h + alpha) * (pooled - less)]), ((0, 0), (0, 1)))


def _changes_of_both(f: np.ndarray, h: np.ndarray, smooth: _Smooth) -> np.ndarray:
    """Return what is to be added where both lose an error in the same cell."""
    _, alpha, logs = smooth
    once, twice = logs[f + h] - logs[f + h - 1], logs[f + h - 1] - logs[f + h - 2]
    return np.stack([(each - 1 + alpha) * twice - (each + alpha) * once for each in (f, h)])


# ---- infinite errors ---------------------------------------------------------------------------------------------


def similarities_at_infinite_errors(matrix: ResponseMatrix, level: float) -> np.ndarray:
    """Return limits of the CLES that endlessly many trials would give, and its estimate, by a jackknife over trials."""
    n_errors = wrong_answers(matrix.truth, matrix.answers).sum(axis=1)
    enough = np.min(n_errors[np.array(matrix.pairs)], axis=0) >= ENOUGH_ERRORS_A_CLASS * len(np.unique(matrix.truth))
    found, z = np.full((3, len(enough)), np.nan), ndtri((1 + level) / 2)
    first, second = matrix.pairs
    pairs = each_left_out(replace(matrix, selected=(first[enough], second[enough])), 0)
    for place, (distance, without, _) in zip(np.flatnonzero(enough), pairs, strict=True):
        n = len(without)
        mended, error = n * distance - (n - 1) * without.mean(), np.sqrt((n - 1) * without.var())
        found[:, place] = 1 / (1 + np.maximum(mended + z * error * np.array([1, -1, 0]), 0))
    return found
