"""Error consistency: whether two systems err on the same trials. A function of four counts, and its intervals."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri  # not scipy.stats, which would double the time that importing takes

from erralign._validation import Seed, check_choice, checked
from erralign._validation.labels import check_answers
from erralign._validation.matrices import check_table
from erralign.measures.matrix import (
    MANY_TRIALS,
    Limits,
    Pairs,
    Resampling,
    ResponseMatrix,
    drawn_values,
    four_cells,
    kappa,
    percentile_limits,
    pseudo_trials,
    right_table,
    spread,
)
from erralign.measures.measure import ORDER_AND_NAMES, Form, Measure
from erralign.measures.score_limits import score_limits


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


RANGE = (-1.0, 1.0)


def error_consistency_limits(
    table: ArrayLike,
    *,
    level: float = 0.95,
    method: str = "dirichlet",
    design_effect: float = 1.0,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> tuple[float, float, int]:
    r"""Return the limits of an interval for EC, from four counts.

    * ``dirichlet``: half a count is added to each cell, and tables are drawn from the Dirichlet distribution with these
      parameters. The limits cut equal tails off their values of kappa.
    * ``score``: all values of kappa whose likeliest table Pearson's chi-square test does not reject.
    * ``percentile`` and ``hdi``: tables are resampled from the observed one. The limits cut equal tails off their
      kappas, or are the shortest interval that contains enough of them. Too narrow if joint errors are few.

    If no disagreement was observed, the upper limit of the first two is set to 1. If the two never failed together, or
    were never right together, ``dirichlet`` ends at most z standard errors below the EC of the table that has half a
    count in the other cells only. In simulations the lowest EC that accuracies allow was then covered in 93 to 100 % of
    the experiments, and the largest, where it is near 0, in 88 to 89 % (by ``score`` in 97 %).

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
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        The source of randomness. The default, 0, gives the same result in each call; None does not.

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
    check_choice("method", method, METHODS)
    checked(design_effect=design_effect)
    low, high, undefined = _LIMITS[method](counts, Resampling(*checked(level=level, n_resamples=n_resamples, rng=rng)))
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


def _dirichlet(table: np.ndarray, resampling: Resampling) -> tuple:
    if np.isnan(kappa(*table)):
        return np.nan, np.nan, 0
    low, high = dirichlet_limits(table[None], resampling.level, resampling.n_resamples, resampling.rng)
    return low[0], high[0], 0


def _bootstrap(table: np.ndarray, resampling: Resampling) -> np.ndarray:
    return kappa(*resampling.rng.multinomial(table.sum(), table / table.sum(), size=resampling.n_resamples).T)


def _hdi(table: np.ndarray, resampling: Resampling) -> tuple:
    drawn = np.sort(_bootstrap(table, resampling))
    defined = drawn[~np.isnan(drawn)]
    if not len(defined):
        return np.nan, np.nan, len(drawn)
    inside = max(int(np.ceil(resampling.level * len(defined))), 1)
    start = int((defined[inside - 1 :] - defined[: len(defined) - inside + 1]).argmin())
    return defined[start], defined[start + inside - 1], len(drawn) - len(defined)


def _score(table: np.ndarray, resampling: Resampling) -> tuple:
    if np.isnan(kappa(*table)):
        return np.nan, np.nan, 0
    low, high = score_limits(table, resampling.level)
    return low, _one_if_no_disagreement(table, high), 0


_LIMITS: dict[str, Callable[[np.ndarray, Resampling], tuple]] = {
    "dirichlet": _dirichlet,
    "score": _score,
    "percentile": lambda table, resampling: percentile_limits(_bootstrap(table, resampling), resampling.level),
    "hdi": _hdi,
}
# The first is the default.
METHODS = tuple(_LIMITS)
# Where trials are many, or differ from pair to pair, the table of each pair is drawn by itself.
BY_PAIR = "dirichlet-by-pair"


# ---- the form ----------------------------------------------------------------------------------------------------


def right_counts(matrix: ResponseMatrix) -> tuple[np.ndarray, ...]:
    """Return what each trial adds, for each pair: a trial, and whether A, B and both are right."""
    first, second = matrix.pairs
    right = matrix.right.astype(np.int32)
    a, b = right[first], right[second]
    return np.ones((1, right.shape[1]), dtype=np.int32), a, b, a * b


