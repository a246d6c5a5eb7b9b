"""What would chance alone give to the answers on errors? Permutation tests, and systems with random errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import chdtrc, xlogy

from erralign.errors import check_answers
from erralign.responses import Responses


def with_random_errors(responses: Responses, *, rng: int | np.random.Generator = 0) -> Responses:
    """Return systems that err on the same trials, but give a random wrong class there, each equally likely.

    This is the zero that class-level error similarity lacks: whatever its value is for these systems comes from the
    numbers of errors and the smoothing alone.

    Parameters
    ----------
    responses : Responses
        What every system answered.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    Responses
        The same accuracies, the same joint errors; time-outs stay.

    Raises
    ------
    ValueError
        Fewer than two classes: there is no wrong class then.

    Examples
    --------
    >>> truth = pd.Series([0, 1, 2])
    >>> systems = pd.DataFrame({"kind": "model", "family": "", "source": ""}, index=["a"])
    >>> one = Responses("mine", truth, pd.DataFrame({"a": [0, 2, 0]}), ("x", "y", "z"), systems)
    >>> (with_random_errors(one).answers["a"] == truth).tolist()
    [True, False, False]
    """
    n_classes = len(responses.classes)
    if n_classes < 2:
        raise ValueError(f"{responses.name} has {n_classes} class: a wrong answer needs two")
    rng = np.random.default_rng(rng)
    truth, answers = responses.truth.to_numpy()[:, None], responses.answers.to_numpy()
    step = rng.integers(1, n_classes, size=answers.shape)
    wrong = (answers != truth) & (answers >= 0)
    drawn = np.where(wrong, (truth + step) % n_classes, answers)
    return replace(
        responses, answers=pd.DataFrame(drawn, index=responses.answers.index, columns=responses.answers.columns)
    )


def error_distribution_test(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, n_permutations: int = 999, rng: int | np.random.Generator = 0
) -> pd.DataFrame:
    r"""Test, class by class, whether two systems draw their wrong answers from one and the same distribution.

    The statistic is the likelihood ratio :math:`G = 2 \sum_g \sum_k f^g_k \log(f^g_k N / (n^g (f^A_k + f^B_k)))`
    of the two rows of errors. The null swaps the two answers on joint errors with probability one half, and deals the
    answers of the other errors anew between the systems: it keeps the pairing of answers to one picture, which
    the chi-square distribution of G takes for independence.

    Parameters
    ----------
    y_true : array_like of int, shape (n_trials,)
        True class ids.
    y_a, y_b : array_like of int, shape (n_trials,)
        Answers of the two systems; -1 is "no answer in time" and is left out.
    n_permutations : int
        m; the smallest p-value is 1 / (m + 1).
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    pandas.DataFrame
        One row a true class in which both systems err, indexed by ``class``: ``errors_a``, ``errors_b``,
        ``statistic``, ``p_value`` (permutation, from 1/(m + 1) to 1), ``p_chi2`` (G against chi-square).

    Raises
    ------
    ValueError, TypeError
        Unequal lengths, an empty set, labels out of range, NaN, text.

    References
    ----------
    Xu et al. (2024), appendix 2, states the hypothesis and no test, https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> error_distribution_test([0] * 8, [1] * 8, [2] * 8, n_permutations=99)["statistic"].round(3).tolist()
    [22.181]
    """
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b)
    rng = np.random.default_rng(rng)
    wrong_a, wrong_b = (y_a != y_true) & (y_a >= 0), (y_b != y_true) & (y_b >= 0)
    rows = {}
    for label in np.unique(y_true[wrong_a | wrong_b]):
        here = y_true == label
        if (wrong_a & here).any() and (wrong_b & here).any():
            rows[int(label)] = _test_one_class(
                y_a[wrong_a & wrong_b & here],
                y_b[wrong_a & wrong_b & here],
                y_a[wrong_a & ~wrong_b & here],
                y_b[wrong_b & ~wrong_a & here],
                n_permutations,
                rng,
            )
    columns = ["errors_a", "errors_b", "statistic", "p_value", "p_chi2"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("class")


def _test_one_class(joint_a, joint_b, single_a, single_b, n_permutations, rng) -> tuple:
    answers, codes = np.unique(np.concatenate([joint_a, joint_b, single_a, single_b]), return_inverse=True)
    one_hot = np.eye(len(answers))
    joint_a, joint_b, single_a, single_b = (
        one_hot[part] for part in np.split(codes, np.cumsum([len(joint_a), len(joint_b), len(single_a)]))
    )
    pooled = joint_a.sum(axis=0) + joint_b.sum(axis=0) + single_a.sum(axis=0) + single_b.sum(axis=0)
    observed = _likelihood_ratio((joint_a.sum(axis=0) + single_a.sum(axis=0))[None], pooled)[0]
    swaps = rng.integers(0, 2, size=(n_permutations, len(joint_a)))
    singles = (single_a.sum(axis=0) + single_b.sum(axis=0)).astype(int)
    dealt = rng.multivariate_hypergeometric(singles, len(single_a), size=n_permutations, method="marginals")
    shuffled = _likelihood_ratio(joint_a.sum(axis=0) + swaps @ (joint_b - joint_a) + dealt, pooled)
    p_value = (np.count_nonzero(shuffled >= observed - 1e-9) + 1) / (n_permutations + 1)
    n_a, n_b = len(joint_a) + len(single_a), len(joint_b) + len(single_b)
    return n_a, n_b, observed, p_value, float(chdtrc(max(len(answers) - 1, 1), observed))


def _likelihood_ratio(counts_a: np.ndarray, pooled: np.ndarray) -> np.ndarray:
    counts_b = pooled - counts_a
    n_a, n_b, n = counts_a.sum(axis=1), counts_b.sum(axis=1), pooled.sum()
    cells = (xlogy(counts_a, counts_a) + xlogy(counts_b, counts_b)).sum(axis=1)
    return 2 * (cells - xlogy(n_a, n_a) - xlogy(n_b, n_b) - xlogy(pooled, pooled).sum() + xlogy(n, n))
