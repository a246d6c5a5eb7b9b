"""All pairs at once: the same values as pair by pair, as scikit-learn and as the authors' matrices."""

import warnings
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from builders import make_responses, mixed_systems
from sklearn.metrics import cohen_kappa_score
from test_behaviour import UNDEFINED
from textbook import textbook_cles, textbook_ec, textbook_ma

import erralign
from erralign import pairwise
from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.measures import MEASURES_OF_ERRORS
from erralign.pairs import answers as shared
from erralign.pairs import class_level_error_similarity as cles
from erralign.sources import xu2024

EC, MA, CLES = MEASURES_OF_ERRORS
DATA_SETS = tuple(xu2024.data_sets().index)


def one_by_one(responses, variant="released", **options):
    truth, n_classes = responses.truth.to_numpy(), len(responses.classes)
    answers = [
        (responses.answers[a].to_numpy(), responses.answers[b].to_numpy())
        for a, b in combinations(responses.answers, 2)
    ]
    return pd.DataFrame(
        {
            EC: [erralign.error_consistency(truth, a, b, **options) for a, b in answers],
            MA: [erralign.misclassification_agreement(truth, a, b, **options) for a, b in answers],
            CLES: [
                erralign.class_level_error_similarity(truth, a, b, n_classes=n_classes, variant=variant, **options)
                for a, b in answers
            ],
        }
    )


def assert_equals_one_by_one(responses, measures=(EC, MA, CLES), **options):
    together, alone = (
        table[list(measures)] for table in (pairwise(responses, measures, **options), one_by_one(responses, **options))
    )
    np.testing.assert_allclose(together, alone, rtol=0, atol=1e-12)


@pytest.mark.parametrize("variant", CLES_VARIANTS)
@pytest.mark.parametrize("time_outs", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(3))
def test_all_pairs_equal_pair_by_pair(seed, time_outs, variant):
    assert_equals_one_by_one(mixed_systems(seed, time_outs=time_outs), variant=variant)


# Sizes at which a type changes: cells of error matrices need 8, 16 or 32 bits; words of bits hold 64 trials.
@pytest.mark.parametrize("n_classes", [1, 2, 15, 16, 17, 255, 256, 257])
def test_numbers_of_classes(n_classes):
    assert_equals_one_by_one(mixed_systems(0, n_systems=4, n_classes=n_classes, time_outs=0.1))


@pytest.mark.parametrize("n_trials", [1, 7, 8, 9, 63, 64, 65, 129])
def test_numbers_of_trials(n_trials):
    assert_equals_one_by_one(mixed_systems(1, n_trials=n_trials, n_classes=3, time_outs=0.1))


@pytest.mark.parametrize("n_classes", [2**15 - 1, 2**15, 40_000])
def test_more_classes_than_short_integers_hold(n_classes):
    few = mixed_systems(2, n_systems=4, n_classes=6, time_outs=0.1)
    truth, answers = (
        labels + (n_classes - 6) * (labels >= 0) for labels in (few.truth.to_numpy(), few.answers.to_numpy().T)
    )
    together = pairwise(make_responses(truth, answers.T, n_classes), [EC, MA])
    for row, (a, b) in enumerate(combinations(answers, 2)):
        assert together[EC][row] == pytest.approx(textbook_ec(truth, a, b), abs=1e-12)
        assert together[MA][row] == pytest.approx(textbook_ma(truth, a, b), abs=1e-12)


@pytest.mark.parametrize("n_systems", [2, 3, 8, 9, 17])
@pytest.mark.parametrize(
    ("block", "words", "cells"), [(1, 1, 1), (2, 1, 200), (3, 60, 100), (64, 1, 400), (5, 10**9, 10**9)]
)
def test_borders_of_blocks_do_not_show(monkeypatch, n_systems, block, words, cells):
    responses = mixed_systems(3, n_systems=n_systems, n_trials=80, time_outs=0.1)
    whole = {variant: pairwise(responses, variant=variant) for variant in CLES_VARIANTS}
    monkeypatch.setattr(shared, "BLOCK", block)
    monkeypatch.setattr(shared, "WORDS", words)
    monkeypatch.setattr(cles, "CELLS", cells)
    for variant in CLES_VARIANTS:
        pd.testing.assert_frame_equal(pairwise(responses, variant=variant), whole[variant], rtol=0, atol=1e-13)
        assert_equals_one_by_one(responses, variant=variant)


@pytest.mark.parametrize("case", UNDEFINED)
@pytest.mark.parametrize("variant", CLES_VARIANTS)
def test_undefined_cases_follow_the_documented_rule(case, variant):
    n_classes, truth, a, b, ec, ma, cles_is_defined = UNDEFINED[case]
    responses = make_responses(truth, {"a": a, "b": b}, n_classes)
    undefined = pairwise(responses, variant=variant)[[EC, MA, CLES]].isna().iloc[0]
    assert undefined.tolist() == [ec is None, ma is None, not cles_is_defined]
    assert_equals_one_by_one(responses, variant=variant)
    assert_equals_one_by_one(responses, variant=variant, replace_undefined_by=7.0)
    assert (pairwise(responses, replace_undefined_by=7.0)[[EC, MA, CLES]].iloc[0] == 7).tolist() == undefined.tolist()


def test_perfect_and_silent_systems_among_others():
    responses = mixed_systems(4, n_systems=6, n_trials=50)
    answers = responses.answers.to_numpy().T.copy()
    answers[0], answers[2], answers[5] = responses.truth, -1, responses.truth
    assert_equals_one_by_one(make_responses(responses.truth, answers.T, 6))


