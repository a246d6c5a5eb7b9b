"""Many systems at once: all wrong, the effective number, and what EC and two accuracies say of their diversity."""

from itertools import combinations

import numpy as np
import pytest
from builders import mixed_systems
from scipy.special import ndtri
from scipy.stats import beta, binomtest
from textbook import jackknife_error

import erralign
from erralign.diversity import all_wrong, effective_number, of_pairs
from erralign.measures.matrix import right_table

RATES, LOADING = np.array([0.2, 0.3, 0.4]), 0.7


def of_wrongs(wrong):
    return erralign.Responses.from_table(np.zeros(len(wrong), int), {f"s{i}": row for i, row in enumerate(wrong.T)})


def wrongs(rng, n_trials):
    """Draw errors of three systems that share how hard each trial is."""
    hard, own = rng.standard_normal((n_trials, 1)), rng.standard_normal((n_trials, 3))
    return (LOADING * hard + np.sqrt(1 - LOADING**2) * own < ndtri(RATES)).astype(int)


@pytest.mark.parametrize(("missed", "level"), [(0, 0.95), (7, 0.95), (7, 0.8), (50, 0.95)])
def test_the_limits_of_all_wrong_are_those_of_clopper_and_pearson(missed, level):
    wrong = np.zeros((50, 3), int)
    wrong[:missed] = 1
    wrong[missed : missed + 10, 0] = 1
    found = all_wrong(of_wrongs(wrong), level=level)
    expected = binomtest(missed, 50).proportion_ci(level)
    assert (found["low"], found["high"]) == pytest.approx((expected.low, expected.high))
    assert found["if_independent"] == pytest.approx(min(missed + 10, 50) / 50 * (missed / 50) ** 2)
    assert found["n_trials"] == missed


def test_half_of_the_systems_have_to_give_the_same_wrong_answer():
    answers = np.array([[1, 1, 2, 3], [1, 2, 3, -1], [-1, -1, 2, 3], [2, 2, 2, 2], [0, 1, 1, 1]])
    assert all_wrong(of_wrongs(answers))[["n_trials", "same_answer"]].tolist() == [4, 0.5]
    assert np.isnan(all_wrong(of_wrongs(answers[4:]))["same_answer"])


def test_the_effective_number_is_that_of_the_mean_correlation_with_a_jackknife():
    wrong = wrongs(np.random.default_rng(1), 60)

    def number(wrong):
        covariance = np.cov(wrong.T)
        mean = covariance[np.triu_indices(3, k=1)].mean() / np.diag(covariance).mean()
        return 3 / (1 + 2 * mean)

    found, (_, half) = effective_number(of_wrongs(wrong)), jackknife_error(lambda kept: number(wrong[kept]), 60)
    assert found.estimate == pytest.approx(number(wrong))
    assert found.high - found.estimate == pytest.approx(half)
    assert effective_number(of_wrongs(np.repeat(wrong[:, :1], 4, axis=1))).estimate == pytest.approx(1)
    assert np.isnan(effective_number(of_wrongs(np.eye(3, dtype=int))).estimate)


def test_clusters_make_limits_wider():
    wrong, groups = np.repeat(wrongs(np.random.default_rng(3), 40), 5, axis=0), np.repeat(np.arange(40), 5)
    alone, together = (all_wrong(of_wrongs(wrong), clusters=each) for each in (None, groups))
    assert together["high"] - together["low"] > 2 * (alone["high"] - alone["low"])
    alone, together = (effective_number(of_wrongs(wrong), clusters=each) for each in (None, groups))
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_clusters_count_where_missed_trials_lie_in_hardly_any():
    groups, wrong = np.repeat(np.arange(20), 20), np.zeros((400, 3), int)
    found = all_wrong(of_wrongs(wrong), clusters=groups)
    assert found["high"] == pytest.approx(1 - 0.025 ** (1 / 20))
    wrong[:3] = 1
    found = all_wrong(of_wrongs(wrong), clusters=groups)
    expected = beta.ppf(0.025, 0.15, 20.85), beta.ppf(0.975, 1.15, 19.85)
    assert (found["low"], found["high"]) == pytest.approx(expected)


def test_diversity_follows_from_ec_and_accuracies():
    responses = mixed_systems(1, n_systems=6, n_trials=120, time_outs=0.05)
    table = erralign.pairwise(responses, "EC")
    found = of_pairs(table["error_consistency"], table["accuracy_a"], table["accuracy_b"]).to_numpy()
    truth = responses.truth.to_numpy()
    for row, (a, b) in zip(found, combinations(responses.answers.to_numpy().T, 2), strict=True):
        (none, only_b), (only_a, both) = right_table(truth, a, b).tolist()
        q = (both * none - only_a * only_b) / (both * none + only_a * only_b)
        assert row == pytest.approx((q, (only_a + only_b) / 120, none / 120))


def test_diversity_at_the_edges():
    found = of_pairs([np.nan, 1, 0], [1, 0.6, 1], [1, 0.6, 0.7]).round(9).fillna(-9)
    assert found.to_numpy().tolist() == [[-9, 0, 0], [1, 0, 0.4], [-9, 0.3, 0]]
