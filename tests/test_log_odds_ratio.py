"""The log odds ratio and the EC that it implies: statsmodels, bisection, undefined cases, intervals that hold."""

import numpy as np
import pandas as pd
import pytest
from builders import mixed_systems
from scipy.optimize import brentq
from scipy.stats import binomtest
from scipy.stats.contingency import odds_ratio

import erralign
from erralign.behaviour import log_odds_ratio_from_counts
from erralign.bounds import error_consistency_bounds
from erralign.inference import log_odds_ratio_limits

RESPONSES = mixed_systems(3, n_systems=4, n_trials=200, time_outs=0.05)
STRATA = [[[10, 5], [5, 80]], [[40, 10], [10, 40]], [[3, 0], [6, 31]]]
# With statsmodels 0.15.0, t = STRATA, and t + n_k / (2 n) in each cell where half counts are added:
# s = StratifiedTable(list(t)); s.logodds_pooled, s.logodds_pooled_confint()
OF_STATSMODELS = 3.0473755067058295
WITH_HALF_COUNTS = 3.004375099298286, 2.2107668015534663, 3.797983397043106


def tables_of(responses, first, second):
    right = responses.answers[[first, second]].eq(responses.truth, axis=0).astype(int)
    return [np.bincount(2 * right[first] + right[second], minlength=4).reshape(2, 2)]


def test_over_strata_it_is_the_estimator_of_mantel_and_haenszel_with_its_interval():
    assert log_odds_ratio_from_counts(STRATA, half_counts=False) == pytest.approx(OF_STATSMODELS, abs=1e-12)
    value, low, high = WITH_HALF_COUNTS
    assert log_odds_ratio_from_counts(STRATA) == pytest.approx(value, abs=1e-12)
    assert log_odds_ratio_limits(STRATA) == pytest.approx((low, high), abs=1e-12)


def test_of_one_table_it_is_the_sample_odds_ratio():
    for table in STRATA[:2]:
        expected = np.log(odds_ratio(np.array(table), kind="sample").statistic)
        assert log_odds_ratio_from_counts(table, half_counts=False) == pytest.approx(expected)
        assert log_odds_ratio_from_counts(table) == pytest.approx(
            np.log(odds_ratio(2 * np.array(table) + 1, kind="sample").statistic)
        )


def test_from_answers_within_strata_by_label_or_by_the_level_of_an_index():
    labels = np.repeat(["easy", "hard"], 100)
    index = pd.MultiIndex.from_arrays([labels, range(200)], names=["condition", "image"])
    truth = pd.Series(RESPONSES.truth.to_numpy(), index)
    a, b = (pd.Series(RESPONSES.answers[name].to_numpy(), index) for name in RESPONSES.answers.columns[:2])
    parts = [pd.crosstab((a == truth)[here], (b == truth)[here]) for here in (labels == "easy", labels == "hard")]
    expected = log_odds_ratio_from_counts(np.stack([part.to_numpy() for part in parts]))
    for strata in (labels, "condition", pd.Series(labels, index)[::-1]):
        assert erralign.log_odds_ratio(truth, a, b, strata=strata) == expected
    assert erralign.log_odds_ratio(truth, a, b, strata=np.zeros(200)) == erralign.log_odds_ratio(truth, a, b)


def test_where_a_system_is_always_right_or_always_wrong_it_is_undefined_and_says_nothing_in_a_stratum():
    nothing = [[[0, 0], [3, 7]], [[0, 4], [0, 6]], [[5, 0], [5, 0]], [[3, 7], [0, 0]], [[0, 0], [0, 9]]]
    for table in (*nothing, nothing):
        assert np.isnan([log_odds_ratio_from_counts(table), *log_odds_ratio_limits(table)]).all()
        assert log_odds_ratio_from_counts(table, replace_undefined_by=0) == 0
    both = log_odds_ratio_from_counts([*nothing, *STRATA]), log_odds_ratio_limits([*nothing, *STRATA])
    assert both == (log_odds_ratio_from_counts(STRATA), log_odds_ratio_limits(STRATA))
    one = log_odds_ratio_limits([*nothing, STRATA[0]])
    assert one == log_odds_ratio_limits(STRATA[0])


def test_yules_q_is_its_sister():
    for table in STRATA[:2]:
        (both_wrong, only_b), (only_a, both_right) = table
        q = (both_wrong * both_right - only_a * only_b) / (both_wrong * both_right + only_a * only_b)
        assert np.tanh(log_odds_ratio_from_counts(table, half_counts=False) / 2) == pytest.approx(q)


