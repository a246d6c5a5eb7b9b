"""Votes for a class: two per lesson, one right option each, and every number in them computed again."""

import re

import numpy as np
import pytest
import yaml
from conftest import ROOT

from erralign import misclassification_agreement, planning
from erralign.behaviour import class_level_error_similarity_from_counts, error_consistency_from_counts
from erralign.bounds import error_consistency_bounds
from erralign.inference import error_consistency_limits
from erralign.measures.matrix import kappa
from erralign_book import table
from erralign_book.building import slides
from erralign_book.building.chapters import road
from erralign_book.simulations import training

VOTES = yaml.safe_load((ROOT / "book" / "votes.yml").read_text(encoding="utf-8"))
FAIREST = "fourteen sets, all strengths, one at a time, within 0.05, near-copies out, "
FIELDS = {"lesson": str, "question": str, "options": list, "right": str, "why": str}


def right(vote):
    return vote["options"]["ABCD".index(vote["right"])]


def of(lesson, which):
    """Return the first or second vote of a lesson, and all that it says."""
    vote = [vote for vote in VOTES if vote["lesson"] == lesson][which]
    return vote, " ".join([vote["question"], *vote["options"], vote["why"]])


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


def test_what_accuracies_allow():
    vote, text = of("sit-the-experiment", 0)
    most = error_consistency_bounds(0.8, 0.25)[1]
    assert f"{100 * (0.8 - 0.25):.0f} %" in right(vote)
    assert f"at most {most:.2f}" in text
    nested = error_consistency_from_counts([[20, 0], [55, 25]])  # the network fails wherever the reader does
    assert nested == pytest.approx(most)
    assert planning.expected_width(48, 0.4, 0.8, 0.8) > 0.5 > 0.5 - 0.3  # the second vote of this lesson
    before, after = 0.2 / error_consistency_bounds(0.4, 0.8)[1], 0.35 / error_consistency_bounds(0.7, 0.8)[1]
    _, text = of("what-to-set-a-value-against", 0)
    assert f"from {before:.1f} to below 0.5" in text
    assert after < 0.5
    _, text = of("what-to-set-a-value-against", 1)
    two_who_slip, one = ([[29, 21], [21, 29]], [[31, 19], [19, 31]])  # of 100 pictures, half of them easy
    assert f"{error_consistency_from_counts(two_who_slip):.2f} with each other" in " ".join(text.split())
    assert f"{error_consistency_from_counts(one):.2f} with both" in " ".join(text.split())


def test_counts():
    vote, text = of("error-consistency", 0)
    table = [[1, 9], [9, 81]]  # of 100 pictures
    assert right(vote) == f"{error_consistency_from_counts(table):.0f}"
    assert f"{table[0][0] + table[1][1]} %" in text
    assert f"{2 * 0.82 - 1:.2f}" in vote["options"]
    assert planning.copy_probability(0.3, 0.9, 0.9) == pytest.approx(0.3)
    vote, _ = of("misclassification-agreement", 1)
    assert np.isnan(misclassification_agreement([0, 0, 2], [1, 1, 1], [1, 1, 1]))
    assert right(vote) == "undefined"


def test_classes_confused(rng):
    wrong = ~np.eye(16, dtype=bool)
    habit = rng.dirichlet(np.full(15, 0.3), size=16)

    def errors(n, habits):
        table = np.zeros((16, 16), int)
        table[wrong] = rng.multinomial(rng.multinomial(n, np.full(16, 1 / 16)), habits).ravel()
        return table

    def mean(n_a, n_b, habits):
        tables = [(errors(n_a, habits), errors(n_b, habits)) for _ in range(50)]
        return np.mean([class_level_error_similarity_from_counts(*two) for two in tables])

    assert mean(50, 50, np.full((16, 15), 1 / 15)) > 0.9
    assert round(mean(5000, 5000, np.full((16, 15), 1 / 15)), 2) >= 0.99
    assert mean(700, 800, habit) > mean(700, 100, habit) + 0.02


def test_intervals():
    _, text = of("how-sure-are-we", 0)
    counts = np.random.default_rng(0).multinomial(160, np.array([0, 5, 12, 143]) / 160, size=10_000)
    low, high = np.quantile(kappa(*counts.T), [0.025, 0.975])
    assert f"from {low:.2f} to {high:.2f}".replace("-", "−") in text
    assert error_consistency_limits([[0, 5], [12, 143]])[1] > 0
    _, text = of("how-sure-are-we", 1)
    half = 0.06 * (2 - 2 * 0.6) ** 0.5
    assert f"{0.06 - half:.3f} to {0.06 + half:.3f}" in text


def test_odd_ones_out():
    vote, text = of("odd-one-out", 0)
    assert right(vote) == f"{100 * (0.5 - 1 / 3) / (0.68 - 1 / 3):.0f} %"
    assert {f"{50 / 0.68:.0f} %", f"{50 - 100 / 3:.0f} %"} <= set(vote["options"])
    assert f"{100 / 3 / 0.68:.0f} %" in text


def test_findings():
    ages = table("gavrikov2025/ages").set_index("age").loc[["4 to 6", "adult"]]
    assert ages["value"].is_monotonic_decreasing
    assert (ages["value"] / ages["largest"]).is_monotonic_increasing  # the order is reversed
    assert ages["accuracy"]["adult"] > ages["accuracy"]["4 to 6"] + 0.2
    leads = table("xu2024/leads").query("measure == 'EC' and over == 'model-human' and accuracies == 'within 0.05'")
    kinds = leads[(leads["pooling"] == "one at a time") & (leads["strengths"] == "all strengths")].iloc[0]
    over_networks = table("what_we_claim/choices").query("claim == 'people-over-networks'")
    over_networks = over_networks[over_networks["choice"].str.fullmatch(f"{FAIREST}[^,]*, EC")]
    _, text = of("so-do-they", 1)
    numbers = [*kinds[["first", "second"]], *over_networks["second"].iloc[:2]]
    assert [f"{each:.2f}" for each in numbers] == re.findall(r"0\.\d\d", text)
    assert set(over_networks["verdict"]) == {"not clear"}
    planned = training.planned()
    assert (planned["p_seeds"] < 0.05).sum() > 2 * (planned["p_holm"] < 0.05).sum()


def test_difficulty():
    vote, _ = of("hard-for-one-hard-for-all", 0)
    for n in (500, 1000):  # easy ones, and as many dark ones: 75 % right
        p = np.tile([0.5, 1], n)
        cells = [[np.sum(a * b) for b in (1 - p, p)] for a in (1 - p, p)]
        assert error_consistency_from_counts(np.round(cells)) == pytest.approx(1 / 3)
    assert right(vote).startswith("It stays")
