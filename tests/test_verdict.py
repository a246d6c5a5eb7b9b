"""Sentences at the head of a report: of made worlds whose truth is known, each says what is true, or cannot tell."""

import dataclasses
import re

import numpy as np
import pytest

import erralign
from erralign.reports import Options, compare
from erralign.reports.words import CANNOT_TELL, _alike, verdict
from erralign_book.cells import table

SETTINGS = [(0, 60), (0, 500), (0.4, 500), (0.8, 60), (0.8, 500), (0.95, 60), (0.95, 500)]
WORLDS = [(share, n, seed) for seed, (share, n) in enumerate([*SETTINGS * 2, (0.1, 5000)])]


def world(share, n, seed):
    """Draw people of one mind, three networks, and a model that fails with people on a share of the trials."""
    rng = np.random.default_rng(seed)
    truth, hard, wrong = rng.integers(6, size=n), rng.random(n) < 0.4, rng.integers(1, 6, size=n)

    def system(shared):
        alike, fails, own = rng.random(n) < shared, rng.random(n) < 0.4, rng.integers(1, 6, size=n)
        return np.where(np.where(alike, hard, fails), (truth + np.where(alike, wrong, own)) % 6, truth)

    shares = {"ann": 0.8, "ben": 0.8, "eve": 0.8, "net-1": 0.2, "net-2": 0.2, "net-3": 0.2, "mine": share}
    said = {name: system(shared) for name, shared in shares.items()}
    kinds = {name: "human" if name in ("ann", "ben", "eve") else "model" for name in said}
    every = erralign.Responses.from_table(truth, said, classes=range(6), kind=kinds)
    return (every.select(systems=names) for names in (["mine"], [name for name in said if name != "mine"]))


@pytest.mark.parametrize(("share", "n", "seed"), WORLDS)
def test_a_sentence_is_true_of_its_world_or_says_that_it_cannot_be_told(share, n, seed):
    mine, theirs = world(share, n, seed)
    said, *_ = verdict(compare(mine, theirs, how=Options(measures=["EC", "MA"], n_resamples=200)))
    of_trials, of_answers = said.split(" Where both fail, ")
    claims = {"fail on the same trials": share > 0 or f"{CANNOT_TELL} whether" in said, "different trials": False}
    assert {claim for claim, is_true in claims.items() if claim in said and not is_true} == set()
    for part in (of_trials, of_answers):  # what stands behind "; whether" is said to be unknown
        for words, of_others in (("the median of", 0.2), ("two people's", 0.8)):
            for side in re.findall(rf", (above|below) {words}", part):
                assert (share > of_others) == (side == "above"), said
                assert share != of_others, said
    blind = re.search(r"Habits alone would give (−?0\.\d+)\.", of_answers)  # errors are spread evenly
    assert blind, said
    assert float(blind[1].replace("−", "-")) < (0.1 if n > 60 else 0.25), said
    if n == 500:  # enough to tell what is far from the border
        assert (f"{CANNOT_TELL} whether mine and people" in said) == (share == 0), said
        assert (", below two people's" in of_answers) == (share < 0.8), said
        assert share != 0.4 or re.search(r", below two people's 0\.\d\d by 0\.\d\d \(0\.", of_trials), said


SWAPS = r"swapped calls most of '1' '2', '2' '1': .*'0' '1', '1' '2', '2' '3' and so on, 6 "
ROLLED = " ".join(f"roll-{i}" for i in range(10))
CAUTIONS = {  # what is said -> of which systems of one's own, on how many trials, and whether beside others
    r"copy may be a copy of ann, or made from it \(EC 0\.\d+, MA .* Its means .* include ann, and": ("copy", 500, True),
    r"In 4 pairs with your systems, errors are so alike": ("net-1 twin triplet copy", 500, True),
    r"mix is the closest to people by EC, 0\.\d+ \(0\.\d+ to 0\.\d+\) above net-1\.": ("mix net-1", 500, True),
    r"cannot tell whether net-\d or net-\d is closer to people by EC \(difference": ("net-1 net-2", 500, True),
    r"on 167 of the 2\d\d trials .* Where both did, EC is .?0\.[01]\d\. --unread 'left": ("gap-1 gap-2", 500, False),
    r"give the same wrong answer more often than by chance \(MA 0\.\d+ \(.*habits alone": ("ann ben", 500, False),
    SWAPS: ("swapped shifted", 500, False),
    r"Both gave a wrong answer on 1 trial, too few to tell": ("net-1 net-2", 12, False),
    r"of 45 pairs .*by chance alone about 2\.3 intervals would leave out 0": (ROLLED, 500, False),
}


def own_systems(said):
    third, rolled = np.arange(500) % 3 == 0, {f"roll-{i}": np.roll(said["ann"], 7 * i) for i in range(10)}
    gaps = {f"gap-{i}": said[f"net-{i}"].mask(third, -1) for i in (1, 2)}
    copy, mix = said["ann"].where(np.arange(500) % 25 > 0, 0), said["ann"].where(~third, said["ben"])
    labels = {"swapped": said["ann"].replace({1: 2, 2: 1}), "shifted": (said["ann"] + 1) % 6}
    return said.assign(copy=copy, mix=mix, twin=said["net-1"], triplet=said["net-1"], **gaps, **rolled, **labels)


