"""EC, MA and CLES of two systems: textbook forms, properties, undefined cases, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix
from textbook import textbook_cles, textbook_ec, textbook_ma

from erralign.behaviour import (
    class_level_error_similarity,
    class_level_error_similarity_from_counts,
    error_consistency,
    error_consistency_from_counts,
    misclassification_agreement,
    misclassification_agreement_from_counts,
)
from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.behaviour.consistency import kappa

MEASURES = (error_consistency, misclassification_agreement, class_level_error_similarity)


def random_answers(seed, n_trials=400, n_classes=6, time_outs=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n_trials)
    answers = np.where(rng.random((2, n_trials)) < 0.6, truth, rng.integers(n_classes, size=(2, n_trials)))
    answers[rng.random((2, n_trials)) < time_outs] = -1
    return truth, *answers


@pytest.mark.parametrize("time_outs", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_measures_equal_their_textbook_forms(seed, time_outs):
    truth, a, b = random_answers(seed, time_outs=time_outs)
    assert error_consistency(truth, a, b) == pytest.approx(textbook_ec(truth, a, b), abs=1e-12)
    assert misclassification_agreement(truth, a, b) == pytest.approx(textbook_ma(truth, a, b), abs=1e-12)
    for variant in CLES_VARIANTS:
        for alpha in (0.5, 0.01, 3.0):
            ours = class_level_error_similarity(truth, a, b, n_classes=7, alpha=alpha, variant=variant)
            assert ours == pytest.approx(textbook_cles(truth, a, b, 7, alpha, variant), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_ec_and_ma_equal_scikit_learn(seed):
    truth, a, b = random_answers(seed)
    joint = (a != truth) & (b != truth)
    assert error_consistency(truth, a, b) == pytest.approx(cohen_kappa_score(a == truth, b == truth), abs=1e-12)
    assert misclassification_agreement(truth, a, b) == pytest.approx(cohen_kappa_score(a[joint], b[joint]), abs=1e-12)


@pytest.mark.parametrize("variant", CLES_VARIANTS)
@pytest.mark.parametrize("time_outs", [0.0, 0.2])
def test_labels_and_counts_agree(variant, time_outs):
    truth, a, b = random_answers(7, time_outs=time_outs)
    right = confusion_matrix(a == truth, b == truth, labels=[False, True])
    joint = (a != truth) & (b != truth)
    agreement = confusion_matrix(a[joint], b[joint], labels=range(6))  # labels leave -1 out
    matrices = [confusion_matrix(truth, answers, labels=range(6)) for answers in (a, b)]
    assert error_consistency(truth, a, b) == pytest.approx(error_consistency_from_counts(right), abs=1e-12)
    assert misclassification_agreement(truth, a, b) == pytest.approx(
        misclassification_agreement_from_counts(agreement), abs=1e-12
    )
    assert class_level_error_similarity(truth, a, b, n_classes=6, variant=variant) == pytest.approx(
        class_level_error_similarity_from_counts(*matrices, variant=variant), abs=1e-12
    )


def test_cles_needs_no_equal_trials_and_ignores_the_diagonal():
    a, b = np.array([[9, 1, 0], [0, 9, 1], [0, 0, 10]]), np.array([[5, 0, 5], [0, 9, 1], [0, 0, 10]])
    value = class_level_error_similarity_from_counts(a, b)
    assert class_level_error_similarity_from_counts(a + np.diag([5, 50, 500]), b) == value


def test_number_of_classes_is_part_of_cles():
    truth, a, b = random_answers(1)
    largest = class_level_error_similarity(truth, a, b)
    assert largest == class_level_error_similarity(truth, a, b, n_classes=6)
    assert largest != class_level_error_similarity(truth, a, b, n_classes=16)


def test_released_cles_of_a_system_with_itself_is_below_one_and_printed_is_one():
    truth, a, _ = random_answers(2)
    assert class_level_error_similarity(truth, a, a) < 1
    assert class_level_error_similarity(truth, a, a, variant="printed") == pytest.approx(1, abs=1e-15)


def test_released_cles_is_one_for_errors_spread_evenly_and_for_two_classes():
    even = [[0, 3, 3], [4, 0, 4], [0, 0, 0]]
    assert class_level_error_similarity_from_counts(even, even) == pytest.approx(1, abs=1e-15)
    assert class_level_error_similarity_from_counts([[0, 3], [4, 0]], [[0, 9], [1, 0]]) == 1


def test_products_of_counts_may_leave_the_range_of_int64():
    table = np.array([[3, 1], [0, 3]]) * 10**9
    assert error_consistency_from_counts(table) == pytest.approx(0.72, abs=1e-12)  # 2 * 9 / (3 * 3 + 4 * 4)
    assert misclassification_agreement_from_counts(table) == pytest.approx(0.72, abs=1e-12)


# Properties, on small profiles: up to 30 trials of up to 5 classes, time-outs among them.


@st.composite
def profiles(draw):
    n_classes = draw(st.integers(1, 5))
    trial = st.tuples(st.integers(0, n_classes - 1), st.integers(-1, n_classes - 1), st.integers(-1, n_classes - 1))
    truth, a, b = np.array(draw(st.lists(trial, min_size=1, max_size=30))).T
    return n_classes, truth, a, b


def all_values(n_classes, truth, a, b):
    cles = [class_level_error_similarity(truth, a, b, n_classes=n_classes, variant=form) for form in CLES_VARIANTS]
    return np.array([error_consistency(truth, a, b), misclassification_agreement(truth, a, b), *cles])


@settings(max_examples=50, deadline=None)
@given(profiles())
def test_symmetric_in_the_two_systems(profile):
    n_classes, truth, a, b = profile
    np.testing.assert_allclose(all_values(n_classes, truth, a, b), all_values(n_classes, truth, b, a), atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(profiles(), st.randoms(use_true_random=False))
def test_order_of_trials_does_not_matter(profile, random):
    n_classes, truth, a, b = profile
    order = random.sample(range(len(truth)), len(truth))
    shuffled = all_values(n_classes, truth[order], a[order], b[order])
    np.testing.assert_array_equal(all_values(n_classes, truth, a, b), shuffled)


@settings(max_examples=50, deadline=None)
@given(profiles(), st.randoms(use_true_random=False))
def test_names_of_classes_do_not_matter(profile, random):
    n_classes, truth, a, b = profile
    names = np.array([*random.sample(range(n_classes), n_classes), -1])  # the last is taken by -1, which keeps its name
    renamed = all_values(n_classes, names[truth], names[a], names[b])
    np.testing.assert_allclose(all_values(n_classes, truth, a, b), renamed, atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(profiles())
def test_values_lie_in_their_documented_range(profile):
    ec, ma, *cles = all_values(*profile)
    assert np.isnan(ec) or -1 <= ec <= 1
    assert np.isnan(ma) or -1 <= ma <= 1
    assert all(np.isnan(value) or 0 < value <= 1 + 1e-15 for value in cles)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any))
def test_right_and_wrong_may_change_places(cells):
    table = np.array(cells).reshape(2, 2)
    value, both, one = (error_consistency_from_counts(t) for t in (table, table[::-1, ::-1], table[::-1]))
    np.testing.assert_allclose(value, both)
    if not np.isnan([value, one]).any():
        assert np.sign(value) == -np.sign(one)


def test_extremes():
    truth, a = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])
    assert error_consistency(truth, a, a) == 1
    assert error_consistency(truth, a, [1, 0, 0, 1]) == -1
    assert misclassification_agreement([0, 0, 0], [1, 2, 2], [1, 2, 2]) == 1
    assert misclassification_agreement([0, 0], [1, 2], [2, 1]) == -1


# Undefined cases: (number of classes, truth, A, B, the EC and MA that are expected, is CLES defined)

UNDEFINED = {
    "no joint error": (3, [0, 1, 2], [1, 1, 2], [0, 1, 0], -0.5, None, True),
    "all joint errors one class": (3, [0, 0, 1, 1], [2, 2, 1, 1], [2, 2, 1, 1], 1, None, True),
    "joint errors in one class of A, two of B": (3, [0, 0, 1, 1], [2, 2, 1, 1], [2, 1, 1, 1], 1, 0, True),
    "one system perfect": (3, [0, 1, 2], [0, 1, 2], [0, 1, 0], 0, None, True),
    "both perfect": (3, [0, 1, 2], [0, 1, 2], [0, 1, 2], None, None, False),
    "one class only": (1, [0, 0], [0, 0], [0, 0], None, None, False),
    "one class only, a time-out": (1, [0, 0], [0, -1], [0, 0], 0, None, False),
    "one true class of three": (3, [0, 0, 0], [1, 2, 0], [1, 1, 0], 1, 0, True),
    "one always times out": (3, [0, 1, 2], [-1, -1, -1], [0, 1, 1], 0, None, True),
    "both always time out": (3, [0, 1, 2], [-1, -1, -1], [-1, -1, -1], None, None, False),
    "both time out together": (3, [0, 1, 2], [0, -1, 2], [0, -1, 2], 1, None, False),
    "both wrong everywhere": (3, [0, 1, 2], [1, 2, 0], [1, 2, 1], None, 0.5, True),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined_cases_follow_the_documented_rule(case):
    n_classes, truth, a, b, ec, ma, cles_is_defined = UNDEFINED[case]
    for replacement in (np.nan, 7.0):
        expected = [replacement if value is None else value for value in (ec, ma)]
        ours = [f(truth, a, b, replace_undefined_by=replacement) for f in MEASURES[:2]]
        np.testing.assert_allclose(ours, expected, atol=1e-12)
        for variant in CLES_VARIANTS:
            cles = class_level_error_similarity(
                truth, a, b, n_classes=n_classes, variant=variant, replace_undefined_by=replacement
            )
            assert (0 < cles <= 1) if cles_is_defined else np.array_equal(cles, replacement, equal_nan=True)


def test_undefined_counts():
    assert np.isnan(error_consistency_from_counts([[0, 0], [0, 9]]))
    assert error_consistency_from_counts([[9, 0], [0, 0]], replace_undefined_by=1) == 1
    assert np.isnan(misclassification_agreement_from_counts(np.zeros((3, 3))))
    assert misclassification_agreement_from_counts(np.diag([0, 4, 0]), replace_undefined_by=1) == 1
    assert np.isnan(class_level_error_similarity_from_counts(np.diag([3, 4]), np.diag([1, 1])))


# Bad input: the error's type, and a message that names the thing.

BAD_ANSWERS = {
    "unequal lengths": (([0, 1, 1], [0, 1, 1], [0, 1]), ValueError, "y_b has 2 answers, y_true has 3"),
    "label below -1": (([0, 1], [0, -2], [0, 1]), ValueError, "y_a holds the label -2"),
    "true label -1": (([0, -1], [0, 1], [0, 1]), ValueError, "y_true holds the label -1"),
    "NaN": (([0, 1], [0, 1], [0, np.nan]), ValueError, "y_b holds NaN .first at trial 1"),
    "fraction": (([0, 1], [0, 0.5], [0, 1]), ValueError, "y_a holds 0.5"),
    "text": ((["cat", "dog"], [0, 1], [0, 1]), TypeError, r"y_true holds text \('(cat|dog)'\), y_a numbers"),
    "empty": (([], [], []), ValueError, "y_true is empty"),
    "a table": (([[0, 1]], [0, 1], [0, 1]), ValueError, r"y_true has shape \(1, 2\)"),
}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("case", BAD_ANSWERS)
def test_bad_answers_are_named(measure, case):
    arguments, error, message = BAD_ANSWERS[case]
    with pytest.raises(error, match=message):
        measure(*arguments)


BAD_COUNTS = {
    "not square": (np.ones((2, 3)), ValueError, r"shape \(2, 3\); expected a square matrix"),
    "a row": ([1, 2], ValueError, r"shape \(2,\); expected a square matrix"),
    "negative": ([[1, -1], [0, 2]], ValueError, "not counts"),
    "NaN": ([[1, np.nan], [0, 2]], ValueError, "not counts"),
    "shares": ([[0.5, 0.25], [0, 0.25]], ValueError, "not counts"),
    "text": ([["a", "b"], ["c", "d"]], TypeError, "expected counts"),
}


@pytest.mark.parametrize("case", BAD_COUNTS)
def test_bad_counts_are_named(case):
    counts, error, message = BAD_COUNTS[case]
    with pytest.raises(error, match="table .*" + message):
        error_consistency_from_counts(counts)
    with pytest.raises(error, match="agreement .*" + message):
        misclassification_agreement_from_counts(counts)
    with pytest.raises(error, match="errors_b .*" + message):
        class_level_error_similarity_from_counts(np.ones((2, 2)), counts)


def test_sizes_of_tables_are_checked():
    with pytest.raises(ValueError, match="table is 3 x 3; expected 2 x 2"):
        error_consistency_from_counts(np.ones((3, 3)))
    with pytest.raises(ValueError, match="table is empty"):
        error_consistency_from_counts(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="errors_b is 2 x 2; expected 3 x 3"):
        class_level_error_similarity_from_counts(np.ones((3, 3)), np.ones((2, 2)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "revised"}, "variant is 'revised'; expected one of released, printed"),
        ({"alpha": 0}, "alpha is 0"),
        ({"alpha": -1.0}, "alpha is -1.0"),
        ({"alpha": np.nan}, "alpha is nan"),
        ({"n_classes": 2}, "y_true holds the label 2, but n_classes is 2"),
    ],
)
def test_bad_options_of_cles_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        class_level_error_similarity([0, 1, 2], [0, 0, 0], [0, 1, 1], **options)


def test_kappa_of_lists_and_whole_numbers():
    tables = np.random.default_rng(0).integers(0, 5, size=(30, 2, 2))
    tables[0] = [[0, 0], [0, 5]]
    one_by_one = [error_consistency_from_counts(table) for table in tables if table.any()]
    cells = tables[tables.any(axis=(1, 2))].reshape(-1, 4).T
    assert kappa(*cells.tolist()) == pytest.approx(one_by_one, abs=1e-15, nan_ok=True)
    assert kappa(*cells).dtype == np.float64
    assert kappa(*cells.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("measure", MEASURES)
def test_short_integers_do_not_overflow(measure):
    truth, a, b = random_answers(0, n_classes=90)
    assert measure(*(labels.astype(np.int8) for labels in (truth, a, b))) == measure(truth, a, b)
