"""All pairs at once, and without each trial: values as pair by pair and as the authors have; names of measures."""

from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from builders import make_responses, mixed_systems
from textbook import agreement_of_others

import erralign
from erralign import pairwise
from erralign.datasets import xu2024
from erralign.measures import MEASURES_OF_ERRORS, ResponseMatrix, measure_of, measures_of
from erralign.measures import class_level_error_similarity as cles
from erralign.measures import matrix as shared
from erralign.measures import misclassification_agreement as ma
from erralign_book import released as released_values

EC, MA, CLES = SHORT = [measure_of(name).short for name in MEASURES_OF_ERRORS]


def one_by_one(responses, **options):
    truth, pairs = responses.truth.to_numpy(), list(combinations(responses.answers.to_numpy().T, 2))
    own = {CLES: {"n_classes": len(responses.classes)}}
    functions = {name: partial(measure_of(name).function, **own.get(name, {}), **options) for name in SHORT}
    values = {name: [function(truth, *pair) for pair in pairs] for name, function in functions.items()}
    if len(responses.classes) < 3:  # the one wrong answer says nothing
        values |= dict.fromkeys((MA, CLES), options.get("replace_undefined_by", np.nan))
    return pd.DataFrame(values, range(len(pairs)))


def assert_equals_one_by_one(responses, **options):
    together, alone = pairwise(responses, **options)[SHORT], one_by_one(responses, **options)
    np.testing.assert_allclose(together, alone, rtol=0, atol=1e-12)


