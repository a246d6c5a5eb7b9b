"""Permutation tests and McNemar's: against SciPy and brute force, right size under the null, never p = 0."""

from functools import partial
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, chi2_contingency, spearmanr, t

import erralign
from benchmarks.coverage import correlation as simulated_correlations
from erralign import class_level_error_similarity, misclassification_agreement, significance


def symmetric(rng, n):
    matrix = rng.normal(size=(n, n))
    return matrix + matrix.T


def test_mantel_is_spearmans_r_of_the_pairs_and_its_p_value_agrees_with_all_permutations(rng):
    a, b = symmetric(rng, 5), symmetric(rng, 5)
    upper = np.triu_indices(5, k=1)
    all_r = [spearmanr(a[upper], b[np.ix_(order, order)][upper])[0] for order in map(list, permutations(range(5)))]
    found = significance.mantel_test(a, b, n_permutations=20_000)
    exact = np.mean(np.abs(all_r) >= abs(all_r[0]) - 1e-12)
    assert found.statistic == pytest.approx(all_r[0], abs=1e-12)
    assert found.pvalue == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_mantel_p_is_never_zero_and_it_and_the_interval_are_undefined_of_a_constant():
    line = np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    assert significance.mantel_test(line, line, n_permutations=99).pvalue == 0.01
    constant = significance.mantel_test(np.ones((9, 9)), line, n_permutations=9)
    assert np.isnan([constant.statistic, constant.pvalue]).all()
    assert np.isnan([*significance.correlation_interval(np.ones((9, 9)), line)]).all()
    same = significance.correlation_interval(line, line**2)
    np.testing.assert_array_equal([same.estimate, same.low, same.high], [1, np.nan, np.nan])


def test_correlation_interval_is_the_jackknife_of_systems(rng):
    """SciPy's correlation, its t distribution, and pseudo-values, whose variance is that of the jackknife."""
    a, b = symmetric(rng, 9), symmetric(rng, 9)
    b += a

    def z(kept):
        pairs = np.triu_indices(len(kept), k=1)
        return np.arctanh(spearmanr(*(matrix[np.ix_(kept, kept)][pairs] for matrix in (a, b)))[0])

    everything = np.arange(9)
    pseudo = [9 * z(everything) - 8 * z(np.delete(everything, i)) for i in range(9)]
    half = t.ppf(0.95, 7) * np.std(pseudo, ddof=1) / 3
    expected = np.tanh(z(everything) + np.array([0, -half, half]))
    found = significance.correlation_interval(a, b, level=0.9)
    assert [found.estimate, found.low, found.high] == pytest.approx(expected, abs=1e-12)


def test_simulated_intervals_hold_the_correlation_as_often_as_they_should():
    """A pair's value is the sum of a property of its systems: pairs that are taken as independent cover too little."""
    coverage = simulated_correlations().groupby("method")["coverage"].agg(["min", "max"])
    assert coverage.loc["jackknife of systems", "min"] > 0.93
    assert coverage.loc["pairs taken as independent", "min"] < 0.5


def test_likelihood_ratio_is_that_of_scipy_and_classes_without_errors_of_both_are_left_out(rng):
    truth = np.repeat([0, 9], [300, 1])
    a, b = (np.append(rng.integers(1, 5, 300), last) for last in (9, 1))
    table = [np.bincount(answers[:300], minlength=5)[1:] for answers in (a, b)]
    expected = chi2_contingency(table, lambda_="log-likelihood", correction=False)
    found = significance.error_distribution_test(truth, a, b, n_permutations=9)
    assert list(found.index) == [0]
    assert found.loc[0, "statistic"] == pytest.approx(expected.statistic, abs=1e-9)
    assert found.loc[0, "p_chi2"] == pytest.approx(expected.pvalue, rel=1e-9)


CLASSES = 6


def habits(rng):
    """Return, for each true class, how often each of the other classes is the wrong answer."""
    return rng.dirichlet(np.full(CLASSES - 1, 0.5), size=CLASSES)


