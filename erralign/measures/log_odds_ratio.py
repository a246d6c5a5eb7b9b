"""The odds ratio of being right together, which no accuracy bounds, and the EC that it implies at two accuracies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import (
    as_array,
    check_answers,
    check_cluster_labels,
    check_shares,
    check_table,
    first_place,
)
from erralign.measures.error_consistency import left_out_of_tables, unseen
from erralign.measures.matrix import Limits, Resampling, ResponseMatrix, drawn_values, four_cells, kappa
from erralign.measures.measure import LeftOut, Measure
from erralign.measures.registry import register


def log_odds_ratio(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    *,
    strata: Any = None,
    half_counts: bool = True,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Measure whether two systems err on the same trials by the odds ratio, whose range no accuracy limits.

    The odds that B is right, where A is, are divided by the odds that B is right where A is wrong,

    .. math:: \log OR = \log \frac{N_{11} N_{00}}{N_{10} N_{01}},

    with the counts of :func:`erralign.behaviour.log_odds_ratio_from_counts`. Trials of several strata, such as the
    strengths of a distortion, are compared within each by the estimator of Mantel and Haenszel.

    Yule's Q is the same on a scale from -1 to 1: :math:`Q = (OR - 1) / (OR + 1)`, without half counts.

    Parameters
    ----------
    y_true : array_like, shape (n_trials,)
        True classes: ids 0 … C - 1, or names. Series are aligned by their index.
    y_a, y_b : array_like, shape (n_trials,)
        Answers of system A (``y_a``) and of system B (``y_b``), in the same form; -1 is "no answer in time" and counts
        as wrong.
    strata : array_like of labels, shape (n_trials,), or the name of an index level, optional
        Trials of one stratum have one label. Default: all trials are of one.
    half_counts : bool
        Whether half a count is added to each of the four cells.
    replace_undefined_by : float
        The value to return where the measure is 0/0.

    Returns
    -------
    float
        Any number. 0 is what independent systems give within each stratum, and values above 0 mean that they fail
        together. Undefined if in each stratum one of the systems is always right, or always wrong.

    References
    ----------
    Mantel & Haenszel (1959), https://doi.org/10.1093/jnci/22.4.719; Haldane (1956),
    https://doi.org/10.1111/j.1469-1809.1955.tb01285.x, and Anscombe (1956), https://doi.org/10.1093/biomet/43.3-4.461,
    half counts.

    Examples
    --------
    >>> truth, a, b = [0] * 10, [0] * 4 + [1] * 6, [0] * 3 + [1] + [0] + [1] * 5
    >>> round(log_odds_ratio(truth, a, b, half_counts=False), 2)  # the logarithm of 15
    2.71
    >>> round(log_odds_ratio(truth, a, b), 2)
    2.15
    """
    truth, *answers = check_answers(y_true, y_a, y_b, right_or_wrong=True)
    codes = np.zeros(len(truth), dtype=int)
    if strata is not None:
        index = getattr(y_true, "index", None) if hasattr(y_true, "iloc") else None
        labels = check_cluster_labels(strata, len(truth), index, "strata")
        if len(labels) > 1:
            raise ValueError("strata has two labels per trial; expected one: join the two into one label")
        number: dict[Any, int] = {}
        codes = np.array([number.setdefault(label, len(number)) for label in labels[0]])
    a, b = (y == truth for y in answers)
    tables = np.bincount(4 * codes + 2 * a + b, minlength=4 * (codes.max() + 1)).reshape(-1, 2, 2)
    return log_odds_ratio_from_counts(tables, half_counts=half_counts, replace_undefined_by=replace_undefined_by)


