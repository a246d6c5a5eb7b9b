"""Many language models: answers are those of the texts, and tables what other code found."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem

import erralign
from erralign.datasets import mmlu_pro
from erralign.datasets.archives import members_here
from erralign_book.papers.many_models.growth import _spread, slope
from erralign_book.papers.many_models.together import halves, most_frequent_wrong
from erralign_book.papers.many_models.votes import _gains, led_by_best, plurality

RNG = np.random.default_rng(3)
TRUTH, SAID = RNG.integers(4, size=50), RNG.integers(-1, 4, size=(50, 5))
SAID = np.where(RNG.random((50, 5)) < 0.4, TRUTH[:, None], SAID)


def test_the_most_frequent_wrong_answer_is_none_that_is_right_or_lacking():
    responses = erralign.Responses.from_table(TRUTH, dict(enumerate(SAID.T)), classes=range(4))
    wrong = [Counter(said[(said >= 0) & (said != true)]) for said, true in zip(SAID, TRUTH, strict=True)]
    most, read = most_frequent_wrong(responses)
    assert most.tolist() == [max(each.values(), default=0) for each in wrong]
    assert read.tolist() == (SAID >= 0).sum(axis=1).tolist()


@pytest.fixture(scope="module")
def here(requires_data):
    """Return the models whose files are on this machine: an offline copy lacks half of them."""
    members = members_here(mmlu_pro.MMLU_PRO)
    return [name for name in mmlu_pro.models() if any(f"_{name}_5shots" in member for member in members)]


def test_where_a_text_names_an_option_the_file_has_it(here):
    assert len(here) >= 14
    for name in here:
        table = mmlu_pro.items(name)
        said = table[table["first"] >= 0]
        assert (said["first"] == said["pred"]).all(), name
        assert (table["said"] < table["options"].map(len)).all()
    letters = mmlu_pro.items("mathstral-7B").query("said < 0")["pred"]
    assert (letters == mmlu_pro.LETTERS.index("G")).mean() > 0.7  # a filler


TEXTS = {
    "It is 4. The answer is (C).\n\nQuestion: 2 + 2?\nThe answer is (A).": "CCA",  # a further question
    "The answer is (A).\n\n" * 5 + "The answer is (D).": "DAD",  # five worked examples first
    "Since 2 > 1: " + "The answer is (A).\n" * 5 + "The answer is (D).": "AAD",  # no bare list
    "The answer is (H).": "---",  # there is no such option
    "The best option is B": "---",
}


@pytest.mark.parametrize(("text", "letters"), TEXTS.items())
def test_of_several_answers_the_one_to_the_question_counts(text, letters):
    record = {"question_id": 1, "answer_index": 0, "options": list("wxyz"), "category": "", "src": "", "pred": None}
    found = mmlu_pro._item(record | {"model_outputs": text})
    places = (found[which] for which in ("said", "first", "last"))
    assert [mmlu_pro.LETTERS[place] if place >= 0 else "-" for place in places] == [*letters]
    assert found["broad"] == (1 if "option is B" in text else found["said"])


def test_questions_on_which_files_differ_are_left_out(here):
    some = ["Llama-2-7b-hf", "mathstral-7B", "gemini-1.5-pro-002"]
    found = mmlu_pro.read(some)
    whole = pd.DataFrame({name: mmlu_pro.items(name)["key"] for name in some}).dropna()
    differ = whole.index[whole.nunique(axis=1) > 1]
    assert (len(whole), len(differ)) == (12_020, 32)  # as the project's notes on the archive say
    assert not found.truth.index.isin(differ).any()
    assert len(found.truth) > 11_970
    assert found.options.between(2, 10).all()


def test_the_slope_within_questions_ignores_how_hard_they_are():
    """Agreement is 0.8 on hard questions, 0.2 on easy ones; accurate pairs are there on hard ones more often."""
    items = np.repeat(np.arange(20), np.repeat([4, 1], 10))  # of hard ones three by accurate pairs
    accuracy = np.where(np.concatenate([[True], np.diff(items) > 0]), 0.5, 0.9)
    cells = pd.DataFrame({"item": items, "above": np.where(items < 10, 0.8, 0.2), "accuracy": accuracy})
    assert slope(cells, np.zeros(len(cells), int))[0] > 0.5
    assert slope(cells, cells["item"].to_numpy())[0] == pytest.approx(0)
    grown = cells.assign(above=cells["above"] + 0.3 * cells["accuracy"])
    assert slope(grown, cells["item"].to_numpy())[0] == pytest.approx(0.3)


def test_votes_are_what_drawing_ties_gives():
    expected = []
    for row, right in zip(SAID, TRUTH, strict=True):
        counts = [list(row).count(option) for option in range(4)]
        leads = [option for option in range(4) if counts[option] == max(counts)]
        expected.append((right in leads) / len(leads) if max(counts) else 0)
    np.testing.assert_allclose(plurality(SAID, TRUTH), expected)
    said = np.array([[-1, 2, 0, 0, 2], [1, 2, 2, 1, 1], [-1, -1, -1, -1, 3], [-1, -1, -1, -1, -1]])
    assert led_by_best(said, np.array([2, 1, 3, 0])).tolist() == [True, True, True, False]


def test_five_are_chosen_on_one_half_and_measured_on_the_other():
    truth, said = np.tile(TRUTH, 2), np.vstack([SAID, SAID[::-1]])[:, [0, 1, 2, 3, 4, 0]]
    said[::3, 5] = 3
    responses = erralign.Responses.from_table(truth, dict(zip("abcdef", said.T, strict=True)), classes=range(4))
    solved, half, gains = said == truth[:, None], halves(100), []
    for there in (half, ~half):
        order = np.argsort(-solved[there].mean(axis=0), kind="stable")
        gains.append((plurality(said[:, order[:5]], truth) - solved[:, order[0]])[~there])
    assert _gains(responses, plurality)["the five most accurate"][0] == pytest.approx(np.concatenate(gains), abs=1e-6)


def test_subjects_are_a_sample_of_subjects(monkeypatch):
    moved, subjects = RNG.normal(size=12), np.repeat(["law", "maths", "physics"], [2, 4, 6])
    moved -= moved.mean()
    monkeypatch.setattr(_spread.__globals__["together"], "questions", lambda: pd.DataFrame({"category": subjects}))
    found = _spread(0.2, moved, np.array([0.1, 0.1]))  # as much without any maker
    assert found["se"] == pytest.approx(3 * sem(pd.Series(moved).groupby(subjects).sum()))
