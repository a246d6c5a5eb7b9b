"""p-values corrected: for many tests, and where trials share material by the square root of the design effect."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtri_exp

from erralign.clusters import Clusters
from erralign.errors import as_array, check_shares


def holm(p_values: ArrayLike) -> np.ndarray:
    r"""Correct p-values for the number of tests, by Holm's method.

    Let :math:`p_{(1)} \le \dots \le p_{(m)}` be the m p-values in ascending order. The corrected ones are

    .. math:: p^{Holm}_{(i)} = \max_{j \le i} \min\bigl(1, (m - j + 1)\, p_{(j)}\bigr).

    If all null hypotheses are true, the smallest corrected p-value is at most 0.05 in at most 5 % of such families.

    Parameters
    ----------
    p_values : array_like of float
        From 0 to 1, in any order; they may depend on each other. nan where a test has no p-value.

    Returns
    -------
    numpy.ndarray
        In the same order, from 0 to 1. An undefined p-value stays nan and is not counted as a test.

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


P = TypeVar("P", float, np.ndarray)


def less_extreme(p: P, effect: ArrayLike) -> P:
    """Return two-sided p-values for trials that share material, computed from those for independent trials."""
    deviate = ndtri_exp(np.log(p) - np.log(2))  # -z, where p = 2 Φ(-z)
    changed = np.minimum(2 * np.exp(log_ndtr(deviate / np.sqrt(effect))), 1)
    corrected = np.where(np.asarray(effect) > 1, changed, p)
    return corrected if isinstance(p, np.ndarray) else float(corrected)


def effect_on_agreements(
    clusters: Clusters | None, joint: np.ndarray, said_a: np.ndarray, said_b: np.ndarray, group: np.ndarray
) -> float:
    r"""Return the design effect of the number of agreements of two systems that answer independently.

    A joint error i of group g, with the answers :math:`a_i` and :math:`b_i`, moves that number by :math:`[a_i = b_i] -
    P_g(b = a_i) - P_g(a = b_i) + \sum_k P_g(a = k) P_g(b = k)`, where :math:`P_g` are shares among the joint errors of
    the group.
    """
    if clusters is None:
        return 1.0
    influence = np.zeros(len(joint))
    influence[joint] = np.sum([_influence_within(said_a, said_b, group == label) for label in np.unique(group)], axis=0)
    return clusters.effect(influence)


def _influence_within(said_a: np.ndarray, said_b: np.ndarray, here: np.ndarray) -> np.ndarray:
    size = 1 + int(max(said_a.max(), said_b.max()))
    of_a, of_b = (np.bincount(said[here], minlength=size) / here.sum() for said in (said_a, said_b))
    influence = (said_a == said_b) - of_b[said_a] - of_a[said_b]
    return np.where(here, influence - influence[here].mean(), 0)
