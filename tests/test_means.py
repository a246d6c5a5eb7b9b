"""Means over people, conditions and data sets, of each measure: brute force, the jackknife, intervals that hold."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from builders import make_responses, small_benchmark
from scipy.stats import norm, t
from textbook import agreement_of_others

import erralign
from erralign.measures import ACCURACY, cles, measure_of
from erralign.measures.matrix import kappa

CLES = {"alpha": 2.0}
FUNCTIONS = {
    "EC": erralign.error_consistency,
    "MA": erralign.misclassification_agreement,
    "CLES": partial(erralign.class_level_error_similarity, n_classes=4, **CLES),
    "accuracy": lambda truth, a, _: np.mean(truth == a),
}


def benchmark(seed=7, n=60, wrong_classes=3):
    """Two data sets of two conditions; models and people choose among three wrong answers, half of them the next."""
    data_sets, rng = [], np.random.default_rng(seed)
    for responses in small_benchmark(seed, n_models=2, n_people=3, n_sets=2, n=n):
        truth, answers = responses.truth.to_numpy()[:, None], responses.answers.to_numpy()
        step = np.where(rng.random(answers.shape) < 0.5, 1, rng.integers(1, 1 + wrong_classes, answers.shape))
        drawn = np.where(answers == truth, truth, (truth + step) % 4)
        data_sets.append(answered(responses, pd.DataFrame(drawn, responses.truth.index, responses.answers.columns)))
    return data_sets


def means(data_sets, measure):
    return erralign.consistency_with_people(data_sets, cles(**CLES) if measure == "CLES" else measure)


@pytest.mark.parametrize("measure", FUNCTIONS)
def test_the_mean_is_that_of_people_then_conditions_then_data_sets(measure):
    """Brute force: every value by the scalar function."""
    (one, other), function, of_sets = benchmark(), FUNCTIONS[measure], []
    data_sets = [one, in_one_condition(other)]
    for responses in data_sets:
        of_conditions = []
        for condition in responses.truth.index.unique("condition"):
            truth, answers = responses.truth.loc[condition], responses.answers.loc[condition]
            pairs = [(0, 1), (0, 2), (1, 2)] if measure != "accuracy" else [(i, i) for i in range(3)]
            with_people = [function(truth, answers["m1"], answers[f"p{i}"]) for i in range(3)]
            together = [function(truth, answers[f"p{i}"], answers[f"p{j}"]) for i, j in pairs]
            of_conditions.append([np.mean(with_people), np.mean(together)])
        of_sets.append(np.mean(of_conditions, axis=0))
    found, *alone = (means(each, measure) for each in (data_sets, *data_sets))
    assert found.measure == measure_of(measure, ACCURACY).short
    np.testing.assert_allclose(found.table.loc[["m1", "people"], found.measure], np.mean(of_sets, axis=0), atol=1e-12)
    assert found.table.loc["m1", "n_conditions"] == 3
    pd.testing.assert_frame_equal(alone[0].table, means([one], measure).table)


@pytest.mark.parametrize("measure", FUNCTIONS)
def test_variance_and_bias_come_from_leaving_out_one_trial_at_a_time(measure):
    function = agreement_of_others if measure == "MA" else FUNCTIONS[measure]
    one = benchmark()[0]

    def mean(condition, kept):
        truth, answers = (each.loc[condition].iloc[kept] for each in (one.truth, one.answers))
        return np.mean([function(truth, answers["m0"], answers[f"p{i}"]) for i in range(3)])

    everything = np.arange(60)
    whole = np.mean([mean(condition, everything) for condition in (0, 1)])
    without = np.array([[mean(condition, np.delete(everything, i)) for i in everything] for condition in (0, 1)])
    moved = (without - without.mean(axis=1, keepdims=True)).ravel() / 2
    free = (moved @ moved) ** 2 / (moved**4).sum() - 1
    standard_error = np.sqrt(59 / 60 * moved @ moved) * (1 if measure == "accuracy" else t.ppf(0.975, free) / 1.959964)
    found = means(one, measure)
    row = found.table.loc["m0"]
    assert np.sqrt(found.covariance.loc["m0", "m0"]) == pytest.approx(standard_error, rel=1e-6)
    centre = whole - (59 * (without.mean() - whole) if measure == "EC" else 0)
    assert row[found.measure] - row["bias"] == pytest.approx(centre, abs=1e-12)
    assert (row["low"] + row["high"]) / 2 == pytest.approx(centre, abs=0.02)
    if measure != "accuracy":
        assert row["high"] - row["low"] == pytest.approx(2 * 1.959964 * standard_error, rel=1e-6)


def in_one_condition(responses):
    return responses.select(trials=responses.truth.index.get_level_values("condition") == 0)


def test_accuracy_in_one_condition_has_wilsons_interval():
    one = in_one_condition(benchmark(n=100)[0])
    one = answered(one, one.answers.assign(m1=one.truth))
    found, alone = erralign.consistency_with_people(one, "accuracy").table, erralign.accuracy_intervals(one)
    np.testing.assert_allclose(found.loc["m0", ["low", "high"]], alone.loc["m0", ["low", "high"]], atol=0.002)
    np.testing.assert_allclose(found.loc["m1", ["low", "high"]], alone.loc["m1", ["low", "high"]], atol=1e-12)
    assert found.loc["m1", "low"] < 0.97


@pytest.mark.parametrize("measure", ["EC", "MA"])
def test_on_hardly_any_errors_with_one_person_there_is_a_value_and_no_limits(measure):
    one = benchmark(n=400)[0]
    keep = np.random.default_rng(0).random(one.answers.shape) < 0.995
    # In the other condition errors are many, and so are those of other pairs.
    keep[400:] = keep[:, ~one.answers.columns.isin(["m0", "p1"])] = False
    found = means(answered(one, one.answers.mask(keep, one.truth, axis=0)), measure)
    assert found.table[found.measure].notna().all()
    assert found.table.loc["m0", ["low", "high"]].isna().all()
    assert np.isnan([found.difference("m0", "m1").low, found.difference_test("m0", "m1").pvalue]).all()


def answered(responses, answers):
    return make_responses(responses.truth, answers, 4, responses.systems["kind"], responses.name)


@pytest.mark.parametrize("measure", FUNCTIONS)
def test_the_test_of_a_difference_goes_with_its_interval(measure):
    one = benchmark()[0]
    for level in (0.2, 0.5, 0.9):
        found = erralign.consistency_with_people(one, measure, level=level)
        interval, test = found.difference("m0", "m1"), found.difference_test("m0", "m1")
        assert (test.pvalue <= 1 - level) == (not interval.low <= 0 <= interval.high)
        assert test.statistic == pytest.approx((interval.low + interval.high) / 2, abs=1e-12)
        assert (test.null, found.difference_test("m1", "m0").pvalue) == (0, pytest.approx(test.pvalue))
    assert found.difference_test("m0", "m0").pvalue == 1


# --- of error consistency ---------------------------------------------------------------------------------------------


def test_the_variance_is_at_least_that_with_half_a_count_more_in_each_cell():
    """Two people without joint errors: their four counts vary as counts do."""
    p0, p1 = np.repeat([1, 0], [4, 56]), np.repeat([0, 1, 0], [4, 3, 53])
    answers = pd.DataFrame({"m": p0, "p0": p0, "p1": p1})
    found = means(make_responses(pd.Series(0, answers.index), answers, 4, ["model", "human", "human"]), "EC")
    table, cells, steps = np.array([0, 4, 3, 53]), np.array([0.5, 4.5, 3.5, 53.5]), np.eye(4)
    moves = [(kappa(*(cells + 1e-5 * step)) - kappa(*(cells - 1e-5 * step))) / 2e-5 for step in steps]
    without = np.repeat([kappa(*(table - step)) for step in steps], table)
    moved = without - without.mean()
    free = max((moved @ moved) ** 2 / (moved**4).sum(), 5) - 1
    expected = (t.ppf(0.975, free) / 1.959964) ** 2 * (cells @ np.square(moves))
    assert found.covariance.loc["people", "people"] == pytest.approx(expected, rel=1e-5)


def test_the_variance_of_agreement_is_at_least_that_with_two_more_joint_errors():
    """Two people with the same wrong answers: of two more joint errors one has the same answer, and one has not."""
    said = pd.DataFrame(dict.fromkeys(["m", "p0", "p1"], np.repeat([1, 2, 0], [2, 4, 54])))
    found = means(make_responses(pd.Series(0, said.index), said, 4, ["model", "human", "human"]), "MA")
    chance = (2 * 2 + 4 * 4 - 6) / (6 * 5)  # of two different errors
    moves = np.append(np.full(7, 1 - 7 / 8), -7 / 8) / (8 * (1 - chance))
    wider = t.ppf(0.975, 59) / norm.ppf(0.975)
    assert found.covariance.loc["people", "people"] == pytest.approx(wider**2 * (moves @ moves))


def test_people_who_answer_alike_have_one_and_no_limit_above_it():
    (one,) = small_benchmark(n_sets=1)
    alike = answered(one, one.answers.apply(lambda _: one.answers["p0"]))
    found, wrong = means(alike, "EC").table.loc["people"], one.answers["p0"] != one.truth
    assert found["low"] < found["EC"] == found["high"] == 1
    assert found["fewest_joint_errors"] == wrong.groupby(level="condition").sum().min()


def test_difference_of_means_takes_what_two_models_share_into_account():
    found = erralign.consistency_with_people(small_benchmark())
    interval, rows = found.difference("m0", "m1"), found.table.loc[["m0", "m1"]]
    variance = found.covariance.loc[["m0", "m1"], ["m0", "m1"]].to_numpy()
    assert abs(variance[0, 1]) > 0.1 * variance[0, 0]
    assert interval.estimate == pytest.approx(rows["EC"].iloc[0] - rows["EC"].iloc[1])
    width = 2 * norm.ppf(0.975) * np.sqrt(np.array([1, -1]) @ variance @ [1, -1])
    assert interval.high - interval.low == pytest.approx(width, rel=1e-6)
    assert interval.high - interval.low < np.hypot(*(rows["high"] - rows["low"]))


def test_undefined_values_are_left_out_and_counted():
    (responses,) = small_benchmark(n_sets=1)
    perfect = responses.answers.assign(m0=responses.truth, p0=responses.truth)
    found = erralign.consistency_with_people(answered(responses, perfect))
    assert found.table.loc["m0", "n_undefined"] == 2
    assert found.table.loc["m0", "EC"] == 0


def test_a_data_set_without_any_value_of_a_system_has_no_weight_in_its_mean():
    one, other = small_benchmark(n_sets=2)
    answers = other.answers.copy()
    for system in ("m0", *answers.filter(like="p")):
        answers[system] = other.truth  # EC of m0 with people is 0/0 everywhere
    found, alone = (means(each, "EC") for each in ([one, answered(other, answers)], one))
    columns = ["EC", "n_conditions"]
    pd.testing.assert_series_equal(found.table.loc["m0", columns], alone.table.loc["m0", columns])
    assert found.covariance.loc["m0", "m0"] == pytest.approx(alone.covariance.loc["m0", "m0"])
