"""Intervals of one pair: against a closed form, brute force and each other."""

from itertools import product

import numpy as np
import pytest
from builders import three_systems
from scipy.optimize import minimize
from scipy.stats import binomtest, chisquare, dirichlet, norm
from textbook import kappa, textbook_cles

from erralign import confidence_interval
from erralign.inference import error_consistency_limits
from erralign.measures import MEASURES, MEASURES_OF_ERRORS, short_name
from erralign.measures.matrix import recentred_limits, wilson_interval
from erralign.measures.score_limits import score_chi_square

METHODS = ("dirichlet", "score", "percentile", "hdi")


@pytest.mark.parametrize("method", METHODS)
def test_limits_hold_the_estimate_and_stay_in_range(method):
    for table in ([3, 5, 7, 145], [40, 10, 12, 98], [0, 4, 9, 147], [1, 0, 0, 159]):
        low, high, undefined = error_consistency_limits(np.reshape(table, (2, 2)), method=method)
        assert -1 <= low <= kappa(table) <= high <= 1
        assert undefined == 0 or table[0] + table[1] + table[2] < 5


@pytest.mark.parametrize("measure", MEASURES_OF_ERRORS)
def test_every_method_of_the_table_finds_an_interval(measure):
    data = three_systems(np.random.default_rng(4), 2000, (0.5, 0.4, 0.45))[:3]
    for estimand, methods in MEASURES[short_name(measure)].form.methods.items():
        for method in methods:
            found = confidence_interval(*data, measure, estimand=estimand, method=method, n_resamples=300)
            assert (found.estimand, found.method) == (estimand, method)
            assert found.low < found.high


def test_wilson_interval_of_a_list_and_of_whole_numbers():
    low, high = wilson_interval([0.75, 0, 1], [12, 5, 5], 0.95)
    for i, successes, n in ((0, 9, 12), (1, 0, 5), (2, 5, 5)):
        theirs = binomtest(successes, n).proportion_ci(method="wilson")
        assert (low[i], high[i]) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("truth", [-0.05, 0.0, 0.2, 0.6])
def test_score_fits_the_likeliest_cells(truth):
    """Brute force over both accuracies."""
    table = np.array([3, 5, 7, 145])

    def cells(v):
        p, q = v
        both = p * q + truth * (p + q - 2 * p * q) / 2
        return np.array([1 - p - q + both, q - both, p - both, both])

    def loss(v):
        return -np.sum(table * np.log(cells(v))) if (cells(v) > 0).all() else np.inf

    starts = [start for start in product((0.8, 0.9, 0.97), repeat=2) if np.isfinite(loss(start))]
    options = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 4000}
    best = min((minimize(loss, s, method="Nelder-Mead", options=options) for s in starts), key=lambda f: f.fun)
    brute = chisquare(table, table.sum() * cells(best.x)).statistic
    assert score_chi_square(table, np.array([truth]))[0] == pytest.approx(brute, rel=1e-4, abs=1e-6)


def test_score_limits_are_where_the_test_changes_its_mind():
    low, high, _ = error_consistency_limits([[3, 5], [7, 145]], method="score")
    table, limits, near = np.array([3, 5, 7, 145]), np.array([low, high]), np.array([1e-3, -1e-3])
    assert (score_chi_square(table, limits + near) < 3.8415).all()
    assert (score_chi_square(table, limits - near) > 3.8414).all()


def test_score_limits_are_the_same_whoever_comes_first_and_whatever_counts_as_right():
    """Few accuracies allow a kappa near -1: a search among all of them can miss these."""
    for table in np.reshape([[0, 1, 0, 9], [0, 3, 1, 1], [0, 0, 4, 0], [1, 5, 3, 2]], (4, 2, 2)):
        limits = [error_consistency_limits(same, method="score")[:2] for same in (table, table.T, table[::-1, ::-1].T)]
        np.testing.assert_allclose(limits[1:], limits[:1] * 2, atol=3e-6)


def test_no_disagreement_reaches_one_and_no_width_is_the_fault_of_percentiles():
    limits = {method: error_consistency_limits([[5, 0], [0, 155]], method=method)[:2] for method in METHODS}
    assert all(high == 1 for _, high in limits.values())
    assert {method for method, (low, _) in limits.items() if low == 1} == {"percentile", "hdi"}


@pytest.mark.parametrize("method", METHODS)
def test_where_nobody_fails_or_everybody_always_there_are_no_limits(method):
    for table in ([[0, 0], [0, 100]], [[100, 0], [0, 0]]):
        low, high, undefined = error_consistency_limits(table, method=method, n_resamples=50)
        assert np.isnan([low, high]).all()
        assert undefined == (50 if method in ("percentile", "hdi") else 0)


def test_without_joint_errors_or_errors_there_is_no_interval():
    y_true = np.zeros(10, int)
    for n in (0, 1):
        y_a = (np.arange(10) < n).astype(int)
        interval = confidence_interval(y_true, y_a, y_a, "misclassification_agreement", n_classes=3)
        assert np.isnan([interval.low, interval.high]).all()
        assert interval.n_joint_errors == n
    interval = confidence_interval([0, 2], [0, 2], [0, 2], "class_level_error_similarity", n_resamples=20)
    assert np.isnan([interval.low, interval.high, interval.estimate]).all()
    assert interval.n_undefined == 20


# Infinite errors


