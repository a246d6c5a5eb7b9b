"""Intervals over few sets, people or architectures: coverage by simulation, SciPy's t interval, brute force."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from erralign.inference import jackknife_error, mean_over_sets, t_limits

EXPERIMENTS = 4000
LEADS = {  # of a set, with a mean of 0
    "normal": lambda rng, shape: rng.normal(size=shape),
    "skewed": lambda rng, shape: rng.gamma(4, size=shape) - 4,
    "heavy-tailed": lambda rng, shape: rng.standard_t(3, size=shape),
}


def without_each(values):
    """Return the mean of each row without each of its columns: columns by rows."""
    n = values.shape[1]
    return (values.sum(axis=1) - values.T) / (n - 1)


def containing_zero(low, high):
    return int(np.sum((low <= 0) & (high >= 0)))


def between(count, least, most):
    """Return whether a count of experiments fits some coverage from `least` to `most`, by a binomial test."""
    small = stats.binomtest(count, EXPERIMENTS, least, alternative="less").pvalue
    large = stats.binomtest(count, EXPERIMENTS, most, alternative="greater").pvalue
    return min(small, large) > 1e-4


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("n_sets", [5, 7, 10, 14, 17])
def test_t_limits_keep_their_promise_where_a_percentile_bootstrap_falls_short(n_sets, lead):
    rng = np.random.default_rng([n_sets, len(lead)])
    leads = LEADS[lead](rng, (EXPERIMENTS, n_sets))
    by_t = containing_zero(*t_limits(leads.mean(axis=1), without_each(leads)))
    assert between(by_t, 0.93, 0.97)
    if lead == "normal":
        assert between(by_t, 0.95, 0.95)
    times = rng.multinomial(n_sets, np.full(n_sets, 1 / n_sets), size=500)
    means = leads @ times.T / n_sets
    drawn = containing_zero(*np.quantile(means, [0.025, 0.975], axis=1))
    assert between(drawn, 0.80, 0.93)
    assert drawn < by_t


@pytest.mark.parametrize("spreads", [(1, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0.3, 0.5), (0, 0, 1)])
def test_two_kinds_of_units_add_up_to_at_least_what_is_promised(spreads):
    rng = np.random.default_rng(1)
    of_sets, of_types, of_both = spreads  # how much sets, types, and their combinations vary
    leads = of_sets * rng.normal(size=(EXPERIMENTS, 14, 1)) + of_types * rng.normal(size=(EXPERIMENTS, 1, 8))
    leads = leads + of_both * rng.normal(size=(EXPERIMENTS, 14, 8))
    limits = t_limits(leads.mean(axis=(1, 2)), without_each(leads.mean(axis=2)), without_each(leads.mean(axis=1)))
    assert between(containing_zero(*limits), 0.95, 1)


def test_a_mean_is_scipys_t_interval():
    values = np.random.default_rng(2).normal(size=9)
    for level in (0.8, 0.95):
        ours = mean_over_sets([*values, np.nan], level=level)
        theirs = stats.ttest_1samp(values, 0).confidence_interval(level)
        assert np.allclose([ours.low, ours.high], theirs, rtol=1e-12)
        assert np.isclose(ours.estimate, values.mean())


def test_several_kinds_of_units_against_brute_force():
    rng = np.random.default_rng(3)
    value, sets, types = rng.normal(size=2), rng.normal(size=(6, 2)), rng.normal(size=(4, 2))
    low, high = t_limits(value, sets, types, level=0.9)
    for place in range(2):
        variances = []
        for left_out in (sets[:, place], types[:, place]):
            n = len(left_out)
            variances.append((n - 1) / n * sum((each - left_out.mean()) ** 2 for each in left_out))
        free = sum(variances) ** 2 / (variances[0] ** 2 / 5 + variances[1] ** 2 / 3)
        by_hand = stats.t.interval(0.9, free, value[place], sum(variances) ** 0.5)
        assert np.allclose([low[place], high[place]], by_hand, rtol=1e-12)


def test_what_has_no_interval_and_what_is_refused():
    assert np.isnan(t_limits(0.1, [0.1])).all()  # one set says nothing about others
    assert np.isnan(mean_over_sets([0.1]).low)
    assert mean_over_sets([0.1]).estimate == 0.1
    assert np.isnan(mean_over_sets([]).estimate)
    assert np.isnan(t_limits([0.1, np.nan], [[0.1, np.nan], [0.2, np.nan]])[0]).tolist() == [False, True]
    assert np.allclose(t_limits(0.2, [0.2, 0.2, 0.2]), 0.2)  # sets that do not differ
    with pytest.raises(ValueError, match="without is missing; give the values without each unit"):
        t_limits(0.1)
    with pytest.raises(ValueError, match=r"the shape \(3,\); expected \(n_units, \*\(2,\)\)"):
        t_limits([0.1, 0.2], [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="level"):
        t_limits(0.1, [0.1, 0.2], level=95)


def test_an_error_is_that_of_t_limits():
    rng = np.random.default_rng(3)
    sets, types = rng.normal(size=14), rng.normal(size=8)
    error, df = jackknife_error({"sets": sets, "types": types})
    low, high = t_limits(0.0, sets, types)
    assert error * stats.t.ppf(0.975, df) == pytest.approx((high - low) / 2, abs=1e-12)


def test_limits_of_clustered_pictures_contain_the_true_mean_as_often_as_they_should():
    rng, contained, alone = np.random.default_rng(4), 0, 0
    photographs = {"pictures": pd.DataFrame({"photograph": np.repeat(np.arange(30), 4)})}
    for _ in range(EXPERIMENTS):
        values = np.repeat(rng.normal(size=30), 4) + 0.3 * rng.normal(size=120)  # the true mean is 0
        without = {"pictures": (values.sum() - values) / 119}
        error, df = jackknife_error(without, clusters=photographs)
        contained += abs(values.mean()) < stats.t.ppf(0.975, df) * error
        alone += abs(values.mean()) < stats.t.ppf(0.975, 119) * jackknife_error(without)[0]
    assert between(contained, 0.94, 0.98)
    assert alone < 0.8 * EXPERIMENTS


def test_an_error_needs_units_and_a_label_for_each():
    assert np.isnan(jackknife_error({"sets": [0.1]})[0])
    assert np.isnan(jackknife_error({"sets": [0.1, np.nan, 0.2]})[0])
    with pytest.raises(ValueError, match="without is empty"):
        jackknife_error({})
    with pytest.raises(ValueError, match="clusters of pictures has 2 rows, 1 of them with a missing label"):
        jackknife_error({"pictures": [0.1, 0.2, 0.3]}, clusters={"pictures": pd.DataFrame({"p": ["a", None]})})


def test_two_sets_have_an_interval_and_one_has_none():
    assert mean_over_sets([0.1, np.nan, 0.3]).low == pytest.approx(0.2 - stats.t.ppf(0.975, 1) * 0.1)
    assert np.isnan(mean_over_sets([0.1, np.nan]).low)
