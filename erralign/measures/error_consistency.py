"""Error consistency: all pairs and values without each trial from four counts, intervals, and what it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour import error_consistency
from erralign.behaviour.consistency import kappa
from erralign.behaviour.counting import four_cells, right_table
from erralign.errors import check_choice, check_design_effect, check_level, check_rng, check_table
from erralign.measures.limits import LimitsOfDifference, differences_of_draws, percentile_limits, spread, tails
from erralign.measures.measure import ORDER_AND_NAMES, Measure
from erralign.measures.score import score_limits
from erralign.measures.trials import MANY_TRIALS, Draws, Intervals, Trials, left_out_of_counts
from erralign.measures.worlds import drawn_kappas, pseudo_trials

RANGE = (-1.0, 1.0)


def error_consistency_limits(
    table: ArrayLike,
    *,
    level: float = 0.95,
    method: str = "dirichlet",
    design_effect: float = 1.0,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> tuple[float, float, int]:
    r"""Return the limits of an interval for EC, from four counts.

    * ``dirichlet``: half a count is added to each cell, and tables are drawn from the Dirichlet distribution with these
      parameters. The limits cut equal tails off their values of kappa.
    * ``score``: the interval contains all values of kappa whose likeliest table Pearson's chi-square test does not
      reject.
    * ``percentile`` and ``hdi``: tables are resampled from the observed one. The limits cut equal tails off their
      kappas, or are the shortest interval that contains enough of them (highest density). Both are too narrow if joint
      errors are few, since an error that was not observed cannot be resampled.

    If no disagreement was observed, the upper limit of the first two is set to 1. If one system fails wherever the
    other does and on nearly all other trials too (accuracies 0.97 and 0.04), EC is as large as it can be, and hardly
    above 0; in simulations of 160 trials ``dirichlet`` contained it in 88 to 89 % of the experiments and ended a little
    below it in all others, and ``score`` contained it in 97 %.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        ``table[a right][b right]``, as in :func:`erralign.behaviour.error_consistency_from_counts`.
    level : float
        The share of experiments in which the interval should contain the true value.
    method : {"dirichlet", "score", "percentile", "hdi"}
        How the limits are found.
    design_effect : float
        What :func:`erralign.design_effect` returns where trials share material: the distance of each limit from EC is
        multiplied by its square root. 1, the default, is for independent trials.
    n_resamples : int
        How many draws are made, at least 20, by the methods that draw.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    tuple
        Low and high (from -1 to 1; nan if EC itself is undefined), and the number of undefined draws.

    Examples
    --------
    >>> low, high, _ = error_consistency_limits([[3, 5], [7, 145]])
    >>> round(low, 2), round(high, 2)
    (0.06, 0.57)
    """
    counts = check_table(table).ravel()
    check_level(level)
    check_choice("method", method, METHODS)
    check_design_effect(design_effect)
    low, high, undefined = _LIMITS[method](counts, Draws(level, n_resamples, check_rng(rng)))
    low, high = spread(low, high, kappa(*counts), design_effect, RANGE)
    return float(low), float(high), int(undefined)


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
    low, high = np.quantile(draws, tails(level), axis=1, method=quantile)
    return low, _one_if_no_disagreement(tables, high)


def _one_if_no_disagreement(tables: np.ndarray, high: ArrayLike) -> np.ndarray:
    # No draw of a continuous distribution is exactly 1, so equal tails could never cover perfect consistency.
    return np.where(tables[..., 1] + tables[..., 2] == 0, 1.0, high)


def _dirichlet(table: np.ndarray, draws: Draws) -> tuple:
    if np.isnan(kappa(*table)):
        return np.nan, np.nan, 0
    low, high = dirichlet_limits(table[None], draws.level, draws.n_resamples, draws.rng)
    return low[0], high[0], 0


def _bootstrap(table: np.ndarray, draws: Draws) -> np.ndarray:
    return kappa(*draws.rng.multinomial(table.sum(), table / table.sum(), size=draws.n_resamples).T)


def _percentile(table: np.ndarray, draws: Draws) -> tuple:
    return percentile_limits(_bootstrap(table, draws), draws.level)


def _hdi(table: np.ndarray, draws: Draws) -> tuple:
    drawn = np.sort(_bootstrap(table, draws))
    defined = drawn[~np.isnan(drawn)]
    if not len(defined):
        return np.nan, np.nan, len(drawn)
    inside = max(int(np.ceil(draws.level * len(defined))), 1)
    start = int((defined[inside - 1 :] - defined[: len(defined) - inside + 1]).argmin())
    return defined[start], defined[start + inside - 1], len(drawn) - len(defined)


def _score(table: np.ndarray, draws: Draws) -> tuple:
    if np.isnan(kappa(*table)):
        return np.nan, np.nan, 0
    low, high = score_limits(table, draws.level)
    return low, _one_if_no_disagreement(table, high), 0


_LIMITS: dict[str, Callable[[np.ndarray, Draws], tuple]] = {
    "dirichlet": _dirichlet,
    "score": _score,
    "percentile": _percentile,
    "hdi": _hdi,
}
# The first is the default.
METHODS = tuple(_LIMITS)


# ---- pairs of systems --------------------------------------------------------------------------------------------


def _of_pair(trials: Trials, method: str, draws: Draws) -> tuple[float, float, float, int]:
    pair = trials.of_pair(0, 1)
    low, high, undefined = _LIMITS[method](right_table(*pair).ravel(), draws)
    return float(low), float(high), error_consistency(*pair), int(undefined)


def _of_all_pairs(trials: Trials, values: np.ndarray, draws: Draws) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    tables = trials.tables
    alone = len(trials.truth) > MANY_TRIALS or trials.leave_unread
    limits = _pair_after_pair if alone else _together
    low, high = limits(trials, tables, draws)
    low, high = (np.where(np.isnan(values), np.nan, each) for each in (low, _one_if_no_disagreement(tables, high)))
    return low, high, np.zeros(len(low), dtype=int)


def _pair_after_pair(trials: Trials, tables: np.ndarray, draws: Draws) -> np.ndarray:
    """Draw the table of each pair, which takes as long with a million trials as with ten."""
    # Seeded by the systems of the pair, so that its limits do not depend on which other pairs are asked for.
    seed = int(draws.rng.integers(2**63))
    rngs = (np.random.default_rng([seed, *pair]) for pair in zip(*trials.pairs, strict=True))
    how = draws.level, draws.n_resamples
    limits = [dirichlet_limits(table[None], *how, rng) for table, rng in zip(tables, rngs, strict=True)]
    return np.concatenate(limits, axis=1)


def _together(trials: Trials, _: np.ndarray, draws: Draws) -> list[np.ndarray]:
    drawn = drawn_kappas(trials.right, *trials.pairs, draws.n_resamples, draws.rng)
    drawn.sort(axis=0)
    return [_sorted_quantile(drawn, share) for share in tails(draws.level)]


def _sorted_quantile(drawn: np.ndarray, share: float) -> np.ndarray:
    place = share * (len(drawn) - 1)
    below = int(place)
    above = min(below + 1, len(drawn) - 1)
    return drawn[below] + (place - below) * (drawn[above] - drawn[below])


def _of_differences(trials: Trials, draws: Draws) -> tuple[np.ndarray, LimitsOfDifference]:
    drawn = drawn_kappas(trials.right, *trials.with_last, draws.n_resamples, draws.rng)
    return differences_of_draws(trials.each_with_last(error_consistency), drawn, draws.level)


# ---- means with people -------------------------------------------------------------------------------------------


def _with_half_counts(
    truth: np.ndarray, answers: np.ndarray, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Differentiate kappa of pairs by the count of each trial, with half a count more in each cell."""
    right = answers == truth
    pseudo, share = pseudo_trials(len(right))
    counts = np.repeat([1, share], [right.shape[1], len(pseudo)])
    rows = np.concatenate([right.T, pseudo]).T.astype(float)
    a, b = rows[first], rows[second]
    n, n_a, n_b, ab = counts.sum(), (rows @ counts)[first], (rows @ counts)[second], a * b
    both, below = ab @ counts, n * (n_a + n_b) - 2 * n_a * n_b
    value = 2 * (n * both - n_a * n_b) / below
    # What a trial adds to numerator and denominator is linear in who is right on it, and in whether both are.
    always, if_both = 2 * both - value * (n_a + n_b), np.full(len(both), 2 * n)
    if_a, if_b = (2 * (value - 1) * other - value * n for other in (n_b, n_a))
    always, if_a, if_b, if_both = (each[:, None] / below[:, None] for each in (always, if_a, if_b, if_both))
    return always + if_a * a + if_b * b + if_both * ab, counts


# ---- the measure -------------------------------------------------------------------------------------------------


def error_consistencies(trials: Trials) -> np.ndarray:
    """Compute error consistency of all pairs."""
    return kappa(*trials.tables.T)


ERROR_CONSISTENCY = Measure(
    "error_consistency",
    "EC",
    error_consistency,
    all_pairs=error_consistencies,
    left_out=left_out_of_counts(lambda *counts: kappa(*four_cells(*counts))),
    intervals=Intervals({"population": METHODS}, _of_pair, _of_all_pairs, _of_differences),
    with_half_counts=_with_half_counts,
    enough_errors=5,
    range=RANGE,
    invariances=ORDER_AND_NAMES | {"choice of wrong answers"},
    meaning="do they fail on the same trials? 1: always; 0: no more often than their accuracies make likely by chance.",
    may_leave_unread=True,
)
