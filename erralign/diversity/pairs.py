"""Measures of diversity of two systems, as functions of error consistency and of two accuracies."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from erralign.errors import check_shares


def of_pairs(ec: ArrayLike, accuracy_a: ArrayLike, accuracy_b: ArrayLike) -> pd.DataFrame:
    r"""Return three measures of the diversity of two systems, which follow from EC and the two accuracies.

    These fix the shares of trials :math:`p_{rs}` on which A is right (r = 1) or wrong (r = 0) and B is (s):

    .. math:: Q = \frac{p_{11} p_{00} - p_{10} p_{01}}{p_{11} p_{00} + p_{10} p_{01}}, \qquad
              disagreement = p_{10} + p_{01}, \qquad double\ fault = p_{00}.

    So they tell nothing that EC and accuracies do not, and they move with the accuracies in different ways: with better
    systems that fail independently, disagreement and double fault fall, and with the same EC, Q grows towards 1.

    Parameters
    ----------
    ec : array_like of float
        Error consistency, such as a column of :func:`erralign.pairwise`. It may be nan, if both accuracies are 0 or 1.
    accuracy_a, accuracy_b : array_like of float
        From 0 to 1, in shapes that broadcast with ``ec``.

    Returns
    -------
    pandas.DataFrame
        One row per pair: ``yules_q`` (from -1 to 1; nan where it is 0/0), ``disagreement`` and ``double_fault`` (shares
        from 0 to 1).

    References
    ----------
    Kuncheva & Whitaker (2003), https://doi.org/10.1023/A:1022859003006; Yule (1912).

    Examples
    --------
    >>> of_pairs(0.3, [0.5, 0.7, 0.9], [0.5, 0.7, 0.9]).round(2).to_numpy().tolist()
    [[0.55, 0.35, 0.32], [0.59, 0.29, 0.15], [0.77, 0.13, 0.04]]
    """
    a, b = check_shares("accuracy_a", accuracy_a), check_shares("accuracy_b", accuracy_b)
    one_right = a * (1 - b) + b * (1 - a)  # by chance
    both = a * b + np.nan_to_num(np.asarray(ec, dtype=float)) * one_right / 2
    cells = np.stack(np.broadcast_arrays(1 - a - b + both, b - both, a - both, both)).reshape(4, -1)
    if cells.min() < -1e-9:
        pair = cells.min(axis=0).argmin()
        raise ValueError(
            f"ec of pair {pair} is not possible with its accuracies: see erralign.bounds.error_consistency_bounds"
        )
    neither, only_b, only_a, both = cells.clip(min=0)
    likely, unlikely = both * neither, only_a * only_b
    q = np.divide(likely - unlikely, likely + unlikely, out=np.full(len(both), np.nan), where=likely + unlikely > 1e-14)
    return pd.DataFrame({"yules_q": q, "disagreement": only_a + only_b, "double_fault": neither})