# Few classes, and more than trials; words of bits hold 64 trials.
SIZES = [{"n_classes": n, "n_systems": 4} for n in (1, 2, 17, 257)]
SIZES += [{"n_trials": n, "n_classes": 3} for n in (1, 8, 9, 64, 65, 129)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_numbers_of_classes_and_trials(size):
    assert_equals_one_by_one(mixed_systems(0, time_outs=0.1, **size))


@pytest.mark.parametrize("n_classes", [2**15 - 1, 2**15, 40_000])
def test_more_classes_than_short_integers_hold(n_classes):
    few = mixed_systems(2, n_systems=4, n_classes=6, time_outs=0.1)
    truth, answers = (each + (n_classes - 6) * (each >= 0) for each in (few.truth.to_numpy(), few.answers.to_numpy()))
    found = pairwise(make_responses(truth, answers, n_classes), [EC, MA])
    pd.testing.assert_frame_equal(found, pairwise(few, [EC, MA]), rtol=0, atol=1e-12, check_dtype=False)


@pytest.mark.parametrize("n_systems", [2, 9, 17])
def test_borders_of_blocks_do_not_show(monkeypatch, n_systems):
    responses = mixed_systems(3, n_systems=n_systems, n_trials=80, time_outs=0.1)
    alone = one_by_one(responses)
    for counts, words, cells in ((1, 1, 1), (200, 1, 200), (300, 60, 100), (64, 1, 400), (10**9, 10**9, 10**9)):
        monkeypatch.setattr(ma, "_COUNTS", counts)
        monkeypatch.setattr(shared, "_WORDS", words)
        monkeypatch.setattr(cles, "_CELLS", cells)
        pd.testing.assert_frame_equal(pairwise(responses)[SHORT], alone, rtol=0, atol=1e-12)


def test_perfect_and_silent_systems_among_others():
    responses = mixed_systems(4, n_systems=6, n_trials=50)
    answers = responses.answers.to_numpy().T.copy()
    answers[0], answers[2], answers[5] = responses.truth, -1, responses.truth
    for replacement in (np.nan, 0.5):
        assert_equals_one_by_one(make_responses(responses.truth, answers.T, 6), replace_undefined_by=replacement)


def test_the_table_describes_each_pair():
    answers = {"p": [0, 0, 1, 1], "mine": [0, 1, 1, -1], "q": [1, 1, 1, 0], "net": [1, 0, 1, -1]}
    kind = {"p": "human", "mine": "model", "q": "human", "net": "model"}
    family = dict.fromkeys(answers, "") | {"mine": "guest"}
    mine = erralign.Responses.from_table([0, 0, 1, 1], answers, kind=kind, family=family)
    expected = {
        "system_a": ["p", "p", "p", "mine", "mine", "q"],
        "system_b": ["mine", "q", "net", "q", "net", "net"],
        "kind": ["guest-human", "human-human", "model-human", "guest-human", "guest-model", "model-human"],
        "n_joint_errors": [0, 0, 0, 2, 1, 2],
        "accuracy_a": [1, 1, 1, 0.5, 0.5, 0.25],
        "accuracy_b": [0.5, 0.25, 0.5, 0.25, 0.5, 0.5],
    }
    assert pairwise(mine, [])[list(expected)].to_dict("list") == expected


# Real data: 5,020 pairs on 17 data sets.


@pytest.mark.parametrize("data_set", xu2024.data_sets().index)
def test_real_pairs_have_the_released_values(requires_data, data_set):
    ours = pairwise(erralign.load(f"xu2024/{data_set}"), replace_undefined_by=1)
    released = released_values(f"xu2024/{data_set}")
    assert (ours[["system_a", "system_b"]].to_numpy() == released[["system_a", "system_b"]].to_numpy()).all()
    for name, column, tolerance in ((EC, "EC", 1e-12), (MA, "MA", 1e-12), (CLES, "CLES", 1e-7)):
        np.testing.assert_allclose(ours[name], released[column], rtol=0, atol=tolerance)


# --- without each trial -----------------------------------------------------------------------------------------------


FORMS = [(measure_of(name), {}) for name in (EC, MA, "H", "WMA", "WEC")]
FORMS += [(cles.cles(alpha=2.0), {"alpha": 2.0, "n_classes": 4})]


@pytest.mark.parametrize(("measure", "options"), FORMS, ids=lambda part: getattr(part, "short", str(part)))
@pytest.mark.parametrize("n_trials", [2, 12, 60])
def test_values_without_each_trial_are_those_of_the_others(measure, options, n_trials):
    """Brute force, trial by trial; a value that becomes 0/0 stays as it was."""
    responses = mixed_systems(n_trials, n_systems=4, n_trials=n_trials, n_classes=4, time_outs=0.1)
    truth, answers = responses.truth.to_numpy(), responses.answers.to_numpy().T
    found, function = measure.leave_one_out(ResponseMatrix(truth, answers, 4)), partial(measure.function, **options)
    for i, (a, b) in enumerate(zip(*np.triu_indices(4, k=1), strict=True)):
        three = truth, answers[a], answers[b]
        value = function(*three)
        assert found.values[i] == pytest.approx(value, abs=1e-12, nan_ok=True)
        others = ([np.delete(each, trial) for each in three] for trial in range(n_trials))
        without = [function(*kept, replace_undefined_by=value) for kept in others]
        np.testing.assert_allclose(found.without[i], without, atol=1e-12)


def test_agreement_without_self_pairs_takes_chance_from_other_errors():
    responses = mixed_systems(1, n_systems=2, n_trials=80, n_classes=4, time_outs=0.1)
    three = responses.truth.to_numpy(), *responses.answers.to_numpy().T
    values, without = measure_of("MA").leave_one_out(ResponseMatrix(three[0], np.stack(three[1:]), 4)).unbiased
    expected = [agreement_of_others(*(np.delete(each, trial) for each in three)) for trial in range(80)]
    assert values[0] == pytest.approx(agreement_of_others(*three), abs=1e-12)
    np.testing.assert_allclose(without[0], expected, atol=1e-12)


# --- measures, systems and options by the same words ------------------------------------------------------------------


few = partial(erralign.pairwise_intervals, n_resamples=200)


RESPONSES = mixed_systems(1, n_systems=5, n_trials=200, time_outs=0.05)


def test_measures_are_a_name_an_abbreviation_or_a_list():
    expected = pairwise(RESPONSES, ["misclassification_agreement"])
    for measures in ("MA", ["MA"], ("misclassification_agreement",), "misclassification_agreement"):
        pd.testing.assert_frame_equal(pairwise(RESPONSES, measures), expected)
    assert list(pairwise(RESPONSES, [MA, EC]))[6:] == [MA, EC]
    assert [each.short for each in measures_of(["EC", "error_consistency"])] == ["EC"]


# --- pairs with some systems only -------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [pairwise, few])
@pytest.mark.parametrize("chosen", [[0], [4], [1, 3], [0, 1, 2, 3, 4]])
def test_pairs_with_some_systems_are_rows_of_all_pairs(function, chosen):
    table, names = function(RESPONSES), RESPONSES.answers.columns[chosen].tolist()
    expected = table[table["system_a"].isin(names) | table["system_b"].isin(names)].reset_index(drop=True)
    pd.testing.assert_frame_equal(function(RESPONSES, with_=names), expected, rtol=0, atol=1e-12)


def test_differences_with_some_systems_are_rows_of_all_differences():
    *others, last = RESPONSES.answers.columns
    for measure, reference in (("EC", last), ("CLES", last), ("accuracy", None)):
        table = erralign.pairwise_differences(RESPONSES, reference, measure, n_resamples=200)
        held = (table["system_a"] == others[1]) | (table["system_b"] == others[1])
        part = erralign.pairwise_differences(RESPONSES, reference, measure, n_resamples=200, with_=others[1])
        pd.testing.assert_frame_equal(part, table[held].reset_index(drop=True))


# --- accuracy ---------------------------------------------------------------------------------------------------------


def test_differences_of_accuracy_are_those_of_two_systems():
    table = erralign.pairwise_differences(RESPONSES, measure="accuracy", n_resamples=20_000)
    assert len(table) == 10
    for row in table.itertuples():
        answers = (RESPONSES.answers[system] for system in (row.system_a, row.system_b))
        alone = erralign.difference_interval(RESPONSES.truth, *answers, measure="accuracy", n_resamples=20_000)
        assert (row.difference, row.n_joint_errors) == pytest.approx((alone.estimate, alone.n_joint_errors))
        np.testing.assert_allclose([row.low, row.high], [alone.low, alone.high], atol=0.006)


# --- at equal accuracy ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [40, 160, 1280])
@pytest.mark.parametrize("apart", [0.01, 0.05, 1 / 3, 1])
def test_accuracies_are_compared_as_counts(n, apart):
    right = np.arange(n + 1)
    exact = np.abs(right[:, None] - right) * Fraction(apart).limit_denominator(1000).denominator
    expected = exact < Fraction(apart).limit_denominator(1000).numerator * n
    np.testing.assert_array_equal(erralign.equally_accurate(right[:, None] / n, right / n, apart), expected)


def test_equal_accuracies_of_a_table_are_a_series_and_percentages_are_refused():
    pairs = erralign.pairwise(mixed_systems(3, n_systems=4, n_trials=60), EC)
    pairs.loc[0, "accuracy_a"] = np.nan
    equal = erralign.equally_accurate(pairs["accuracy_a"], pairs["accuracy_b"], 1.5)
    assert equal.tolist() == [False, *[True] * 5]
    pd.testing.assert_index_equal(equal.index, pairs.index)
    with pytest.raises(ValueError, match=r"accuracy_b is 62\.5; expected a share between 0 and 1, not a percentage"):
        erralign.equally_accurate(0.6, 62.5)
    with pytest.raises(ValueError, match="apart is 0; expected a number above 0"):
        erralign.equally_accurate(0.6, 0.6, 0)
