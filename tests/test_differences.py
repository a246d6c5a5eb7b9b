"""Differences between two systems, each beside the same third: intervals, and a test of the right size."""

from itertools import product

import numpy as np
import pytest
from builders import three_systems
from scipy.stats import binomtest
from textbook import kappa, textbook_ec, textbook_ma

import erralign
from benchmarks.coverage import worlds
from erralign.measures.matrix import percentile_limits


@pytest.mark.filterwarnings("ignore:clusters are worth")
@pytest.mark.parametrize("clusters", [range(12), [0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 5]], ids=["alone", "unequal"])
def test_p_agrees_with_all_exchanges(clusters):
    """Every exchange of the trials, or clusters, on which A and B differ; every difference over its jackknife error."""
    a, b, c = (np.array([*map(int, each)]) for each in ("010101110100", "011111100000", "000100001110"))
    truth, group, everything = np.zeros(12, int), np.array(clusters), np.arange(12)
    shares = np.bincount(group) / 12

    def difference(kept, a, b):
        return textbook_ec(truth[kept], a[kept], c[kept]) - textbook_ec(truth[kept], b[kept], c[kept])

    def studentised(a, b):
        without = np.array([difference(np.delete(everything, i), a, b) for i in everything])
        moved = np.bincount(group, without - without.mean()) / (1 - shares)
        return abs(difference(everything, a, b)) / np.sqrt(moved @ moved)

    test = erralign.difference_test(truth, a, b, c, clusters=None if clusters == range(12) else clusters)
    assert test.statistic == pytest.approx(difference(everything, a, b))
    pair, observed = np.array([a, b]), studentised(a, b) * (1 - 1e-9)
    differ = np.unique(group[a != b])
    flips = [np.isin(group, differ[list(each)]) for each in product([False, True], repeat=len(differ))]
    exact = np.mean([studentised(*np.where(flip, pair[::-1], pair)) >= observed for flip in flips])
    assert test.pvalue == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 999) + 1 / 1000)


def test_two_that_never_differ_do_not_differ_and_the_undefined_has_no_p():
    truth, a, _, c = three_systems(np.random.default_rng(8), 80, (0.7, 0.7, 0.7))
    assert erralign.difference_test(truth, a, a, c, n_permutations=19).pvalue == 1
    twin, other = np.resize([0, 0, 1], 90), np.resize([0, 1], 90)  # no shuffle of 19 has a difference as large
    assert erralign.difference_test(0 * twin, twin, other, twin, n_permutations=19).pvalue == 1 / 20
    undefined = [0, 0], [0, 0], [0, 1], [0, 0]
    test, interval = erralign.difference_test(*undefined), erralign.difference_interval(*undefined)
    assert np.isnan([test.pvalue, test.statistic, interval.low, interval.estimate, interval.high]).all()
    same = erralign.difference_interval(truth, a, a, c)
    assert -0.15 < same.low < same.estimate == 0 < same.high < 0.15  # so far


# --- intervals --------------------------------------------------------------------------------------------------------


def test_a_difference_is_that_of_a_dirichlet_distribution_with_a_quarter_a_cell(rng):
    """Of three systems each of the eight cells gets a quarter, each of the four cells of a pair a half."""
    right = worlds.rights_and_wrongs(worlds.cells_of_many((0.9, 0.85, 0.9), (0.6, 0.6, 0.6)), 160, rng)
    counts, _ = np.histogramdd(right.T.astype(float), bins=[2, 2, 2])
    drawn = rng.dirichlet(counts.ravel() + 0.25, size=40_000).T.reshape(2, 2, 2, -1)
    with_c = [kappa(drawn.sum(axis=other).reshape(4, -1)) for other in (1, 0)]
    expected = np.quantile(with_c[0] - with_c[1], [0.025, 0.975])
    found = erralign.difference_interval(np.ones(160, int), *right, n_resamples=40_000)
    assert (found.low, found.high) == pytest.approx(expected, abs=0.01)


def test_a_difference_of_the_agreement_of_two_cousins_is_about_as_wide_as_from_resampled_trials():
    rng, truth = np.random.default_rng(1), np.full(300, 16)
    c, *own = rng.integers(16, size=(3, 300))
    a, b = (np.where(rng.random(300) < 0.4, c, said) for said in own)
    cousin = np.where(rng.random(300) < 0.8, a, b)
    found = erralign.difference_interval(truth, a, cousin, c, "MA")
    kept = rng.integers(300, size=(300, 300))
    gaps = [textbook_ma(truth, a[k], c[k]) - textbook_ma(truth, cousin[k], c[k]) for k in kept]
    assert found.high - found.low == pytest.approx(2 * 1.96 * np.std(gaps), rel=0.1)


def test_a_difference_of_accuracies_is_that_of_a_dirichlet_distribution_with_a_half_a_cell():
    a, b = np.repeat([[1, 1, 1, 1, 0, 0], [1, 0, 0, 1, 1, 1]], 2, axis=1)
    drawn = np.random.default_rng(0).dirichlet(np.histogram2d(a, b, bins=2)[0].ravel() + 0.5, size=40_000).T
    found = erralign.difference_interval(np.ones(12, int), a, b, measure="accuracy", n_resamples=40_000)
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn[2] - drawn[1], [0.025, 0.975]), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 6, 10])
def test_a_difference_of_agreement_from_few_joint_errors_holds_the_truth(n, rng):
    """A gives C's wrong answer with probability .7, B with .1: without Student's t .91 of the intervals held it."""
    truth, held = np.full(n, 16), []
    for _ in range(1500):
        a, b, c = rng.integers(16, size=(3, n))
        a, b = (np.where(rng.random(n) < p, c, own) for p, own in ((0.7, a), (0.1, b)))
        found = erralign.difference_interval(truth, a, b, c, "MA", n_classes=17)
        held.append(found.low <= 0.6 <= found.high)
    assert binomtest(sum(held), len(held), 0.95, alternative="less").pvalue > 0.001


def test_limits_cut_equal_tails_off_the_draws_that_are_defined():
    draws = np.append(np.random.default_rng(0).permutation(1001), [np.nan] * 3)
    assert percentile_limits(draws, 0.9) == pytest.approx((50, 950, 3))
    assert np.isnan(percentile_limits(np.full(4, np.nan), 0.9)[:2]).all()
