"""What would chance alone give? Permutation tests of the answers on errors, and of the difference of two measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import chdtrc, xlogy

from erralign._validation import (
    Seed,
    check_answers,
    check_cluster_labels,
    check_one_factor,
    check_partner,
    check_rng,
    checked,
)
from erralign.behaviour import class_level_error_similarity_from_counts, misclassification_agreement
from erralign.inference.clusters import Clusters, clusters_of
from erralign.measures import ACCURACY, Measure, ResponseMatrix, measure_of
from erralign.measures.matrix import count_classes, error_matrix, wrong_answers
from erralign.measures.measure import jackknife_error, moves_of
from erralign.measures.registry import Chosen
from erralign.results import TestResult
from erralign.significance.correlations import effect_on_agreements, less_extreme, mcnemar_test

_DEALT_AT_ONCE = 2**20


def misclassification_agreement_test(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    *,
    within: Any = None,
    clusters: Any = None,
    n_permutations: int = 9999,
    rng: Seed = 0,
) -> TestResult:
    r"""Test whether two systems that are both wrong give the same answer more or less often than independent ones.

    The test is ours. The null shuffles B's answers among joint errors of the same true class, so that only agreement
    that depends on the individual picture counts. If habits change with a condition, name it as ``within``: otherwise
    p may be small although nothing links single pictures. How often each system gives each answer does not change, so
    MA depends only on the number of joint errors with matching answers. The test is two-sided: if b of m shuffles have
    this number at least as far from its mean under the null as the data, :math:`p = (b + 1) / (m + 1)`.

    Parameters
    ----------
    y_true, y_a, y_b
        As for :func:`erralign.confidence_interval`. Only joint errors in which both answered count.
    within : array_like of labels, shape (n_trials,), or two of them, optional
        What a shuffle keeps apart besides the true class, such as the strength of a distortion.
    clusters : array_like of labels, shape (n_trials,), or two of them, optional
        What each trial shares with others. The normal deviate of p is divided by the square root of the design effect
        of the number of agreements.
    n_permutations : int
        m, the number of shuffles, at least 9; the smallest p is 1/(m + 1).
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        The source of randomness. The default, 0, gives the same result in each call; None does not.

    Returns
    -------
    TestResult
        ``statistic`` is MA, and ``null`` is its mean under the null. All are nan where MA is undefined.

    Examples
    --------
    >>> truth, a = [0] * 12 + [1] * 12, [2] * 6 + [3] * 6 + [4] * 12
    >>> misclassification_agreement_test(truth, a, a, n_permutations=999)
    TestResult(pvalue=0.002, statistic=1.0, null=0.6)
    >>> misclassification_agreement_test(truth, a, a, within=[0] * 6 + [1] * 6 + [0] * 12).pvalue  # one each condition
    1.0
    """
    shared, groups = clusters_of(clusters, y_true), _labels_of(within, y_true)
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b)
    n_permutations, rng = checked(n_permutations=n_permutations), check_rng(rng)
    value = misclassification_agreement(y_true, y_a, y_b)
    if np.isnan(value):
        return TestResult(np.nan, np.nan, np.nan)
    joint = wrong_answers(y_true, y_a) & wrong_answers(y_true, y_b)
    said_a, said_b = y_a[joint], y_b[joint]
    group = y_true if within is None else np.unique([y_true, *groups], axis=1, return_inverse=True)[1].ravel()
    group = group[joint]
    expected, dealt = 0.0, np.zeros(n_permutations, dtype=int)
    for label in np.unique(group):
        here = group == label
        expected += _expected_agreements(said_a[here], said_b[here])
        dealt += _agreements_when_dealt(said_a[here], said_b[here], n_permutations, rng)
    agreed, chance = np.count_nonzero(said_a == said_b), _expected_agreements(said_a, said_b)
    extreme = int(np.count_nonzero(np.abs(dealt - expected) >= abs(agreed - expected) - 1e-9))
    null = float((expected - chance) / (len(group) - chance))
    effect = effect_on_agreements(shared, joint, said_a, said_b, group)
    return TestResult(less_extreme((extreme + 1) / (n_permutations + 1), effect), value, null)


def _labels_of(within: Any, trials: Any) -> list[np.ndarray]:
    """Return the labels of each trial as numbers, factor by factor."""
    index = trials.index if hasattr(trials, "iloc") else None
    factors = [] if within is None else check_cluster_labels(within, len(trials), index, "within")
    return [pd.factorize(np.array(labels, dtype=object))[0] for labels in factors]


def _expected_agreements(said_a: np.ndarray, said_b: np.ndarray) -> float:
    return float(np.bincount(said_b, minlength=said_a.max() + 1)[said_a].mean())


def _agreements_when_dealt(said_a, said_b, n_permutations: int, rng: np.random.Generator) -> np.ndarray:
    height = max(1, _DEALT_AT_ONCE // len(said_a))
    agreed = []
    for start in range(0, n_permutations, height):
        hands = np.tile(said_b, (min(height, n_permutations - start), 1))
        agreed.append((rng.permuted(hands, axis=1) == said_a).sum(axis=1))
    return np.concatenate(agreed)


def error_distribution_test(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, n_permutations: int = 999, rng: Seed = 0
) -> pd.DataFrame:
    r"""Test, class by class, whether two systems draw their wrong answers from the same distribution.

    Of the trials of one true class, let :math:`f^g_k` count those that system g wrongly called k, let :math:`n^g` be
    the number of all its errors, and N the number of errors of both systems. The statistic is the likelihood ratio

    .. math:: G = 2 \sum_g \sum_k f^g_k \log \frac{f^g_k N}{n^g (f^A_k + f^B_k)}.

    The null swaps the two answers to each joint error with probability one half, and distributes the answers of the
    other errors at random between the systems. So the two answers to the same picture stay together, whereas the
    chi-square distribution of G takes them as independent. If trials share material, p is too small.

    Parameters
    ----------
    y_true, y_a, y_b
        As for :func:`erralign.confidence_interval`; trials with -1 are left out.
    n_permutations, rng
        As for :func:`misclassification_agreement_test`.

    Returns
    -------
    pandas.DataFrame
        One row per true class in which both systems err, indexed by ``class``: ``errors_a``, ``errors_b``,
        ``statistic`` (G), ``p_value`` (by permutation) and ``p_chi2`` (from the chi-square distribution of G).

    References
    ----------
    Xu et al. (2024), appendix 2, states the hypothesis and no test, https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> error_distribution_test([0] * 8, [1] * 8, [2] * 8, n_permutations=99)["statistic"].round(3).tolist()
    [22.181]
    """
    rows = {}
    for label, answers, ratios in _shuffled_classes(y_true, y_a, y_b, n_permutations, rng):
        joint, single_a, single_b = (len(answers[part]) for part in (0, 2, 3))
        freedom = max(len(np.unique(np.concatenate(answers))) - 1, 1)
        p_chi2 = float(chdtrc(freedom, ratios[0]))
        rows[label] = joint + single_a, joint + single_b, ratios[0], _share_as_large(ratios), p_chi2
    columns = ["errors_a", "errors_b", "statistic", "p_value", "p_chi2"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("class")


def same_error_distribution_test(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, n_permutations: int = 999, rng: Seed = 0
) -> TestResult:
    r"""Test, over all classes at once, whether two systems draw their wrong answers from the same distributions.

    The statistic is the sum over true classes of the likelihood ratio :math:`G_c` of :func:`error_distribution_test`,
    and the null is the same. If b of m shuffles have a sum at least as large, :math:`p = (b + 1) / (m + 1)`. This is
    the question of class-level error similarity, answered without its smoothing and at any number of errors.

    Parameters
    ----------
    y_true, y_a, y_b, n_permutations, rng
        As for :func:`error_distribution_test`.

    Returns
    -------
    TestResult
        ``statistic`` is the sum, from 0 up, ``null`` is its mean over the shuffles. All are nan if no class has errors
        of both systems.

    Examples
    --------
    >>> truth, a = [0] * 8 + [1] * 8, [1] * 8 + [0] * 8
    >>> result = same_error_distribution_test(truth, a, [2] * 16)
    >>> round(result.statistic, 3), result.pvalue
    (44.361, 0.001)
    """
    ratios = [ratios for _, _, ratios in _shuffled_classes(y_true, y_a, y_b, n_permutations, rng)]
    if not ratios:
        return TestResult(np.nan, np.nan, np.nan)
    total = np.sum(ratios, axis=0)
    return TestResult(_share_as_large(total), float(total[0]), float(total[1:].mean()))


def _shuffled_classes(y_true, y_a, y_b, n_permutations, rng) -> Iterator[tuple[int, list[np.ndarray], np.ndarray]]:
    """Yield, for classes with errors of both: the class, its answers, the likelihood ratio and m shuffled ones."""
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b)
    n_permutations, rng = checked(n_permutations=n_permutations), check_rng(rng)
    wrong_a, wrong_b = wrong_answers(y_true, y_a), wrong_answers(y_true, y_b)
    for label in np.intersect1d(y_true[wrong_a], y_true[wrong_b]):
        joint, here = wrong_a & wrong_b & (y_true == label), y_true == label
        # Those on joint errors by A and by B, and those on single errors of A and of B.
        answers = [y_a[joint], y_b[joint], y_a[wrong_a & ~wrong_b & here], y_b[wrong_b & ~wrong_a & here]]
        yield int(label), answers, _shuffled_ratios(answers, n_permutations, rng)


def _shuffled_ratios(answers: list[np.ndarray], n_permutations: int, rng: np.random.Generator) -> np.ndarray:
    """Return the likelihood ratio of two rows of errors, and after it those of m shuffles."""
    kinds, codes = np.unique(np.concatenate(answers), return_inverse=True)
    one_hot = np.eye(len(kinds))[codes]
    joint_a, joint_b, single_a, single_b = np.split(one_hot, np.cumsum([len(part) for part in answers[:3]]))
    swaps = rng.integers(0, 2, size=(n_permutations, len(joint_a)))
    singles = (single_a.sum(axis=0) + single_b.sum(axis=0)).astype(int)
    dealt = rng.multivariate_hypergeometric(singles, len(single_a), size=n_permutations, method="marginals")
    shuffled = joint_a.sum(axis=0) + swaps @ (joint_b - joint_a) + dealt
    seen = joint_a.sum(axis=0) + single_a.sum(axis=0)
    return _likelihood_ratio(np.vstack([seen, shuffled]), one_hot.sum(axis=0))


def _share_as_large(statistics: np.ndarray) -> float:
    """Return (b + 1)/(m + 1), where b of m shuffled statistics reach the first one."""
    return int(np.count_nonzero(statistics >= statistics[0] - 1e-9)) / len(statistics)


def _likelihood_ratio(counts_a: np.ndarray, pooled: np.ndarray) -> np.ndarray:
    counts_b = pooled - counts_a
    n_a, n_b, n = counts_a.sum(axis=1), counts_b.sum(axis=1), pooled.sum()
    cells = (xlogy(counts_a, counts_a) + xlogy(counts_b, counts_b)).sum(axis=1)
    return 2 * (cells - xlogy(n_a, n_a) - xlogy(n_b, n_b) - xlogy(pooled, pooled).sum() + xlogy(n, n))


def common_habits_test(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    *,
    n_classes: int | None = None,
    n_permutations: int = 999,
    rng: Seed = 0,
) -> TestResult:
    r"""Test whether two systems confuse the same classes more than systems that err as often without common habits.

    Class-level error similarity (CLES) has no zero of its own, since its value depends on the numbers of errors. The
    statistic is CLES. The null permutes the names that B gives wrongly, in all true classes alike; what would be called
    by the true name gets the name that this leaves free. So B has as many errors in each class, and habits that are as
    strong and as much the same from class to class, but for other names. If b of m values are at least as large,
    :math:`p = (b + 1) / (m + 1)`. The test is one-sided. C classes have only C! orders of names, so with fewer than
    five p is hardly ever small. It shuffles names and not trials, so trials that share material need no correction.

    Parameters
    ----------
    y_true, y_a, y_b, n_classes
        As for :func:`erralign.confidence_interval`; trials with -1 are left out.
    n_permutations, rng
        As for :func:`misclassification_agreement_test`.

    Returns
    -------
    TestResult
        ``statistic`` is CLES, and ``null`` is its mean under the null. All are nan if neither system has an error.

    Examples
    --------
    >>> truth = np.repeat(range(6), 20)
    >>> result = common_habits_test(truth, (truth + 1) % 6, (truth + 1) % 6, n_permutations=99)
    >>> round(result.statistic, 2), round(result.null, 2), result.pvalue
    (0.98, 0.68, 0.01)
    """
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, n_classes)
    n_permutations, rng = checked(n_permutations=n_permutations), check_rng(rng)
    size = int(n_classes or count_classes(y_true, y_a, y_b))
    errors_a, errors_b = (error_matrix(y_true, answers, size) for answers in (y_a, y_b))
    value = class_level_error_similarity_from_counts(errors_a, errors_b)
    if np.isnan(value):
        return TestResult(np.nan, np.nan, np.nan)
    drawn = np.empty(n_permutations)
    for place in range(n_permutations):
        names = rng.permutation(size)
        renamed = errors_b[:, names]
        renamed[names, np.arange(size)] = np.diag(renamed)[names]  # from the true name, whose cell is not read
        drawn[place] = class_level_error_similarity_from_counts(errors_a, renamed)
    return TestResult(_share_as_large(np.append(value, drawn)), value, float(drawn.mean()))


def difference_test(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    reference: ArrayLike | None = None,
    measure: Chosen = "error_consistency",
    *,
    n_classes: int | None = None,
    clusters: Any = None,
    n_permutations: int = 999,
    rng: Seed = 0,
) -> TestResult:
    r"""Test whether a measure has the same value for A with C as for B with C.

    The null exchanges the answers of A and B to each trial with probability one half; C keeps its answers. The test
    compares :math:`t = |v(A, C) - v(B, C)| / s`, where v is the measure and s the standard error of the difference, by
    the jackknife, computed anew in each permutation. If b of m permutations have a t at least as large as the data,
    :math:`p = (b + 1) / (m + 1)`.

    If A and B can be exchanged, p is exact at any number of trials. If they differ, but not in this value, the division
    by s keeps the level for many trials. EC depends on accuracy, though: if all that three systems share is how hard
    each trial is, two of them with unequal accuracies have unequal values with the third, and the test finds that. For
    CLES A and B should have about equally many errors. For accuracy, all exchanges are computed instead of drawn:
    :func:`erralign.mcnemar_test`.

    Parameters
    ----------
    y_true, y_a, y_b, reference, measure, n_classes
        As for :func:`erralign.difference_interval`.
    clusters : array_like of labels, shape (n_trials,), optional
        What each trial shares with others, such as the photograph that it is made of, in one factor: two that cross can
        tie all trials together. All answers to the same photograph are then exchanged together, and the standard error
        takes the clusters into account as in :func:`erralign.design_effect`.
    n_permutations, rng
        As for :func:`erralign.significance.misclassification_agreement_test`.

    Returns
    -------
    TestResult
        ``statistic`` is the difference, ``null`` is 0, and p is from 1/(m + 1) to 1. Difference and p are nan if either
        value is undefined.

    References
    ----------
    Janssen (1997), studentised permutation tests, https://doi.org/10.1016/S0167-7152(97)00043-6.

    Examples
    --------
    >>> truth, c = [0] * 40, [1] * 10 + [0] * 30
    >>> difference_test(truth, c, [0] * 30 + [1] * 10, c).pvalue
    0.001
    """
    measure = measure_of(measure, ACCURACY)
    check_partner(measure.name, "reference", reference)
    if reference is None:
        return mcnemar_test(y_true, y_a, y_b, clusters=clusters)
    shared = clusters_of(clusters, y_true)
    check_one_factor(0 if shared is None else len(shared.factors))
    n_permutations, rng = checked(n_permutations=n_permutations), check_rng(rng)
    matrix = measure.matrix_of(n_classes, y_true=y_true, y_a=y_a, y_b=y_b, reference=reference).only(0, 1, 2)
    answers, n_trials = matrix.answers, len(matrix.truth)
    group = np.arange(n_trials) if shared is None else shared.factors[0]
    difference, observed = _studentised(measure, matrix, shared)
    if np.isnan(difference):
        return TestResult(np.nan, np.nan, 0.0)
    extreme = 0
    for _ in range(n_permutations):
        exchanged = answers.copy()
        exchanged[:2] = np.where(rng.integers(0, 2, n_trials, dtype=bool)[group], answers[1::-1], answers[:2])
        _, distance = _studentised(measure, replace(matrix, answers=exchanged), shared)
        extreme += distance >= observed * (1 - 1e-9)
    return TestResult((extreme + 1) / (n_permutations + 1), difference, 0.0)


def _studentised(measure: Measure, matrix: ResponseMatrix, shared: Clusters | None) -> tuple[float, float]:
    """Return the difference of two systems, and its distance from 0 in standard errors; -1 where undefined."""
    values, without, *_ = measure.leave_one_out(matrix)
    difference = float(values[0] - values[1])
    if np.isnan(difference):
        return np.nan, -1.0
    n, moves = len(matrix.truth), moves_of(without[0] - without[1])
    error = float(jackknife_error(moves))
    if shared is not None:
        error = float(np.sqrt((n - 1) / n * shared.variances(moves[:, None])[0, 0]))
    if abs(difference) < 1e-12:
        return difference, 0.0
    if error == 0:
        return difference, np.inf
    return difference, abs(difference) / error
