"""Tests of correlations over pairs and of accuracies, and the correction of many p-values."""

from __future__ import annotations

import warnings
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, log_ndtr, ndtri_exp, stdtrit

from erralign._validation import (
    Seed,
    as_array,
    check_answers,
    check_clusters,
    check_matrices,
    check_one_factor,
    check_rng,
    check_shares,
    checked,
    equal_clusters,
)
from erralign.inference.clusters import Clusters
from erralign.measures.measure import jackknife_error, moves_of
from erralign.results import Interval, TestResult


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


_P = TypeVar("_P", float, np.ndarray)


def less_extreme(p: _P, effect: ArrayLike) -> _P:
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
    of_a, of_b = (np.bincount(answers[here], minlength=size) / here.sum() for answers in (said_a, said_b))
    influence = (said_a == said_b) - of_b[said_a] - of_a[said_b]
    return np.where(here, influence - influence[here].mean(), 0)


# How limits are found, and what they are about.
_LABELS = ("jackknife", "Spearman's r over pairs of systems like these")


def mantel_test(matrix_a: ArrayLike, matrix_b: ArrayLike, *, n_permutations: int = 9999, rng: Seed = 0) -> TestResult:
    r"""Test whether two measures rank the pairs of the same systems alike, although pairs share systems.

    The statistic is Spearman's r over the pairs. The null shuffles the systems of one matrix, rows and columns
    together, so that pairs with a common system still have one. If b of m shuffles are at least as far from 0 as the
    data, :math:`p = (b + 1) / (m + 1)`. The test is two-sided, and about other systems on the same trials.

    Parameters
    ----------
    matrix_a, matrix_b : array_like of float, shape (n_systems, n_systems)
        Values of the two measures. Symmetric; the diagonal is ignored.
    n_permutations, rng
        As for :func:`misclassification_agreement_test`.

    Returns
    -------
    TestResult
        ``statistic`` is Spearman's r, from -1 to 1; ``null`` is 0; p is from 1/(m + 1) to 1. r and p are undefined
        (nan) if a matrix is constant.

    References
    ----------
    Mantel (1967), https://cancerres.aacrjournals.org/content/27/2_Part_1/209.

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    >>> mantel_test(line, line ** 2, n_permutations=99)
    TestResult(pvalue=0.01, statistic=1.0, null=0.0)
    """
    matrix_a, matrix_b = check_matrices(matrix_a, matrix_b)
    rng, n_permutations = check_rng(rng), checked(n_permutations=n_permutations)
    rows, columns = np.triu_indices(len(matrix_a), k=1)
    ranks_a = _standard_ranks(matrix_a[rows, columns])
    ranks_b = np.zeros(matrix_b.shape)
    ranks_b[rows, columns] = ranks_b[columns, rows] = _standard_ranks(matrix_b[rows, columns])
    orders = rng.permuted(np.tile(np.arange(len(matrix_a)), (n_permutations, 1)), axis=1)
    observed = ranks_a @ ranks_b[rows, columns]
    shuffled = ranks_b[orders[:, rows], orders[:, columns]] @ ranks_a
    if np.isnan(observed):
        return TestResult(np.nan, np.nan, 0.0)
    extreme = int(np.count_nonzero(np.abs(shuffled) >= abs(observed) - 1e-12))
    return TestResult((extreme + 1) / (n_permutations + 1), round(float(observed), 15), 0.0)


def correlation_interval(matrix_a: ArrayLike, matrix_b: ArrayLike, *, level: float = 0.95) -> Interval:
    r"""Return an interval for the rank correlation of two measures over pairs of systems like these.

    Pairs share systems, and from study to study it is the systems that vary. So each system is left out in turn (the
    jackknife). Let r be Spearman's r over the pairs of S systems, :math:`z = \operatorname{artanh} r`, and
    :math:`z_{(i)}` the same without system i. The limits are

    .. math:: \tanh\Big(z \pm t_{S-2} \sqrt{\tfrac{S-1}{S} \sum_i (z_{(i)} - \bar z)^2}\Big).

    In 24 simulated settings with 12 to 30 systems these limits contained the true value in 94 to 100 % of 1,000 sets of
    systems. They are too wide if the value of a pair depends more on noise of its own than on its two systems. Limits
    that take pairs as independent contained it in only 41 to 93 % of the sets; :doc:`reproducing-xu-2024` compares the
    two. The interval is about other systems on the same trials.

    Parameters
    ----------
    matrix_a, matrix_b
        As for :func:`mantel_test`.
    level : float
        The share of studies in which the interval should contain the true value.

    Returns
    -------
    Interval
        Limits and Spearman's r, all from -1 to 1; nan if a matrix is constant. The limits are also nan if r is 1 or -1,
        and if a matrix becomes constant without one of the systems.

    References
    ----------
    Efron & Stein (1981), https://doi.org/10.1214/aos/1176345462.

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(8), np.arange(8)))
    >>> noise = np.cos(np.add.outer(np.arange(8), np.arange(8)) ** 2)
    >>> interval = correlation_interval(line, line + noise)
    >>> round(interval.estimate, 2), round(interval.low, 2), round(interval.high, 2)
    (0.93, 0.65, 0.99)
    """
    matrix_a, matrix_b = check_matrices(matrix_a, matrix_b)
    checked(level=level)
    n = len(matrix_a)
    if n < 4:
        raise ValueError(f"matrix_a holds {n} systems; without one of them at least three must be left: give four")
    r = _spearman(matrix_a, matrix_b)
    if not abs(r) < 1:
        return Interval(np.nan, np.nan, r, *_LABELS)
    # One system may be all that keeps r from 1; the transform needs a last digit there.
    others = [_spearman(*(np.delete(np.delete(m, i, 0), i, 1) for m in (matrix_a, matrix_b))) for i in range(n)]
    z = np.arctanh(np.clip(others, -1 + 1e-12, 1 - 1e-12))
    half = stdtrit(n - 2, (1 + level) / 2) * jackknife_error(moves_of(z))
    low, high = np.tanh(np.arctanh(r) + half * np.array([-1, 1]))
    return Interval(float(low), float(high), r, *_LABELS)


