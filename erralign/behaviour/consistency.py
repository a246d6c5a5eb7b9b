"""Error consistency: whether two systems err on the same trials."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour.counting import as_floats, ratio, right_table
from erralign.errors import check_answers, check_table


def error_consistency(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    r"""Measure whether two systems err on the same trials, beyond what their accuracies alone would give.

    This is Cohen's kappa of right and wrong,

    .. math:: EC = \frac{p_{obs} - p_{exp}}{1 - p_{exp}},

    where :math:`p_{obs}` is the share of trials on which both are right or both are wrong. If systems with these
    accuracies err independently, the share to expect is :math:`p_{exp} = p_a p_b + (1 - p_a)(1 - p_b)`.

    Parameters
    ----------
    y_true : array_like, shape (n_trials,)
        True classes: ids 0 … C - 1, or names. Series are aligned by their index.
    y_a, y_b : array_like, shape (n_trials,)
        Answers of system A (``y_a``) and of system B (``y_b``), in the same form; -1 is "no answer in time" and counts
        as wrong.
    replace_undefined_by : float
        The value to return where the measure is 0/0.

    Returns
    -------
    float
        From -1 to 1. 0 is what independent systems give on average, and what it is if one system alone is always right,
        or always wrong. Undefined if both are right on every trial, or both wrong on every trial.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), equations 1 and 4, https://doi.org/10.48550/arXiv.2006.16736.
    Cohen (1960), https://doi.org/10.1177/001316446002000104.

    Examples
    --------
    >>> error_consistency(y_true=[0, 0, 1, 1], y_a=[0, 1, 1, 0], y_b=[0, 1, 0, 0])
    0.5
    """
    table = right_table(*check_answers(y_true, y_a, y_b, right_or_wrong=True))
    return error_consistency_from_counts(table, replace_undefined_by=replace_undefined_by)


def error_consistency_from_counts(table: ArrayLike, *, replace_undefined_by: float = np.nan) -> float:
    r"""Measure error consistency from four counts.

    Let :math:`N_{rs}` count trials: r is 1 where A is right and 0 where it is wrong, and s says the same of B. Then

    .. math:: EC = \frac{2 (N_{11} N_{00} - N_{10} N_{01})}
                        {(N_{11} + N_{10})(N_{10} + N_{00}) + (N_{11} + N_{01})(N_{01} + N_{00})}.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        ``table[a right][b right]``: ``table[0][0]`` counts the trials on which both are wrong, ``table[1][1]`` those on
        which both are right.
    replace_undefined_by : float
        The value to return where the measure is 0/0.

    Returns
    -------
    float
        From -1 to 1. Undefined if both are right on all trials, or both wrong on all of them.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), https://doi.org/10.48550/arXiv.2006.16736.

    Examples
    --------
    >>> error_consistency_from_counts([[2, 0], [1, 1]])
    0.5
    """
    return float(kappa(*check_table(table).ravel(), undefined=replace_undefined_by))


def kappa(
    both_wrong: ArrayLike, only_b: ArrayLike, only_a: ArrayLike, both_right: ArrayLike, *, undefined: float = np.nan
) -> np.ndarray:
    """Compute Cohen's kappa of right and wrong for many tables at once, from their four counts."""
    # Floats hold whole numbers up to 2**53: products of counts are exact, and cannot overflow as int64 would.
    both_wrong, only_b, only_a, both_right = (as_floats(cell) for cell in (both_wrong, only_b, only_a, both_right))
    most = (both_right + only_a) * (only_a + both_wrong) + (both_right + only_b) * (only_b + both_wrong)
    return ratio(2 * (both_right * both_wrong - only_a * only_b), most, undefined)
