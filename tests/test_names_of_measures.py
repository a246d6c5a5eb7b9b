"""One face: every function takes measures, systems and options by the same words, and says so where it doesn't."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from builders import mixed_systems

from erralign import (
    class_level_error_similarity,
    confidence_interval,
    difference_interval,
    pairwise,
    pairwise_differences,
    pairwise_intervals,
)
from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.measures import MEASURES_OF_ERRORS, full_names, short_name

few = partial(pairwise_intervals, n_resamples=200)


@pytest.fixture
def responses():
    return mixed_systems(1, n_systems=5, n_trials=200, time_outs=0.05)


@pytest.mark.parametrize("function", [pairwise, few])
@pytest.mark.parametrize("measures", ["MA", ["MA"], ("misclassification_agreement",), "misclassification_agreement"])
def test_measures_are_a_name_an_abbreviation_or_a_list(function, measures, responses):
    pd.testing.assert_frame_equal(function(responses, measures), function(responses, ["misclassification_agreement"]))


@pytest.mark.parametrize("name", MEASURES_OF_ERRORS)
def test_one_measure_goes_by_name_or_abbreviation(name, responses):
    truth, (a, b, c) = responses.truth, responses.answers.to_numpy().T[:3]
    options = {"n_resamples": 100}
    assert confidence_interval(truth, a, b, name, **options) == confidence_interval(
        truth, a, b, short_name(name), **options
    )
    assert difference_interval(truth, a, b, c, name, **options) == difference_interval(
        truth, a, b, c, short_name(name), **options
    )
    system = responses.answers.columns[0]
    pd.testing.assert_frame_equal(
        *(pairwise_differences(responses, system, each, **options) for each in (name, short_name(name)))
    )


@pytest.mark.parametrize(
    ("measure", "nearest"),
    [("ec", "EC"), ("error_consistancy", "error_consistency"), ("cles", "CLES"), ("Accuracy", "accuracy")],
)
def test_an_unknown_measure_suggests_the_nearest(measure, nearest, responses):
    message = f"measure is '{measure}'; expected one of .* did you mean '{nearest}'"
    with pytest.raises(ValueError, match=message):
        pairwise_differences(responses, measure=measure)
    with pytest.raises(ValueError, match=r"^measure is 'kappa'; expected one of [^?]*$"):
        pairwise_differences(responses, measure="kappa")


def test_an_unknown_name_among_measures_is_named():
    assert full_names(["EC", "error_consistency"]) == ["error_consistency"]
    with pytest.raises(ValueError, match=r"measures is 'misclassification'; expected one of .* did you mean 'misclass"):
        full_names(["EC", "misclassification"])


# --- options of a measure ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.1, 2.0])
@pytest.mark.parametrize("variant", CLES_VARIANTS)
def test_variant_and_alpha_reach_all_pairs_and_intervals(variant, alpha, responses):
    form = {"variant": variant, "alpha": alpha}
    table = few(responses, "CLES", **form)
    truth, answers = responses.truth, responses.answers
    for row in table.itertuples():
        value = class_level_error_similarity(truth, answers[row.system_a], answers[row.system_b], n_classes=6, **form)
        assert row.class_level_error_similarity == pytest.approx(value, abs=1e-12)
        assert row.class_level_error_similarity_low < value < row.class_level_error_similarity_high
    a, b, c = answers.to_numpy().T[:3]
    one = confidence_interval(truth, a, b, "CLES", n_classes=6, n_resamples=200, **form)
    assert one.estimate == pytest.approx(table["class_level_error_similarity"][0], abs=1e-12)
    two = difference_interval(truth, a, b, c, "CLES", n_classes=6, n_resamples=200, **form)
    of_c = pairwise_differences(responses, answers.columns[2], "CLES", n_resamples=200, **form)["difference"][0]
    assert two.low < two.estimate < two.high
    assert two.estimate == pytest.approx(of_c, abs=1e-12)


def test_options_that_the_measure_does_not_have_are_refused(responses):
    with pytest.raises(TypeError, match="alpha is no option of EC or MA; it has none: leave it out"):
        pairwise_intervals(responses, ["EC", "MA"], alpha=1)
    with pytest.raises(TypeError, match="variants is no option of CLES; expected one of variant, alpha; did you mean"):
        pairwise_differences(responses, responses.answers.columns[0], "CLES", variants="printed")
    with pytest.raises(TypeError, match="alpha is no option of accuracy"):
        pairwise_differences(responses, measure="accuracy", alpha=1)
    truth, (a, b) = responses.truth, responses.answers.to_numpy().T[:2]
    with pytest.raises(ValueError, match="alpha is 0; expected a number above 0"):
        confidence_interval(truth, a, b, "CLES", alpha=0)
    with pytest.raises(ValueError, match=r"variant is 'printd'; expected one of released, .* did you mean 'printed'"):
        confidence_interval(truth, a, b, "CLES", variant="printd")
    with pytest.raises(ValueError, match="variant is 'printed'; expected one of released"):
        confidence_interval(truth, a, b, "CLES", estimand="infinite", variant="printed")


# --- pairs with some systems only -------------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", [[0], [4], [1, 3], [0, 1, 2, 3, 4]])
@pytest.mark.parametrize("function", [pairwise, few])
def test_pairs_with_some_systems_are_rows_of_all_pairs(function, chosen, responses):
    names = responses.answers.columns[chosen].tolist()
    table = function(responses)
    held = table["system_a"].isin(names) | table["system_b"].isin(names)
    expected = table[held].reset_index(drop=True)
    pd.testing.assert_frame_equal(function(responses, with_=names), expected, rtol=0, atol=1e-12)
    assert len(expected) == len(chosen) * 4 - len(chosen) * (len(chosen) - 1) // 2


def test_differences_with_some_systems_are_rows_of_all_differences(responses):
    *others, last = responses.answers.columns
    for measure, reference in (("EC", last), ("MA", last), ("CLES", last), ("accuracy", None)):
        table = pairwise_differences(responses, reference, measure, n_resamples=200)
        held = (table["system_a"] == others[1]) | (table["system_b"] == others[1])
        part = pairwise_differences(responses, reference, measure, n_resamples=200, with_=others[1])
        pd.testing.assert_frame_equal(part, table[held].reset_index(drop=True))


def test_systems_that_are_not_there_are_named(responses):
    with pytest.raises(ValueError, match="with_ is 'mine'; expected one of"):
        pairwise(responses, with_=["mine"])
    with pytest.raises(ValueError, match="with_ is empty; name at least one system"):
        pairwise(responses, with_=[])
    reference = responses.answers.columns[0]
    with pytest.raises(ValueError, match=f"with_ is '{reference}'"):
        pairwise_differences(responses, reference, with_=reference)


# --- accuracy ---------------------------------------------------------------------------------------------------------


def test_differences_of_accuracy_are_those_of_two_systems(responses):
    table = pairwise_differences(responses, measure="accuracy", n_resamples=20_000)
    assert len(table) == 10
    for row in table.itertuples():
        answers = (responses.answers[system] for system in (row.system_a, row.system_b))
        alone = difference_interval(responses.truth, *answers, measure="accuracy", n_resamples=20_000)
        assert (row.difference, row.n_joint_errors) == pytest.approx((alone.estimate, alone.n_joint_errors))
        np.testing.assert_allclose([row.low, row.high], [alone.low, alone.high], atol=0.006)


def test_accuracy_goes_without_reference_and_nothing_else_does(responses):
    with pytest.raises(ValueError, match="accuracy and reference given: only accuracy goes without reference"):
        pairwise_differences(responses, responses.answers.columns[0], "accuracy")
    with pytest.raises(ValueError, match="error_consistency and reference missing"):
        pairwise_differences(responses)