def test_all_that_takes_a_measure_takes_it():
    pairs = erralign.pairwise_intervals(RESPONSES, ["LOR", "EC"])
    for row in pairs.itertuples():
        (table,) = tables_of(RESPONSES, row.system_a, row.system_b)
        assert pytest.approx(row.LOR, abs=1e-12) == log_odds_ratio_from_counts(table)
        # Both draw tables from one distribution, each with its own numbers.
        assert (row.LOR_low, row.LOR_high) == pytest.approx(log_odds_ratio_limits(table), abs=0.1)
    kinds = dict(zip(RESPONSES.answers, ["human", "human", "model", "model"], strict=True))
    seen = erralign.Responses.from_table(RESPONSES.truth, RESPONSES.answers, kind=kinds, classes=RESPONSES.classes)
    table = erralign.consistency_with_people(seen, "LOR").table
    assert table["LOR"].between(table["low"], table["high"]).all()
    three = RESPONSES.answers.to_numpy().T[:3]
    gap = erralign.difference_interval(RESPONSES.truth, *three, "LOR")
    assert gap.low < gap.estimate < gap.high


def test_a_mean_has_at_least_the_variance_of_half_counts():
    """One picture in the cell of joint errors: the jackknife alone would not know how far another one moves it."""
    truth = np.zeros(80, int)
    person, other, model = (
        np.isin(np.arange(80), wrong).astype(int) for wrong in (range(9), range(1, 10), range(9, 20))
    )
    kinds = {"person": "human", "other": "human", "model": "model"}
    seen = erralign.Responses.from_table(truth, {"person": person, "other": other, "model": model}, kind=kinds)
    row = erralign.consistency_with_people(seen, "LOR").table.loc["model"]
    pair = erralign.confidence_interval(truth, person, model, "LOR")
    assert row["high"] - row["low"] > 0.5 * (pair.high - pair.low)


def test_implied_error_consistency_is_that_of_the_table_which_bisection_finds(rng):
    for _ in range(300):
        a, b, log_odds = *rng.uniform(0.02, 0.98, 2), rng.normal(0, 2)

        def gap(both):
            return np.log(both * (1 - a - b + both)) - np.log((a - both) * (b - both)) - log_odds  # noqa: B023

        both = brentq(gap, max(0, a + b - 1) + 1e-14, min(a, b) - 1e-14, xtol=1e-15)
        by_chance = a * b + (1 - a) * (1 - b)
        expected = (1 - a - b + 2 * both - by_chance) / (1 - by_chance)
        assert erralign.implied_error_consistency(a, b, np.exp(log_odds)) == pytest.approx(expected, abs=1e-9)


def test_implied_error_consistency_at_the_ends():
    accuracies = np.array([0.9, 0.6]), np.array([0.7, 0.2])
    least, most = error_consistency_bounds(*accuracies)
    for none, endless in ((1e-300, np.inf), (1e-12, 1e300)):
        np.testing.assert_allclose(erralign.implied_error_consistency(*accuracies, none), least, atol=1e-6)
        np.testing.assert_allclose(erralign.implied_error_consistency(*accuracies, endless), most, atol=1e-6)
    np.testing.assert_allclose(
        erralign.implied_error_consistency([0.3, 1, 0], [0.6, 0.4, 0.2], [1, 5, 0.1]), 0, atol=1e-12
    )
    assert np.isnan(erralign.implied_error_consistency([0, 1], [0, 1], 3)).all()


WORLDS = {
    "equal accuracies": ([0.8], [0.8], 160),
    "unequal accuracies": ([0.95], [0.5], 160),
    "few pictures": ([0.8], [0.7], 40),
    "many strata": (np.linspace(0.4, 0.95, 80), np.linspace(0.3, 0.9, 80), 4),
}


@pytest.mark.slow
@pytest.mark.parametrize("odds", [1, 3, 10, 40])
@pytest.mark.parametrize("world", WORLDS)
def test_its_interval_holds_the_truth(world, odds, rng):
    a, b, n = WORLDS[world]
    a, b = np.array(a), np.array(b)
    by_chance = a * b + (1 - a) * (1 - b)
    both = a * b + erralign.implied_error_consistency(a, b, odds) * (1 - by_chance) / 2
    cells = np.stack([1 - a - b + both, b - both, a - both, both], axis=1)
    held = []
    while len(held) < 500:
        tables = rng.multinomial(n, cells).reshape(-1, 2, 2)
        low, high = log_odds_ratio_limits(tables, n_resamples=1000, rng=rng)
        if not np.isnan(low):
            held.append(low <= np.log(odds) <= high)
    # It may hold more often than it says: cells are whole numbers.
    assert binomtest(sum(held), len(held), 0.95, alternative="less").pvalue > 0.001


