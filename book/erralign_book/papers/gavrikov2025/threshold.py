"""Agreement that plain progress leaves as it is: the correlation behind right and wrong, if both have a threshold.

Suppose that each picture has an ease for each of two systems, that both eases are normal and correlated, and that a
system is right above its threshold. A lower threshold makes it more accurate and leaves the correlation as it is.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import multivariate_normal, norm

from erralign.behaviour.consistency import kappa
from erralign.measures import Form, Measure
from erralign.measures.error_consistency import right_counts


def tetrachoric(n: int, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
    """Approximate the correlation from how many trials there are, and on how many A, B and both are right.

    Half a count is added to each cell (Bonett & Price 2005, https://doi.org/10.3102/10769986030002213).
    """
    p_a, p_b = a / n, b / n
    odds = (both + 0.5) * (n - a - b + both + 0.5) / ((a - both + 0.5) * (b - both + 0.5))
    least = np.minimum(np.minimum(p_a, 1 - p_a), np.minimum(p_b, 1 - p_b))
    power = (1 - np.abs(p_a - p_b) / 5 - (0.5 - least) ** 2) / 2
    return np.cos(np.pi / (1 + odds**power))


def _of_pair(truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    right_a, right_b = np.asarray(a) == truth, np.asarray(b) == truth
    return float(tetrachoric(len(right_a), right_a.sum(), right_b.sum(), (right_a & right_b).sum()))


TETRACHORIC = Measure("tetrachoric_correlation", "r", _of_pair, form=Form(right_counts, tetrachoric), range=(-1, 1))


def expected_consistency(r: float, p_a: float, p_b: float) -> float:
    """Return the EC of two systems with such a correlation and such accuracies."""
    both = multivariate_normal.cdf([norm.ppf(p_a), norm.ppf(p_b)], cov=[[1, r], [r, 1]])
    return float(kappa(1 - p_a - p_b + both, p_b - both, p_a - both, both))