def two_systems(rng, habits_a, habits_b, copying=0.0, n=200):
    """A errs on half of the trials, B on two fifths; on a share of the trials B would say what A would."""
    truth = rng.integers(0, CLASSES, n)
    steps = [(rng.random(n)[:, None] > h.cumsum(axis=1)[truth]).sum(axis=1) for h in (habits_a, habits_b)]
    said_a, said_b = (truth + 1 + np.minimum(steps, CLASSES - 2)) % CLASSES
    said_b = np.where(rng.random(n) < copying, said_a, said_b)
    return truth, np.where(rng.random(n) < 0.5, said_a, truth), np.where(rng.random(n) < 0.4, said_b, truth)


def rejected(test, number, make):
    """Count how often p is at most .05 in simulated sets."""
    rng = np.random.default_rng(8)
    return sum(test(*make(rng), n_permutations=99, rng=rng).pvalue <= 0.05 for _ in range(number))


def all_undefined(result):
    return np.isnan([result.pvalue, result.statistic, result.null]).all()


def alike(rng, copying=0.0):
    return two_systems(rng, *[habits(rng)] * 2, copying)


def apart(rng, copying=0.0):
    return two_systems(rng, habits(rng), habits(rng), copying)


def avoid(rng):
    """Two systems that never give the same wrong answer: less agreement than chance."""
    truth, a, b = alike(rng)
    return truth, a, np.where((a == b) & (a != truth), (b + 1 + ((b + 1) % CLASSES == truth)) % CLASSES, b)


def of_one_class(*data, **options):
    """Return the test class by class, for the first class."""
    return significance.error_distribution_test(*data, **options).rename(columns={"p_value": "pvalue"}).iloc[0]


