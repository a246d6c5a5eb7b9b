"""Observers without anything in common: limits where they err independently."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import gammaln

from erralign._validation import check_shares, check_whole
from erralign.measures.matrix import ratio
from erralign.measures.registry import limit_columns

ENDS = limit_columns("EC")[:2]
BINS = 99
# Limits of EC are read off this many cells between -1 and 1.
CELLS_OF_EC = 1_000_000
TAILS = {"low": 0.025, "high": 0.975}


def independent_limits(n_trials: int, accuracies: ArrayLike) -> pd.DataFrame:
    """Return the limits that contain 95 % of pairs of independent observers, by expected overlap.

    The probabilities of all possible pairs are added up; nothing is simulated. Each observer's accuracy is one of the
    given ones, at random. Pairs are sorted by the expected overlap that their own accuracies give into bins that are
    1/99 wide; the limits of a bin are the 2.5 % and the 97.5 % point of the pairs in it.

    Parameters
    ----------
    n_trials : int
        The number of trials.
    accuracies : array_like of float
        Accuracies that an observer may have, from 0 to 1, all with the same probability.

    Returns
    -------
    pandas.DataFrame
        One row per bin: ``share`` of all pairs in it, ``expected`` (the mean in the bin; nan if it is empty), and the
        limits ``observed_low`` and ``observed_high`` (of overlap), ``EC_low`` and ``EC_high``. The last bin has pairs
        without a defined EC: both always right, or always wrong.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), Figure 2, https://doi.org/10.48550/arXiv.2006.16736, who simulate it.

    Examples
    --------
    >>> limits = independent_limits(20, [0.5, 0.7]).loc[49]
    >>> limits[["EC_low", "EC_high"]].round(2).tolist()
    [-0.4, 0.4]
    """
    n_trials = check_whole("n_trials", n_trials, 2)
    sums, overlaps, consistencies = _weights(n_trials, check_shares("accuracies", accuracies))
    table = pd.DataFrame({"share": sums[0]})
    table["expected"] = ratio(sums[1], sums[0])
    for end, level in TAILS.items():
        table[f"observed_{end}"] = _quantile(overlaps, level) / n_trials
    for end, level in TAILS.items():
        table[f"EC_{end}"] = 2 * _quantile(consistencies, level) / CELLS_OF_EC - 1
    table.loc[BINS, list(ENDS)] = np.nan  # expected overlap 1: error consistency is 0/0
    return table


def _weights(n_trials: int, accuracies: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, bin by bin, the sums of 1 and of expected overlap, and the weights of each overlap and each EC."""
    share = _share_right(n_trials, accuracies)
    sums = np.zeros((2, BINS + 1))
    overlaps, consistencies = np.zeros((BINS + 1, n_trials + 1)), np.zeros((BINS + 1, CELLS_OF_EC + 1))
    for right_a in range(n_trials + 1):
        bins, expected, overlap, p = _independent_pairs(right_a, n_trials, share)
        sums += [np.bincount(bins, p.sum(axis=1) * factor, BINS + 1) for factor in (1, expected)]
        np.add.at(overlaps, (bins[:, None], overlap), p)
        np.add.at(consistencies, (bins[:, None], _cell(overlap / n_trials, expected[:, None])), p)
    return sums, overlaps, consistencies


def _share_right(n_trials: int, accuracies: np.ndarray) -> np.ndarray:
    """Return how likely an observer is right on 0, 1, …, n_trials trials."""
    from scipy.stats import binom

    counts = np.arange(n_trials + 1)[:, None]
    parts = np.array_split(accuracies, 50)
    shares = [np.sum(binom.pmf(counts, n_trials, part), axis=1) for part in parts]
    return np.sum(shares, axis=0) / len(accuracies)


def _independent_pairs(right_a: int, n: int, share: np.ndarray) -> tuple:
    """Return bin, expected overlap, overlaps in trials and their probabilities, for b right at least as often as a."""
    right_b = np.arange(right_a, n + 1)
    both, outside = _likely_overlaps(right_a, right_b, n)
    twice = np.where(right_b == right_a, 1, 2)  # (a, b) and (b, a)
    weight = twice * share[right_a] * share[right_b]
    p = np.exp(_log_hypergeometric(both, right_a, right_b[:, None], n)) * weight[:, None]
    p[outside] = 0
    expected = (right_a * right_b + (n - right_a) * (n - right_b)) / n**2
    bins = np.minimum(np.floor(expected * BINS + 1e-12).astype(int), BINS)
    return bins, expected, n - right_a - right_b[:, None] + 2 * both, p


def _likely_overlaps(right_a: int, right_b: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of trials on which both are right, within nine deviations, and which are padding of a row."""
    middle = right_a * right_b / n
    spread = 9 * np.sqrt(middle * (n - right_a) * (n - right_b) / (n * (n - 1))) + 2
    low = np.maximum(np.maximum(0, right_a + right_b - n), np.floor(middle - spread)).astype(int)
    high = np.minimum(right_a, np.ceil(middle + spread)).astype(int)
    both = low[:, None] + np.arange((high - low).max() + 1)
    return np.minimum(both, high[:, None]), both > high[:, None]


def _log_hypergeometric(both: np.ndarray, a: int, b: np.ndarray, n: int) -> np.ndarray:
    logs = gammaln(np.arange(n + 1) + 1)
    chosen = logs[a] - logs[both] - logs[a - both]
    others = logs[n - a] - logs[b - both] - logs[n - a - b + both]
    return chosen + others - logs[n] + logs[b] + logs[n - b]


def _cell(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    room = np.where(expected < 1, 1 - expected, 1)
    return np.rint((1 + (observed - expected) / room) / 2 * CELLS_OF_EC).astype(int)


def _quantile(weights: np.ndarray, level: float) -> np.ndarray:
    summed = weights.cumsum(axis=1)
    return (summed < level * summed[:, -1:] - 1e-12).sum(axis=1)
