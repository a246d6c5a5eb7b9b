"""The test of a difference: exact where two systems can be exchanged, of the right size where their values agree."""

from itertools import product

import numpy as np
import pytest
from builders import three_systems
from scipy.optimize import brentq
from scipy.stats import binomtest

from erralign import difference_interval, difference_test
from erralign_book.simulations.coverage.worlds import cells_of_many, consistency_in, rights_and_wrongs


def p_values(make, number, **options):
    rng = np.random.default_rng(5)
    found = (difference_test(*make(rng), n_permutations=99, rng=rng, **options).p for _ in range(number))
    return np.array([p for p in found if not np.isnan(p)])


def is_uniform(p):
    """Judge three quantiles by the binomial distribution; with 99 permutations p is one of .01, .02, … 1."""
    return all(binomtest(int(np.sum(p <= share)), len(p), share).pvalue > 0.001 for share in (0.05, 0.2, 0.5))


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "n_trials"), [("EC", 120), ("EC", 500), ("MA", 120), ("MA", 500), ("CLES", 120)])
def test_p_is_uniform_where_two_systems_can_be_exchanged(measure, n_trials):
    assert is_uniform(p_values(lambda rng: three_systems(rng, n_trials, (0.7, 0.7, 0.6)), 200, measure=measure))


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["EC", "accuracy"])
def test_with_few_trials_p_is_too_large_rather_than_too_small(measure):
    """Few numbers of errors are possible, so ties are frequent, and they count as extreme."""

    def make(rng):
        truth, a, b, c = three_systems(rng, 40, (0.8, 0.8, 0.7))
        return truth, a, b, None if measure == "accuracy" else c

    p = p_values(make, 200, measure=measure)
    assert all(binomtest(int(np.sum(p <= at)), len(p), at, "greater").pvalue > 0.001 for at in (0.05, 0.2, 0.5))


@pytest.mark.slow
@pytest.mark.parametrize("accuracies", [(0.95, 0.8, 0.85), (0.9, 0.6, 0.9)])
def test_p_is_uniform_for_systems_of_other_accuracies_with_the_same_consistency(accuracies):
    """The loading of A is chosen so that its true EC with C is that of B; A and B can't be exchanged."""
    accuracy_a, accuracy_b, accuracy_c = accuracies
    wanted = consistency_in(cells_of_many((accuracy_b, accuracy_c), (0.6, 0.8)), 0, 1)

    def surplus(loading):
        return consistency_in(cells_of_many((accuracy_a, accuracy_c), (loading, 0.8)), 0, 1) - wanted

    loading = brentq(surplus, 0.01, 0.98)
    cells = cells_of_many(accuracies, (loading, 0.6, 0.8))
    assert abs(loading - 0.6) > 0.1
    p = p_values(lambda rng: (np.ones(1000, int), *rights_and_wrongs(cells, 1000, rng)), 300)
    assert is_uniform(p)


@pytest.mark.parametrize("measure", ["EC", "MA", "CLES", "accuracy"])
def test_a_real_difference_is_found(measure):
    rng = np.random.default_rng(6)
    truth, a, _, c = three_systems(rng, 400, (0.4, 0.9, 0.6), copied=0.0)
    copy = np.where(rng.random(400) < 0.8, c, truth)
    found = difference_test(truth, copy, a, None if measure == "accuracy" else c, measure, n_permutations=99)
    assert found.p <= 0.02
    assert found.statistic > 0 == found.null


def test_one_shared_difficulty_gives_unequal_values_at_unequal_accuracies():
    """As "Which test?" says: the three share nothing but how hard each trial is, all to the same degree."""
    rng = np.random.default_rng(9)
    hard = rng.standard_normal((3, 4000)) + rng.standard_normal(4000)
    limits = [np.quantile(row, right) for row, right in zip(hard, (0.6, 0.35, 0.75), strict=True)]
    a, b, c = (hard > np.array(limits)[:, None]).astype(int)
    assert difference_test(np.zeros(4000, int), a, b, c, n_permutations=99).p <= 0.02


