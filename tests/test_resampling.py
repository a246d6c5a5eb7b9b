"""Intervals: against a closed form, brute force and each other; that they hold the truth as often as they promise."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import beta, binomtest

from erralign import Responses, class_level_error_similarity, confidence_interval, pairwise, pairwise_intervals
from erralign.reproduction import coverage
from erralign.resampling import _joint_kappas, _pseudo_trials, error_consistency_limits, score_chi_square

TABLES = ([3, 5, 7, 145], [40, 10, 12, 98], [0, 4, 9, 147], [1, 0, 0, 159])


def kappa(cells):
    both_wrong, only_b, only_a, both_right = cells
    n = sum(cells)
    p, q = (both_right + only_a) / n, (both_right + only_b) / n
    expected = p * q + (1 - p) * (1 - q)
    return ((both_right + both_wrong) / n - expected) / (1 - expected)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", ["dirichlet", "score", "percentile", "hdi"])
def test_limits_hold_the_estimate_and_stay_in_range(table, method):
    low, high, undefined = error_consistency_limits(np.reshape(table, (2, 2)), method=method)
    assert -1 <= low <= kappa(table) <= high <= 1
    assert undefined == 0 or table[0] + table[1] + table[2] < 5


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


@pytest.mark.parametrize("method", ["dirichlet", "score"])
def test_no_disagreement_reaches_one(method):
    assert error_consistency_limits([[5, 0], [0, 155]], method=method)[1] == 1.0


def test_percentile_has_no_width_where_nothing_disagrees_and_that_is_its_fault():
    low, high, _ = error_consistency_limits([[5, 0], [0, 155]], method="percentile")
    assert low == high == 1.0


def test_both_perfect_is_undefined_for_the_bootstrap_and_wide_for_dirichlet():
    low, high, undefined = error_consistency_limits([[0, 0], [0, 100]], method="percentile", n_resamples=50)
    assert np.isnan([low, high]).all() and undefined == 50
    low, high, _ = error_consistency_limits([[0, 0], [0, 100]])
    assert low < 0 and high == 1.0


@pytest.mark.parametrize("order", range(2, 40, 7))
def test_pseudo_trials_are_balanced_for_pairs_and_triples(order):
    rows, share = _pseudo_trials(order)
    rng = np.random.default_rng(order)
    for size in (2, min(order, 3)):
        chosen = rng.choice(order, size=size, replace=False)
        _, counts = np.unique(rows[:, chosen], axis=0, return_counts=True)
        assert len(counts) == 2**size and len(set(counts)) == 1
    assert len(rows) * share == pytest.approx(2.0)  # half a count for each of four cells


def test_joint_draws_have_the_margins_of_the_dirichlet_form():
    """The accuracy of one system among many is Beta(right + 1, wrong + 1): half a count in each of two cells, twice."""
    rng = np.random.default_rng(0)
    right = rng.random((5, 60)) < 0.9
    alone = np.quantile(_joint_kappas(right, 20_000, rng), [0.1, 0.5, 0.9], axis=0)
    table = [
        np.sum(~right[0] & ~right[1]),
        np.sum(~right[0] & right[1]),
        np.sum(right[0] & ~right[1]),
        np.sum(right[0] & right[1]),
    ]
    direct = np.random.default_rng(1).standard_gamma(np.array(table) + 0.5, size=(20_000, 4))
    expected = np.quantile([kappa(row) for row in direct], [0.1, 0.5, 0.9])
    np.testing.assert_allclose(alone[:, 0], expected, atol=0.02)


def made_up(n=300, systems=4, classes=5, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, n)
    answers = {f"s{i}": np.where(rng.random(n) < 0.7, truth, rng.integers(-1, classes, n)) for i in range(systems)}
    table = pd.DataFrame({"kind": "model", "family": "", "source": ""}, index=list(answers))
    return Responses("made up", pd.Series(truth), pd.DataFrame(answers), tuple("abcde"), table)


def test_a_pair_alone_and_among_all_agrees():
    responses = made_up()
    joint = pairwise_intervals(responses, n_resamples=4000)
    pd.testing.assert_frame_equal(joint[pairwise(responses).columns], pairwise(responses))
    for measure, tolerance in (
        ("error_consistency", 0.02),
        ("misclassification_agreement", 1e-12),
        ("class_level_error_similarity", 0.005),
    ):
        row = joint.iloc[2]
        alone = confidence_interval(
            responses.truth,
            responses.answers[row["system_a"]],
            responses.answers[row["system_b"]],
            measure,
            n_classes=5,
            n_resamples=4000,
        )
        assert alone.estimate == pytest.approx(row[measure], abs=1e-12)
        assert alone.n_joint_errors == row["n_joint_errors"]
        assert (alone.low, alone.high) == pytest.approx((row[f"{measure}_low"], row[f"{measure}_high"]), abs=tolerance)


def test_resampled_similarity_is_the_measure_of_the_resampled_trials():
    from erralign.resampling import _drawn_errors, _similarity_draws

    responses = made_up()
    truth, a, b = (column.to_numpy() for column in (responses.truth, responses.answers["s0"], responses.answers["s1"]))
    chosen = np.random.default_rng(3).integers(0, len(truth), size=(20, len(truth)))
    counts = np.array([np.bincount(row, minlength=len(truth)) for row in chosen]).astype(np.float32)
    drawn = [_drawn_errors(truth, answers, 5, counts) for answers in (a, b)]
    expected = [class_level_error_similarity(truth[row], a[row], b[row], n_classes=5) for row in chosen]
    np.testing.assert_allclose(_similarity_draws(*drawn, 5), expected, atol=1e-12)


def test_the_same_seed_gives_the_same_numbers():
    responses = made_up()
    pd.testing.assert_frame_equal(
        pairwise_intervals(responses, n_resamples=200, rng=5), pairwise_intervals(responses, n_resamples=200, rng=5)
    )


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


@pytest.mark.parametrize(("accuracy_a", "accuracy_b", "ec"), [(0.5, 0.5, 0.3), (0.98, 0.9, 0.0), (0.99, 0.75, 0.3)])
def test_cells_have_the_accuracies_and_the_consistency(accuracy_a, accuracy_b, ec):
    cells = coverage.cells_with(accuracy_a, accuracy_b, ec)
    assert cells.sum() == pytest.approx(1)
    assert (cells[2] + cells[3], cells[1] + cells[3]) == pytest.approx((accuracy_a, accuracy_b))
    assert (
        kappa(cells) == pytest.approx(min(ec, 0.0588235294), abs=1e-9)
        if accuracy_a == 0.99
        else kappa(cells) == pytest.approx(ec)
    )


def test_the_default_covers_where_the_percentile_interval_fails():
    """One live cell of the study: accuracies .98 and .9, 160 trials, independent; 0.3 joint errors expected."""
    cells = coverage.cells_with(0.98, 0.9, 0.0)
    tables = np.random.default_rng(8).multinomial(160, cells, size=1000)
    held = dict.fromkeys(("dirichlet", "percentile"), 0)
    for table in tables:
        for method in held:
            low, high, _ = error_consistency_limits(table.reshape(2, 2), method=method, n_resamples=500)
            held[method] += low <= 0 <= high
    assert binomtest(held["dirichlet"], 1000, 0.93, alternative="less").pvalue > 0.001
    assert binomtest(held["percentile"], 1000, 0.93, alternative="less").pvalue < 1e-6


def test_frozen_coverage_keeps_the_promise_of_the_defaults():
    """EC .93 to .99, score .93 to .98, MA at least .93, CLES at least .92; each within three Monte Carlo errors."""
    ec = coverage.error_consistency()

    def error(p, n):
        return 3 * np.sqrt(p * (1 - p) / n)

    default = ec[ec["method"] == "dirichlet"]["coverage"]
    assert default.min() >= 0.93 - error(0.93, 4000) and default.max() <= 0.99 + error(0.99, 4000)
    score = ec[ec["method"] == "score"]["coverage"]
    assert score.min() >= 0.93 - error(0.93, 4000) and score.max() <= 0.98 + error(0.98, 4000)
    ma = coverage.misclassification_agreement().query("method == 'wilson'")["coverage"]
    assert ma.min() >= 0.93 - error(0.93, 4000)
    cles = coverage.class_level_error_similarity().query("method == 'recentred'")["coverage"]
    assert cles.min() >= 0.92 - error(0.92, 300)


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
