"""EC, MA and CLES of two systems: textbook forms, undefined cases."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from builders import mixed_systems
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
from erralign.measures.class_level_error_similarity import CLES_VARIANTS

MEASURES = (error_consistency, misclassification_agreement, class_level_error_similarity)


def random_answers(seed, **how):
    made = mixed_systems(seed, 2, 400, **how)
    return made.truth.to_numpy(), *made.answers.to_numpy().T


@pytest.mark.parametrize("time_outs", [0.0, 0.2])
def test_labels_counts_textbook_and_scikit_learn_agree(time_outs):
    for seed in range(5):
        truth, a, b = random_answers(seed, time_outs=time_outs)
        joint = (a != truth) & (b != truth) & (np.minimum(a, b) >= 0)  # scikit-learn leaves out -1 where labels do
        right = confusion_matrix(a == truth, b == truth, labels=[False, True])
        agreement = confusion_matrix(a[joint], b[joint], labels=range(6))
        matrices = [confusion_matrix(truth, answers, labels=range(7)) for answers in (a, b)]
        ec, ma = error_consistency(truth, a, b), misclassification_agreement(truth, a, b)
        kappas = cohen_kappa_score(a == truth, b == truth), cohen_kappa_score(a[joint], b[joint])
        of_ec = textbook_ec(truth, a, b), kappas[0], error_consistency_from_counts(right)
        of_ma = textbook_ma(truth, a, b), kappas[1], misclassification_agreement_from_counts(agreement)
        np.testing.assert_allclose([of_ec, of_ma], [[ec] * 3, [ma] * 3], rtol=0, atol=1e-12)
        for variant, alpha in product(CLES_VARIANTS, (0.5, 0.01, 3.0)):
            form = {"alpha": alpha, "variant": variant}
            cles = class_level_error_similarity(truth, a, b, n_classes=7, **form)
            from_counts = class_level_error_similarity_from_counts(*matrices, **form)
            assert cles == pytest.approx(textbook_cles(truth, a, b, 7, alpha, variant), abs=1e-12)
            assert cles == pytest.approx(from_counts, abs=1e-12)


@pytest.mark.parametrize("kind", [list, pd.Series, np.int8, np.uint8, float, object, "Int64"])
def test_whole_numbers_of_any_kind_are_labels(kind):
    """With 90 classes of small integers, whose counts must not overflow; unsigned ones have no -1."""
    data = random_answers(0, n_classes=90, time_outs=0 if kind is np.uint8 else 0.1)
    cast = [kind(labels) if kind in (list, pd.Series) else pd.Series(labels).astype(kind).array for labels in data]
    for measure in MEASURES:
        assert measure(*cast) == measure(*data)


def test_products_of_counts_may_leave_the_range_of_int64():
    table = np.array([[3, 1], [0, 3]]) * 10**9
    assert error_consistency_from_counts(table) == pytest.approx(0.72, abs=1e-12)  # 2 * 9 / (3 * 3 + 4 * 4)
    assert misclassification_agreement_from_counts(table) == pytest.approx(0.72, abs=1e-12)


# Undefined cases: (number of classes, truth, A, B, the EC and MA that are expected, is CLES defined)

UNDEFINED = {
    "all joint errors one class": (3, [0, 0, 1, 1], [2, 2, 1, 1], [2, 2, 1, 1], 1, None, True),
    "joint errors in one class of A, two of B": (3, [0, 0, 1, 1], [2, 2, 1, 1], [2, 1, 1, 1], 1, 0, True),
    "one class only": (1, [0, 0], [0, 0], [0, 0], None, None, False),
    "one class only, a time-out": (1, [0, 0], [0, -1], [0, 0], 0, None, False),
    "one true class of three": (3, [0, 0, 0], [1, 2, 0], [1, 1, 0], 1, 0, True),
    "one always times out": (3, [0, 1, 2], [-1, -1, -1], [0, 1, 1], 0, None, True),
    "both always time out": (3, [0, 1, 2], [-1, -1, -1], [-1, -1, -1], None, None, False),
    "both time out together": (3, [0, 1, 2], [0, -1, 2], [0, -1, 2], 1, None, False),
}


def test_undefined_cases_follow_the_documented_rule():
    for case, (n_classes, truth, a, b, ec, ma, cles_is_defined) in UNDEFINED.items():
        for replacement in (np.nan, 7.0):
            expected = [replacement if value is None else value for value in (ec, ma)]
            ours = [f(truth, a, b, replace_undefined_by=replacement) for f in MEASURES[:2]]
            np.testing.assert_allclose(ours, expected, atol=1e-12, err_msg=case)
            for variant in CLES_VARIANTS:
                options = {"n_classes": n_classes, "variant": variant, "replace_undefined_by": replacement}
                cles = class_level_error_similarity(truth, a, b, **options)
                assert (0 < cles <= 1) if cles_is_defined else np.array_equal(cles, replacement, equal_nan=True), case