def test_jackknife_leaves_out_one_trial_at_a_time(rng):
    """Brute force: the divergence anew without each trial that holds an error."""
    truth, a, b, _ = three_systems(rng, 900, (0.4, 0.5, 0.4), n_classes=3)

    def of(keep):
        return 1 / textbook_cles(truth[keep], a[keep], b[keep], 3, alpha=0) - 1

    erring, trials = np.flatnonzero((a != truth) | (b != truth)), np.arange(len(truth))
    without = np.array([of(trials != i) for i in erring])
    n = len(erring)
    mended = n * of(trials >= 0) - (n - 1) * without.mean()
    error = np.sqrt((n - 1) / n * np.sum((without - without.mean()) ** 2))
    found = confidence_interval(truth, a, b, "class_level_error_similarity", estimand="infinite")
    assert found.method == "jackknife"
    limits = 1 / (1 + np.clip(mended + 1.959964 * error * np.array([1, 0, -1]), 0, None))
    np.testing.assert_allclose([found.low, found.estimate, found.high], limits, atol=1e-7)


def test_nothing_is_said_of_infinite_errors_from_few():
    """Of both systems, or of one of them."""
    for n, accuracies in ((300, (0.5, 0.5, 0.5)), (900, (0.4, 0.9, 0.4)), (900, (0.9, 0.4, 0.4))):
        data = three_systems(np.random.default_rng(6), n, accuracies, copied=0, n_classes=3)[:3]
        found = confidence_interval(*data, "class_level_error_similarity", estimand="infinite")
        assert np.isnan([found.low, found.estimate, found.high]).all()


def test_a_time_out_is_one_of_the_joint_errors():
    assert confidence_interval([0, 0, 0, 0, 1], [1, -1, -1, 0, 1], [1, 1, -1, 1, 1]).n_joint_errors == 3


def test_limits_move_against_the_bias_of_their_draws():
    draws = np.linspace(2, 4, 101)  # of 2.5, so they are half too high
    assert recentred_limits(draws, 2.5, 0.9) == pytest.approx((2.1 - 0.5, 3.9 - 0.5, 0))


# --- half counts and highest density ----------------------------------------------------------------------------------


def test_half_a_count_in_each_cell_is_what_the_limits_come_from():
    """SciPy's draws of the Dirichlet distribution; with a quarter in place of a half the upper limit is .12 lower."""
    table = np.array([1, 0, 2, 17])
    drawn = [kappa(cells) for cells in dirichlet(table + 0.5).rvs(20_000, random_state=1)]
    low, high, _ = error_consistency_limits(table.reshape(2, 2), n_resamples=200_000)
    assert (low, high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.02)


def test_limits_of_h_take_the_system_that_is_better_in_the_data_for_the_better_one():
    """With equal accuracies the smaller of the two chances would be taken otherwise, draw by draw."""
    _, only_b, only_a, both_right = dirichlet(np.array([6, 5, 5, 24]) + 0.5).rvs(20_000, random_state=1).T
    a, b = both_right + only_a, both_right + only_b
    drawn = (both_right - a * b) / (b * (1 - a))
    answers = [np.repeat(each, [6, 5, 5, 24]) for each in ([0, 0, 1, 1], [0, 1, 0, 1])]
    found = confidence_interval(np.ones(40, dtype=int), *answers, "H", n_resamples=20_000)
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.04)


@pytest.mark.parametrize("n_resamples", [21, 30, 39])
def test_the_shortest_interval_holds_at_least_its_share_of_the_draws(n_resamples):
    table, level = np.array([5, 9, 7, 79]), 0.9
    drawn = sorted(map(kappa, np.random.default_rng(3).multinomial(100, table / 100, size=n_resamples)))
    ends = product(enumerate(drawn), repeat=2)
    enough = [(high - low, low, high) for (i, low), (j, high) in ends if j - i + 1 >= level * n_resamples]
    how = {"method": "hdi", "level": level, "n_resamples": n_resamples, "rng": 3}
    assert error_consistency_limits(table.reshape(2, 2), **how)[:2] == pytest.approx(min(enough)[1:])


def test_the_design_effect_of_agreement_is_the_variance_of_a_table_with_two_more_errors():
    """Cell by cell: one more error agrees and one does not; the effect is drawn to 1 by twenty errors."""
    counts = np.array([[6, 2, 1], [1, 8, 0], [3, 1, 4]])
    n, rows, columns = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    agreeing, other = np.diag(rows * columns), np.outer(rows, columns) * (1 - np.eye(3))
    p = (counts + agreeing / agreeing.sum() + other / other.sum()) / (n + 2)
    p_a, p_b = p.sum(axis=1), p.sum(axis=0)
    slope = (1 - np.trace(p)) / (1 - p_a @ p_b)
    influence = np.eye(3) - slope * (p_b[:, None] + p_a)
    ratio = ((p * influence**2).sum() - (p * influence).sum() ** 2) / (np.trace(p) * (1 - np.trace(p)))
    effective, chance = n / ((n * ratio + 20) / (n + 20)), (rows @ columns - np.trace(counts)) / (n * (n - 1))
    share, z = np.trace(counts) / n, norm.ppf(0.975)
    roots = np.roots([1 + z**2 / effective, -2 * share - z**2 / effective, share**2])
    said_a, said_b = (np.repeat(labels.ravel(), counts.ravel()) for labels in np.indices((3, 3)))
    found = confidence_interval(np.full(n, 3), said_a, said_b, "MA")
    assert [found.low, found.high] == pytest.approx((np.sort(roots) - chance) / (1 - chance))
