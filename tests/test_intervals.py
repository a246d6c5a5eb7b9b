"""Intervals of one pair: against a closed form, brute force and each other."""

import numpy as np
import pytest
from builders import three_systems
from scipy.optimize import minimize
from scipy.stats import beta, binomtest
from textbook import kappa

from erralign import confidence_interval
from erralign.measures import MEASURES, MEASURES_OF_ERRORS, short_name
from erralign.resampling import error_consistency_limits
from erralign.resampling.error_consistency import dirichlet_limits
from erralign.resampling.interval import wilson_interval
from erralign.resampling.methods import INTERVALS
from erralign.resampling.score import score_chi_square
from erralign.resampling.worlds import _pseudo_trials

TABLES = ([3, 5, 7, 145], [40, 10, 12, 98], [0, 4, 9, 147], [1, 0, 0, 159])


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", ["dirichlet", "score", "percentile", "hdi"])
def test_limits_hold_the_estimate_and_stay_in_range(table, method):
    low, high, undefined = error_consistency_limits(np.reshape(table, (2, 2)), method=method)
    assert -1 <= low <= kappa(table) <= high <= 1
    assert undefined == 0 or table[0] + table[1] + table[2] < 5


def test_every_measure_of_errors_has_its_methods():
    assert set(INTERVALS) <= set(MEASURES)
    assert set(INTERVALS) == {short_name(measure) for measure in MEASURES_OF_ERRORS}


@pytest.mark.parametrize("measure", MEASURES_OF_ERRORS)
def test_every_method_of_the_table_finds_an_interval(measure):
    data = three_systems(np.random.default_rng(4), 2000, (0.5, 0.4, 0.45))[:3]
    for estimand, methods in INTERVALS[short_name(measure)].methods.items():
        for method in methods:
            found = confidence_interval(*data, measure, estimand=estimand, method=method, n_resamples=300)
            assert (found.estimand, found.method) == (estimand, method)
            assert found.low < found.high


def test_default_limits_of_many_tables_are_those_of_each():
    limits = dirichlet_limits(np.array(TABLES), 0.9, 20_000, np.random.default_rng(0))
    each = [error_consistency_limits(np.reshape(table, (2, 2)), level=0.9)[:2] for table in TABLES]
    assert np.transpose(limits) == pytest.approx(np.array(each), abs=0.015)


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

    starts = [(p, q) for p in (0.8, 0.9, 0.97) for q in (0.8, 0.9, 0.97) if np.isfinite(loss((p, q)))]
    options = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 4000}
    best = min((minimize(loss, s, method="Nelder-Mead", options=options) for s in starts), key=lambda f: f.fun)
    expected = table.sum() * cells(best.x)
    brute = np.sum((table - expected) ** 2 / expected)
    assert score_chi_square(table, np.array([truth]))[0] == pytest.approx(brute, rel=1e-4, abs=1e-6)


def test_score_limits_are_where_the_test_changes_its_mind():
    low, high, _ = error_consistency_limits([[3, 5], [7, 145]], method="score")
    inside, outside = score_chi_square(
        np.array([3, 5, 7, 145]), np.array([[low + 1e-3, high - 1e-3], [low - 1e-3, high + 1e-3]]).ravel()
    ).reshape(2, 2)
    assert (inside < 3.8415).all()
    assert (outside > 3.8414).all()


@pytest.mark.parametrize("table", [[0, 1, 0, 9], [0, 3, 1, 1], [0, 0, 4, 0], [1, 5, 3, 2]])
def test_score_limits_are_the_same_whoever_comes_first_and_whatever_counts_as_right(table):
    """Few accuracies allow a kappa near -1: a search among all of them can miss these."""
    table = np.reshape(table, (2, 2))
    limits = [error_consistency_limits(same, method="score")[:2] for same in (table, table.T, table[::-1, ::-1].T)]
    np.testing.assert_allclose(limits[1:], limits[:1] * 2, atol=3e-6)


@pytest.mark.parametrize("method", ["dirichlet", "score"])
def test_no_disagreement_reaches_one(method):
    assert error_consistency_limits([[5, 0], [0, 155]], method=method)[1] == 1.0


def test_percentile_has_no_width_where_nothing_disagrees_and_that_is_its_fault():
    low, high, _ = error_consistency_limits([[5, 0], [0, 155]], method="percentile")
    assert low == high == 1.0


@pytest.mark.parametrize("method", ["dirichlet", "score", "percentile", "hdi"])
@pytest.mark.parametrize("table", [[[0, 0], [0, 100]], [[100, 0], [0, 0]]])
def test_where_nobody_fails_or_everybody_always_there_are_no_limits(method, table):
    low, high, undefined = error_consistency_limits(table, method=method, n_resamples=50)
    assert np.isnan([low, high]).all()
    assert undefined == (50 if method in ("percentile", "hdi") else 0)


