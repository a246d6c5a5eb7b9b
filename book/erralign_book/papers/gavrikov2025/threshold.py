"""Agreement that plain progress leaves as it is: the correlation behind right and wrong, if both have a threshold.

Suppose that each picture has an ease for each of two systems, that both eases are normal and correlated, and that a
system is right above its threshold. A lower threshold makes it more accurate and leaves the correlation as it is.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import multivariate_normal, norm

from erralign.behaviour.consistency import kappa
from erralign.measures import Measure
from erralign.measures.trials import LeftOut, Trials, patterns_of


def tetrachoric(n: int, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
    """Approximate the correlation from how many trials there are, and on how many A, B and both are right.

    Half a count is added to each cell (Bonett & Price 2005, https://doi.org/10.3102/10769986030002213).
    """
    p_a, p_b = a / n, b / n
    odds = (both + 0.5) * (n - a - b + both + 0.5) / ((a - both + 0.5) * (b - both + 0.5))
    least = np.minimum(np.minimum(p_a, 1 - p_a), np.minimum(p_b, 1 - p_b))
    power = (1 - np.abs(p_a - p_b) / 5 - (0.5 - least) ** 2) / 2
    return np.cos(np.pi / (1 + odds**power))


def _left_out(truth: np.ndarray, answers: np.ndarray, first: np.ndarray, second: np.ndarray, _: int) -> LeftOut:
    n, right = len(truth), (answers == truth).astype(int)
    alone, both = right.sum(axis=1), np.einsum("pt,pt->p", right[first], right[second])
    patterns, place = patterns_of(right)
    a, b = patterns[first], patterns[second]
    less_a, less_b = alone[first, None] - a, alone[second, None] - b
    without = tetrachoric(n - 1, less_a, less_b, both[:, None] - a * b)
    return LeftOut(tetrachoric(n, alone[first], alone[second], both), without, place)


def _of_pair(truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    pair = Trials(truth, np.stack([a, b]), 0)
    return float(_left_out(pair.truth, pair.answers, np.array([0]), np.array([1]), 0).values[0])


TETRACHORIC = Measure("tetrachoric_correlation", "r", _of_pair, left_out=_left_out, range=(-1, 1))


def expected_consistency(r: float, p_a: float, p_b: float) -> float:
    """Return the EC of two systems with such a correlation and such accuracies."""
    both = multivariate_normal.cdf([norm.ppf(p_a), norm.ppf(p_b)], cov=[[1, r], [r, 1]])
    return float(kappa(1 - p_a - p_b + both, p_b - both, p_a - both, both))
