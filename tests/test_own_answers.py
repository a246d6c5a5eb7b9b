"""One's own answers: text or numbers, in any order of trials, from tables and from files."""

import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from builders import guessers, make_responses, typed

import erralign
from erralign import Responses, behaviour, read_answers, significance
from erralign.datasets import examples

CLASSES = ["bear", "cat", "dog", "fox"]


@pytest.fixture
def drawn():
    """Draw true classes and the answers of three systems as ids, with time-outs."""
    made, trials = guessers(200, 3, 4, 0.6), pd.Index([f"{i}.png" for i in range(200)], name="image")
    return made.truth.set_axis(trials), made.answers.set_axis(trials).set_axis([*"abc"], axis=1)


def in_words(ids):
    return ids.map(dict(enumerate(CLASSES)) | {-1: "na"})


# --- one function, one pair -------------------------------------------------------------------------------------------

OF_PAIRS = {
    "EC": erralign.error_consistency,
    "CLES": erralign.class_level_error_similarity,
    "interval": erralign.confidence_interval,
    "test of a difference": lambda truth, a, b: erralign.difference_test(truth, a, b, b, n_permutations=99),
    "design effect": partial(erralign.design_effect, clusters=np.arange(200) // 5),
    "test": partial(significance.misclassification_agreement_test, n_permutations=99),
}


@pytest.mark.parametrize("name", OF_PAIRS)
def test_series_are_aligned_by_their_index_and_text_gives_the_numbers_of_ids(name, drawn):
    ids = [drawn[0], drawn[1]["a"], drawn[1]["b"]]
    by_hand = OF_PAIRS[name](*(each.to_numpy() for each in ids))
    shuffled = [each.sample(frac=1, random_state=seed) for seed, each in enumerate(ids)]
    assert OF_PAIRS[name](ids[0], *shuffled[1:]) == by_hand
    if name in ("EC", "CLES"):  # nothing drawn: the truth may be in an order of its own
        assert OF_PAIRS[name](*shuffled) == pytest.approx(by_hand, abs=1e-12)
    for written in (in_words, lambda ids: in_words(ids).tolist()):
        assert OF_PAIRS[name](*map(written, ids)) == pytest.approx(by_hand, abs=1e-12)


WAYS = {
    "floats": lambda ids: ids.astype(float).replace(-1, np.nan),
    "categories of ids": lambda ids: ids.where(ids >= 0).astype("Int64").astype("category"),
    "categories": lambda ids: in_words(ids).replace("na", None).astype("category"),
    "mapping": lambda ids: in_words(ids).to_dict(),
    "list": lambda ids: in_words(ids).tolist(),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_table_takes_classes_as_they_are_written(drawn, way):
    truth, answers = drawn
    order = truth.index if way == "list" else truth.sample(frac=1, random_state=4).index
    mine = Responses.from_table(WAYS[way](truth), {name: WAYS[way](answers[name].loc[order]) for name in answers})
    assert len(mine.classes) == 4
    assert (mine.answers.to_numpy() == answers.to_numpy()).all()


def test_which_classes_there_are_and_in_which_order():
    truth = pd.Series(["cat", "dog"], dtype=pd.CategoricalDtype(["cat", "dog", "fox"]))
    assert Responses.from_table(truth, {"net": ["dog", "cat"]}).classes == ("cat", "dog", "fox")
    mine = Responses.from_table(["cat", "dog"], {"net": [1, -1]}, classes=["dog", "cat"])
    assert (mine.truth.tolist(), mine.answers["net"].tolist()) == ([1, 0], [1, -1])
    gaps = Responses.from_table([0, 2, 3, 4, 10], {"net": [2, 2, 3, 4, 0]})
    assert (gaps.classes, gaps.answers["net"].tolist()) == (("0", "2", "3", "4", "10"), [1, 1, 2, 3, 0])
    assert Responses.from_table([1, 2], {"net": [3, -1]}, options=[4, 3]).classes == ("1", "2", "3", "4")
    said = {"net": ["none", "cat", "na"]}  # an answer called none is a class where it is declared
    declared = Responses.from_table(["cat", "cat", "none"], said, classes=["cat", "none"])
    assert declared.answers["net"].tolist() == [1, 0, -1]
    assert Responses.from_table(["cat", "cat", "dog"], said).answers["net"].tolist() == [-1, 0, -1]


# --- beside others ----------------------------------------------------------------------------------------------------


def test_a_system_joins_others_by_the_names_of_trials_and_classes(drawn):
    truth, answers = drawn
    people = Responses.from_table(in_words(truth), answers[["a", "b"]].apply(in_words), kind="human")
    own = Responses.from_table(in_words(truth), {"c": in_words(answers["c"])}, classes=CLASSES[::-1])
    joined = people.join(own.select(trials=truth.sample(frac=1, random_state=3).index))
    pd.testing.assert_frame_equal(joined.answers, answers, check_names=False)
    assert joined.systems["kind"].tolist() == ["human", "human", "model"]


def test_trials_may_be_named_by_a_part_that_is_enough():
    def named(*pairs):
        return pd.MultiIndex.from_tuples(pairs, names=["condition", "image"])

    truth = pd.Series(["cat", "dog"], index=named(("0", "a.png"), ("0", "b.png")))
    people = Responses.from_table(truth, {"ann": pd.Series(["cat", "cat"], truth.index)}, kind="human")
    for index in (pd.Index(["b.png", "a.png"], name="image"), named((0, "b.png"), (0, "a.png"))):
        assert people.with_system("net", pd.Series(["dog", "cat"], index)).answers["net"].tolist() == [0, 1]


def test_a_crosstab_of_a_pair_is_a_table_also_of_a_perfect_system_or_upside_down(drawn):
    truth, answers = drawn
    right = answers["a"] == truth
    assert behaviour.error_consistency_from_counts(pd.crosstab(truth == truth, right)) == 0
    upside_down = pd.crosstab(right, answers["b"] == truth).iloc[::-1]
    expected = erralign.error_consistency(truth, answers["a"], answers["b"])
    assert behaviour.error_consistency_from_counts(upside_down) == expected


def test_confusion_matrices_are_aligned_by_their_names(drawn):
    truth, answers = drawn
    a, b = (pd.crosstab(in_words(truth), in_words(answers[name])).reindex(CLASSES, columns=CLASSES) for name in "ab")
    expected = erralign.class_level_error_similarity(truth, answers["a"], answers["b"])
    for turned in (b, b.loc[CLASSES[::-1], CLASSES[1:] + CLASSES[:1]]):
        found = behaviour.class_level_error_similarity_from_counts(a, turned)
        assert found == pytest.approx(expected, abs=1e-12)


def test_matrices_of_pairs_are_aligned_by_the_names_of_systems(rng):
    a, b = (pd.DataFrame(each + each.T, index=list("pqrstu"), columns=list("pqrstu")) for each in rng.random((2, 6, 6)))
    turned = b.loc[list("utsrqp"), list("qpsrut")]
    assert significance.mantel_test(a, turned, n_permutations=99) == significance.mantel_test(a, b, n_permutations=99)


# --- parts of responses: which systems, which trials, in which order --------------------------------------------------


def test_systems_in_the_order_wanted_and_trials_by_mask_or_label():
    said = {"a": [0, 1, 2, 0, 1], "b": [0, 0, 0, 0, 0], "c": [-1, 1, 1, 1, 1]}
    five = make_responses([0, 1, 2, 0, 1], said, 3)
    turned = five.select(systems=["c", "a"])
    assert list(turned.answers) == list(turned.systems.index) == ["c", "a"]
    mask = [False, True, False, True, False]
    moved = pd.Series([True, False, True, False, False], index=[3, 2, 1, 0, 4])
    for trials in (mask, moved, [1, 3], pd.Series([1, 3], index=[7, 8])):
        fewer = five.select(trials=trials)
        assert (fewer.truth.to_dict(), fewer.classes) == ({1: 1, 3: 0}, five.classes)
        assert fewer.answers["c"].to_dict() == {1: 1, 3: 1}


# --- as people have them ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [[1, 2, 3, 4, 5, 0, -1], [0, 2, 1, 4, 5, 3, -1]])
def test_answers_that_agree_with_the_truth_no_more_than_by_chance_are_refused(my_answers, order):
    animals = examples.animals()
    places = dict(zip(animals.classes, order, strict=False)) | {"": -1}
    my_answers.drop(columns="truth").map(places.get).to_csv("own.csv")
    with pytest.raises(ValueError, match=r"own.csv: 'mine-old' is right .* no more than by chance .*numbered"):
        read_answers("own.csv", truth=animals.truth, classes=animals.classes)


def test_systems_that_are_right_less_often_than_by_chance_and_copies_are_named(here):
    for n, rows in ((12, 1), (9, 0)):  # none right of three classes: (2/3)^12 = .008, (2/3)^9 = .026
        said = pd.DataFrame({"truth": [*"xyz"] * (n // 3), "net": [*"yzx"] * (n // 3), "ann": [*"xyz"] * (n // 3)})
        said.rename_axis("image").to_csv("own.csv")
        assert typed("compare", "own.csv").stderr.count("note: net: right less often than by chance") == rows
    table = pd.DataFrame({"truth": [*"xyz"] * 8, "net": [*"xyy"] * 8, "copy": [*"xyy"] * 8})
    table.rename_axis("image").to_csv("own.csv")
    assert "'net', 'copy': the same answers on all trials" in typed("compare", "own.csv").stderr


def test_times_follow_their_trials_and_systems():
    """Through select and join, whatever the order; missing where they are not known."""
    trials = pd.Index(["img1", "img2", "img3"])
    answers = pd.DataFrame({"ann": [0, 1, 0], "ben": [1, 1, 0]}, trials)
    people = Responses.from_table(pd.Series([0, 1, 1], trials), answers, kind="human")
    seconds = pd.DataFrame({"ben": [0.5, np.nan, 0.7]}, trials)
    timed = replace(people, times=seconds)
    assert timed.select(systems=["ann"]).times is None
    turned = timed.select(systems=["ben", "ann"], trials=["img3", "img1"])
    assert turned.times.to_dict() == {"ben": {"img3": 0.7, "img1": 0.5}}
    of_late = pd.DataFrame({"cas": [1, 1, 0]}, trials[::-1])
    late = Responses.from_table(pd.Series([1, 1, 0], trials[::-1]), of_late, kind="human")
    late = replace(late, times=pd.DataFrame({"cas": [0.3, 0.2, 0.1]}, trials[::-1]))
    both = timed.join(late)
    assert both.times["cas"].to_dict() == {"img1": 0.1, "img2": 0.2, "img3": 0.3}
    assert both.times["ben"].equals(seconds["ben"])
    assert people.join(late).times.columns.tolist() == ["cas"]
    assert timed.with_system("net", pd.Series([0, 0, 0], trials)).times.equals(seconds)


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (pd.DataFrame({"ann": [1.0, 2.0]}), "index of truth"),
        (pd.DataFrame({"anne": [1.0, 2.0, 3.0]}), "anne"),
        (pd.DataFrame({"ann": [1.0, 0.0, 3.0]}), "ann has the time 0.0 on trial 1"),
        (pd.DataFrame({"ann": ["fast", "slow", "slow"]}), "times of ann"),
    ],
)
def test_times_that_fit_no_trial_or_system_are_refused(times, words):
    people = Responses.from_table([0, 1, 1], {"ann": [0, 1, 0]})
    with pytest.raises((TypeError, ValueError), match=words):
        replace(people, times=times)


# What pandas 2 unpickles may be written to behind its back.
BEHIND = pytest.param(
    "answers.to_numpy()[0, 0] = 99", marks=pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2")
)


@pytest.mark.parametrize("write", ["answers.iloc[0, 0] = 99", "answers['new'] = 0", BEHIND, "truth.iloc[0] = 99"])
def test_responses_cannot_be_changed_and_copies_can(write):
    mine = pickle.loads(pickle.dumps(examples.twelve_pictures()))
    with pytest.raises((TypeError, ValueError), match=r"change a copy|read-only"):
        exec(f"mine.{write}")
    copied = mine.answers.copy()
    copied.iloc[0, 0] = 99
    assert mine.answers.equals(examples.twelve_pictures().answers)


def test_right_or_wrong_is_enough_for_error_consistency():
    truth, a, b = [True] * 5, [True, False, True, False, True], [True, False, False, True, True]
    as_classes = [1] * 5, *(np.where(each, 1, 0) for each in (a, b))
    for function in (erralign.error_consistency, erralign.p_value_from_answers, erralign.confidence_interval):
        assert function(truth, a, b) == function(*as_classes)
    mine = Responses.from_table(truth, {"net": a, "ann": b})
    assert mine.classes == ("wrong", "right")
    assert erralign.pairwise(mine, "EC")["EC"].item() == erralign.error_consistency(truth, a, b)


def test_a_list_beside_named_trials_is_refused_since_its_order_is_not_known():
    truth = pd.Series(["cat", "dog", "fox"], ["b.png", "a.png", "c.png"])
    with pytest.raises(ValueError, match=r"truth names its trials, 'b.png' .* net is a list") as refused:
        Responses.from_table(truth, {"net": ["cat", "dog", "fox"]})
    assert "index=truth.index" in str(refused.value)
    with pytest.raises(ValueError, match=r"the answers of net names its trials|net names its trials"):
        Responses.from_table(["cat", "dog", "fox"], {"net": truth})
    for numbers in (range(3), range(1, 4)):
        assert Responses.from_table(pd.Series([0, 1, 1], numbers), {"net": [0, 1, 1]}).answers["net"].tolist() == [
            0,
            1,
            1,
        ]
