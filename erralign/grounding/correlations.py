"""A correlation of what is known."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy.stats import spearmanr


def correlation(values: np.ndarray, others: np.ndarray, statistic: Callable = spearmanr) -> float:
    """Correlate what is known of two lists.

    Parameters
    ----------
    values, others : numpy.ndarray of float, one-dimensional
        Of one length; nan where a value is unknown.
    statistic : callable
        One of SciPy's correlations.

    Returns
    -------
    float
        From -1 to 1; nan when fewer than two pairs of values are known, or either side is constant.

    Examples
    --------
    >>> round(correlation(np.array([1, np.nan, 2, 4]), np.array([0.0, 9.0, 1.0, 5.0])), 6)
    1.0
    """
    known = ~(np.isnan(values) | np.isnan(others))
    values, others = values[known], others[known]
    if len(values) < 2 or np.ptp(values) == 0 or np.ptp(others) == 0:
        return float("nan")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nearly constant values
        return float(statistic(values, others).statistic)
