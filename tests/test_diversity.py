"""Many systems at once: panels of judges."""

from itertools import product

import numpy as np
import pytest
from builders import typed
from scipy.special import ndtri
from scipy.stats import beta, binomtest
from textbook import jackknife_error

import erralign
from erralign.diversity import all_wrong, effective_number, vote

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


def test_half_of_the_systems_have_to_give_the_same_wrong_answer():
    answers = np.array([[1, 1, 2, 3], [1, 2, 3, -1], [-1, -1, 2, 3], [2, 2, 2, 2], [0, 1, 1, 1]])
    assert all_wrong(of_wrongs(answers))[["n_trials", "same_answer"]].tolist() == [4, 0.5]


def test_the_effective_number_is_that_of_the_mean_correlation_with_a_jackknife():
    wrong = wrongs(np.random.default_rng(1), 60)

    def number(wrong):
        covariance = np.cov(wrong.T)
        mean = covariance[np.triu_indices(3, k=1)].mean() / np.diag(covariance).mean()
        return 3 / (1 + 2 * mean)

    found, (_, half) = effective_number(of_wrongs(wrong)), jackknife_error(lambda kept: number(wrong[kept]), 60)
    assert found.estimate == pytest.approx(number(wrong))
    assert found.high - found.estimate == pytest.approx(half)
    copies = of_wrongs(np.repeat(wrong, 5, axis=0))
    careless, careful = (effective_number(copies, clusters=by) for by in (None, np.repeat(np.arange(60), 5)))
    assert careful.high - careful.low > 2 * (careless.high - careless.low)
    assert effective_number(of_wrongs(np.repeat(wrong[:, :1], 4, axis=1))).estimate == pytest.approx(1)
    nearly = np.repeat(wrong[:, :1], 4, axis=1)
    nearly[0, 0] = ~nearly[0, 0]
    assert effective_number(of_wrongs(nearly)).low == 1  # no fewer than one
    assert np.isnan(effective_number(of_wrongs(np.eye(3, dtype=int))).estimate)


def test_clusters_count_where_missed_trials_lie_in_hardly_any():
    groups, wrong = np.repeat(np.arange(20), 20), np.zeros((400, 3), int)
    found = all_wrong(of_wrongs(wrong), clusters=groups)
    assert found["high"] == pytest.approx(1 - 0.025 ** (1 / 20))
    wrong[:3] = 1
    found = all_wrong(of_wrongs(wrong), clusters=groups)
    expected = beta.ppf(0.025, 0.15, 20.85), beta.ppf(0.975, 1.15, 19.85)
    assert (found["low"], found["high"]) == pytest.approx(expected)


# --- judges -----------------------------------------------------------------------------------------------------------


RNG = np.random.default_rng(0)


def test_a_panel_of_two_is_refused(here):
    for name in "ab":
        (here / f"{name}.csv").write_text("query,truth,answer\n" + "".join(f"{i},{i % 2},1\n" for i in range(40)))
    said = typed("compare", "a.csv", "b.csv", "--trial", "query", "--panel")
    assert "panel is for at least 3 systems" in said.output


# --- votes ------------------------------------------------------------------------------------------------------------


def test_a_vote_is_compared_with_the_best_elsewhere_and_with_independent_systems():
    wrong = wrongs(np.random.default_rng(0), 240)

    def gain(kept):
        return (wrong[kept].sum(axis=1) < 2).mean() - (1 - wrong[kept]).mean(axis=0).max()

    found, (_, half) = vote(of_wrongs(wrong)), jackknife_error(gain, 240)
    assert found["accuracy"] == pytest.approx((wrong.sum(axis=1) < 2).mean())
    assert found["gain"] == pytest.approx(gain(slice(None)))
    assert found["gain_high"] - found["gain"] == pytest.approx(half)
    p = 1 - wrong.mean(axis=0)
    alone = sum(np.prod(np.where(r, p, 1 - p)) for r in product((0, 1), repeat=3) if sum(r) > 1)
    assert found["if_independent"] == pytest.approx(alone, abs=0.01)
