"""Votes for a class: two per deck, one right option each, and what they say is found is in the frozen tables."""

import re
from collections import Counter

import numpy as np
from conftest import ROOT

import erralign
from erralign_book import table
from erralign_book.building import slides

VOTES = slides.votes(ROOT)
FAIREST = "fourteen sets, all strengths, one at a time, within 0.05, near-copies out, "


def test_every_lesson_with_a_deck_has_two_with_one_right_option():
    """The board is no lesson, and no letter is a good guess."""
    lessons = [name for name in slides.names(ROOT) if name != "the-board"]
    assert Counter(vote["lesson"] for vote in VOTES) == dict.fromkeys(lessons, 2)
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


def words(lesson):
    """Return the texts of a lesson's two votes."""
    return [" ".join([vote["question"], *vote["options"], vote["why"]]) for vote in VOTES if vote["lesson"] == lesson]


def test_what_a_vote_says_of_noise_is_what_noise_has():
    size, features, rng = 100, 2000, np.random.default_rng(0)
    _, text = words("representations-and-confidences")
    assert f"{size} pictures" in text
    assert f"{features:,} features" in text
    draws = rng.normal(size=(20, 2, size, features))
    biased, unbiased = ([erralign.cka(*pair, unbiased=how) for pair in draws] for how in (False, True))
    assert re.findall(r"0\.\d\d", text) == [f"{np.mean(biased):.2f}"]
    assert min(biased) > 0.9
    assert abs(np.mean(unbiased)) < 0.01


def test_what_a_vote_says_of_orders_is_the_median_of_measures():
    agreed = table("klabunde2024/agreement").query("differ == 'training'")
    kernels, neighbours = ("CKA", "DistCorr", "EOS", "GULP", "RSA", "RSMDiff"), ("2nd-Cos", "Jaccard", "RankSim")
    modules = {short: measure.function.__module__ for short, measure in erralign.MEASURES.items()}
    family = {short: "kernels" if short in kernels else modules[short] for short in modules}
    assert {modules[short] for short in neighbours} == {"erralign.similarity.neighbours"}
    a, b = agreed["measure_a"].map(family), agreed["measure_b"].map(family)
    between = agreed.loc[a != b, "r"].median()
    aligning = agreed.loc[(a == b) & a.str.endswith("alignment"), "r"].median()
    _, text = words("comparing-representations")
    assert re.findall(r"0\.\d\d", text) == [f"{value:.2f}" for value in (aligning, between, aligning)]


def test_what_a_vote_says_of_other_choices_is_what_they_give():
    choices = table("what_we_claim/choices").query("claim == 'taught-wrong-answers'")["verdict"]
    _, text = words("which-method")
    assert f"under {(choices[1:] == 'not clear').sum()} of {len(choices) - 1} other choices it is not" in text
    assert choices.iloc[0] != "not clear"
