"""How often would independent observers agree, or disagree, as much as these two do? p-values of error consistency."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from erralign._validation import Seed, check_choice, check_rng, checked
from erralign._validation.labels import check_answers
from erralign._validation.matrices import check_table
from erralign.inference.clusters import clusters_of, effects_of_pairs
from erralign.inference.clusters import design_effect as effect_of_clusters
from erralign.measures.matrix import response_matrix, right_table
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.significance.correlations import holm, less_extreme
from erralign.significance.exact import exact_p, log_factorials_below, log_weights

METHODS = ("exact", "simulated", "as-printed")
PRIORS = ("uniform", "as-printed")


def p_value(
    table: ArrayLike,
    *,
    method: str = "exact",
    prior: str = "uniform",
    design_effect: float = 1.0,
    n_samples: int = 10_000,
    rng: Seed = 0,
) -> float:
    r"""Compute how often two independent observers have an error consistency at least as far from 0 as this one.

    The accuracies of the independent observers are drawn from their posterior distributions given the data,
    Beta(k + 1, N - k + 1) for k right answers in N trials. Then

    .. math:: p = \sum_{x, y} w_A(x)\, w_B(y)\, P(|\kappa| \ge |\kappa_{obs}| \mid x, y),

    where x and y are the numbers of right answers of the two observers, with beta-binomial probabilities w. Given x
    and y, the number of trials on which both are right has a hypergeometric distribution. The test is two-sided. Ties
    count as extreme; tables without an error consistency (0/0) never do.

    The level is only approximate: of simulated independent observers, 1 to 7 % had a p of at most 0.05; with 1,280
    trials 4 to 6 % (:doc:`could-it-be-chance`).

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        ``table[a right][b right]``, as in :func:`erralign.behaviour.error_consistency_from_counts`. From answers:
        :func:`p_value_from_answers`.
    method : {"exact", "simulated", "as-printed"}
        ``exact`` computes the sum, with a relative error below 1e-9 however small p is. ``simulated`` draws m tables of
        independent observers; if b of them are at least as extreme, p = (b + 1)/(m + 1). ``as-printed`` is the
        procedure of the paper: it simulates with the printed posterior, whatever ``prior`` says, and counts only tables
        that are strictly more extreme. Since b/m could be 0, here too p = (b + 1)/(m + 1).
    prior : {"uniform", "as-printed"}
        ``uniform`` gives the posterior above. ``as-printed`` takes the posterior Beta(k, N - k) instead, which does not
        exist for k = 0 and k = N; p is nan then.
    design_effect : float
        What :func:`erralign.design_effect` returns where trials share material: the normal deviate of p is divided by
        the square root of this number. 1, the default, is for independent trials.
    n_samples : int
        m, the number of simulated tables, at least 9.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        The source of randomness. The default, 0, gives the same result in each call; None does not.

    Returns
    -------
    float
        At least 2.2e-308, the smallest normal floating-point number, and at most 1. Undefined (nan) where error
        consistency is, or where the printed posterior does not exist.

    References
    ----------
    Klein et al. (2025), section 3.3, simulate this null. The exact sum is ours.

    Examples
    --------
    >>> print(f"{p_value([[6, 9], [14, 60]]):.6f}")
    0.063567
    >>> round(p_value([[6, 9], [14, 60]], method="simulated"), 4)
    0.0661
    """
    counts = check_table(table)
    check_choice("method", method, METHODS)
    check_choice("prior", prior, PRIORS)
    design_effect, n_samples = checked(design_effect=design_effect, n_samples=n_samples)
    rng = check_rng(rng)
    (_, only_b), (only_a, both_right) = counts.tolist()
    n, k_a, k_b = int(counts.sum()), both_right + only_a, both_right + only_b
    added = 1 if prior == "uniform" and method != "as-printed" else 0
    if _undefined(n, k_a, k_b, both_right, added):
        return np.nan
    if method == "exact":
        log_w_a, log_w_b = log_weights(n, k_a, added), log_weights(n, k_b, added)
        p = exact_p(n, k_a, k_b, both_right, log_w_a, log_w_b, log_factorials_below(n))
    else:
        strict = method == "as-printed"
        p = _simulated(n, k_a, k_b, both_right, added, strict, n_samples, rng)
    return less_extreme(p, design_effect)


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
    n, added = len(responses.truth), 1
    right = np.rint(pairs[["accuracy_a", "accuracy_b"]].to_numpy() * n).astype(int)
    both = pairs["n_joint_errors"].to_numpy() + right.sum(axis=1) - n
    # Sorted, since kappa does not know which system is which: a table that occurs twice is summed once.
    tables, places = np.unique(np.column_stack([np.sort(right, axis=1), both]), axis=0, return_inverse=True)
    weights = {k: log_weights(n, k, added) for k in np.unique(right).tolist()}
    log_factorials = log_factorials_below(n)
    found = [
        np.nan
        if _undefined(n, k_a, k_b, b, added)
        else exact_p(n, k_a, k_b, b, weights[k_a], weights[k_b], log_factorials)
        for k_a, k_b, b in tables.tolist()
    ]
    shared = clusters_of(clusters, responses.truth)
    effects = effects_of_pairs(shared, "EC", response_matrix(responses, with_=with_), 0.95, {})
    p = less_extreme(np.array(found)[places.ravel()], effects)
    pairs = pairs.assign(p_value=p)
    if adjust is None:
        return pairs
    return pairs.assign(p_holm=holm(pairs["p_value"]), n_tests=pairs["p_value"].count())


def _undefined(n: int, k_a: int, k_b: int, both: int, added: int) -> bool:
    no_posterior = not added and bool({k_a, k_b} & {0, n})
    return no_posterior or both == n or k_a + k_b == 0


def _simulated(n, k_a, k_b, both, added, strict: bool, n_samples: int, rng: np.random.Generator) -> float:
    accuracy_a, accuracy_b = (rng.beta(k + added, n - k + added, size=n_samples) for k in (k_a, k_b))
    wrong_a, wrong_b = 1 - accuracy_a, 1 - accuracy_b
    shares = np.stack([accuracy_a * accuracy_b, accuracy_a * wrong_b, wrong_a * accuracy_b, wrong_a * wrong_b], axis=1)
    # Products of four counts decide ties; where they overflow, Python's own whole numbers take over.
    cells = rng.multinomial(n, shares).T.astype(np.int64 if n < 50_000 else object)
    x, y = cells[0] + cells[1], cells[0] + cells[2]
    distance, spread = abs(n * cells[0] - x * y), x * (n - y) + y * (n - x)
    ours = distance * (k_a * (n - k_b) + k_b * (n - k_a))
    theirs = abs(n * both - k_a * k_b) * spread
    extreme = (ours > theirs) if strict else (ours >= theirs) & (spread > 0)
    return (int(np.count_nonzero(extreme)) + 1) / (n_samples + 1)
