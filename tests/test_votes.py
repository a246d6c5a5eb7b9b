"""Votes for a class: two per lesson, one right option each; those about findings hold for the frozen tables."""

import re

import yaml
from conftest import ROOT

from benchmarks.training.heads import AIMS
from erralign.significance import holm
from erralign_book import table
from erralign_book.building import slides
from erralign_book.building.chapters import road

VOTES = yaml.safe_load((ROOT / "book" / "votes.yml").read_text(encoding="utf-8"))
FAIREST = "fourteen sets, all strengths, one at a time, within 0.05, near-copies out, "
FIELDS = {"lesson": str, "question": str, "options": list, "right": str, "why": str}


def right(vote):
    return vote["options"]["ABCD".index(vote["right"])]


def test_every_lesson_with_a_deck_has_two_with_one_right_option():
    """The lessons of the road, and those of *Going deeper* that a class reads; the board is no lesson."""
    asked = [vote["lesson"] for vote in VOTES]
    assert asked == [name for name in slides.names(ROOT) if name != "the-board" for _ in range(2)]
    assert set(road(ROOT)) < set(asked)
    for vote in VOTES:
        assert {name: type(value) for name, value in vote.items()} == FIELDS, vote["question"]
        assert 3 <= len({str(option) for option in vote["options"]}) == len(vote["options"]) <= 4, vote["question"]
        assert isinstance(right(vote), str), vote["question"]
    letters = [vote["right"] for vote in VOTES]
    assert min(map(letters.count, "ABCD")) >= 4  # no letter is a good guess


def test_findings():
    ages = table("gavrikov2025/ages").set_index("age").loc[["4 to 6", "adult"]]
    assert ages["value"].is_monotonic_decreasing
    assert (ages["value"] / ages["largest"]).is_monotonic_increasing  # the order is reversed
    assert ages["accuracy"]["adult"] > ages["accuracy"]["4 to 6"] + 0.2
    leads = table("xu2024/leads").query("measure == 'EC' and over == 'model-human' and accuracies == 'within 0.05'")
    kinds = leads[(leads["pooling"] == "one at a time") & (leads["strengths"] == "all strengths")].iloc[0]
    over_networks = table("what_we_claim/choices").query("claim == 'people-over-networks'")
    over_networks = over_networks[over_networks["choice"].str.fullmatch(f"{FAIREST}[^,]*, EC")]
    vote = [vote for vote in VOTES if vote["lesson"] == "so-do-they"][1]
    text = " ".join([vote["question"], *vote["options"], vote["why"]])
    numbers = [*kinds[["first", "second"]], *over_networks["second"].iloc[:2]]
    assert [f"{each:.2f}" for each in numbers] == re.findall(r"0\.\d\d", text)
    assert set(over_networks["verdict"]) == {"not clear"}
    differences = table("training/differences").query("split == 'grouped'").set_index(["loss", "measure", "minus"])
    rivals = [(loss, aim.target, f"{loss}, {aim.control}") for loss, aim in AIMS.items()]
    rivals += [(loss, aim.target, "cross-entropy at equal accuracy") for loss, aim in AIMS.items()]
    planned = differences.loc[rivals]
    assert (planned["p_seeds"] < 0.05).sum() > 2 * (holm(planned["p"]) < 0.05).sum()