@pytest.mark.parametrize("n", [0, 1])
def test_agreement_on_fewer_than_two_joint_errors_has_no_interval(n):
    y_true, y_a = np.zeros(10, int), np.zeros(10, int)
    y_a[:n] = 1
    interval = confidence_interval(y_true, y_a, y_a, "misclassification_agreement")
    assert np.isnan([interval.low, interval.high]).all()
    assert interval.n_joint_errors == n


def test_similarity_without_errors_has_no_interval():
    interval = confidence_interval([0, 1], [0, 1], [0, 1], "class_level_error_similarity", n_resamples=20)
    assert np.isnan([interval.low, interval.high, interval.estimate]).all()
    assert interval.n_undefined == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "level is 95; expected a share between 0 and 1"),
        ({"method": "bca"}, "method is 'bca'; expected one of dirichlet, score, percentile, hdi"),
        ({"measure": "kappa"}, "measure is 'kappa'; expected one of error_consistency"),
        (
            {"measure": "misclassification_agreement", "method": "hdi"},
            "method is 'hdi'; expected one of wilson, percentile",
        ),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        confidence_interval([0, 1], [0, 1], [1, 0], **options)


def test_a_beta_margin_is_what_half_counts_give():
    right = np.array([[True] * 50 + [False] * 10, [True] * 60])
    rows, share = _pseudo_trials(2)
    rng = np.random.default_rng(0)
    weights = np.concatenate(
        [rng.standard_exponential((20_000, 60)), rng.standard_gamma(share, (20_000, len(rows)))], axis=1
    )
    accuracy = weights @ np.concatenate([right[0], rows[:, 0]]) / weights.sum(axis=1)
    np.testing.assert_allclose(
        np.quantile(accuracy, [0.05, 0.5, 0.95]), beta.ppf([0.05, 0.5, 0.95], 51, 11), atol=0.006
    )


# Infinite errors


def divergence(matrix_a, matrix_b):
    total, weight = 0.0, 0.0
    for row_a, row_b in zip(matrix_a, matrix_b, strict=True):
        n_a, n_b = row_a.sum(), row_b.sum()
        if n_a + n_b == 0:
            continue
        middle = (row_a + row_b) / (n_a + n_b)
        for row, n in ((row_a, n_a), (row_b, n_b)):
            here = row[row > 0] / max(n, 1)
            total += (n_a + n_b) * np.sum(here * np.log(here / middle[row > 0])) / 2
        weight += n_a + n_b
    return total / weight


def test_jackknife_leaves_out_one_trial_at_a_time():
    """Brute force: the divergence anew without each trial that holds an error."""
    rng = np.random.default_rng(5)
    truth, a, b, _ = three_systems(rng, 900, (0.4, 0.5, 0.4), n_classes=3)

    def of(keep):
        matrices = np.zeros((2, 3, 3))
        for matrix, said in zip(matrices, (a, b), strict=True):
            wrong = keep & (said != truth)
            np.add.at(matrix, (truth[wrong], said[wrong]), 1)
        return divergence(*matrices)

    everything = np.ones(len(truth), bool)
    erring = np.flatnonzero((a != truth) | (b != truth))
    without = np.array([of(everything & (np.arange(len(truth)) != i)) for i in erring])
    n = len(erring)
    mended = n * of(everything) - (n - 1) * without.mean()
    error = np.sqrt((n - 1) / n * np.sum((without - without.mean()) ** 2))
    found = confidence_interval(truth, a, b, "class_level_error_similarity", estimand="infinite")
    assert found.method == "jackknife"
    assert found.estimate == pytest.approx(1 / (1 + max(mended, 0)), abs=1e-9)
    assert found.low == pytest.approx(1 / (1 + max(mended + 1.959964 * error, 0)), abs=1e-7)
    assert found.high == pytest.approx(1 / (1 + max(mended - 1.959964 * error, 0)), abs=1e-7)


def test_nothing_is_said_of_infinite_errors_from_few():
    truth, a, b, _ = three_systems(np.random.default_rng(6), 300, (0.5, 0.5, 0.5), n_classes=6)
    found = confidence_interval(truth, a, b, "class_level_error_similarity", estimand="infinite")
    assert np.isnan([found.low, found.estimate, found.high]).all()


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("error_consistency", {"estimand": "infinite"}, "estimand is 'infinite'; expected one of population"),
        ("class_level_error_similarity", {"method": "wilson"}, "expected one of recentred, percentile"),
        ("class_level_error_similarity", {"method": "recentred", "estimand": "infinite"}, "expected one of jackknife"),
    ],
)
def test_estimand_and_method_must_go_together(measure, options, message):
    with pytest.raises(ValueError, match=message):
        confidence_interval([0, 1], [0, 0], [1, 1], measure, **options)