def log_odds_ratio_from_counts(
    table: ArrayLike, *, half_counts: bool = True, replace_undefined_by: float = np.nan
) -> float:
    r"""Measure the log odds ratio of being right from four counts, or from four counts of each stratum.

    Let :math:`N_{rs}` count trials: r is 1 where A is right and 0 where it is wrong, and s says the same of B. Over
    strata k of :math:`n_k` trials, the estimator of Mantel and Haenszel is

    .. math:: \log OR = \log \frac{\sum_k N_{11k} N_{00k} / n_k}{\sum_k N_{10k} N_{01k} / n_k}.

    Strata in which a system is always right, or always wrong, say nothing and are left out. To each cell half a count
    is added, which keeps the value finite; over strata it is shared out by their trials, since half a count in every
    one would draw the value to 0 where strata are small. Where two or more trials are expected in each cell, the mean
    of the values is within 0.02 of the true one. With fewer it can be far off: with 160 trials it is 1.4 too high at
    accuracies of 0.97 and 0.97 and an odds ratio of 1, and 3.0 too low at 0.97, 0.5 and an odds ratio of 200.

    Parameters
    ----------
    table : array_like of int, shape (2, 2) or (n_strata, 2, 2)
        ``table[a right][b right]``, as for :func:`erralign.behaviour.error_consistency_from_counts`.
    half_counts, replace_undefined_by
        As for :func:`erralign.log_odds_ratio`. Without half counts the value is infinite where one of the sums is 0.

    Returns
    -------
    float
        Any number. Undefined if in each stratum one of the systems is always right, or always wrong.

    References
    ----------
    Mantel & Haenszel (1959), https://doi.org/10.1093/jnci/22.4.719.

    Examples
    --------
    >>> round(log_odds_ratio_from_counts([[[10, 5], [5, 80]], [[40, 10], [10, 40]]], half_counts=False), 2)
    2.95
    """
    cells = informative(strata_of(table), half_counts)
    if not cells.size:
        return float(replace_undefined_by)
    alike, unlike = products(cells)
    with np.errstate(divide="ignore"):
        return float(np.log(alike.sum()) - np.log(unlike.sum()))


def implied_error_consistency(accuracy_a: ArrayLike, accuracy_b: ArrayLike, odds_ratio: ArrayLike) -> np.ndarray:
    r"""Return the error consistency of two systems with these accuracies and this odds ratio.

    With one odds ratio :math:`\theta`, EC changes with both accuracies, so two pairs of unequal accuracies can differ
    in EC and not in how closely their errors are linked. Both are right on a share :math:`p_{both}` of the trials with

    .. math:: p_{both} (1 - p_a - p_b + p_{both}) = \theta\, (p_a - p_{both}) (p_b - p_{both}),

    which is a quadratic equation with one root that is possible,

    .. math:: p_{both} = \frac{2 \theta\, p_a p_b}{s + \sqrt{s^2 - 4 \theta (\theta - 1) p_a p_b}}, \qquad
              s = 1 + (\theta - 1)(p_a + p_b).

    Then EC is :math:`2 (p_{both} - p_a p_b) / (p_a + p_b - 2 p_a p_b)`.

    Parameters
    ----------
    accuracy_a, accuracy_b : array_like of float
        Accuracies, shares from 0 to 1, of any shapes that broadcast.
    odds_ratio : array_like of float
        The odds ratio itself, not its logarithm: above 0, and 1 for independent systems; infinity is allowed.

    Returns
    -------
    numpy.ndarray
        From -1 to 1: 0 at an odds ratio of 1, and the largest EC that the accuracies allow as it grows without bound.
        Undefined (nan) if both accuracies are 0, or both are 1.

    References
    ----------
    Plackett (1965), the distribution of two variables with one odds ratio, https://doi.org/10.1080/01621459.1965.10480807.

    Examples
    --------
    >>> implied_error_consistency(0.9, [0.9, 0.7, 0.5], 10).round(2).tolist()
    [0.35, 0.27, 0.16]
    """
    a, b = check_shares("accuracy_a", accuracy_a), check_shares("accuracy_b", accuracy_b)
    odds = as_array("odds_ratio", odds_ratio, float, kinds="iuf", expected="odds ratios")
    wrong = ~(odds > 0)
    if wrong.any():
        value = odds[first_place(wrong)]
        raise ValueError(f"odds_ratio is {value}; expected a number above 0, not its logarithm: take numpy.exp of that")
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        # Divided by the odds ratio where it is above 1, so that no large number is squared.
        scale = 1 / np.maximum(odds, 1)
        above = np.where(np.isinf(odds), 1, odds * scale) - scale
        s = scale + above * (a + b)
        root = np.sqrt(np.maximum(s**2 - 4 * np.minimum(odds, 1) * above * a * b, 0))
        both = np.where(s < 0, (s - root) / (2 * above), 2 * np.minimum(odds, 1) * a * b / (s + root))
    both = np.where((a == 0) | (b == 0), 0, both)
    return kappa(*four_cells(1, a, b, both))