# Where each null is true; the p-values of the other tests are enumerated below.
NULLS = {
    "one class, with copying": (of_one_class, partial(alike, copying=0.6), 400),
    "habits drawn apart": (significance.common_habits_test, apart, 300),
}
FOUND = {
    "less agreement than chance": (significance.misclassification_agreement_test, avoid, 40),
    "common habits without any copying": (significance.common_habits_test, alike, 45),
    "other habits with copying": (significance.same_error_distribution_test, partial(apart, copying=0.5), 40),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", NULLS)
def test_a_test_keeps_its_size_where_its_null_is_true(case):
    test, make, number = NULLS[case]
    assert binomtest(rejected(test, number, make), number, 0.05).pvalue > 0.001


@pytest.mark.parametrize("case", FOUND)
def test_what_is_there_is_found(case):
    test, make, least = FOUND[case]
    assert rejected(test, 50, make) > least


def test_agreement_p_value_is_that_of_all_deals_also_within_conditions():
    """Enumerate what B may say if the first trials and the others are dealt; MA is linear in the agreements."""
    truth, blocks = np.zeros(8, int), np.repeat([0, 1], [5, 3])
    a, b = np.array([1, 1, 2, 2, 3, 4, 2, 2]), np.array([1, 1, 2, 3, 3, 4, 2, 3])
    hands = product(permutations(b[:5]), permutations(b[5:]))
    agreed = np.array([np.sum(a == np.concatenate(hand)) for hand in hands])
    exact = np.mean(abs(agreed - agreed.mean()) >= abs(np.sum(a == b) - agreed.mean()) - 1e-9)
    chance = sum(np.mean(a == k) * np.mean(b == k) for k in np.union1d(a, b))
    test = partial(significance.misclassification_agreement_test, n_permutations=20_000)
    trials = pd.MultiIndex.from_arrays([blocks, range(8)], names=["condition", "image"])
    named = [pd.Series(each, trials) for each in (truth, a, b)]
    of_classes = test(10 + blocks, a, b)
    for found in (of_classes, test(truth, a, b, within=blocks), test(*named, within="condition")):
        assert found.statistic == misclassification_agreement(truth, a, b)
        assert found.pvalue == pytest.approx(exact, abs=4 * 0.5 / 20_000**0.5)
        assert found.null == pytest.approx((agreed.mean() / len(a) - chance) / (1 - chance), abs=1e-12)
    two = significance.misclassification_agreement_test([0, 1] * 10, [2, 3] * 10, [2, 3] * 10, within=[0] * 20)
    assert (two.pvalue, two.null) == (1, 1)  # what a class alone gives is nobody's agreement, in one condition, too
    alike = significance.misclassification_agreement_test([0] * 20, [1, 2] * 10, [1, 2] * 10, n_permutations=99)
    assert alike.pvalue == 1 / 100
    for answers in ([0, 0], [2, 0]):  # no joint errors
        assert all_undefined(significance.misclassification_agreement_test([0, 1], [2, 1], answers))


def test_same_distribution_statistic_is_the_sum_over_classes():
    data = two_systems(np.random.default_rng(9), *(habits(np.random.default_rng(seed)) for seed in (1, 2)))
    tests = significance.error_distribution_test, significance.same_error_distribution_test
    by_class, of_all = (test(*data, n_permutations=9) for test in tests)
    assert of_all.statistic == pytest.approx(by_class["statistic"].sum(), rel=1e-12)
    assert all_undefined(significance.same_error_distribution_test([0, 1], [1, 1], [0, 0]))


def test_same_distribution_p_value_agrees_with_all_shuffles():
    """One class, two joint errors, three single ones: 4 swaps times 3 deals."""
    truth = [0] * 5
    a, b = np.array([1, 1, 1, 2, 0]), np.array([2, 1, 0, 0, 2])
    found = significance.same_error_distribution_test(truth, a, b, n_permutations=20_000)
    ratios = []
    for swaps, single in product(product([0, 1], repeat=2), range(3)):
        row_a = [np.where(swaps, b[:2], a[:2]).tolist(), np.delete([1, 2, 2], single).tolist()]
        row_b = [np.where(swaps, a[:2], b[:2]).tolist(), [[1, 2, 2][single]]]
        table = [[np.concatenate(row).tolist().count(k) for k in (1, 2)] for row in (row_a, row_b)]
        kept = [column for column in zip(*table, strict=True) if sum(column)]
        ratios.append(chi2_contingency(np.transpose(kept), lambda_="log-likelihood", correction=False).statistic)
    exact = np.mean(np.array(ratios) >= found.statistic - 1e-9)
    assert found.statistic == pytest.approx(ratios[2], abs=1e-9)
    assert found.pvalue == pytest.approx(exact, abs=4 * 0.5 / 20_000**0.5)
    # Four swaps and three deals, each as likely as the others, make the mean.
    assert found.null == pytest.approx(np.mean(ratios), rel=0.05)


def test_habits_test_measures_similarity_itself_and_keeps_the_numbers_of_errors():
    data = two_systems(np.random.default_rng(10), *(habits(np.random.default_rng(seed)) for seed in (3, 4)))
    found = significance.common_habits_test(*data, n_classes=8, n_permutations=99)
    assert found.statistic == pytest.approx(class_level_error_similarity(*data, n_classes=8), abs=1e-12)
    # With two classes there is one wrong answer each: nothing to shuffle, so every null value is the value itself.
    found = significance.common_habits_test([0, 0, 1, 1], [1, 1, 0, 1], [1, 0, 0, 0])
    assert (found.null, found.pvalue) == (pytest.approx(found.statistic, abs=1e-12), 1.0)
    assert all_undefined(significance.common_habits_test([0, 0], [0, -1], [0, 0]))


# --- which of two is more accurate ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("only_a", "only_b"), [(2, 8), (5, 5), (0, 7), (0, 0), (3100, 2900), (4000, 0)])
def test_exact_is_the_binomial_test_and_never_zero(only_a, only_b):
    n = only_a + only_b
    cells = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [20, only_a, only_b, 10], axis=0)
    trials = np.ones(len(cells), int), *cells.T
    expected = binomtest(only_a, n).pvalue if n else 1.0
    found = erralign.significance.mcnemar_test(*trials)
    assert (found.pvalue, found.statistic) == pytest.approx((expected, (only_a - only_b) / (n + 30)), rel=1e-9)
    assert found.pvalue > 0
    assert erralign.difference_test(*trials, measure="accuracy") == found


@pytest.mark.filterwarnings("ignore:clusters are worth")
def test_clusters_change_sign_as_a_whole_in_all_possible_ways(rng):
    cluster = np.repeat(np.arange(11), [1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7])
    a, b = (rng.random((2, len(cluster))) < np.array([[0.8], [0.5]])).astype(int)
    sums = np.bincount(cluster, a - b)
    every = np.abs([np.dot(signs, sums) for signs in product((-1, 1), repeat=11)])
    expected = np.mean(every >= abs(sums.sum()))
    truth = np.ones(len(cluster), int)
    with pytest.warns(UserWarning, match="p is too small where a few of them favour one system strongly"):
        assert erralign.significance.mcnemar_test(truth, a, b, clusters=cluster).pvalue == pytest.approx(expected)