def test_p_agrees_with_all_exchanges():
    """Six trials on which A and B differ: 64 exchanges; every difference over its own jackknife error."""
    truth, c = np.zeros(10, int), np.array([1, 1, 1, 0, 0, 0, 0, 1, 0, 0])
    a = np.array([1, 1, 1, 1, 0, 0, 0, 1, 0, 0])
    b = np.array([0, 0, 0, 0, 1, 1, 0, 1, 0, 0])

    def studentised(a, b):
        def difference(kept):
            return kappa_of(a[kept], c[kept]) - kappa_of(b[kept], c[kept])

        everything = np.arange(10)
        without = np.array([difference(np.delete(everything, i)) for i in everything])
        return abs(difference(everything)) / np.sqrt(9 * without.var())

    observed, differ = studentised(a, b), np.flatnonzero(a != b)
    extreme = []
    for flips in product([False, True], repeat=6):
        one, other = a.copy(), b.copy()
        one[differ[list(flips)]], other[differ[list(flips)]] = b[differ[list(flips)]], a[differ[list(flips)]]
        extreme.append(studentised(one, other) >= observed * (1 - 1e-9))
    exact = np.mean(extreme)
    found = difference_test(truth, a, b, c, n_permutations=4000).p
    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000) + 1 / 4001)


def kappa_of(a, c):
    right_a, right_c = a == 0, c == 0
    agree, p, q = np.mean(right_a == right_c), right_a.mean(), right_c.mean()
    chance = p * q + (1 - p) * (1 - q)
    return (agree - chance) / (1 - chance)


def test_the_statistic_is_the_difference_and_turns_its_sign_with_the_order():
    truth, a, b, c = three_systems(np.random.default_rng(7), 200, (0.7, 0.75, 0.7))
    for measure in ("EC", "MA", "CLES"):
        found = difference_test(truth, a, b, c, measure, n_permutations=19)
        assert found.statistic == pytest.approx(
            difference_interval(truth, a, b, c, measure, n_resamples=100).estimate, abs=1e-12
        )
        assert difference_test(truth, b, a, c, measure, n_permutations=19).statistic == -found.statistic


def test_two_that_never_differ_do_not_differ_and_the_undefined_has_no_p():
    truth, a, _, c = three_systems(np.random.default_rng(8), 80, (0.7, 0.7, 0.7))
    assert difference_test(truth, a, a, c, n_permutations=19).p == 1
    undefined = difference_test([0, 0], [0, 0], [0, 1], [0, 0])
    assert np.isnan([undefined.p, undefined.statistic]).all()


def repeated(rng):
    """Draw forty photographs, each shown five times and mostly answered as the first time."""
    first = np.stack(three_systems(rng, 40, (0.7, 0.7, 0.6)))
    again = np.stack(three_systems(rng, 200, (0.7, 0.7, 0.6)))
    shown, same = first[:, np.repeat(np.arange(40), 5)], rng.random((3, 200)) < 0.9
    truth = shown[0]
    other = np.where(again[1:] == again[0], truth, (truth + 1) % 6)
    return truth, *np.where(same, shown[1:], other)


@pytest.mark.slow
def test_trials_that_share_material_are_exchanged_together():
    photograph = np.repeat(np.arange(40), 5)
    alone, together = p_values(repeated, 150), p_values(repeated, 150, clusters=photograph)
    assert is_uniform(together)
    assert not is_uniform(alone)
    with pytest.raises(ValueError, match="clusters has 2 factors; expected one"):
        difference_test(*repeated(np.random.default_rng(0)), clusters=[photograph, np.tile(np.arange(20), 10)])


def test_wrong_use_is_named():
    with pytest.raises(ValueError, match="error_consistency and y_c missing"):
        difference_test([0, 1], [0, 1], [0, 0])
    with pytest.raises(ValueError, match=r"measure is 'CLSE'; .*did you mean 'CLES'"):
        difference_test([0, 1], [0, 1], [0, 0], [0, 1], "CLSE")
    with pytest.raises(TypeError, match="alpha is no option of EC"):
        difference_test([0, 1], [0, 1], [0, 0], [0, 1], alpha=1)