# ---- cells -------------------------------------------------------------------------------------------------------


def strata_of(table: ArrayLike) -> np.ndarray:
    """Return the four cells of each stratum, (4, n_strata)."""
    array = np.asarray(table)
    if array.ndim != 3:
        return check_table(table).reshape(4, 1)
    tables = [check_table(stratum) for stratum in array[array.any(axis=(1, 2))]]
    if not tables:
        raise ValueError("table is empty: at least one trial is needed")
    return np.reshape(tables, (-1, 4)).T


def informative(cells: np.ndarray, half_counts: bool) -> np.ndarray:
    """Return the cells of the strata in which both systems are right on some trials, and wrong on some."""
    n, right_a, right_b = cells.sum(axis=0), cells[[2, 3]].sum(axis=0), cells[[1, 3]].sum(axis=0)
    varies = (right_a > 0) & (right_a < n) & (right_b > 0) & (right_b < n)
    cells, n = cells[:, varies].astype(float), n[varies]
    return cells + n / (2 * n.sum()) if half_counts else cells


def products(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what each stratum adds to both sums of the estimator."""
    both_wrong, only_b, only_a, both_right = cells
    n = cells.sum(axis=0)
    return both_right * both_wrong / n, only_a * only_b / n


# ---- the measure -------------------------------------------------------------------------------------------------


def log_odds(both_wrong: Any, only_b: Any, only_a: Any, both_right: Any) -> np.ndarray:
    """Compute the log odds ratio of many tables at once, from their four cells as they are."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(both_wrong) + np.log(both_right) - np.log(only_a) - np.log(only_b)


def _with_half_counts(*cells: np.ndarray) -> np.ndarray:
    both_wrong, only_b, only_a, both_right = cells
    right_a, right_b = both_right + only_a, both_right + only_b
    wrong_a, wrong_b = both_wrong + only_b, both_wrong + only_a
    varies = (right_a > 0) & (right_b > 0) & (wrong_a > 0) & (wrong_b > 0)
    return np.where(varies, log_odds(*(cell + 0.5 for cell in cells)), np.nan)


def _values(matrix: ResponseMatrix) -> np.ndarray:
    return _with_half_counts(*matrix.tables.T)


def _left_out(matrix: ResponseMatrix) -> LeftOut:
    return left_out_of_tables(_with_half_counts, matrix)._replace(unseen=unseen(log_odds, matrix))


def _limits(matrix: ResponseMatrix, resampling: Resampling) -> Limits:
    low, high = np.quantile(_draws(matrix, resampling), resampling.tails, axis=0)
    low, high = np.where(np.isnan(_values(matrix)), np.nan, [low, high])
    return Limits(low, high, np.zeros(len(low), dtype=int), "dirichlet")


def _draws(matrix: ResponseMatrix, resampling: Resampling) -> np.ndarray:
    def value(n: np.ndarray, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
        # Drawn weights are whole numbers: what is rounded to 0 is at least 1.
        return log_odds(*(np.maximum(cell, 1) for cell in four_cells(n, a, b, both)))

    return drawn_values(value, matrix.right, matrix.pairs, resampling.n_resamples, resampling.rng)


register(
    Measure("log_odds_ratio", "LOR", log_odds_ratio, values=_values, left_out=_left_out, limits=_limits, draws=_draws)
)
