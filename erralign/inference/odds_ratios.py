"""The interval of a log odds ratio from counts: of one table or over strata, and where trials share material."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from erralign._validation import Seed, check_cluster_labels, checked
from erralign.inference.clusters import clusters_of
from erralign.measures import Resampling
from erralign.measures.log_odds_ratio import informative, log_odds, log_odds_ratio_from_counts, products, strata_of
from erralign.measures.matrix import widen
from erralign.measures.measure import moves_of


def log_odds_ratio_limits(
    table: ArrayLike,
    *,
    strata: ArrayLike | None = None,
    clusters: Any = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> tuple[float, float]:
    r"""Return the limits of an interval for the log odds ratio, from four counts, or from four counts of each stratum.

    From one table we add half a count to each cell, draw tables from the Dirichlet distribution with these parameters,
    and cut equal tails off their log odds ratios. In simulations with odds ratios from 1 to 200 and accuracies from 0.3
    to 0.97, on 40 trials or more, 93 to 98 % of the 95 % intervals contained the true value.

    Over strata, which may be many and small, we take the value ± z standard errors by the formula of Robins, Breslow
    and Greenland. With half counts, let :math:`R_k = N_{11k} N_{00k} / n_k` and :math:`S_k = N_{10k} N_{01k} / n_k` be
    what stratum k adds, R and S their sums, and :math:`P_k` and :math:`Q_k` the shares of its trials on which the two
    are alike and unlike. The variance is

    .. math:: \frac{\sum P_k R_k}{2 R^2} + \frac{\sum (P_k S_k + Q_k R_k)}{2 R S} + \frac{\sum Q_k S_k}{2 S^2}.

    Parameters
    ----------
    table
        As for :func:`erralign.behaviour.log_odds_ratio_from_counts`.
    strata : array_like of labels, shape (n_tables,), optional
        Which tables are of one stratum, and added up. Default: each table is a stratum.
    clusters : array_like of labels, shape (n_tables,), or two of them, optional
        What the trials of each table share with those of others, such as their true class: give one table for each
        class, and the strata. The distance of each limit from the value is multiplied by the root of a design effect,
        as by :func:`erralign.confidence_interval`. Default: trials are independent.
    level : float
        The share of experiments in which the interval should contain the true value.
    n_resamples, rng
        As for :func:`erralign.confidence_interval`, for one table.

    Returns
    -------
    tuple
        Low and high; nan if the log odds ratio itself is undefined.

    References
    ----------
    Robins, Breslow & Greenland (1986), https://doi.org/10.2307/2531052.

    Examples
    --------
    >>> low, high = log_odds_ratio_limits([[3, 5], [7, 145]])
    >>> round(low, 1), round(high, 1)
    (0.9, 4.1)
    """
    resampling = Resampling(*checked(level=level, n_resamples=n_resamples, rng=rng))
    tables: Any = table
    if strata is not None or clusters is not None:
        tables = np.asarray(table).reshape(-1, 2, 2)
    of_stratum = np.arange(np.size(tables) // 4)
    if strata is not None:
        labels = check_cluster_labels(strata, len(of_stratum), None, "strata")[0]
        of_stratum = np.unique(labels, return_inverse=True)[1].ravel()
        tables = [np.sum(tables[of_stratum == each], axis=0) for each in range(of_stratum.max() + 1)]
    cells = informative(strata_of(tables), half_counts=True)
    if not cells.size:
        return np.nan, np.nan
    alike, unlike = products(cells)
    R, S = alike.sum(), unlike.sum()
    value = np.log(R / S)
    if cells.shape[1] == 1:
        draws = log_odds(*resampling.rng.standard_gamma(cells, size=(4, resampling.n_resamples)))
        low, high = np.quantile(draws, resampling.tails)
    else:
        share = cells[[0, 3]].sum(axis=0) / cells.sum(axis=0)
        mixed = share * unlike + (1 - share) * alike
        variance = (share * alike).sum() / R**2 + mixed.sum() / (R * S) + ((1 - share) * unlike).sum() / S**2
        half = ndtri((1 + level) / 2) * np.sqrt(variance / 2)
        low, high = value - half, value + half
    if clusters is not None:
        effect = _effect(np.reshape(table, (-1, 4)), of_stratum, clusters, level)
        low, high = widen(low, high, value, effect, (-np.inf, np.inf))
    return float(low), float(high)


def _effect(tables: np.ndarray, of_stratum: np.ndarray, clusters: Any, level: float) -> float:
    """Return the design effect of trials in tables that share material."""
    counts = tables.ravel()
    n_strata = of_stratum.max() + 1
    place = np.repeat(np.arange(4 * len(tables)), counts)  # of each trial: its table and cell
    stratum, cell = of_stratum[place // 4], place % 4

    def values(kept: np.ndarray) -> np.ndarray:
        cells = np.bincount(4 * stratum[kept] + cell[kept], minlength=4 * n_strata).reshape(-1, 2, 2)
        return np.array([log_odds_ratio_from_counts(cells)])

    factors = [np.asarray(labels)[place // 4] for labels in check_cluster_labels(clusters, len(tables), None)]
    shared = clusters_of(factors, stratum)
    if shared is None:
        return 1.0
    # Trials of one cell of one stratum move the value alike.
    _, first, kind = np.unique(4 * stratum + cell, return_index=True, return_inverse=True)
    every = np.arange(len(place))
    without = np.concatenate([values(every != trial) for trial in first])[kind.ravel()]
    whole = values(every >= 0)
    without = np.where(np.isnan(without), whole, without)
    return shared.effect(-moves_of(without), shared.changes(values), level)
