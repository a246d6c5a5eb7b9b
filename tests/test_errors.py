"""What is checked, what the message says, and what passes."""

import numpy as np
import pandas as pd
import pytest

from erralign import DataError, Responses
from erralign.errors import (
    check_answers,
    check_confidences,
    check_counts,
    check_features,
    check_labels,
    check_matrices,
    check_same_length,
    check_table,
    check_width,
)


@pytest.mark.parametrize(
    "labels",
    [
        [0, 2, 1],
        (0, 2, 1),
        np.array([0.0, 2.0, 1.0]),
        np.array([0, 2, 1], dtype=np.uint8),
        pd.Series([0, 2, 1], index=[9, 8, 7]),
    ],
)
def test_whole_numbers_of_any_kind_are_labels(labels):
    array = check_labels("y", labels)
    assert array.dtype == np.int64
    np.testing.assert_array_equal(array, [0, 2, 1])


def test_only_answers_may_time_out():
    np.testing.assert_array_equal(check_labels("y_a", [-1, 0], may_time_out=True), [-1, 0])
    with pytest.raises(ValueError, match=r"y_true holds the label -1; .* only answers may be -1"):
        check_labels("y_true", [-1, 0])
    with pytest.raises(ValueError, match=r"y_a holds the label -2; .* -1 means no answer in time"):
        check_labels("y_a", [-2, 0], may_time_out=True)


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        ([0, 1, 3], ValueError, "y holds the label 3, but n_classes is 3: labels must lie in 0 … 2"),
        ([[0], [1]], ValueError, r"y has shape \(2, 1\); expected one answer per trial"),
        (3, ValueError, r"y has shape \(\)"),
        ([], ValueError, "y is empty: at least one trial is needed"),
        ([0.0, 1.0, np.nan], ValueError, "y holds NaN .first at trial 2.; write -1"),
        ([0.0, 1.25], ValueError, "y holds 1.25; expected integer class ids"),
        ([0.0, np.inf], ValueError, "y holds inf; expected integer class ids"),
        (["cat", "dog"], TypeError, "y holds .*'cat'.*number the classes of truth and all systems together"),
        ([None, 1], TypeError, "y holds object"),
        ([True, False], TypeError, "y holds bool"),
    ],
)
def test_labels_that_are_none(labels, error, message):
    with pytest.raises(error, match=message):
        check_labels("y", labels, n_classes=3)


def test_lengths_name_the_two_that_differ():
    check_same_length(y_true=np.zeros(3), y_a=np.zeros(3))
    with pytest.raises(ValueError, match="y_b has 1279 answers, y_true has 1280: every system must answer every trial"):
        check_same_length(y_true=np.zeros(1280), y_a=np.zeros(1280), y_b=np.zeros(1279))


def test_answers_are_checked_each_by_its_own_rule():
    assert [array.tolist() for array in check_answers([0, 1], [-1, 1], [1, 1])] == [[0, 1], [-1, 1], [1, 1]]
    with pytest.raises(ValueError, match="y_a has 1 answers, y_true has 2"):
        check_answers([0, 1], [1], [1, 1])


def test_counts_of_any_number_type_pass_as_integers():
    counts = check_counts("table", np.array([[1.0, 0.0], [2.0, 5.0]]))
    assert counts.dtype == np.int64
    assert counts.tolist() == [[1, 0], [2, 5]]


@pytest.mark.parametrize(
    ("counts", "error", "message"),
    [
        (np.ones((2, 3)), ValueError, r"table has shape \(2, 3\); expected a square matrix of counts"),
        (np.ones(4), ValueError, r"table has shape \(4,\)"),
        (np.ones((0, 0)), ValueError, r"table has shape \(0, 0\)"),
        (np.ones((3, 3)), ValueError, "table is 3 x 3; expected 2 x 2"),
        ([[1, -1], [0, 0]], ValueError, "table holds values that are not counts"),
        ([[1, 0.5], [0, 0]], ValueError, "table holds values that are not counts"),
        ([[1, np.inf], [0, 0]], ValueError, "table holds values that are not counts"),
        ([["1", "2"], ["3", "4"]], TypeError, "table holds object; expected counts"),
    ],
)
def test_counts_that_are_none(counts, error, message):
    with pytest.raises(error, match=message):
        check_counts("table", counts, size=2)