def cells_of(a, b, odds):
    both = a * b + erralign.implied_error_consistency(a, b, odds) * (a + b - 2 * a * b) / 2
    return np.array([1 - a - b + both, b - both, a - both, both])


@pytest.mark.parametrize(
    ("a", "b", "odds", "bias", "within"),
    [(0.97, 0.97, 1, 1.4, 0.05), (0.97, 0.5, 200, -3.0, 0.05), (0.97, 0.97, 40, 0, 0.02), (0.9, 0.8, 10, 0, 0.02)],
)
def test_the_value_has_the_bias_that_is_said_of_it(a, b, odds, bias, within, rng):
    cells = cells_of(a, b, odds)
    assert (160 * cells.min() > 2) == (bias == 0)
    tables, counts = np.unique(rng.multinomial(160, cells, size=100_000), axis=0, return_counts=True)
    values = np.array([log_odds_ratio_from_counts(table.reshape(2, 2)) for table in tables])
    defined = ~np.isnan(values)
    mean = np.average(values[defined], weights=counts[defined])
    assert mean - np.log(odds) == pytest.approx(bias, abs=within)


def test_clusters_of_four_counts_are_those_of_answers(rng):
    truth = np.repeat(np.arange(12), 20)
    hard = rng.normal(size=(12, 2))[truth]
    a, b = np.where(rng.normal(size=(240, 2)) + hard < 0.5, truth[:, None], 12).T
    tables = [np.bincount(2 * (a == truth)[it] + (b == truth)[it], minlength=4).reshape(2, 2)
              for it in (truth == each for each in range(12))]  # fmt: skip
    expected = erralign.confidence_interval(truth, a, b, "LOR", clusters=truth)
    alone = erralign.confidence_interval(truth, a, b, "LOR")
    found = log_odds_ratio_limits(tables, strata=[0] * 12, clusters=range(12))
    assert found == pytest.approx((expected.low, expected.high), abs=0.1)
    assert log_odds_ratio_limits(tables, strata=[0] * 12) == log_odds_ratio_limits(np.sum(tables, axis=0))
    assert np.diff(found) > 1.2 * (alone.high - alone.low)
    with pytest.raises(ValueError, match="clusters has 2 different labels"):
        log_odds_ratio_limits(tables, clusters=[0, 1] * 6)


@pytest.mark.slow
@pytest.mark.parametrize("n_strata", [1, 4])
def test_its_interval_holds_the_truth_where_trials_cluster_by_class(n_strata, rng):
    """Sixteen classes, harder or easier for both together in each experiment; the truth is from a million trials."""
    thresholds = np.linspace(0.9, 0, n_strata)

    def tables_of(n_classes, of_each):
        both, own = rng.normal(size=(1, n_classes)), rng.normal(size=(2, n_classes))
        classes = np.sqrt(0.2) * both + np.sqrt(0.1) * own
        tables = []
        for threshold in thresholds:
            hard = classes[:, :, None] + np.sqrt(0.7) * rng.normal(size=(2, n_classes, of_each))
            a, b = hard < threshold
            cells = [np.sum(~a & ~b, axis=1), np.sum(~a & b, axis=1), np.sum(a & ~b, axis=1), np.sum(a & b, axis=1)]
            tables.append(np.stack(cells, axis=1).reshape(-1, 2, 2))
        return np.concatenate(tables)

    many = tables_of(50_000, 20).reshape(n_strata, -1, 2, 2).sum(axis=1)
    expected = log_odds_ratio_from_counts(many)
    by = {"strata": np.repeat(range(n_strata), 16), "n_resamples": 1000}
    clusters, held, alone = np.tile(range(16), n_strata), [], []
    for _ in range(400):
        tables = tables_of(16, 80 // n_strata)
        for found, how in ((held, {"clusters": clusters}), (alone, {})):
            low, high = log_odds_ratio_limits(tables, **by, **how)
            found.append(low <= expected <= high)
    assert binomtest(sum(held), 400, 0.95, alternative="less").pvalue > 0.001
    assert np.mean(alone) < 0.9
