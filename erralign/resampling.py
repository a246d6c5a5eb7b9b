"""How far would a value move with other trials? Intervals for one pair of systems, and for all pairs at once.

A method is chosen by what simulation says of it, not by custom: an error that was not observed cannot be resampled,
so where joint errors are few the percentile bootstrap is too narrow. The chapter "How sure are we?" has the coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.linalg import hadamard
from scipy.sparse import csr_array
from scipy.special import chdtri, ndtri  # not scipy.stats, which would double the time that importing takes

from erralign.behaviour import class_level_error_similarity, error_consistency, kappa, misclassification_agreement
from erralign.errors import check_answers, check_counts
from erralign.pairs import ALPHA, MEASURES_OF_ERRORS, pairwise
from erralign.responses import Responses

BLOCK = 1000
# From about this many joint errors on, the design effect of MA is taken from the data rather than held near 1.
STEADYING_ERRORS = 20


@dataclass(frozen=True)
class Interval:
    """An interval, and what one has to know to read it.

    Parameters
    ----------
    low, high : float
        The limits; nan where no method can say anything.
    estimate : float
        The value itself; nan where it is undefined.
    method : str
        How the limits were found.
    estimand : str
        What they are about.
    n_joint_errors : int
        Trials on which both were wrong. With fewer than five, do not make much of the interval.
    n_undefined : int
        Draws in which the measure was 0/0; they were left out.
    """

    low: float
    high: float
    estimate: float
    method: str
    estimand: str
    n_joint_errors: int
    n_undefined: int


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected a share between 0 and 1, such as 0.95")


def _check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(allowed)}")


# ---- error consistency -------------------------------------------------------------------------------------------


def error_consistency_limits(
    table: ArrayLike,
    *,
    level: float = 0.95,
    method: str = "dirichlet",
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> tuple[float, float, int]:
    r"""Say between which limits EC lies, from four counts.

    * ``dirichlet``: half a count is added to each cell, and kappa drawn from the Dirichlet distribution with these
      parameters; the limits leave equal tails.
    * ``score``: all values of kappa whose likeliest table Pearson's chi-square does not reject.
    * ``percentile`` and ``hdi``: of resampled tables, the middle part and the shortest part. They are too narrow where
      joint errors are few, since an error that was not observed cannot be resampled.

    Where no disagreement was seen, the upper limit of the first two is 1 by convention.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        ``table[a right][b right]``, as in :func:`erralign.behaviour.error_consistency_from_counts`.
    level : float
        The share of experiments in which the interval should hold the true value.
    method : {"dirichlet", "score", "percentile", "hdi"}
        How the limits are found.
    n_resamples : int
        Draws, for the methods that draw.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    tuple
        Low, high (from -1 to 1; nan where every draw is undefined), and the number of undefined draws.

    Raises
    ------
    ValueError
        Not a 2 x 2 table of counts, an unknown method, a level that is not between 0 and 1.

    References
    ----------
    Klein et al. (2025), "Uncertainty in error consistency", name ``percentile`` and ``hdi``.

    Examples
    --------
    >>> low, high, _ = error_consistency_limits([[3, 5], [7, 145]])
    >>> round(low, 2), round(high, 2)
    (0.06, 0.57)
    """
    counts = check_counts("table", table, size=2).ravel()
    _check_level(level)
    _check_choice("method", method, _EC_METHODS)
    low, high, undefined = _EC_METHODS[method](counts, level, n_resamples, np.random.default_rng(rng))
    return float(low), float(high), int(undefined)


def _tails(level: float) -> tuple[float, float]:
    return (1 - level) / 2, (1 + level) / 2


def _ec_dirichlet(table: np.ndarray, level: float, n_resamples: int, rng: np.random.Generator) -> tuple:
    draws = kappa(*rng.standard_gamma(table[:, None] + 0.5, size=(4, n_resamples)))
    low, high = np.quantile(draws, _tails(level))
    return low, _one_if_no_disagreement(table, high), 0


def _one_if_no_disagreement(table: np.ndarray, high: float) -> float:
    # No draw of a continuous distribution is exactly 1, so equal tails could never cover perfect consistency.
    return 1.0 if table[1] + table[2] == 0 else high


def _ec_bootstrap(table: np.ndarray, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    return kappa(*rng.multinomial(table.sum(), table / table.sum(), size=n_resamples).T.astype(float))


def _ec_percentile(table: np.ndarray, level: float, n_resamples: int, rng: np.random.Generator) -> tuple:
    return _percentile(_ec_bootstrap(table, n_resamples, rng), level)


def _percentile(draws: np.ndarray, level: float) -> tuple[float, float, int]:
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return np.nan, np.nan, len(draws)
    return *np.quantile(defined, _tails(level)), len(draws) - len(defined)


def _ec_hdi(table: np.ndarray, level: float, n_resamples: int, rng: np.random.Generator) -> tuple:
    draws = np.sort(_ec_bootstrap(table, n_resamples, rng))
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return np.nan, np.nan, len(draws)
    inside = max(int(np.ceil(level * len(defined))), 1)
    start = int((defined[inside - 1 :] - defined[: len(defined) - inside + 1]).argmin())
    return defined[start], defined[start + inside - 1], len(draws) - len(defined)


def _ec_score(table: np.ndarray, level: float, n_resamples: int, rng: np.random.Generator) -> tuple:
    estimate = float(kappa(*table.astype(float)))
    if np.isnan(estimate):
        return np.nan, np.nan, 0
    cut = chdtri(1, 1 - level)
    low, high = _last_kept(table, estimate, -1.0, cut), _last_kept(table, estimate, 1.0, cut)
    return low, _one_if_no_disagreement(table, high), 0


_EC_METHODS = {"dirichlet": _ec_dirichlet, "score": _ec_score, "percentile": _ec_percentile, "hdi": _ec_hdi}


def _last_kept(table: np.ndarray, inside: float, outside: float, cut: float) -> float:
    for _ in range(4):
        grid = np.linspace(inside, outside, 33)
        kept = score_chi_square(table, grid) <= cut
        last = int(np.argmin(kept)) - 1 if not kept.all() else len(grid) - 1
        last = max(last, 0)
        if last == len(grid) - 1:
            return float(grid[-1])
        inside, outside = grid[last], grid[last + 1]
    return float((inside + outside) / 2)


def score_chi_square(table: np.ndarray, kappas: np.ndarray) -> np.ndarray:
    """Measure, by Pearson's chi-square, how badly tables fit a given kappa: against the likeliest cells that have it.

    Parameters
    ----------
    table : numpy.ndarray of int, shape (4,) or (n, 4)
        Both wrong, only B right, only A right, both right.
    kappas : numpy.ndarray of float, shape (n,)
        One a table, or many for one table.

    Returns
    -------
    numpy.ndarray
        Shape (n,), from 0 up; a value is kept in the score interval while this is at most 3.84 (for 95 %).

    Examples
    --------
    >>> score_chi_square(np.array([3, 5, 7, 145]), np.array([0.0, 0.3])).round(2).tolist()
    [14.04, 0.0]
    """
    counts = np.broadcast_to(np.asarray(table, dtype=float), (*np.shape(kappas), 4)).reshape(-1, 4)
    kappas = np.ravel(kappas)
    low, high = np.zeros(len(kappas)), np.ones(len(kappas))
    golden = (np.sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = _profile(counts, kappas, left)[0], _profile(counts, kappas, right)[0]
    for _ in range(45):
        go_left = at_left > at_right
        high, low = np.where(go_left, right, high), np.where(go_left, low, left)
        new = np.where(go_left, high - golden * (high - low), low + golden * (high - low))
        value = _profile(counts, kappas, new)[0]
        left, right, at_left, at_right = (
            np.where(go_left, new, right),
            np.where(go_left, left, new),
            np.where(go_left, value, at_right),
            np.where(go_left, at_left, value),
        )
    cells = _profile(counts, kappas, (low + high) / 2)[1]
    expected = counts.sum(axis=1, keepdims=True) * cells
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(expected > 0, (counts - expected) ** 2 / expected, np.where(counts > 0, np.inf, 0.0))
    return terms.sum(axis=1)


def _profile(counts: np.ndarray, kappas: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Maximise over the accuracy of B for given accuracies p of A: cells are linear in it, the likelihood concave."""
    half = kappas / 2
    bent = half * (1 - 2 * p)
    # Cells in the order of a table: both wrong, only B right, only A right, both right.
    slope = np.stack([p - 1 + bent, 1 - p - bent, -p - bent, p + bent], axis=1)
    start = np.stack([1 - p + half * p, -half * p, p - half * p, half * p], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        zero = -start / slope
    low = np.where(slope > 0, zero, 0.0).max(axis=1).clip(0, 1)
    high = np.where(slope < 0, zero, 1.0).min(axis=1).clip(0, 1)
    feasible = low <= high
    for _ in range(40):
        middle = (low + high) / 2
        cells = start + slope * middle[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            rising = np.where(counts > 0, counts * slope / cells, 0.0).sum(axis=1) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    cells = (start + slope * ((low + high) / 2)[:, None]).clip(0, None)
    with np.errstate(divide="ignore", invalid="ignore"):
        likelihood = np.where(counts > 0, counts * np.log(cells), 0.0).sum(axis=1)
    return np.where(feasible, likelihood, -np.inf), cells


# ---- misclassification agreement ---------------------------------------------------------------------------------


def _joint_answers(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    wrong = (y_a != y_true) & (y_b != y_true) & (y_a >= 0) & (y_b >= 0)
    return y_a[wrong], y_b[wrong]


def _ma_wilson(trials: _Trials) -> tuple[float, float, int]:
    return *_wilson_limits(*_joint_answers(*trials.answers), trials.n_classes, trials.level), 0


def _ma_percentile(trials: _Trials) -> tuple[float, float, int]:
    said_a, said_b = _joint_answers(*trials.answers)
    codes, counts = np.unique(said_a * trials.n_classes + said_b, return_counts=True)
    shares = np.append(counts, trials.n - len(said_a)) / trials.n
    draws = trials.rng.multinomial(trials.n, shares, size=trials.n_resamples)[:, :-1]
    agreement = _agreement(draws, codes // trials.n_classes, codes % trials.n_classes, trials.n_classes)
    return _percentile(agreement, trials.level)


def _wilson_limits(said_a: np.ndarray, said_b: np.ndarray, n_classes: int, level: float) -> tuple[float, float]:
    """Return limits of MA from the answers on joint errors: Wilson's, with a design effect, mapped to kappa.

    Chance agreement leaves out that an error agrees with itself, else it is too high where errors are few.
    """
    n = len(said_a)
    if n < 2:
        return np.nan, np.nan
    rows, columns = (np.bincount(said, minlength=n_classes).astype(float) for said in (said_a, said_b))
    agree = float(np.count_nonzero(said_a == said_b))
    chance = (rows @ columns - agree) / (n * (n - 1))
    if chance >= 1:
        return np.nan, np.nan
    effective = n / _design_effect(said_a, said_b, rows, columns, agree)
    z = ndtri((1 + level) / 2)
    share = agree / n
    centre = (share + z**2 / (2 * effective)) / (1 + z**2 / effective)
    half = z / (1 + z**2 / effective) * np.sqrt(share * (1 - share) / effective + z**2 / (4 * effective**2))
    return max((centre - half - chance) / (1 - chance), -1.0), min((centre + half - chance) / (1 - chance), 1.0)


def _design_effect(said_a, said_b, rows, columns, agree) -> float:
    """Compare the delta-method variance of MA with that of a proportion, drawn to 1 where errors are few."""
    n = len(said_a)
    overlap = rows * columns
    other = n * n - overlap.sum()
    if other == 0:
        return 1.0  # both gave one and the same class throughout: nothing that could vary with it
    agreeing = overlap / overlap.sum() if overlap.sum() > 0 else (rows + columns) / (2 * n)
    total = n + 2.0
    # One pseudo-error agrees, one does not; their labels follow the margins.
    p_a = (rows + agreeing + (rows * n - overlap) / other) / total
    p_b = (columns + agreeing + (columns * n - overlap) / other) / total
    observed, expected = (agree + 1) / total, p_a @ p_b
    # Influence of one error on kappa, up to a constant: its agreement, less what its labels add to chance.
    slope = (1 - observed) / (1 - expected)
    influence = (said_a == said_b) - slope * (p_b[said_a] + p_a[said_b])
    pseudo = np.outer(rows, columns) / other
    np.fill_diagonal(pseudo, 0)
    spread = p_b[:, None] + p_a[None, :]
    first = influence.sum() + (agreeing * (1 - slope * (p_a + p_b))).sum() - slope * (pseudo * spread).sum()
    second = (
        (influence**2).sum()
        + (agreeing * (1 - slope * (p_a + p_b)) ** 2).sum()
        + (pseudo * (slope * spread) ** 2).sum()
    )
    variance = second / total - (first / total) ** 2
    ratio = variance / (observed * (1 - observed))
    return (n * ratio + STEADYING_ERRORS) / (n + STEADYING_ERRORS)


def _agreement(draws: np.ndarray, said_a: np.ndarray, said_b: np.ndarray, n_classes: int) -> np.ndarray:
    one_hot = np.eye(n_classes)
    rows, columns = draws @ one_hot[said_a], draws @ one_hot[said_b]
    total, chance = draws.sum(axis=1), (rows * columns).sum(axis=1)
    numerator, denominator = total * draws[:, said_a == said_b].sum(axis=1) - chance, total**2 - chance
    return np.divide(numerator, denominator, out=np.full(len(draws), np.nan), where=denominator > 0)


# ---- class-level error similarity --------------------------------------------------------------------------------


def _resampled_trials(n_trials: int, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    return rng.multinomial(n_trials, np.full(n_trials, 1 / n_trials), size=n_resamples).astype(np.float32)


def _released_similarity(errors_a: np.ndarray, errors_b: np.ndarray, rows: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the released form of CLES for draws of error counts; ``rows``: the true class of each cell, ascending."""
    if not errors_a.shape[1]:
        return np.full(len(errors_a), np.nan)
    logs = np.log(np.arange(int((errors_a + errors_b).max()) + 1) + ALPHA)
    pooled = logs[errors_a + errors_b]
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    smoothing = max(n_classes - 1, 1) * ALPHA
    n_a, n_b = (np.add.reduceat(errors, starts, axis=1) for errors in (errors_a, errors_b))
    distance = np.zeros(len(errors_a))
    for errors, n in ((errors_a, n_a), (errors_b, n_b)):
        gained = np.add.reduceat((errors + ALPHA) * (logs[errors] - pooled), starts, axis=1)
        m = n + smoothing
        distance += ((n_a + n_b) * (gained / m + np.log((n_a + n_b + smoothing) / m))).sum(axis=1) / 2
    total = (n_a + n_b).sum(axis=1)
    return 1 / (1 + np.divide(distance, total, out=np.full(len(total), np.nan), where=total > 0))


def _drawn_errors(truth, answers, n_classes, counts) -> tuple[np.ndarray, np.ndarray]:
    wrong = ((answers != truth) & (answers >= 0)).nonzero()[0]
    cells, codes = np.unique(truth[wrong] * n_classes + answers[wrong], return_inverse=True)
    incidence = csr_array((np.ones(len(wrong), np.float32), (codes, wrong)), shape=(len(cells), len(truth)))
    return cells, (incidence @ counts.T).T.astype(np.int32)


def _into(cells: np.ndarray, own: np.ndarray, errors: np.ndarray) -> np.ndarray:
    table = np.zeros((len(errors), len(cells)), dtype=np.int32)
    table[:, np.searchsorted(cells, own)] = errors
    return table


def _similarity_draws(drawn_a: tuple, drawn_b: tuple, n_classes: int) -> np.ndarray:
    cells = np.union1d(drawn_a[0], drawn_b[0])
    return _released_similarity(_into(cells, *drawn_a), _into(cells, *drawn_b), cells // n_classes, n_classes)


def _recentred(draws: np.ndarray, estimate: float, level: float) -> tuple[float, float, int]:
    """Move the percentile limits by the bias that the resamples show: resampling smooths sparse rows once more."""
    low, high, undefined = _percentile(draws, level)
    bias = np.nanmean(draws) - estimate if undefined < len(draws) else np.nan
    return low - bias, min(high - bias, 1.0), undefined


def _cles_draws(trials: _Trials) -> np.ndarray:
    y_true, y_a, y_b = trials.answers
    blocks = [min(BLOCK, trials.n_resamples - start) for start in range(0, trials.n_resamples, BLOCK)]
    draws = []
    for size in blocks:
        counts = _resampled_trials(trials.n, size, trials.rng)
        drawn = [_drawn_errors(y_true, answers, trials.n_classes, counts) for answers in (y_a, y_b)]
        draws.append(_similarity_draws(*drawn, trials.n_classes))
    return np.concatenate(draws)


def _cles_percentile(trials: _Trials) -> tuple[float, float, int]:
    return _percentile(_cles_draws(trials), trials.level)


def _cles_recentred(trials: _Trials) -> tuple[float, float, int]:
    estimate = class_level_error_similarity(*trials.answers, n_classes=trials.n_classes)
    return _recentred(_cles_draws(trials), estimate, trials.level)


# ---- one pair ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Trials:
    answers: tuple[np.ndarray, np.ndarray, np.ndarray]  # the truth, A, B
    n_classes: int
    level: float
    n_resamples: int
    rng: np.random.Generator

    @property
    def n(self) -> int:
        return len(self.answers[0])


# The first of each is the default.
_METHODS: dict[str, dict[str, Callable]] = {
    "misclassification_agreement": {"wilson": _ma_wilson, "percentile": _ma_percentile},
    "class_level_error_similarity": {"recentred": _cles_recentred, "percentile": _cles_percentile},
}


def confidence_interval(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    measure: str = "error_consistency",
    *,
    level: float = 0.95,
    method: str = "default",
    n_classes: int | None = None,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> Interval:
    r"""Say between which limits a measure of two systems lies, if the trials stand for others like them.

    EC adds half a count to each of its four cells and takes equal tails of the Dirichlet distribution. MA is a kappa
    :math:`(p - c) / (1 - c)`: Wilson's interval of the share p, with a design effect, is mapped by it. CLES resamples
    trials and moves the percentile limits by the bias that the resamples show.

    Parameters
    ----------
    y_true : array_like of int, shape (n_trials,)
        True class ids.
    y_a, y_b : array_like of int, shape (n_trials,)
        Answers of the two systems; -1 is "no answer in time".
    measure : str
        ``error_consistency``, ``misclassification_agreement`` or ``class_level_error_similarity``.
    level : float
        The share of experiments in which the interval should hold the true value.
    method : str
        EC: ``dirichlet`` (default), ``score``, ``percentile``, ``hdi``, see :func:`error_consistency_limits`. MA:
        ``wilson`` (default), ``percentile``. CLES: ``recentred`` (default), ``percentile``.
    n_classes : int, optional
        C. Default: 1 + the largest label.
    n_resamples : int
        Draws, for the methods that draw.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    Interval
        For EC and MA about the value in the population of trials; for CLES about the value expected with as many errors
        as here (values at other numbers of errors are other quantities). Limits are nan where nothing can be said: MA
        with fewer than two joint errors, CLES without errors.

    Raises
    ------
    ValueError, TypeError
        An unknown measure or method, a level that is not between 0 and 1, labels as for the measures.

    References
    ----------
    Klein et al. (2025), "Uncertainty in error consistency"; Wilson (1927),
    https://doi.org/10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> interval = confidence_interval([0] * 20, [0] * 14 + [1] * 6, [0] * 12 + [1] * 8)
    >>> round(interval.low, 1), round(interval.high, 1), interval.n_joint_errors
    (0.4, 0.9, 6)
    """
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, n_classes)
    _check_level(level)
    _check_choice("measure", measure, MEASURES_OF_ERRORS)
    table = [[((y_a == y_true) == a) & ((y_b == y_true) == b) for b in (False, True)] for a in (False, True)]
    table = np.array(table).sum(axis=2)
    if measure == "error_consistency":
        method = "dirichlet" if method == "default" else method
        estimate = error_consistency(y_true, y_a, y_b)
        limits = error_consistency_limits(table, level=level, method=method, n_resamples=n_resamples, rng=rng)
        return Interval(*limits[:2], estimate, method, "population", int(table[0, 0]), limits[2])
    size = n_classes or 1 + int(max(y_true.max(), y_a.max(), y_b.max()))
    trials = _Trials((y_true, y_a, y_b), size, level, n_resamples, np.random.default_rng(rng))
    return _from_trials(trials, measure, method, int(table[0, 0]))


def _from_trials(trials: _Trials, measure: str, method: str, n_joint_errors: int) -> Interval:
    methods = _METHODS[measure]
    method = next(iter(methods)) if method == "default" else method
    _check_choice("method", method, methods)
    low, high, undefined = methods[method](trials)
    if measure == "misclassification_agreement":
        estimate, estimand = misclassification_agreement(*trials.answers), "population"
    else:
        estimate = class_level_error_similarity(*trials.answers, n_classes=trials.n_classes)
        estimand = "at-these-counts"
    return Interval(float(low), float(high), estimate, method, estimand, n_joint_errors, int(undefined))


# ---- all pairs ---------------------------------------------------------------------------------------------------


def pairwise_intervals(
    responses: Responses,
    measures: Sequence[str] = MEASURES_OF_ERRORS,
    *,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    r"""Compute measures of errors for all pairs of systems, each with its default interval, from shared draws.

    EC: trials get exponential weights, and pseudo-trials, the same for all pairs, add half a count to each cell of each
    pair; so every draw is one possible world, and every pair is Dirichlet as in :func:`confidence_interval`. MA has a
    closed form, :math:`(p - c) / (1 - c)` of Wilson's limits. CLES resamples trials once for all pairs.

    Parameters
    ----------
    responses : Responses
        What every system answered on every trial, shape (n_trials, n_systems).
    measures : sequence of str
        Names of functions, as for :func:`erralign.pairwise`.
    level : float
        The share of experiments in which an interval should hold the true value.
    n_resamples : int
        Draws.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    pandas.DataFrame
        The columns of :func:`erralign.pairwise`, and for each measure ``<measure>_low``, ``<measure>_high``,
        ``<measure>_n_undefined`` (draws that were 0/0 and left out).

    Raises
    ------
    ValueError
        As :func:`erralign.pairwise`, or a level that is not between 0 and 1.

    References
    ----------
    Rubin (1981), the Bayesian bootstrap, https://doi.org/10.1214/aos/1176345338.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> table = pairwise_intervals(twelve_pictures(), ["error_consistency"], n_resamples=1000)
    >>> bool((table["error_consistency_low"] < table["error_consistency"]).all())
    True
    """
    _check_level(level)
    rng = np.random.default_rng(rng)
    pairs = pairwise(responses, measures)
    truth, answers = responses.truth.to_numpy(), responses.answers.to_numpy().T
    for measure in measures:
        limits = _JOINT[measure](truth, answers, len(responses.classes), pairs, level, n_resamples, rng)
        for name, values in zip(("low", "high", "n_undefined"), limits, strict=True):
            pairs[f"{measure}_{name}"] = values
    return pairs


def _joint_error_consistency(truth, answers, n_classes, pairs, level, n_resamples, rng) -> tuple:
    right = answers == truth
    draws = _joint_kappas(right, n_resamples, rng)
    draws.sort(axis=0)
    low, high = (_sorted_quantile(draws, share) for share in _tails(level))
    first, second = np.triu_indices(len(right), k=1)
    agree = (right[first] == right[second]).all(axis=1)
    return low, np.where(agree, 1.0, high), np.zeros(len(low), dtype=int)


def _sorted_quantile(draws: np.ndarray, share: float) -> np.ndarray:
    place = share * (len(draws) - 1)
    below = int(place)
    above = min(below + 1, len(draws) - 1)
    return draws[below] + (place - below) * (draws[above] - draws[below])


def _joint_kappas(right: np.ndarray, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Draw EC of all pairs together: every draw is one possible world, every pair Dirichlet with half a count a cell.

    Real trials get exponential weights. Pseudo-trials, rows of a Hadamard matrix and of its negative, hold each cell of
    each pair equally often and share half a count a cell among them; so they are the same pseudo-trials for all pairs.
    """
    pseudo, share = _pseudo_trials(len(right))
    trials = np.concatenate([right.T, pseudo]).astype(np.float32)
    first, second = np.triu_indices(len(right), k=1)
    columns = np.concatenate(
        [trials[:, first] * trials[:, second], trials, np.ones((len(trials), 1), np.float32)], axis=1
    )
    n_pairs, n_trials = len(first), right.shape[1]
    draws = np.empty((n_resamples, n_pairs), dtype=np.float32)
    for start in range(0, n_resamples, BLOCK):
        block = draws[start : start + BLOCK]
        weights = np.concatenate(
            [
                rng.standard_exponential((len(block), n_trials), dtype=np.float32),
                rng.standard_gamma(share, (len(block), len(pseudo)), dtype=np.float32),
            ],
            axis=1,
        )
        sums = weights @ columns
        both, alone, total = sums[:, :n_pairs], sums[:, n_pairs:-1], sums[:, -1:]
        only_a, only_b = alone[:, first] - both, alone[:, second] - both
        block[:] = kappa(total - both - only_a - only_b, only_b, only_a, both)
    return draws


def _pseudo_trials(n_systems: int) -> tuple[np.ndarray, float]:
    order = 2 ** int(np.ceil(np.log2(n_systems + 1)))
    signs = hadamard(order)[:, 1 : n_systems + 1]
    return np.concatenate([signs, -signs]) > 0, 1 / order


def _joint_misclassification_agreement(truth, answers, n_classes, pairs, level, n_resamples, rng) -> tuple:
    first, second = np.triu_indices(len(answers), k=1)
    limits = [
        _wilson_limits(*_joint_answers(truth, answers[a], answers[b]), n_classes, level)
        for a, b in zip(first, second, strict=True)
    ]
    return *np.array(limits).T, np.zeros(len(first), dtype=int)


def _joint_class_level_error_similarity(truth, answers, n_classes, pairs, level, n_resamples, rng) -> tuple:
    counts = _resampled_trials(len(truth), n_resamples, rng)
    drawn = [_drawn_errors(truth, own, n_classes, counts) for own in answers]
    estimates = pairs["class_level_error_similarity"]
    first, second = np.triu_indices(len(answers), k=1)
    limits = [
        _recentred(_similarity_draws(drawn[a], drawn[b], n_classes), estimate, level)
        for a, b, estimate in zip(first, second, estimates, strict=True)
    ]
    low, high, undefined = np.array(limits).T
    return low, high, undefined.astype(int)


_JOINT = {
    "error_consistency": _joint_error_consistency,
    "misclassification_agreement": _joint_misclassification_agreement,
    "class_level_error_similarity": _joint_class_level_error_similarity,
}
