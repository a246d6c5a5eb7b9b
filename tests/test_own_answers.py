"""One's own answers: text or numbers, in any order of trials, from tables and from files."""

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign import Responses, read_answers

CLASSES = ["bear", "cat", "dog", "fox"]


@pytest.fixture
def drawn():
    """Draw true classes and the answers of three systems as ids, with time-outs."""
    rng = np.random.default_rng(1)
    trials = pd.Index([f"{i}.png" for i in range(200)], name="image")
    truth = pd.Series(rng.integers(4, size=200), index=trials)
    said = {name: np.where(rng.random(200) < 0.6, truth, rng.integers(-1, 4, 200)) for name in ("a", "b", "c")}
    return truth, pd.DataFrame(said, index=trials)


def in_words(ids):
    return ids.map(dict(enumerate(CLASSES)) | {-1: "na"})


def test_shuffled_text_gives_the_numbers_of_a_count_by_hand(drawn):
    truth, answers = drawn
    mine = Responses.from_table(in_words(truth), {name: in_words(answers[name]).sample(frac=1) for name in answers})
    found = erralign.pairwise(mine).iloc[0]
    right = [answers[name].to_numpy() == truth.to_numpy() for name in "ab"]
    agree = np.mean(right[0] == right[1])
    chance = right[0].mean() * right[1].mean() + (1 - right[0].mean()) * (1 - right[1].mean())
    assert found["error_consistency"] == pytest.approx((agree - chance) / (1 - chance), abs=1e-12)
    assert mine.classes == tuple(CLASSES)
    pd.testing.assert_frame_equal(mine.answers, answers, check_names=False)


@pytest.mark.parametrize("form", ["wide", "long", "model-vs-human"])
def test_a_file_gives_what_the_table_gives(form, drawn, tmp_path):
    truth, answers = (each.sample(frac=1, random_state=2) for each in drawn)
    wide = answers.map(lambda each: "na" if each < 0 else CLASSES[each]).join(in_words(truth).rename("truth"))
    table = wide[["truth", *answers]].reset_index()
    if form == "long":
        table = table.melt(["image", "truth"], var_name="system", value_name="answer")
    if form == "model-vs-human":
        table = table.melt(["image", "truth"], var_name="subj", value_name="object_response")
        names = "0001_cue_dnn_0_" + table["truth"] + "_00_" + table["image"]
        table = table.rename(columns={"truth": "category"}).assign(imagename=names).drop(columns="image")
    table.to_csv(tmp_path / "mine.csv", index=False)
    mine = read_answers(tmp_path / "mine.csv")
    pd.testing.assert_frame_equal(mine.answers.loc[drawn[0].index], drawn[1], check_names=False)
    assert mine.truth.loc[drawn[0].index].tolist() == drawn[0].tolist()
    assert mine.classes == tuple(CLASSES)
