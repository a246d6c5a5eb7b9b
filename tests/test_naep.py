"""Students and language models: answers and shares are those of the files."""

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign.sources import naep
from erralign_book.papers.naep import SMALL, STUDENTS, agreement_of_all, agreement_of_small


def test_logits_are_in_the_order_of_the_question(requires_data):
    """In each of the four prompts each model beats chance; its best option is that of the mean over prompts."""
    logits = naep._lines("llm-responses/output/naep-history-responses-Llama-3.2-1B.jsonl").set_index("item")["logits"]
    truth = naep.questions("history")
    each = np.array(logits.loc[truth.index].to_list()).argmax(axis=2)
    assert ((each == truth.to_numpy()[:, None]).mean(axis=0) > 0.45).all()
    one = np.array(logits["H110201"])
    mean = (np.exp(one) / np.exp(one).sum(axis=1, keepdims=True)).mean(axis=0)
    np.testing.assert_allclose(naep.probabilities("history", "Llama-3.2-1B").loc["H110201"], mean)


def test_models_are_better_than_students_and_small_ones_hardly(requires_data):
    right = pd.concat(
        [erralign.load(f"naep/{each}").answers.eq(naep.questions(each), axis=0) for each in naep.SUBJECTS]
    )
    assert right.shape == (549, 18)
    # As found with other code.
    assert right[["Llama-3.2-1B", "Qwen2.5-0.5B"]].mean().round(2).tolist() == [0.66, 0.66]
    assert right.mean().drop(["Llama-3.2-1B", "Qwen2.5-0.5B"]).min() > 0.85


def test_shares_are_those_of_the_file(requires_data):
    crowd = naep.students("history")
    assert (len(crowd.truth), crowd.truth.index.get_level_values("item").nunique()) == (257, 204)
    assert crowd.shares.loc[("H110201", 8)].tolist() == pytest.approx([0.47, 0.21, 0.11, 0.21])
    assert crowd.shares.loc[("H032801", 4)].tolist() == pytest.approx(np.array([38, 21, 14, 18]) / 91)


def test_two_small_models_fail_elsewhere_and_choose_as_students_do():
    """The values that were found with other code, where a question counts in the oldest grade only."""
    table = agreement_of_small().query("level == 0.95 and choice == 'oldest grade'").set_index(["measure", "system"])
    ec, ma = table.loc["EC"], table.loc["MA"]
    assert ec["value"][[*SMALL, STUDENTS]].round(3).tolist() == [0.04, 0.05, 0.128]
    assert ma["value"][SMALL].round(3).tolist() == [0.1, 0.112]
    assert ma["gap"][SMALL].round(3).tolist() == [-0.04, -0.022]
    assert (ec["gap_high"][SMALL] < 0).all()


def test_no_model_is_tempted_more_than_students():
    table = agreement_of_all().query("what == 'tempting'")
    assert (table["low"] > 0).all()
    assert (table["gap"] < 0).all()
    assert table["order"].abs().max() < 0.2