@pytest.mark.parametrize("words", CAUTIONS)
def test_what_is_to_be_known_before_a_verdict_is_repeated_stands_below_it(words):
    (every, others), (own, n, beside) = world(0.4, 500, 2), CAUTIONS[words]
    said = own_systems(others.answers)[own.split()]
    mine = erralign.Responses.from_table(every.truth[:n], said[:n], classes=range(6))
    theirs = others.select(systems=[name for name in others.answers if name not in own]) if beside else None
    said = " ".join(verdict(compare(mine, theirs, how=Options(measures=["EC", "MA"], n_resamples=200))))
    assert re.search(words, said), said


def test_no_two_systems_of_public_data_are_so_alike_that_one_may_be_a_copy():
    for name in ("geirhos2020/pairwise_limits", "xu2024/pairs", "many_language_models/pairs"):
        rows = table(name)
        assert not _alike(rows).any()
        assert _alike(rows.assign(EC=0.9, MA=0.9)).any()


def test_without_people_pairs_are_counted_and_one_pair_is_named():
    mine, theirs = world(0.95, 500, 1)
    networks = theirs.select(systems=["net-1", "net-2"])
    (said,) = verdict(compare(theirs.select(systems=["ann", "ben"]), how=Options(n_resamples=200)))
    assert said.startswith("ann and ben fail on the same trials, more often than by chance (EC 0.")
    (said,) = verdict(compare(networks.join(mine), how=Options(n_resamples=200)))
    assert re.match(r"In \d of 3 pairs both fail on the same trials more often than by chance", said)
    same = own_systems(theirs.answers)[["net-1", "mix", "copy"]]
    said, _ = verdict(compare(erralign.Responses.from_table(theirs.truth, same), how=Options(n_resamples=200)))
    assert said == "In 3 of 3 pairs both fail on the same trials more often than by chance."


@pytest.mark.parametrize(("seed", "link", "told"), [(3, 0, False), (37, 0, False), (3, 0.9, True)])
def test_habits_alone_are_not_called_the_same_wrong_answer(seed, link, told):
    """Few joint errors per class: in the first two worlds MA leaves out 0 and what habits give, and WMA contains 0."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(16, size=160)
    habits = rng.dirichlet(np.full(16, 0.5), size=16) * (1 - np.eye(16))
    habits /= habits.sum(axis=1, keepdims=True)
    wrong = np.array([[rng.choice(16, p=habits[each]) for each in truth] for _ in "AB"])
    wrong[1] = np.where(rng.random(160) < link, wrong[0], wrong[1])
    said = dict(zip("AB", np.where(rng.random((2, 160)) < [[0.75], [0.7]], truth, wrong), strict=True))
    (words,) = verdict(compare(erralign.Responses.from_table(truth, said)))
    assert ("Where both fail, they give the same wrong answer more often" in words) == told, words
    assert (f"Where both fail, {CANNOT_TELL[0].lower()}{CANNOT_TELL[1:]}" in words) == (not told), words


def told(mine, theirs, measures):
    return " ".join(verdict(compare(mine, theirs, how=Options(measures=measures))))


def test_many_systems_of_ones_own_are_counted():
    mine, theirs = world(0.95, 500, 1)
    many = {f"mine-{i}": mine.answers["mine"] if i < 4 else np.roll(mine.answers["mine"], 7 * i) for i in range(6)}
    said = told(mine.from_table(mine.truth, many, classes=range(6)), theirs, ["EC", "MA"])
    begins = "4 of your 6 systems fail on the same trials as people, more often than by chance; of 2 (mine-"
    assert said.startswith(begins)
    assert "Two people have an error consistency (EC) of 0." in said
    assert re.search(r"Where both fail, two people have a misclassification agreement \(MA\) of 0\.", said)
    strange = {name: answers for name, answers in many.items() if name in ("mine-4", "mine-5")}
    strange |= {f"mine-{i}": np.roll(mine.answers["mine"], 11 * i) for i in (6, 7)}
    said = told(mine.from_table(mine.truth, strange, classes=range(6)), theirs, "EC")
    assert said.startswith("None of your 4 systems fail on the same trials as people, more often than by chance; of 4 ")
    assert "that of 4 with people is lower." in said


def test_where_a_person_answered_half_of_the_trials_nothing_is_told():
    mine, theirs = world(0.95, 500, 1)
    half = theirs.answers.assign(ann=theirs.answers["ann"].where(np.arange(500) % 2 == 0, -1))
    with_gaps = dataclasses.replace(theirs, answers=half)
    (said,) = verdict(compare(mine, with_gaps, how=Options(measures="EC")))
    assert said.startswith(f"{CANNOT_TELL} who fails where")
    assert "ann: 50 % of the trials" in said
    apart = compare(mine, with_gaps, how=Options(measures="EC", unread="left out"))
    assert "who fails where" not in " ".join(verdict(apart))
