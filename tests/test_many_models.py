"""Many language models: answers are those of the texts."""

import pandas as pd
import pytest

from erralign.datasets import mmlu_pro
from erralign.datasets.archives import members_here


@pytest.fixture(scope="module")
def here(requires_data):
    """Return the models whose files are on this machine: an offline copy lacks half of them."""
    members = members_here(mmlu_pro.ARCHIVES[0])
    return [name for name in mmlu_pro._models() if any(f"_{name}_5shots" in member for member in members)]


def test_where_a_text_names_an_option_the_file_has_it(here):
    assert len(here) >= 14
    for name in here:
        table = mmlu_pro.items(name)
        said = table[table["first"] >= 0]
        assert (said["first"] == said["pred"]).all(), name
        assert (table["said"] < table["options"].map(len)).all()
    letters = mmlu_pro.items("mathstral-7B").query("said < 0")["pred"]
    assert (letters == mmlu_pro._LETTERS.index("G")).mean() > 0.7  # a filler


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
    assert [mmlu_pro._LETTERS[place] if place >= 0 else "-" for place in places] == [*letters]
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
