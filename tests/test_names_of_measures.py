"""One face: every function takes measures, systems and options by the same words."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from builders import mixed_systems

import erralign
from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.measures import measures_of

few = partial(erralign.pairwise_intervals, n_resamples=200)


@pytest.fixture
def responses():
    return mixed_systems(1, n_systems=5, n_trials=200, time_outs=0.05)


@pytest.mark.parametrize("function", [erralign.pairwise, few])
def test_measures_are_a_name_an_abbreviation_or_a_list(function, responses):
    expected = function(responses, ["misclassification_agreement"])
    for measures in ("MA", ["MA"], ("misclassification_agreement",), "misclassification_agreement"):
        pd.testing.assert_frame_equal(function(responses, measures), expected)
    assert [each.short for each in measures_of(["EC", "error_consistency"])] == ["EC"]


# --- options of a measure ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [{"variant": each, "alpha": alpha} for each in CLES_VARIANTS for alpha in (0.1, 2)])
def test_variant_and_alpha_reach_all_pairs_and_intervals(form, responses):
    table = few(responses, "CLES", **form)
    truth, answers = responses.truth, responses.answers
    for row in table.itertuples():
        value = erralign.class_level_error_similarity(
            truth, answers[row.system_a], answers[row.system_b], n_classes=6, **form
        )
        assert row.class_level_error_similarity == pytest.approx(value, abs=1e-12)
        assert row.class_level_error_similarity_low < value < row.class_level_error_similarity_high
    a, b, c = answers.to_numpy().T[:3]
    one = erralign.confidence_interval(truth, a, b, "CLES", n_classes=6, n_resamples=200, **form)
    assert one.estimate == pytest.approx(table["class_level_error_similarity"][0], abs=1e-12)
    two = erralign.difference_interval(truth, a, b, c, "CLES", n_classes=6, n_resamples=200, **form)
    of_c = erralign.pairwise_differences(responses, answers.columns[2], "CLES", n_resamples=200, **form)
    assert two.low < two.estimate < two.high
    assert two.estimate == pytest.approx(of_c["difference"][0], abs=1e-12)


# --- pairs with some systems only -------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [erralign.pairwise, few])
def test_pairs_with_some_systems_are_rows_of_all_pairs(function, responses):
    table = function(responses)
    for chosen in ([0], [4], [1, 3], [0, 1, 2, 3, 4]):
        names = responses.answers.columns[chosen].tolist()
        held = table["system_a"].isin(names) | table["system_b"].isin(names)
        expected = table[held].reset_index(drop=True)
        pd.testing.assert_frame_equal(function(responses, with_=names), expected, rtol=0, atol=1e-12)


def test_differences_with_some_systems_are_rows_of_all_differences(responses):
    *others, last = responses.answers.columns
    for measure, reference in (("EC", last), ("MA", last), ("CLES", last), ("accuracy", None)):
        table = erralign.pairwise_differences(responses, reference, measure, n_resamples=200)
        held = (table["system_a"] == others[1]) | (table["system_b"] == others[1])
        part = erralign.pairwise_differences(responses, reference, measure, n_resamples=200, with_=others[1])
        pd.testing.assert_frame_equal(part, table[held].reset_index(drop=True))


# --- accuracy ---------------------------------------------------------------------------------------------------------


def test_differences_of_accuracy_are_those_of_two_systems(responses):
    table = erralign.pairwise_differences(responses, measure="accuracy", n_resamples=20_000)
    assert len(table) == 10
    for row in table.itertuples():
        answers = (responses.answers[system] for system in (row.system_a, row.system_b))
        alone = erralign.difference_interval(responses.truth, *answers, measure="accuracy", n_resamples=20_000)
        assert (row.difference, row.n_joint_errors) == pytest.approx((alone.estimate, alone.n_joint_errors))
        np.testing.assert_allclose([row.low, row.high], [alone.low, alone.high], atol=0.006)
