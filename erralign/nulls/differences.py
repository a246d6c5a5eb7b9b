"""Is one of two systems more similar to a third than the other is? A paired test of the difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.clusters import Clusters, clusters_of
from erralign.errors import Seed, check_one_factor, check_partner, check_rng, checked
from erralign.measures import ACCURACY, Measure, ResponseMatrix, checked_options, measure_of
from erralign.nulls.accuracies import mcnemar_test
from erralign.results import TestResult


def difference_test(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    reference: ArrayLike | None = None,
    measure: str | Measure = "error_consistency",
    *,
    n_classes: int | None = None,
    clusters: Any = None,
    n_permutations: int = 999,
    rng: Seed = 0,
    variant: str | None = None,
    alpha: float | None = None,
    options: Mapping[str, Any] | None = None,
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
    y_true, y_a, y_b, reference, measure, n_classes, variant, alpha, options
        As for :func:`erralign.difference_interval`.
    clusters : array_like of labels, shape (n_trials,), optional
        What each trial shares with others, such as the photograph that it is made of, in one factor: two that cross can
        tie all trials together. All answers to the same photograph are then exchanged together, and the standard error
        takes the clusters into account as in :func:`erralign.design_effect`.
    n_permutations, rng
        As for :func:`erralign.nulls.misclassification_agreement_test`.

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
    options = checked_options([measure], variant, alpha, options)
    check_partner(measure.name, "reference", reference)
    if reference is None:
        return mcnemar_test(y_true, y_a, y_b, clusters=clusters)
    shared = clusters_of(clusters, y_true)
    check_one_factor(0 if shared is None else len(shared.factors))
    n_permutations, rng = checked(n_permutations=n_permutations), check_rng(rng)
    matrix = measure.matrix_of(n_classes, y_true=y_true, y_a=y_a, y_b=y_b, reference=reference).only(0, 1, 2)
    answers, n_trials = matrix.answers, len(matrix.truth)
    group = np.arange(n_trials) if shared is None else shared.factors[0]
    difference, observed = _studentised(measure, matrix, shared, options)
    if np.isnan(difference):
        return TestResult(np.nan, np.nan, 0.0)
    extreme = 0
    for _ in range(n_permutations):
        exchanged = answers.copy()
        exchanged[:2] = np.where(rng.integers(0, 2, n_trials, dtype=bool)[group], answers[1::-1], answers[:2])
        _, distance = _studentised(measure, replace(matrix, answers=exchanged), shared, options)
        extreme += distance >= observed * (1 - 1e-9)
    return TestResult((extreme + 1) / (n_permutations + 1), difference, 0.0)


def _studentised(
    measure: Measure, matrix: ResponseMatrix, shared: Clusters | None, options: Mapping[str, Any]
) -> tuple[float, float]:
    """Return the difference of two systems, and its distance from 0 in standard errors; -1 where undefined."""
    values, without = measure.leave_one_out(matrix, options)
    difference = float(values[0] - values[1])
    if np.isnan(difference):
        return np.nan, -1.0
    n, gaps = len(matrix.truth), without[0] - without[1]
    variance = (n - 1) * gaps.var()
    if shared is not None:
        variance = (n - 1) / n * shared.variances((gaps - gaps.mean())[:, None])[0, 0]
    if abs(difference) < 1e-12:
        return difference, 0.0
    return difference, abs(difference) / float(np.sqrt(variance)) if variance > 0 else np.inf
