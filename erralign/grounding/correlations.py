"""A correlation of what is known."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy.stats import spearmanr


def correlation(values: np.ndarray, others: np.ndarray, statistic: Callable = spearmanr) -> float:
    """Correlate what is known of two lists."""
    known = ~(np.isnan(values) | np.isnan(others))
    values, others = values[known], others[known]
    if len(values) < 2 or np.ptp(values) == 0 or np.ptp(others) == 0:
        return float("nan")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nearly constant values
        return float(statistic(values, others).statistic)