def _spearman(matrix_a: np.ndarray, matrix_b: np.ndarray) -> float:
    pairs = np.triu_indices(len(matrix_a), k=1)
    return round(float(_standard_ranks(matrix_a[pairs]) @ _standard_ranks(matrix_b[pairs])), 15)


def _standard_ranks(values: np.ndarray) -> np.ndarray:
    from scipy.stats import rankdata  # here, since it would double the time that importing erralign takes

    centred = rankdata(values) - (len(values) + 1) / 2
    length = np.sqrt(centred @ centred)
    return centred / length if length > 0 else np.full(len(values), np.nan)


# Of clusters that change sign: with fewer, true nulls are rejected too often if clusters are unlike.
_ENOUGH_SIGNS = 30


def mcnemar_test(y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, clusters: Any = None) -> TestResult:
    r"""Test whether two systems that answered the same trials are equally accurate.

    Let :math:`D = |N_{10} - N_{01}|`, where only A is right on :math:`N_{10}` trials and only B on :math:`N_{01}`. If
    the systems are equally accurate, each of these trials might as well have favoured the other system. So the null
    gives each a random sign, and nothing is drawn:

    .. math:: p = P\Big(\Big|\sum_g \pm d_g\Big| \ge D\Big), \qquad d_g = 1.

    With clusters, :math:`d_g` is the difference of A's and B's numbers of right answers in cluster g, and whole
    clusters change sign: Obuchowski's test, with the distribution of the signs in place of chi-square. It then
    holds its level if the answers of A and B to a cluster can be exchanged, and in simulations also where clusters
    favour different systems alike. If few clusters favour one system strongly and many the other slightly, it rejects
    too often: true nulls in 17 % of experiments with 10 such clusters, in 9 % with 20, in 5 % with 30. So it warns if
    clusters are worth fewer than 30 of equal size.

    Parameters
    ----------
    y_true, y_a, y_b
        As for :func:`erralign.confidence_interval`; -1 counts as wrong.
    clusters : array_like of labels, shape (n_trials,), optional
        What each trial shares with others, such as the text that several questions are about, in one factor.

    Returns
    -------
    TestResult
        ``statistic`` is the accuracy of A minus that of B, ``null`` is 0, and p is above 0 and at most 1.

    References
    ----------
    McNemar (1947), https://doi.org/10.1007/BF02295996; Obuchowski (1998), clusters,
    https://doi.org/10.1002/(SICI)1097-0258(19980715)17:13%3C1495::AID-SIM863%3E3.0.CO;2-I.

    Examples
    --------
    >>> truth, a, b = [0] * 20, [0] * 17 + [1] * 3, [1] * 8 + [0] * 11 + [1]
    >>> round(mcnemar_test(truth, a, b).pvalue, 4)
    0.1094
    """
    index = getattr(y_true, "index", None) if hasattr(y_true, "iloc") else None
    shared = () if clusters is None else check_clusters(clusters, len(np.asarray(y_true)), index)
    check_one_factor(len(shared))
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, right_or_wrong=True)
    gain = (y_a == y_true).astype(int) - (y_b == y_true)
    of_each = np.rint(np.bincount(shared[0], gain)).astype(int) if shared else gain
    if shared and (worth := equal_clusters(shared[0])) < _ENOUGH_SIGNS:
        warnings.warn(
            f"clusters are worth {worth:.1f} of equal size: with fewer than {_ENOUGH_SIGNS}, p is too small where a "
            "few of them favour one system strongly; collect more material, or say that the result is about this "
            "material",
            stacklevel=2,
        )
    return TestResult(_p_of_signs(np.abs(of_each), abs(gain.sum())), float(gain.mean()), 0.0)


def _p_of_signs(sizes: np.ndarray, observed: int) -> float:
    """Return how often sizes with random signs have a sum as far from 0 as the one observed."""
    positive = np.ones(1)  # the probability of each sum 0, 1, … of the sizes that get a plus sign
    for size, times in zip(*np.unique(sizes[sizes > 0], return_counts=True), strict=True):
        k = np.arange(times + 1)
        spaced = np.zeros(size * times + 1)
        logarithm = gammaln(times + 1) - gammaln(k + 1) - gammaln(times - k + 1) - times * np.log(2)
        spaced[::size] = np.exp(logarithm)
        positive = np.convolve(positive, spaced)
    distance = np.abs(2 * np.arange(len(positive)) - len(positive) + 1)
    return float(np.clip(positive[distance >= observed].sum(), np.finfo(float).tiny, 1))
