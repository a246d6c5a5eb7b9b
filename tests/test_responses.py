"""Parts of responses: which systems, which trials, in which order."""

import numpy as np
import pandas as pd
import pytest
from builders import make_responses

import erralign


@pytest.fixture
def five():
    return make_responses([0, 1, 2, 0, 1], {"a": [0, 1, 2, 0, 1], "b": [0, 0, 0, 0, 0], "c": [-1, 1, 1, 1, 1]}, 3)


def test_nothing_named_is_everything(five):
    everything = five.select()
    pd.testing.assert_frame_equal(everything.answers, five.answers)
    pd.testing.assert_series_equal(everything.truth, five.truth)


def test_systems_come_in_the_order_wanted(five):
    fewer = five.select(systems=["c", "a"])
    assert list(fewer.answers) == list(fewer.systems.index) == ["c", "a"]
    assert len(fewer.truth) == 5
    assert fewer.classes == five.classes


@pytest.mark.parametrize(
    "trials",
    [
        [False, True, False, True, False],
        np.array([False, True, False, True, False]),
        pd.Series([False, True, False, True, False]),
        pd.Series([True, False, True, False, False], index=[3, 2, 1, 0, 4]),
        [1, 3],
        pd.Index([1, 3]),
        pd.Series([1, 3], index=[7, 8]),
    ],
    ids=["list", "array", "series", "series in another order", "labels", "index", "series of labels"],
)
def test_trials_by_mask_or_label(five, trials):
    fewer = five.select(trials=trials)
    assert fewer.truth.to_dict() == {1: 1, 3: 0}
    assert fewer.answers["c"].to_dict() == {1: 1, 3: 1}


def test_trials_with_two_names():
    index = pd.MultiIndex.from_product([["clear", "noisy"], [1, 2]], names=["condition", "image"])
    both = make_responses(pd.Series([0, 1, 0, 1], index=index), pd.DataFrame({"a": [0, 1, 1, 1]}, index=index), 2)
    noisy = both.select(trials=both.truth.index.get_level_values("condition") == "noisy")
    assert noisy.answers["a"].tolist() == [1, 1]
    assert both.select(trials=[("noisy", 2), ("clear", 1)]).truth.index.tolist() == [("noisy", 2), ("clear", 1)]


def test_a_part_has_the_values_of_a_part(five):
    part = erralign.pairwise(five.select(systems=["a", "c"], trials=[0, 1, 2]))["error_consistency"]
    assert part.tolist() == [erralign.error_consistency([0, 1, 2], [0, 1, 2], [-1, 1, 1])]


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ({"systems": ["a", "d"]}, "made up has no system 'd'; expected one of a, b, c"),
        ({"trials": [3, 9]}, "made up has no trial 9; trials are named by its index"),
        ({"trials": [True, False]}, "trials has 2 values, made up has 5 trials: give one per trial"),
        ({"trials": pd.Series([True] * 4)}, "trials says nothing about 4; give one bool per trial"),
        ({"trials": []}, "truth of made up is empty"),
    ],
)
def test_selections_that_are_none(five, selection, message):
    with pytest.raises(ValueError, match=message):
        five.select(**selection)