def of_counts(n: Any, right_a: Any, right_b: Any, both: Any) -> np.ndarray:
    """Compute EC from the number of trials, and on how many A, B and both are right."""
    return kappa(*four_cells(n, right_a, right_b, both))


def drawn_kappas(
    right: np.ndarray, pairs: Pairs, n_resamples: int, rng: np.random.Generator, *, half_counts: bool = True
) -> np.ndarray:
    """Draw error consistency of pairs of systems, with the same drawn trials for all pairs."""
    return drawn_values(of_counts, right, pairs, n_resamples, rng, half_counts=half_counts)


def _draw(matrix: ResponseMatrix, resampling: Resampling) -> np.ndarray:
    return drawn_kappas(matrix.right, matrix.pairs, resampling.n_resamples, resampling.rng)


def _limits(matrix: ResponseMatrix, values: np.ndarray, resampling: Resampling, method: str) -> Limits:
    tables, n_undefined = matrix.tables, np.zeros(len(values), int)
    if method == BY_PAIR:
        # Seeded by the systems of the pair, so that its limits do not depend on which other pairs are asked for.
        seed = int(resampling.rng.integers(2**63))
        rngs = [np.random.default_rng([seed, *pair]) for pair in zip(*matrix.pairs, strict=True)]
        how = resampling.level, resampling.n_resamples
        limits = [dirichlet_limits(table[None], *how, rng) for table, rng in zip(tables, rngs, strict=True)]
        low, high = np.concatenate(limits, axis=1)
    elif resampling.shared:
        drawn = _draw(matrix, resampling)
        drawn.sort(axis=0)  # in single precision, which is quick
        low, high = (_sorted_quantile(drawn, share) for share in resampling.tails)
        low, high = _low_if_no_agreement(tables, low, resampling.level), _one_if_no_disagreement(tables, high)
    else:
        low, high, n_undefined = np.array([_LIMITS[method](table, resampling) for table in tables]).T
    low, high = (np.where(np.isnan(values), np.nan, each) for each in (low, high))
    return Limits(low, high, n_undefined.astype(int), values)


def _sorted_quantile(drawn: np.ndarray, share: float) -> np.ndarray:
    place = share * (len(drawn) - 1)
    below = int(place)
    above = min(below + 1, len(drawn) - 1)
    below_, above_ = drawn[[below, above]].astype(float)
    return below_ + (place - below) * (above_ - below_)


def _choose(matrix: ResponseMatrix, _: Resampling) -> str:
    return BY_PAIR if len(matrix.truth) > MANY_TRIALS or matrix.leave_unread else METHODS[0]


def _half_counts(matrix: ResponseMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Differentiate EC of pairs by the count of each trial, with half a count more in each cell."""
    pseudo, share = pseudo_trials(len(matrix.answers))
    counts = np.repeat([1, share], [len(matrix.truth), len(pseudo)])
    rows = np.concatenate([matrix.right.T, pseudo]).T.astype(float)
    a, b = (rows[systems] for systems in matrix.pairs)
    columns = np.ones_like(counts)[None], a, b, a * b
    slopes = _slopes(of_counts, np.stack(np.broadcast_arrays(*(column @ counts for column in columns))))
    return sum(slope[:, None] * column for slope, column in zip(slopes, columns, strict=True)), counts


def _slopes(function: Callable[..., np.ndarray], counts: np.ndarray) -> np.ndarray:
    """Differentiate by each of four counts; a small imaginary step gives each slope to the last digit."""
    return np.stack([function(*(counts + 1e-20j * step[:, None])).imag / 1e-20 for step in np.eye(4)])


ERROR_CONSISTENCY = Measure(
    "error_consistency",
    "EC",
    error_consistency,
    form=Form(
        right_counts,
        of_counts,
        sums=attrgetter("counts"),
        half_counts=_half_counts,
        methods={"population": METHODS},
        limits=_limits,
        choose=_choose,
        draw=_draw,
    ),
    enough_errors=5,
    range=RANGE,
    invariances=ORDER_AND_NAMES | {"choice of wrong answers"},
    meaning="do they fail on the same trials? 1: always; 0: no more often than their accuracies make likely by chance.",
    may_leave_unread=True,
)
