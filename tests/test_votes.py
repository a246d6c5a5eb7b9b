"""Votes for a class: two per lesson, one right option each, and what they say is found is in the frozen tables."""

import re

import numpy as np
from conftest import ROOT

from erralign_book import table
from erralign_book.building import slides

VOTES = slides.votes(ROOT)
FAIREST = "fourteen sets, all strengths, one at a time, within 0.05, near-copies out, "


def test_every_lesson_with_a_deck_has_two_with_one_right_option():
    """The board is no lesson, and no letter is a good guess."""
    lessons = [name for name in slides.names(ROOT) if name != "the-board"]
    assert [vote["lesson"] for vote in VOTES] == np.repeat(lessons, 2).tolist()
    for vote in VOTES:
        assert 3 <= len(set(vote["options"])) == len(vote["options"]) <= 4, vote["question"]
        assert vote["right"] in "ABCD"[: len(vote["options"])], vote["question"]
    letters = [vote["right"] for vote in VOTES]
    assert min(map(letters.count, "ABCD")) >= 4


def test_numbers_of_a_vote_are_those_of_the_tables():
    leads = table("xu2024/leads").query("measure == 'EC' and over == 'model-human' and accuracies == 'within 0.05'")
    kinds = leads[(leads["pooling"] == "one at a time") & (leads["strengths"] == "all strengths")].iloc[0]
    over_networks = table("what_we_claim/choices").query("claim == 'people-over-networks'")
    over_networks = over_networks[over_networks["choice"].str.fullmatch(f"{FAIREST}[^,]*, EC")]
    _, vote = (vote for vote in VOTES if vote["lesson"] == "so-do-they")
    text = " ".join([vote["question"], *vote["options"], vote["why"]])
    numbers = [*kinds[["first", "second"]], *over_networks["second"].iloc[:2]]
    assert [f"{number:.2f}" for number in numbers] == re.findall(r"0\.\d\d", text)
    assert set(over_networks["verdict"]) == {"not clear"}