def test_a_table_holds_trials():
    assert check_table([[0, 0], [0, 1]]).tolist() == [[0, 0], [0, 1]]
    with pytest.raises(ValueError, match="table is empty: at least one trial is needed"):
        check_table(np.zeros((2, 2)))


@pytest.mark.parametrize("width", [0, -0.1, 2, np.nan])
def test_widths_that_no_interval_has(width):
    check_width(1.9, 2)
    with pytest.raises(ValueError, match=r"width is .*; expected a number above 0 and below 2, such as 0.1"):
        check_width(width, 2)


@pytest.mark.parametrize("shape", [(3, 2), (4, 4)])
def test_matrices_are_square_and_of_one_size(shape):
    check_matrices(np.ones((3, 3)), np.eye(3))
    with pytest.raises(ValueError, match=r"matrix_b is .*expected a square|matrix_a is \(3, 3\), matrix_b \(4, 4\)"):
        check_matrices(np.ones((3, 3)), np.ones(shape))


def test_confidences_in_single_precision_pass():
    softmax = np.random.default_rng(0).dirichlet(np.ones(1000), size=20).astype(np.float32)
    assert check_confidences("p", softmax * np.float32(1 + 5e-6)).dtype == np.float64


@pytest.mark.parametrize(
    ("confidences", "message"),
    [
        (
            [[0.5, 0.5], [0.5, 0.60123]],
            "p is not a probability distribution at trial 1: it sums to 1.10123, expected 1",
        ),
        ([[1.5, -0.5]], "p .* at trial 0, which holds -0.5; apply a softmax if"),
        ([[np.nan, 1]], "p holds NaN or infinite values at trial 0"),
        ([0.5, 0.5], r"p has shape \(2,\); expected one row per trial"),
        ([[]], r"p has shape \(1, 0\)"),
        ([[np.inf, 0.0]], "p holds NaN or infinite values at trial 0"),
    ],
)
def test_confidences_that_are_none(confidences, message):
    with pytest.raises(ValueError, match=message):
        check_confidences("p", confidences)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ([1.0, 2.0], r"X has shape \(2,\); expected one row per trial"),
        ([[1.0, np.nan]], "X holds NaN or infinite values"),
        ([[1.0, -np.inf]], "X holds NaN or infinite values"),
    ],
)
def test_features_that_are_none(features, message):
    with pytest.raises(ValueError, match=message):
        check_features("X", features)


def test_data_error_is_not_wrong_use():
    assert not issubclass(DataError, (ValueError, TypeError))


def parts(**changes):
    systems = pd.DataFrame({"kind": ["human", "model"], "family": "", "source": ""}, index=["ann", "net"])
    answers = pd.DataFrame({"ann": [0, -1, 0], "net": [1, 1, 0]})
    return {
        "name": "mine",
        "truth": pd.Series([0, 1, 1]),
        "answers": answers,
        "classes": ("cat", "dog"),
        "systems": systems,
    } | changes


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"truth": pd.Series([0, 1, 2])}, ValueError, "truth of mine holds the label 2, but n_classes is 2"),
        ({"truth": pd.Series([0, 1])}, ValueError, "mine: answers and truth have different trials"),
        ({"truth": pd.Series([0, 1, 1], index=[2, 1, 0])}, ValueError, "mine: answers and truth have different trials"),
        ({"answers": pd.DataFrame({"ann": [0, 1, 0], "net": [1, 5, 0]})}, ValueError, "mine, net holds the label 5"),
        ({"answers": pd.DataFrame({"ann": [0, 1, 0], "net": [1, np.nan, 0]})}, ValueError, "mine, net holds NaN"),
        ({"answers": pd.DataFrame({"ann": [0, 1, 0], "net": ["a", "b", "a"]})}, TypeError, "mine, net holds"),
        ({"systems": parts()["systems"][::-1]}, ValueError, "systems and answers hold the same systems in two orders"),
        (
            {"systems": parts()["systems"].replace("human", "people")},
            ValueError,
            "mine: kind of ann is 'people'; expected",
        ),
    ],
)
def test_responses_that_are_none(changes, error, message):
    Responses(**parts())
    with pytest.raises(error, match=message):
        Responses(**parts(**changes))
