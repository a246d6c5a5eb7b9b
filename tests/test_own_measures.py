"""A reader's own measure, known everywhere after one call."""

import dataclasses
import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from builders import mixed_systems
from scipy.stats import norm
from textbook import jackknife_error

import erralign
from erralign import Measure, plot, reports
from erralign.measures import short_name
from erralign.measures.matrix import right_table
from erralign.measures.measure import JACKKNIFE


def yules_q(y_true, y_a, y_b):
    (both_wrong, only_b), (only_a, both_right) = right_table(y_true, y_a, y_b).tolist()
    likely, unlikely = both_wrong * both_right, only_a * only_b
    return (likely - unlikely) / (likely + unlikely) if likely + unlikely else np.nan


@pytest.fixture
def q(own):
    return own(Measure("yules_q", "Q", yules_q, range=(-1, 1)))


RESPONSES = mixed_systems(1, n_systems=5, n_trials=120, time_outs=0.05)


def test_pairs_are_those_of_the_function(q):
    table = erralign.pairwise(RESPONSES, ["EC", "Q"])
    truth, answers = RESPONSES.truth.to_numpy(), RESPONSES.answers.to_numpy().T
    np.testing.assert_allclose(table["Q"], [yules_q(truth, a, b) for a, b in combinations(answers, 2)])
    assert "Q" not in erralign.pairwise(RESPONSES)


def test_generic_roads_agree_with_those_of_a_measure_that_brings_its_own(own):
    """Error consistency by another name, and with nothing but its function."""
    own(Measure("plain_consistency", "plain", erralign.error_consistency, range=(-1, 1)))
    truth, (a, b, c) = RESPONSES.truth, RESPONSES.answers.to_numpy().T[:3]
    one, other = (erralign.difference_test(truth, a, b, c, name, n_permutations=99) for name in ("plain", "EC"))
    assert one == other
    plain, known = (erralign.consistency_with_people(with_people(RESPONSES), each).table for each in ("plain", "EC"))
    np.testing.assert_allclose(plain["bias"], known["bias"], atol=1e-12)
    # Half counts, which a function alone lacks, matter little where errors are many.
    np.testing.assert_allclose(plain[["low", "high"]], known[["low", "high"]], atol=1e-3)


# ---- a function, without a name that is known --------------------------------------------------------------------


def right_together(truth, a, b):
    right_a, right_b = a == truth, b == truth
    return np.sum(right_a & right_b) / np.sum(right_a | right_b)


def test_a_function_is_a_measure_wherever_one_is_asked_for(own):
    """It says the same as the measure that is registered with it."""
    own(Measure("registered", "R", right_together))
    truth, (a, b, c) = RESPONSES.truth, RESPONSES.answers.to_numpy().T[:3]
    people, reference = with_people(RESPONSES), RESPONSES.answers.columns[0]
    for compare in (
        lambda measure: erralign.confidence_interval(truth, a, b, measure),
        lambda measure: erralign.difference_interval(truth, a, b, c, measure),
        lambda measure: erralign.difference_test(truth, a, b, c, measure, n_permutations=99),
        lambda measure: erralign.pairwise(RESPONSES, measure).iloc[:, -1].tolist(),
        lambda measure: erralign.pairwise_intervals(RESPONSES, measure).iloc[:, -4:].to_numpy().tolist(),
        lambda measure: erralign.pairwise_intervals(RESPONSES, measure, n_jobs=2).iloc[:, -4:].to_numpy().tolist(),
        lambda measure: erralign.pairwise_differences(RESPONSES, reference, measure).select_dtypes("number").to_numpy(),
        lambda measure: erralign.consistency_with_people(people, measure).table[["low", "high"]].to_numpy().tolist(),
    ):
        np.testing.assert_equal(compare(right_together), compare("R"))


def test_a_function_is_called_for_each_pair_and_no_answer_in_time_is_minus_one():
    truth, columns = RESPONSES.truth.to_numpy(), RESPONSES.answers.to_numpy().T
    assert (columns == -1).any()
    expected = [right_together(truth, a, b) for a, b in combinations(columns, 2)]
    assert erralign.pairwise(RESPONSES, right_together)["right_together"].tolist() == expected


