"""Many tests at once: p-values corrected for the number of tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import as_array, check_shares


def holm(p_values: ArrayLike) -> np.ndarray:
    r"""Correct p-values for the number of tests, by Holm's method.

    Let :math:`p_{(1)} \le \dots \le p_{(m)}` be the m p-values in ascending order. The corrected ones are

    .. math:: p^{Holm}_{(i)} = \max_{j \le i} \min\bigl(1, (m - j + 1)\, p_{(j)}\bigr).

    If all null hypotheses are true, the smallest corrected p-value is at most 0.05 in at most 5 % of such families of
    tests. The same holds for other levels.

    Parameters
    ----------
    p_values : array_like of float
        From 0 to 1, in any order; they may depend on each other. nan where a test has no p-value.

    Returns
    -------
    numpy.ndarray
        In the same order, from 0 to 1, never below the given ones. An undefined p-value stays nan and is not counted as
        a test.

    References
    ----------
    Holm (1979), https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> holm([0.01, 0.04, float("nan"), 0.03]).round(2).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    p = as_array("p_values", p_values, float)
    check_shares("p_values", p[~np.isnan(p)])
    order = np.argsort(p)[: np.count_nonzero(~np.isnan(p))]  # nan sorts last
    times = np.arange(len(order), 0, -1)
    corrected = np.full(p.shape, np.nan)
    corrected[order] = np.maximum.accumulate(times * p[order]).clip(max=1)
    return corrected
