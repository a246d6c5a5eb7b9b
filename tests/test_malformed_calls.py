"""Sixty and more calls that no number can answer: each ends in an error that names argument, trial or system."""

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign import behaviour, bounds, nulls, planning
from erralign.sources.examples import twelve_pictures

EC, MA, CLES = (
    erralign.error_consistency,
    erralign.misclassification_agreement,
    erralign.class_level_error_similarity,
)
SOC, SOCE = erralign.confidence_similarity, erralign.error_confidence_similarity
INTERVAL, DIFFERENCE = erralign.confidence_interval, erralign.difference_interval
TRUTH, SAID = [0, 1, 2, 0], [0, 1, 1, 2]
WORDS = ["cat", "dog", "fox", "cat"]
NAMED = pd.Series(SAID, index=list("abcd"))
GOOD = [[0.5, 0.5], [0.25, 0.75]]
TABLE = [[3, 5], [7, 145]]
PICTURES = twelve_pictures()
LINE = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
LOPSIDED = LINE + np.triu(np.ones((6, 6)))


def series(values, index="abcd"):
    return pd.Series(values, index=list(index))


CALLS = [
    # Trials by name.
    (EC, (series(TRUTH), NAMED, series(SAID, "abce")), {}, "y_b has no trial 'd', which y_true has"),
    (EC, (series(TRUTH), NAMED, series(SAID, "abcc")), {}, "y_b has trial 'c' twice"),
    (EC, (series(TRUTH, "abbc"), NAMED, NAMED), {}, "y_true has trial 'b' twice"),
    (EC, (np.array(TRUTH), NAMED, NAMED[::-1]), {}, "y_b has its trials in another order than y_a, and y_true has no"),
    (EC, (series(TRUTH), NAMED, NAMED[:3]), {}, "y_b has no trial 'd'"),
    (INTERVAL, (series(TRUTH), NAMED, series(SAID, "wxyz")), {}, "y_b has no trial 'a'"),
    (DIFFERENCE, (TRUTH, NAMED, NAMED, NAMED[::-1]), {}, "y_c has its trials in another order than y_a"),
    (SOC, (pd.DataFrame(GOOD), pd.DataFrame(GOOD, index=[1, 2])), {}, "p_b has no trial 0"),
    (SOC, (pd.DataFrame(GOOD), pd.DataFrame(GOOD, columns=["cat", "dog"])), {}, "p_b has no class 0"),
    (SOCE, (["cat", "cow"], *2 * [pd.DataFrame(GOOD, columns=["cat", "dog"])]), {}, "y_true holds 'cow' at trial 1"),
    (SOCE, ([0, 1], *2 * [pd.DataFrame(GOOD, columns=["cat", "dog"])]), {}, "y_true holds 0 at trial 0"),
    # Labels.
    (EC, (WORDS, SAID, SAID), {}, r"y_true holds text \('cat'\), y_a numbers"),
    (EC, (WORDS, WORDS, [*WORDS[:3], 3]), {}, "numbers: write all classes in one of the two ways"),
    (EC, (WORDS, ["Cat", "dog", "fox", "cat"], WORDS), {}, "hold both 'Cat' and 'cat': write each class in one way"),
    (EC, (WORDS, WORDS, ["n01", "n02", "n03", "n01"]), {}, "y_b never answers with a class that is ever true"),
    (EC, (["cat", None, "fox", "cat"], WORDS, WORDS), {}, "y_true holds no class at trial 1"),
    (EC, (TRUTH, SAID, [True, False, True, True]), {}, "y_b holds bool"),
    (EC, (TRUTH, SAID, [0, 1, None, 2]), {}, "y_b holds no class at trial 2; write -1"),
    (EC, (TRUTH, SAID, [0, 1, np.nan, 2]), {}, "y_b holds NaN .first at trial 2.; write -1"),
    (EC, (TRUTH, SAID, pd.array([0, 1, None, 2], dtype="Int64")), {}, "y_b holds .*trial 2.*write -1"),
    (EC, (TRUTH, SAID, np.ma.array(SAID, mask=[0, 0, 1, 0])), {}, "y_b is masked at 2"),
    (EC, (TRUTH, SAID, [0, 1, 0.5, 2]), {}, "y_b holds 0.5"),
    (EC, (TRUTH, SAID, [0, 1, -3, 2]), {}, "y_b holds the label -3"),
    (EC, ([-1, 0, 1, 2], SAID, SAID), {}, "y_true holds the label -1"),
    (EC, (TRUTH, SAID, [[0], [1, 2]]), {}, "y_b is no array"),
    (EC, (TRUTH, SAID, SAID[:3]), {}, "y_b has 3 answers, y_true has 4"),
    (EC, (TRUTH, SAID, [b"a", b"b", b"c", b"d"]), {}, "y_b holds b'a'; expected a class"),
    (EC, (TRUTH, SAID, np.array(["2020-01-01"] * 4, "M8[D]")), {}, "y_b holds datetime64"),
    (EC, ([], [], []), {}, "y_true is empty"),
    (CLES, (TRUTH, SAID, [0, 10**6, 1, 1]), {}, "the largest label is 1000000, .* expected at most"),
    (CLES, (TRUTH, SAID, SAID), {"n_classes": 2}, "y_true holds the label 2, but n_classes is 2"),
    (CLES, (WORDS, WORDS, WORDS), {"n_classes": 2}, "hold 3 classes, but n_classes is 2"),
    (CLES, (TRUTH, SAID, SAID), {"n_classes": 0}, "n_classes is 0"),
    (CLES, (TRUTH, SAID, SAID), {"n_classes": 3.5}, "n_classes is 3.5"),
    (CLES, (TRUTH, SAID, SAID), {"alpha": 0}, "alpha is 0"),
    (CLES, (TRUTH, SAID, SAID), {"alpha": np.inf}, "alpha is inf"),
    (CLES, (TRUTH, SAID, SAID), {"alpha": "half"}, "alpha is 'half'"),
    (CLES, (TRUTH, SAID, SAID), {"variant": "releases"}, "variant is 'releases'.*did you mean 'released'"),
    # Confidences.
    (SOC, ([[50.0, 50.0], [25.0, 75.0]], GOOD), {}, "p_a .* trial 0: it sums to 100.* percentages: divide by 100"),
    (SOC, (GOOD, np.log(GOOD)), {}, "p_b .* log probabilities: take np.exp"),
    (SOC, (GOOD, [[3.0, -1.0], [0.5, 0.5]]), {}, "p_b .* trial 0, which holds -1; apply a softmax if"),
    (
        SOC,
        (GOOD, [[3.0, 1.0], [0.5, 0.5]]),
        {},
        "p_b .* trial 0: it sums to 4.* softmax if .* or divide counts",
    ),
    (SOC, (GOOD, [[0.9, 0.8], [0.5, 0.5]]), {}, "p_b .* trial 0: it sums to 1.7.*softmax is not the remedy"),
    (SOC, (GOOD, [[np.nan, 1.0], [0.5, 0.5]]), {}, "p_b holds NaN or infinite values at trial 0"),
    (SOC, (GOOD, np.ma.array(GOOD, mask=[[0, 0], [0, 1]])), {}, r"p_b is masked at \(1, 1\)"),
    (SOC, (GOOD, [["a", "b"], ["c", "d"]]), {}, "p_b is no array of numbers"),
    (SOCE, ([0, 2], GOOD, GOOD), {}, "y_true holds the label 2, but n_classes is 2"),
    # Counts.
    (behaviour.error_consistency_from_counts, ([[1, -1], [0, 0]],), {}, "table holds values that are not counts"),
    (behaviour.error_consistency_from_counts, ([[1, 2, 3]] * 3,), {}, "table is 3 x 3; expected 2 x 2"),
    (erralign.p_value, ([[0, 0], [0, 0]],), {}, "table is empty"),
    (erralign.p_value, (pd.DataFrame(TABLE, index=["no", "yes"]),), {}, "table has rows and columns .*expected False"),
    (erralign.resampling.error_consistency_limits, ([[0, 0], [0, 0]],), {}, "table is empty"),
    (
        behaviour.misclassification_agreement_from_counts,
        (pd.DataFrame(TABLE, index=["cat", "dog"], columns=["cat", "fox"]),),
        {},
        "agreement has no row 'fox'",
    ),
    # How many, how wide, from which seed.
    (INTERVAL, (TRUTH, SAID, SAID), {"n_resamples": 0}, "n_resamples is 0; expected a whole number from 20 up"),
    (INTERVAL, (TRUTH, SAID, SAID), {"n_resamples": 1}, "n_resamples is 1"),
    (INTERVAL, (TRUTH, SAID, SAID), {"n_resamples": 99.5}, "n_resamples is 99.5"),
    (INTERVAL, (TRUTH, SAID, SAID), {"n_resamples": "many"}, "n_resamples is 'many'"),
    (INTERVAL, (TRUTH, SAID, SAID), {"level": 95}, "level is 95"),
    (INTERVAL, (TRUTH, SAID, SAID), {"level": "95"}, "level is '95'"),
    (INTERVAL, (TRUTH, SAID, SAID), {"rng": "seed"}, "rng is 'seed'"),
    (INTERVAL, (TRUTH, SAID, SAID), {"rng": -1}, "rng is -1"),
    (INTERVAL, (TRUTH, SAID, SAID), {"rng": None}, "rng is None"),
    (DIFFERENCE, (TRUTH, SAID, SAID, SAID), {"n_resamples": 0}, "n_resamples is 0"),
    (erralign.pairwise_intervals, (PICTURES,), {"n_resamples": 0}, "n_resamples is 0"),
    (erralign.pairwise_differences, (PICTURES, "A"), {"n_resamples": 0}, "n_resamples is 0"),
    (erralign.accuracy_intervals, (PICTURES,), {"level": 1}, "level is 1"),
    (erralign.p_value, (TABLE,), {"method": "simulated", "n_samples": -1}, "n_samples is -1"),
    (nulls.misclassification_agreement_test, (TRUTH, SAID, SAID), {"n_permutations": -1}, "n_permutations is -1"),
    (nulls.common_habits_test, (TRUTH, SAID, SAID), {"n_permutations": 0}, "n_permutations is 0"),
    (nulls.error_distribution_test, (TRUTH, SAID, SAID), {"n_permutations": -1}, "n_permutations is -1"),
    (nulls.mantel_test, (LINE, LINE), {"n_permutations": -1}, "n_permutations is -1"),
    (nulls.mantel_test, (LINE, LOPSIDED), {}, r"matrix_b is not symmetric: 2 at \(0, 1\), 1 at \(1, 0\)"),
    (nulls.correlation_interval, (LOPSIDED, LINE), {}, "matrix_a is not symmetric"),
    (nulls.mantel_test, (LINE, LINE[:4]), {}, "matrix_b is .4, 6.; expected a square matrix"),
    (nulls.independent_limits, (0, [0.5]), {}, "n_trials is 0"),
    (nulls.independent_limits, (20, [50]), {}, "accuracies is 50; expected a share"),
    (nulls.textbook_limits, ([0.5], -3), {}, "n_trials is -3"),
    (nulls.holm, ([0.5, 1.5],), {}, "p_values"),
    # Plans.
    (planning.expected_width, (0, 0.3, 0.75, 0.6), {}, "n_trials is 0"),
    (planning.expected_width, (160, 0.0, 1, 0.6), {}, "accuracy_a is 1; .* EC is 0 in every experiment"),
    (erralign.trials_needed, (0, 1, 0.6, 0.1), {}, "accuracy_a is 1"),
    (erralign.trials_needed, (0.3, 75, 0.6, 0.1), {}, "accuracy_a is 75"),
    (erralign.trials_needed, (0.3, 0.75, 0.6, 0), {}, "width is 0"),
    (erralign.trials_needed, (0.99, 0.75, 0.6, 0.1), {}, "ec is 0.99; expected"),
    (erralign.trials_needed, ("a third", 0.75, 0.6, 0.1), {}, "ec is 'a third'"),
    (planning.joint_errors_needed, (0.4, [1, -1, 3], 0.1), {}, "shares is"),
    (planning.joint_errors_needed, (40, [1, 1], 0.1), {}, "agreement is 40"),
    (planning.expected_similarity, (np.ones((3, 3)), np.ones((3, 3)), 0), {}, "n_errors is 0"),
    (planning.simulate_copies, (0, 0.5, 0.8, 0.8), {}, "n_trials is 0"),
    (planning.simulate_copies, (160, 50, 0.8, 0.8), {}, "p_copy is 50"),
    (bounds.overlap_bounds, ([60],), {}, "expected is 60"),
    # Names.
    (erralign.load, ("cue-conflict",), {}, "did you mean 'geirhos2020/cue-conflict' or 'model-vs-human/cue-conflict'"),
    (erralign.load, (3,), {}, "name is 3"),
    (INTERVAL, (TRUTH, SAID, SAID, "error_consistancy"), {}, "did you mean 'error_consistency'"),
    (erralign.pairwise, (PICTURES, ["EC", "AM"]), {}, "'AM'"),
    (erralign.pairwise, (PICTURES.answers,), {}, "responses is of type DataFrame; .*Responses.from_table"),
    (erralign.pairwise_intervals, (PICTURES.answers,), {}, "responses is of type DataFrame; .*Responses.from_table"),
    (erralign.pairwise_p_values, (None,), {}, "responses is of type NoneType"),
    (erralign.accuracy_intervals, ([PICTURES],), {}, "responses is of type list"),
    (erralign.pairwise_differences, (PICTURES, "B"), {}, "reference is 'B'"),
    (PICTURES.table, ("A", "Twyn"), {}, "no system 'Twyn'; .*did you mean 'Twin'"),
    (PICTURES.select, (), {"systems": ["a"]}, "no system 'a'"),
]


@pytest.mark.parametrize(("function", "arguments", "options", "message"), CALLS, ids=lambda each: None)
def test_no_number_without_a_warrant(function, arguments, options, message):
    with pytest.raises((ValueError, TypeError), match=message) as found:
        function(*arguments, **options)
    assert "\n" not in str(found.value)


def test_sixty_calls_are_tried():
    assert len(CALLS) >= 60
