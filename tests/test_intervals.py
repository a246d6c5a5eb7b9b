"""Intervals of one pair: against a closed form, brute force and each other."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binomtest, chisquare, dirichlet, norm
from textbook import kappa

from benchmarks.coverage.score_limits import score_chi_square
from erralign import confidence_interval
from erralign.inference import error_consistency_limits
from erralign.measures import MEASURES
from erralign.measures.matrix import wilson_interval


@pytest.mark.parametrize("table", [[3, 5, 7, 145], [40, 10, 12, 98], [0, 4, 9, 147], [1, 0, 0, 159]], ids=str)
def test_limits_hold_the_estimate_and_stay_in_range(table):
    low, high = error_consistency_limits(np.reshape(table, (2, 2)))
    assert -1 <= low < kappa(table) <= high <= 1


def test_without_a_shared_error_the_lower_limit_falls_to_what_the_accuracies_allow():
    """Nearly every draw of a shared error is above that."""
    table = np.array([0, 12, 12, 136])
    low, _ = error_consistency_limits(table.reshape(2, 2))
    draws = dirichlet.rvs(table + 0.5, size=200_000, random_state=1)
    assert low < np.quantile(kappa(draws.T), 0.025) - 0.005


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


@pytest.mark.parametrize("table", [[[0, 0], [0, 100]], [[100, 0], [0, 0]]], ids=str)
def test_where_nobody_fails_or_everybody_always_there_are_no_limits(table):
    assert np.isnan(error_consistency_limits(table)).all()


def test_without_joint_errors_or_errors_there_is_no_interval():
    y_true = np.zeros(10, int)
    for n in (0, 1):
        y_a = (np.arange(10) < n).astype(int)
        interval = confidence_interval(y_true, y_a, y_a, "misclassification_agreement", n_classes=3)
        assert np.isnan([interval.low, interval.high]).all()
        assert interval.n_joint_errors == n
    interval = confidence_interval([0, 2], [0, 2], [0, 2], "class_level_error_similarity")
    assert np.isnan([interval.low, interval.high, interval.estimate]).all()


def test_where_no_trial_moves_the_value_there_are_no_limits():
    """Each class has one joint error, and every one tells the same: others need not."""
    found = confidence_interval([0, 1, 2, 2], [1, 2, 0, 2], [1, 2, 0, 2], "CLES")
    assert 0 < found.estimate < 1
    assert np.isnan([found.low, found.high]).all()


def test_thirty_thousand_classes_take_no_more_memory_than_their_errors():
    truth, a, b = np.array([0, 9, 29_999, 4, 7, 9]), np.array([1, 8, 3, 4, 8, 8]), np.array([1, 8, 3, 5, 7, 7])
    tracemalloc.start()
    for measure in ("MA", "CLES"):
        assert confidence_interval(truth, a, b, measure, n_classes=30_000).estimate > 0
        assert np.isfinite(MEASURES[measure].function(truth, a, b))
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()


def test_a_time_out_is_one_of_the_joint_errors():
    assert confidence_interval([0, 0, 0, 0, 1], [1, -1, -1, 0, 1], [1, 1, -1, 1, 1]).n_joint_errors == 3


# --- where limits come from ------------------------------------------------------------------------------------------


def test_half_a_count_in_each_cell_is_what_the_limits_come_from():
    """SciPy's draws of the Dirichlet distribution; with a quarter in place of a half the upper limit is .12 lower."""
    table = np.array([1, 0, 2, 17])
    drawn = [kappa(cells) for cells in dirichlet(table + 0.5).rvs(20_000, random_state=1)]
    low, high = error_consistency_limits(table.reshape(2, 2), n_resamples=200_000)
    assert (low, high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.02)


def test_limits_of_h_take_the_system_that_is_better_in_the_data_for_the_better_one():
    """With equal accuracies the smaller of the two chances would be taken otherwise, draw by draw."""
    _, only_b, only_a, both_right = dirichlet(np.array([6, 5, 5, 24]) + 0.5).rvs(20_000, random_state=1).T
    a, b = both_right + only_a, both_right + only_b
    drawn = (both_right - a * b) / (b * (1 - a))
    answers = [np.repeat(each, [6, 5, 5, 24]) for each in ([0, 0, 1, 1], [0, 1, 0, 1])]
    found = confidence_interval(np.ones(40, dtype=int), *answers, "H", n_resamples=20_000)
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.04)


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
