"""How often would independent observers agree, or disagree, as much as these two do? p-values of error consistency."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtr

from erralign._validation import check_answers, check_choice, check_table, checked
from erralign.inference.clusters import clusters_of, effects_of_pairs
from erralign.inference.clusters import design_effect as effect_of_clusters
from erralign.measures.matrix import response_matrix, right_table
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.significance.correlations import holm, less_extreme
from erralign.significance.exact import SMALLEST, exact_p, log_weights

# With more, memory and time for the sum would be out of proportion: the normal approximation is as good.
_MOST_TRIALS = 1_000_000


def p_value(table: ArrayLike, *, design_effect: float = 1.0) -> float:
    r"""Compute how often two independent observers have an error consistency at least as far from 0 as this one.

    The accuracies of the independent observers are drawn from their posterior distributions given the data,
    Beta(k + 1, N - k + 1) for k right answers in N trials. Then

    .. math:: p = \sum_{x, y} w_A(x)\, w_B(y)\, P(|\kappa| \ge |\kappa_{obs}| \mid x, y),

    where x and y are the numbers of right answers of the two observers, with beta-binomial probabilities w. Given x
    and y, the number of trials on which both are right has a hypergeometric distribution. The test is two-sided. Ties
    count as extreme; tables without an error consistency (0/0) never do. The sum is exact, with a relative error below
    1e-9 however small p is. With more than a million trials p is :math:`2 \Phi(-|z|)` instead, with

    .. math:: z = \frac{N_{11} N - k_A k_B}{\sqrt{k_A (N - k_A)\, k_B (N - k_B) / N}}.

    The level is only approximate: of simulated independent observers, 1 to 7 % had a p of at most 0.05; with 1,280
    trials 4 to 6 % (:doc:`which-interval`).

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        ``table[a right][b right]``, as in :func:`erralign.behaviour.error_consistency_from_counts`. From answers:
        :func:`p_value_from_answers`.
    design_effect : float
        What :func:`erralign.design_effect` returns where trials share material: the normal deviate of p is divided by
        the square root of this number. 1, the default, is for independent trials.

    Returns
    -------
    float
        At least 2.2e-308, the smallest normal floating-point number, and at most 1. Undefined (nan) where error
        consistency is.

    References
    ----------
    Klein et al. (2025), section 3.3, simulate this null. The exact sum is ours.

    Examples
    --------
    >>> print(f"{p_value([[6, 9], [14, 60]]):.6f}")
    0.063567
    """
    counts = check_table(table)
    checked(design_effect=design_effect)
    (_, only_b), (only_a, both_right) = counts.tolist()
    n, k_a, k_b = int(counts.sum()), both_right + only_a, both_right + only_b
    return less_extreme(_p_of_counts(n, k_a, k_b, both_right), design_effect)


def _p_of_counts(n: int, k_a: int, k_b: int, both: int) -> float:
    if both == n or k_a + k_b == 0:
        return np.nan
    if n <= _MOST_TRIALS:
        return exact_p(n, k_a, k_b, both, log_weights(n, k_a), log_weights(n, k_b))
    variance = k_a * (n - k_a) * k_b * (n - k_b) / n  # Python's whole numbers don't overflow
    if variance == 0:
        return 1.0
    return max(float(2 * ndtr(-abs(both * n - k_a * k_b) / np.sqrt(variance))), SMALLEST)


def p_value_from_answers(y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, clusters: Any = None) -> float:
    """Compute how often two independent observers have an error consistency at least as far from 0 as two systems.

    It is :func:`p_value` of the table that is counted from the answers.

    Parameters
    ----------
    y_true, y_a, y_b, clusters
        As for :func:`erralign.confidence_interval`; from clusters comes the design effect.

    Returns
    -------
    float
        As from :func:`p_value`.

    Examples
    --------
    >>> truth, a, b = [0] * 89, [1] * 15 + [0] * 74, [1] * 6 + [0] * 9 + [1] * 14 + [0] * 60
    >>> print(f"{p_value_from_answers(truth, a, b):.6f}")
    0.063567
    """
    table = right_table(*check_answers(y_true, y_a, y_b, right_or_wrong=True))
    effect = 1.0 if clusters is None else effect_of_clusters(y_true, y_a, y_b, clusters=clusters)
    return p_value(table, design_effect=effect)


def pairwise_p_values(
    responses: Responses, *, with_: str | Iterable[str] | None = None, adjust: str | None = None, clusters: Any = None
) -> pd.DataFrame:
    """Compute the exact p-value of error consistency for all unordered pairs of systems.

    Many pairs are many tests: among 630 pairs of independent observers about thirty have a p of at most 0.05. Correct
    for that with ``adjust="holm"`` before you call a single pair significant.

    Parameters
    ----------
    responses, with_
        As for :func:`erralign.pairwise`.
    adjust : {"holm"}, optional
        Also correct for the number of tests, by :func:`erralign.significance.holm`; for several data sets, pass all
        their p-values together to that function.
    clusters : Series, DataFrame, names of index levels, or labels of shape (n_trials,), optional
        As for :func:`p_value_from_answers`, aligned by the index.

    Returns
    -------
    pandas.DataFrame
        The first columns of :func:`erralign.pairwise`, then ``EC`` and ``p_value`` (nan where undefined). With
        ``adjust`` also ``p_holm``, and ``n_tests``, the number of tests that it corrects for.

    Examples
    --------
    >>> answers = {"a": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 1, 1, 0] * 10}
    >>> pairwise_p_values(Responses.from_table([0] * 40, answers))["p_value"].round(3).tolist()
    [0.0, 1.0, 1.0]
    """
    if adjust is not None:
        check_choice("adjust", adjust, ("holm",))
    with_ = with_ if with_ is None or isinstance(with_, str) else list(with_)
    pairs = pairwise(responses, "EC", with_=with_)
    n = len(responses.truth)
    right = np.rint(pairs[["accuracy_a", "accuracy_b"]].to_numpy() * n).astype(int)
    both = pairs["n_joint_errors"].to_numpy() + right.sum(axis=1) - n
    # Sorted, since kappa does not know which system is which: a table that occurs twice is summed once.
    tables, places = np.unique(np.column_stack([np.sort(right, axis=1), both]), axis=0, return_inverse=True)
    p_of_tables = [_p_of_counts(n, k_a, k_b, b) for k_a, k_b, b in tables.tolist()]
    shared = clusters_of(clusters, responses.truth)
    effects = effects_of_pairs(shared, "EC", response_matrix(responses, with_=with_), 0.95)
    p = less_extreme(np.array(p_of_tables)[places.ravel()], effects)
    pairs = pairs.assign(p_value=p)
    if adjust is None:
        return pairs
    return pairs.assign(p_holm=holm(pairs["p_value"]), n_tests=pairs["p_value"].count())