def test_the_table_describes_each_pair():
    truth = [0, 0, 1, 1]
    answers = [[0, 0, 1, 1], [0, 1, 1, -1], [1, 1, 1, 0], [1, 0, 1, -1]]
    table = pairwise(make_responses(truth, np.transpose(answers), 2, kinds=["human", "model", "human", "model"]))
    assert list(table) == ["system_a", "system_b", "kind", "n_joint_errors", "accuracy_a", "accuracy_b", EC, MA, CLES]
    assert [f"{a[-1]}{b[-1]}" for a, b in zip(table["system_a"], table["system_b"], strict=True)] == [
        "01",
        "02",
        "03",
        "12",
        "13",
        "23",
    ]
    assert table["kind"].tolist() == [
        "model-human",
        "human-human",
        "model-human",
        "model-human",
        "model-model",
        "model-human",
    ]
    assert table["n_joint_errors"].tolist() == [0, 0, 0, 2, 1, 2]
    assert table["accuracy_a"].tolist() == [1, 1, 1, 0.5, 0.5, 0.25]
    assert table["accuracy_b"].tolist() == [0.5, 0.25, 0.5, 0.25, 0.5, 0.5]


def test_measures_stand_in_the_order_asked_for_and_no_others():
    responses = mixed_systems(5)
    assert list(pairwise(responses, [MA, EC]))[6:] == [MA, EC]
    assert list(pairwise(responses, []))[6:] == []


def test_the_responses_are_left_as_they_were():
    responses = mixed_systems(6, time_outs=0.1)
    before = responses.answers.copy()
    pairwise(responses)
    pd.testing.assert_frame_equal(responses.answers, before)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ["kappa"]}, "measures is 'kappa'; expected one of error_consistency, "),
        ({"measures": [EC], "variant": "revised"}, "variant is 'revised'; expected one of released, printed"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        pairwise(mixed_systems(7), **options)


def test_a_single_system_has_no_pair():
    with pytest.raises(ValueError, match="made up has 1 system; a pair needs two"):
        pairwise(mixed_systems(8, n_systems=1))


# Real data: 5,020 pairs on 17 data sets.


def kappa(a, b):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns where kappa is undefined; nan says the same
        return cohen_kappa_score(a, b)


@pytest.fixture(scope="module", params=DATA_SETS)
def real(request, requires_data):
    responses = erralign.load(f"xu2024/{request.param}")
    return responses, pairwise(responses)


def test_real_pairs_equal_textbook_and_scikit_learn(real):
    responses, table = real
    truth, answers = responses.truth.to_numpy(), responses.answers.to_numpy().T
    for (a, b), ec, ma in zip(combinations(answers, 2), table[EC], table[MA], strict=True):
        joint = (a != truth) & (b != truth)
        assert ec == pytest.approx(textbook_ec(truth, a, b), abs=1e-12)
        assert ec == pytest.approx(kappa(a == truth, b == truth), abs=1e-12)
        assert ma == pytest.approx(kappa(a[joint], b[joint]), abs=1e-12, nan_ok=True)
        assert np.isnan(ma) or ma == pytest.approx(textbook_ma(truth, a, b), abs=1e-12)


def test_real_pairs_equal_pair_by_pair(real):
    responses, _ = real
    few = replace(responses, answers=responses.answers.iloc[:, ::5], systems=responses.systems.iloc[::5])
    for variant in CLES_VARIANTS:
        assert_equals_one_by_one(few, variant=variant)


def test_real_cles_equals_textbook(real):
    responses, table = real
    a, b = table.loc[len(table) // 2, ["system_a", "system_b"]]
    arrays = responses.truth.to_numpy(), responses.answers[a].to_numpy(), responses.answers[b].to_numpy()
    assert table[CLES][len(table) // 2] == pytest.approx(textbook_cles(*arrays, len(responses.classes)), abs=1e-12)


def test_real_pairs_equal_the_released_matrices(real):
    responses, _ = real
    ours = pairwise(responses, replace_undefined_by=1)
    released = xu2024.released_pairs(responses.name.partition("/")[2])
    assert (ours[["system_a", "system_b"]].to_numpy() == released[["system_a", "system_b"]].to_numpy()).all()
    np.testing.assert_allclose(ours[EC], released["ec"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours[MA], released["ma"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours[CLES], released["cles"], rtol=0, atol=1e-7)


def test_four_real_pairs_have_no_ma(requires_data):
    tables = {name: pairwise(erralign.load(f"xu2024/{name}"), [MA])[MA] for name in DATA_SETS}
    undefined = {name: int(column.isna().sum()) for name, column in tables.items() if column.isna().any()}
    assert sum(map(len, tables.values())) == 5020
    assert undefined == {"colour": 3, "false-colour": 1}


def test_real_pairs_with_time_outs_equal_pair_by_pair(requires_data):
    responses = xu2024.with_time_outs(erralign.load("xu2024/stylized"))
    assert (responses.answers < 0).any(axis=None)
    for variant in CLES_VARIANTS:
        assert_equals_one_by_one(responses, variant=variant)


def test_labels_in_small_integers_do_not_overflow():
    wide = mixed_systems(seed=0, n_classes=40)
    narrow = replace(wide, truth=wide.truth.astype(np.int8), answers=wide.answers.astype(np.int8))
    pd.testing.assert_frame_equal(pairwise(narrow), pairwise(wide))
