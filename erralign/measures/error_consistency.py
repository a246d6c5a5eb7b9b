"""Error consistency: whether two systems err on the same trials. A function of four counts, and its intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri  # not scipy.stats, which would double the time that importing takes

from erralign._validation import Seed, check_answers, check_table, checked
from erralign.measures.matrix import (
    Limits,
    Pairs,
    Resampling,
    ResponseMatrix,
    drawn_values,
    four_cells,
    kappa,
    pseudo_trials,
    right_table,
    widen,
)
from erralign.measures.measure import LeftOut, Measure


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


_RANGE = (-1.0, 1.0)
_ENOUGH_ERRORS = 5  # on which one of a pair errs, and one is right, in each condition of a mean with people


def error_consistency_limits(
    table: ArrayLike, *, level: float = 0.95, design_effect: float = 1.0, n_resamples: int = 10_000, rng: Seed = 0
) -> tuple[float, float]:
    r"""Return the limits of an interval for EC, from four counts.

    Half a count is added to each cell, and tables are drawn from the Dirichlet distribution with these parameters. The
    limits cut equal tails off their values of kappa.

    If no disagreement was observed, the upper limit is 1. If the two never failed together, or were never right
    together, the lower limit is at most z standard errors below the EC of the table that has half a count in the other
    cells only. In simulations the lowest EC that accuracies allow was then covered in 93 to 100 % of the experiments,
    and the largest, where it is near 0, in 88 to 89 %.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        ``table[a right][b right]``, as in :func:`erralign.behaviour.error_consistency_from_counts`.
    level : float
        The share of experiments in which the interval should contain the true value.
    design_effect : float
        What :func:`erralign.design_effect` returns where trials share material: the distance of each limit from EC is
        multiplied by its square root. 1, the default, is for independent trials.
    n_resamples : int
        How many draws are made, at least 20.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        The source of randomness. The default, 0, gives the same result in each call; None does not.

    Returns
    -------
    tuple
        Low and high, from -1 to 1; nan if EC itself is undefined.

    Examples
    --------
    >>> low, high = error_consistency_limits([[3, 5], [7, 145]])
    >>> round(low, 2), round(high, 2)
    (0.06, 0.57)
    """
    counts = check_table(table).ravel()
    checked(design_effect=design_effect)
    resampling = Resampling(*checked(level=level, n_resamples=n_resamples, rng=rng))
    value = float(kappa(*counts))
    if np.isnan(value):
        return np.nan, np.nan
    low, high = dirichlet_limits(counts[None], resampling.level, resampling.n_resamples, resampling.rng)
    low, high = widen(low, high, value, design_effect, _RANGE)
    return float(low[0]), float(high[0])


def dirichlet_limits(
    tables: np.ndarray,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    quantile: Literal["linear", "normal_unbiased"] = "linear",
) -> tuple[np.ndarray, np.ndarray]:
    """Return the default limits of EC for many tables: half a count more in each cell, equal tails."""
    cells = tables.T[:, :, None] + 0.5
    draws = kappa(*rng.standard_gamma(cells, size=(4, len(tables), n_resamples)))
    low, high = np.quantile(draws, ((1 - level) / 2, (1 + level) / 2), axis=1, method=quantile)
    return _low_if_no_agreement(tables, low, level), _one_if_no_disagreement(tables, high)


def _low_if_no_agreement(tables: np.ndarray, low: np.ndarray, level: float) -> np.ndarray:
    # Nearly every draw of a joint error that was not seen is above the EC that the accuracies allow without one.
    never = tables[:, [0, 3]] == 0
    counts = tables + 0.5
    counts[:, [0, 3]] *= ~never
    values, slopes = kappa(*counts.T), _slopes(kappa, counts.T)
    lowest = values - ndtri((1 + level) / 2) * np.sqrt((counts.T * slopes**2).sum(axis=0))
    return np.where(never.any(axis=1), np.fmax(np.fmin(low, lowest), -1), low)


def _one_if_no_disagreement(tables: np.ndarray, high: ArrayLike) -> np.ndarray:
    # No draw of a continuous distribution is exactly 1, so equal tails could never cover perfect consistency.
    return np.where(tables[..., 1] + tables[..., 2] == 0, 1.0, high)


# ---- the measure -------------------------------------------------------------------------------------------------


def _values(matrix: ResponseMatrix) -> np.ndarray:
    return of_counts(*matrix.counts)


def of_counts(n: Any, right_a: Any, right_b: Any, both: Any) -> np.ndarray:
    """Compute EC from the number of trials, and on how many A, B and both are right."""
    return kappa(*four_cells(n, right_a, right_b, both))


def drawn_kappas(
    right: np.ndarray, pairs: Pairs, n_resamples: int, rng: np.random.Generator, *, half_counts: bool = True
) -> np.ndarray:
    """Draw error consistency of pairs of systems, with the same drawn trials for all pairs."""
    return drawn_values(of_counts, right, pairs, n_resamples, rng, half_counts=half_counts)


def _draws(matrix: ResponseMatrix, resampling: Resampling) -> np.ndarray:
    return drawn_kappas(matrix.right, matrix.pairs, resampling.n_resamples, resampling.rng)


def _limits(matrix: ResponseMatrix, resampling: Resampling) -> Limits:
    tables, places = np.unique(matrix.tables, axis=0, return_inverse=True)
    # The same draws for each table: limits of a pair do not depend on which others are asked for.
    rng, state = resampling.rng, resampling.rng.bit_generator.state
    ends = np.full((2, len(tables)), np.nan)
    for place in np.flatnonzero(~np.isnan(kappa(*tables.T))):
        rng.bit_generator.state = state
        ends[:, [place]] = dirichlet_limits(tables[[place]], resampling.level, resampling.n_resamples, rng)
    low, high = ends[:, places.ravel()]
    return Limits(low, high, np.zeros(len(low), dtype=int), "dirichlet")


def left_out_of_tables(of_cells: Callable[..., np.ndarray], matrix: ResponseMatrix) -> LeftOut:
    """Compute a function of the four cells of each pair, and again without each trial, which lies in one of them."""
    tables, (first, second) = matrix.tables, matrix.pairs
    right = matrix.right.astype(np.intp)
    without = of_cells(*np.moveaxis(tables[:, None] - np.eye(4), -1, 0))
    without = np.take_along_axis(without, 2 * right[first] + right[second], axis=1)
    return LeftOut(of_cells(*tables.T), without, enough=_enough(tables))


def _enough(tables: np.ndarray) -> np.ndarray:
    errors = tables.sum(axis=1) - np.maximum(tables[:, 0], tables[:, 3])
    return errors >= _ENOUGH_ERRORS


def _left_out(matrix: ResponseMatrix) -> LeftOut:
    return left_out_of_tables(kappa, matrix)._replace(unseen=unseen(kappa, matrix))


def unseen(of_cells: Callable[..., np.ndarray], matrix: ResponseMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Differentiate a function of four cells by the count of each trial, with half a count more in each cell."""
    pseudo, share = pseudo_trials(len(matrix.answers))
    counts = np.repeat([1, share], [len(matrix.truth), len(pseudo)])
    rows = np.concatenate([matrix.right.T, pseudo]).T.astype(np.intp)
    slopes = _slopes(of_cells, matrix.tables.T + 0.5).T
    first, second = matrix.pairs
    return np.take_along_axis(slopes, 2 * rows[first] + rows[second], axis=1), counts


def _slopes(of_cells: Callable[..., np.ndarray], cells: np.ndarray) -> np.ndarray:
    """Differentiate by each of four counts; a small imaginary step gives each slope to the last digit."""
    return np.stack([of_cells(*(cells + 1e-20j * step[:, None])).imag / 1e-20 for step in np.eye(4)])


ERROR_CONSISTENCY = Measure(
    "error_consistency", "EC", error_consistency, _RANGE, _values, _left_out, limits=_limits, draws=_draws
)
