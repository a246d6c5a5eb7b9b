"""Limits of misclassification agreement, from the answers on joint errors."""

from __future__ import annotations

import numpy as np

from erralign.behaviour import misclassification_agreement
from erralign.behaviour.counting import joint_answers
from erralign.resampling.interval import limits_of_difference, percentile_limits, wilson_interval
from erralign.resampling.trials import Draws, Intervals, LimitsOfDifference, Trials

# From about this many joint errors on, the design effect is taken from the data rather than kept near 1.
STEADYING_ERRORS = 20


def wilson_limits(said_a: np.ndarray, said_b: np.ndarray, n_classes: int, level: float) -> tuple[float, float, float]:
    r"""Return the limits of MA that follow from Wilson's interval of the share p of joint errors with matching answers.

    Both limits of p are turned into MA by :math:`(p - c) / (1 - c)`.
    """
    n = len(said_a)
    if n < 2:
        return np.nan, np.nan, np.nan
    given = (said.astype(np.intp, copy=False) for said in (said_a, said_b))
    rows, columns = (np.bincount(said, minlength=n_classes).astype(float) for said in given)
    agree = float(np.count_nonzero(said_a == said_b))
    chance = (rows @ columns - agree) / (n * (n - 1))
    if chance >= 1:
        return np.nan, np.nan, np.nan
    effective = n / _design_effect(said_a, said_b, rows, columns, agree)
    share = agree / n
    low, high, value = ((p - chance) / (1 - chance) for p in (*wilson_interval(share, effective, level), share))
    return float(max(low, -1.0)), float(min(high, 1.0)), float(value)


def _design_effect(said_a, said_b, rows, columns, agree) -> float:
    """Compare the delta-method variance of MA with that of a proportion; with few errors the quotient is near 1."""
    n = len(said_a)
    overlap = rows * columns
    other = n * n - overlap.sum()
    if other == 0:
        return 1.0  # both gave the same single class throughout, so chance agreement does not vary
    agreeing = overlap / overlap.sum() if overlap.sum() > 0 else (rows + columns) / (2 * n)
    total = n + 2.0
    # One pseudo-error agrees, one does not; their labels follow the margins.
    p_a = (rows + agreeing + (rows * n - overlap) / other) / total
    p_b = (columns + agreeing + (columns * n - overlap) / other) / total
    observed, expected = (agree + 1) / total, p_a @ p_b
    # Influence of one error on kappa, up to a constant: its agreement minus what its labels add to chance.
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


def _resampled_limits(said_a: np.ndarray, said_b: np.ndarray, n_trials: int, draws: Draws) -> tuple[float, float, int]:
    """Return the percentile limits of resampled trials; how many joint errors a resample has is random too."""
    pairs, counts = np.unique(np.stack([said_a, said_b]), axis=1, return_counts=True)
    shares = np.append(counts, n_trials - len(said_a)) / n_trials
    drawn = draws.rng.multinomial(n_trials, shares, size=draws.n_resamples)[:, :-1]
    return percentile_limits(_agreement(drawn, *pairs), draws.level)


def _agreement(drawn: np.ndarray, said_a: np.ndarray, said_b: np.ndarray) -> np.ndarray:
    one_hot = np.eye(1 + max(said_a.max(initial=0), said_b.max(initial=0)))
    rows, columns = drawn @ one_hot[said_a], drawn @ one_hot[said_b]
    total, chance = drawn.sum(axis=1), (rows * columns).sum(axis=1)
    numerator, denominator = total * drawn[:, said_a == said_b].sum(axis=1) - chance, total**2 - chance
    return np.divide(numerator, denominator, out=np.full(len(drawn), np.nan), where=denominator > 0)


# ---- pairs of systems --------------------------------------------------------------------------------------------


def _of_pair(trials: Trials, method: str, draws: Draws) -> tuple[float, float, float, int]:
    pair = trials.of_pair(0, 1)
    if method == "wilson":
        return *_wilson(trials, 0, 1, draws.level), misclassification_agreement(*pair), 0
    low, high, undefined = _resampled_limits(*joint_answers(*pair), len(trials.truth), draws)
    return low, high, misclassification_agreement(*pair), undefined


def _wilson(trials: Trials, a: int, b: int, level: float) -> tuple[float, float]:
    return wilson_limits(*joint_answers(*trials.of_pair(a, b)), trials.n_classes, level)[:2]


def _of_all_pairs(trials: Trials, values: np.ndarray, draws: Draws) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    limits = [_wilson(trials, a, b, draws.level) for a, b in zip(*trials.pairs, strict=True)]
    low, high = np.array(limits).T
    return low, high, np.zeros(len(values), dtype=int)


def _of_differences(trials: Trials, draws: Draws) -> tuple[np.ndarray, LimitsOfDifference]:
    pairs = [trials.of_pair(a, c) for a, c in zip(*trials.with_last, strict=True)]
    limits = [wilson_limits(*joint_answers(*pair), trials.n_classes, draws.level) for pair in pairs]

    def of_difference(a: int, b: int) -> tuple[float, float, int]:
        low, high = limits_of_difference(*((value, low, high) for low, high, value in (limits[a], limits[b])))
        return float(low), float(high), 0

    return np.array([misclassification_agreement(*pair) for pair in pairs]), of_difference


METHODS = ("wilson", "percentile")
INTERVALS = Intervals({"population": METHODS}, _of_pair, _of_all_pairs, _of_differences)
