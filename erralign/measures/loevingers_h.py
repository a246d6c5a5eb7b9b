"""Loevinger's H: EC as a share of the largest that two accuracies allow, with the draws of EC."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import check_answers, check_table
from erralign.measures.error_consistency import left_out_of_tables
from erralign.measures.matrix import (
    Limits,
    Resampling,
    ResponseMatrix,
    as_floats,
    drawn_values,
    four_cells,
    kappa,
    ratio,
    right_table,
)
from erralign.measures.measure import LeftOut, Measure
from erralign.measures.registry import register


def loevingers_h(y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, replace_undefined_by: float = np.nan) -> float:
    r"""Measure error consistency as a share of the largest that the two accuracies allow.

    Let A be at least as accurate as B, :math:`p_a \ge p_b`. EC is largest if B fails wherever A fails. Divided by this
    largest value it is Loevinger's H, Cohen's kappa over maximum kappa,

    .. math:: H = \frac{EC}{EC_{max}} = \frac{p_{both} - p_a\, p_b}{p_b (1 - p_a)},

    where :math:`p_{both}` is the share of trials on which both are right.

    Parameters
    ----------
    y_true, y_a, y_b, replace_undefined_by
        As for :func:`erralign.error_consistency`. Either system may be the more accurate one.

    Returns
    -------
    float
        At most 1, and EC itself if the accuracies are equal. A negative EC is divided by the largest value as well, so
        that H can lie below -1. Undefined if one of the systems is always right, or always wrong.

    References
    ----------
    Cohen (1960), https://doi.org/10.1177/001316446002000104; Warrens (2008), who shows that kappa over maximum kappa is
    Loevinger's H, https://doi.org/10.1007/s11336-008-9070-3.

    Examples
    --------
    >>> loevingers_h(y_true=[0, 0, 1, 1], y_a=[0, 1, 1, 0], y_b=[0, 1, 0, 0])
    1.0
    """
    table = right_table(*check_answers(y_true, y_a, y_b, right_or_wrong=True))
    return loevingers_h_from_counts(table, replace_undefined_by=replace_undefined_by)


def loevingers_h_from_counts(table: ArrayLike, *, replace_undefined_by: float = np.nan) -> float:
    r"""Measure error consistency as a share of the largest that the two accuracies allow, from four counts.

    .. math:: H = \frac{N_{11} N_{00} - N_{10} N_{01}}{(N_{11} + N_{min})(N_{00} + N_{min})},
              \qquad N_{min} = \min(N_{10}, N_{01})

    Parameters
    ----------
    table, replace_undefined_by
        As for :func:`error_consistency_from_counts`.

    Returns
    -------
    float
        At most 1. Undefined if one of the systems is right on all trials, or wrong on all of them.

    Examples
    --------
    >>> loevingers_h_from_counts([[5, 0], [15, 80]]), loevingers_h_from_counts([[3, 2], [17, 78]])
    (1.0, 0.5)
    """
    return float(_share_of_largest(*check_table(table).ravel(), undefined=replace_undefined_by))


def _share_of_largest(
    both_wrong: ArrayLike, only_b: ArrayLike, only_a: ArrayLike, both_right: ArrayLike, *, undefined: float = np.nan
) -> np.ndarray:
    """Compute Loevinger's H of many tables at once, from their four counts."""
    both_wrong, only_b, only_a, both_right = (as_floats(cell) for cell in (both_wrong, only_b, only_a, both_right))
    rare = np.minimum(only_a, only_b)
    return ratio(both_right * both_wrong - only_a * only_b, (both_right + rare) * (both_wrong + rare), undefined)


def _values(matrix: ResponseMatrix) -> np.ndarray:
    return _share_of_largest(*matrix.tables.T)


def _left_out(matrix: ResponseMatrix) -> LeftOut:
    return left_out_of_tables(_share_of_largest, matrix)


def _draws(matrix: ResponseMatrix, resampling: Resampling) -> np.ndarray:
    """Draw H of pairs; the system that is more accurate in the data counts as the more accurate one in each draw."""
    # If the two changed places, H would be too large on average where they are about equally accurate.
    first, second = matrix.pairs
    n_right = matrix.right.sum(axis=1)
    a_is_better = n_right[first] >= n_right[second]

    def value(n: np.ndarray, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
        kappas, a, b = kappa(*four_cells(n, a, b, both)), a / n, b / n
        only_a, only_b = a * (1 - b), b * (1 - a)  # by chance
        return kappas * (only_a + only_b) / (2 * np.where(a_is_better, only_b, only_a))

    return drawn_values(value, matrix.right, matrix.pairs, resampling.n_resamples, resampling.rng)


def _limits(matrix: ResponseMatrix, resampling: Resampling) -> Limits:
    values = _values(matrix)
    low, high = np.quantile(_draws(matrix, resampling), resampling.tails, axis=0)
    # No draw is exactly 1, so equal tails could never cover it.
    high = np.where(values == 1, 1.0, high)
    low, high = np.where(np.isnan(values), np.nan, [low, high])
    return Limits(low, high, np.zeros(len(low), dtype=int), "dirichlet")


register(Measure("loevingers_h", "H", loevingers_h, (-np.inf, 1.0), _values, _left_out, _limits, _draws))