def test_the_column_is_called_after_the_function(recwarn):
    functions = [right_together, erralign.error_consistency, lambda truth, a, b: 1, "MA"]
    assert list(erralign.pairwise(RESPONSES, functions).columns[-4:]) == ["right_together", "EC", "value", "MA"]
    undefined = erralign.pairwise(RESPONSES, lambda truth, a, b: np.float64(0) / np.sum(a == 99))
    assert undefined["value"].isna().all()
    assert not list(recwarn)


def test_a_function_that_would_be_confused_with_another_column_is_refused():
    def accuracy_a(truth, a, b):
        return 1.0

    with pytest.raises(ValueError, match="called accuracy_a, as another column of the table is"):
        erralign.pairwise(RESPONSES, accuracy_a)
    with pytest.raises(ValueError, match="two measures would be called value: give your function another name"):
        erralign.pairwise(RESPONSES, [lambda truth, a, b: 1, lambda truth, a, b: 2])
    with pytest.raises(TypeError, match=r"value \(yours\) fails for two systems.*function of \(y_true, y_a, y_b\)"):
        erralign.pairwise_intervals(RESPONSES, lambda a: 1)
    with pytest.raises(ValueError, match="right_together counts no answer as wrong"):
        erralign.pairwise(RESPONSES, right_together, unread="left out")


def with_people(responses):
    return dataclasses.replace(responses, systems=responses.systems.assign(kind=["human"] * 3 + ["model"] * 2))


def test_an_interval_is_the_jackknifes_and_says_so(q):
    truth, (a, b, c) = RESPONSES.truth.to_numpy(), RESPONSES.answers.to_numpy().T[:3]
    one = erralign.confidence_interval(truth, a, b, "Q")
    assert (one.method, one.estimate) == (JACKKNIFE, yules_q(truth, a, b))
    three = np.array([truth, a, b])
    half = norm.ppf(0.975) * jackknife_error(lambda kept: yules_q(*three[:, kept]), len(truth))[0]
    assert (one.low, one.high) == pytest.approx((one.estimate - half, one.estimate + half))
    table = erralign.pairwise_intervals(RESPONSES, "Q")
    assert (table["Q_low"][0], table["Q_high"][0]) == (one.low, one.high)
    gap = erralign.difference_interval(truth, a, b, c, "Q")
    of_all = erralign.pairwise_differences(RESPONSES, RESPONSES.answers.columns[2], "Q").iloc[0]
    assert (gap.low, gap.high) == (of_all["low"], of_all["high"])
    assert gap.estimate == pytest.approx(yules_q(truth, a, c) - yules_q(truth, b, c))


@pytest.mark.slow
def test_processes_know_the_measure_too(q):
    alone, together = (erralign.pairwise_intervals(RESPONSES, "Q", n_jobs=n) for n in (1, 2))
    pd.testing.assert_frame_equal(alone, together)


@pytest.mark.slow
def test_reports_and_charts_write_its_name(q):
    comparison = reports.compare(with_people(RESPONSES), how=reports.Options(measures=["EC", "Q"], n_resamples=100))
    assert any("Q" in note and "jackknife" in note for note in comparison.notes)
    assert json.loads(reports.as_json(comparison))["pairs"][0].keys() >= {"Q", "Q_low"}
    assert "yules q" in reports.page(comparison)
    pairs = erralign.pairwise_intervals(RESPONSES, "Q")
    for chart in (plot.heatmap(pairs), plot.intervals(pairs, "Q"), plot.beside(pairs, [pairs["system_a"][0]])):
        assert "Q" in json.dumps(chart.to_dict())


def test_a_measure_is_replaced_by_its_name_with_another_abbreviation(own, q):
    assert short_name("yules_q_low") == "Q_low"
    own(Measure("yules_q", "YQ", yules_q))
    assert "Q" not in erralign.MEASURES
    assert short_name("yules_q_low") == "YQ_low"


def test_values_of_the_wrong_shape_are_named(own):
    own(Measure("yules_q", "Q", yules_q, values=lambda matrix: np.zeros(3)))
    with pytest.raises(ValueError, match=r"values of yules_q give .* shape \(3,\); expected .* each of 10 pairs"):
        erralign.pairwise(RESPONSES, "Q")
