"""Sentences of a report: each says what plain pandas finds in the answers, and no more than its interval allows."""

import dataclasses
import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign.reports import Options, compare
from erralign.reports.wording import sentences

NUMBERS = re.compile(r"(−?[\d.]+) \((−?[\d.]+) to (−?[\d.]+)\)")
ABOUT = {  # the words by which a sentence is known, of which the first that it has counts
    "chance": "trials more often than by chance",
    "answers": "give the same wrong answer",
    "people": "that of two people",
    "ceiling": "could reach",
    "value": r"\((EC|MA|CLES)\) of",
}


def understood(comparison):
    """Return what each sentence says: about what, of which measure, on which side, in which words, with which numbers.

    A side is where the whole interval is said to lie.
    """
    claims = []
    for sentence in re.split(r"(?<=\.) (?=[A-Z]|[a-z]+\d? and )", " ".join(sentences(comparison))):
        about = next(about for about, words in ABOUT.items() if re.search(words, sentence))
        short = re.search(r"\b(EC|MA|CLES)\b", sentence)[1]
        side = "above"
        if "cannot tell" in sentence:
            side = ""
        elif re.search(r"on different|more seldom|answer less|is below", sentence):
            side = "below"
        numbers = [float(text.replace("−", "-")) for text in NUMBERS.search(sentence).groups()]
        claims.append((about, short, side, sentence, numbers))
    return claims


def made(n=400, n_classes=5, seed=0):
    """Draw three people who find the same trials hard, and systems of which one knows how they stand to people."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    hard, favourite = rng.random(n) < 0.35, (truth + rng.integers(1, n_classes, n)) % n_classes

    def system(shared):
        own = np.where(rng.random(n) < 0.35, (truth + rng.integers(1, n_classes, n)) % n_classes, truth)
        return np.where(rng.random(n) < shared, np.where(hard, favourite, truth), own)

    people = {name: system(0.7) for name in ("ann", "ben", "eve")}
    systems = {
        "copy": people["ann"],
        "perfect": truth,
        "chance": rng.integers(n_classes, size=n),
        "constant": np.full(n, 2),
        "alone": system(0.0),
        "halfway": system(0.5),
        "likest": np.where(hard, favourite, truth),
        "contrary": np.where(hard, truth, favourite),
        "likest2": np.where(rng.random(n) < 0.02, favourite, np.where(hard, favourite, truth)),
    }
    kinds = dict.fromkeys(people, "human") | dict.fromkeys(systems, "model")
    return erralign.Responses.from_table(truth, people | systems, classes=range(n_classes), kind=kinds)


ALL = made()
SYSTEMS = [name for name, kind in ALL.systems["kind"].items() if kind == "model"]
PEOPLE = ALL.select(systems=["ann", "ben", "eve"])
FAST = Options(n_resamples=200)


def plain(responses, short, one, other):
    """Return EC or MA from a cross table, or CLES from the library."""
    truth, a, b = responses.truth, responses.answers[one], responses.answers[other]
    if short == "CLES":
        return erralign.class_level_error_similarity(truth, a, b, n_classes=len(responses.classes))
    if short == "EC":
        table = pd.crosstab(a == truth, b == truth, normalize=True)
        expected = (table.sum(axis=1) * table.sum()).sum()
        return (np.trace(table.reindex(index=table.columns, fill_value=0)) - expected) / (1 - expected)
    wrong = (a != truth) & (b != truth)
    classes = range(len(responses.classes))
    table = pd.crosstab(a[wrong], b[wrong], normalize=True).reindex(index=classes, columns=classes, fill_value=0)
    expected = (table.sum(axis=1) * table.sum()).sum()
    return (np.trace(table) - expected) / (1 - expected)


def mean_with_people(short, name):
    return np.mean([plain(ALL, short, name, person) for person in PEOPLE.answers])


def check_side(side, low, high):
    """Refuse a claim that an interval does not allow, and silence about one that it does."""
    assert side == ("above" if low > 0 else "below" if high < 0 else "")


@pytest.mark.parametrize("name", SYSTEMS)
def test_sentences_beside_people_say_what_pandas_finds(name):
    comparison = compare(ALL.select(systems=[name]), PEOPLE, how=FAST)
    limits = comparison.with_people.loc[name]
    columns = {"chance": "", "value": "", "people": "_lead", "ceiling": "_reach"}
    seen = set()
    for about, short, side, sentence, numbers in understood(comparison):
        seen.add((about, short))
        assert name in sentence
        column = short + columns[about]
        estimate, low, high = limits[[column, f"{column}_low", f"{column}_high"]]
        if about in ("chance", "people"):
            check_side(side, low, high)
        if about == "people":
            two_people = np.mean([plain(PEOPLE, short, *pair) for pair in combinations(PEOPLE.answers, 2)])
            printed = float(re.search(r"that of two people, (−?[\d.]+\d)", sentence)[1].replace("−", "-"))
            assert printed == pytest.approx(two_people, abs=0.0051)
            if side == "below":  # the sentence has the size, and the word the sign
                estimate, low, high = -estimate, -high, -low
        if about == "chance":
            assert estimate == pytest.approx(mean_with_people(short, name), abs=1e-9)
        assert numbers == pytest.approx([estimate, low, high], abs=0.0051)
    has_ec = name != "perfect"
    assert (("chance", "EC") in seen, ("people", "EC") in seen) == (has_ec, has_ec)
    assert ("value", "CLES") in seen


def test_what_is_far_from_the_border_is_told():
    """A system with people's errors, one with none of them, and one that errs where they do not."""
    expected = {"likest": ["above", "above"], "alone": ["", "below"], "contrary": ["below", "below"]}
    for name, sides in expected.items():
        comparison = compare(ALL.select(systems=[name]), PEOPLE, how=FAST)
        told = {about: side for about, short, side, *_ in understood(comparison) if short == "EC"}
        assert [told["chance"], told["people"]] == sides, name


@pytest.mark.parametrize("pair", [*combinations(["copy", "likest", "alone", "contrary", "constant"], 2)])
def test_sentences_of_a_pair_say_what_pandas_finds(pair):
    responses = ALL.select(systems=list(pair))
    comparison = compare(responses, how=FAST)
    row = comparison.pairs.iloc[0]
    for about, short, side, sentence, numbers in understood(comparison):
        assert " and ".join(pair) in sentence
        assert numbers == pytest.approx(row[[short, f"{short}_low", f"{short}_high"]].tolist(), abs=0.0051)
        assert numbers[0] == pytest.approx(plain(responses, short, *pair), abs=0.0051)
        if about == "chance":
            check_side(side, row["EC_low"], row["EC_high"])
        elif about == "answers":
            interval = erralign.pairwise_intervals(responses, "WMA", rng=0).iloc[0]
            check_side(side, interval["WMA_low"], interval["WMA_high"])


def test_many_systems_and_pairs_are_counted_on_their_sides():
    names = [name for name in SYSTEMS if name != "perfect"]
    only_ec = Options(measures="EC", n_resamples=200)
    comparison = compare(ALL.select(systems=names), PEOPLE, how=only_ec)
    told, table = " ".join(sentences(comparison)), comparison.with_people.loc[names]
    for which, n in (("the same", (table["EC_low"] > 0).sum()), ("different", (table["EC_high"] < 0).sum())):
        assert f"{n} of your {len(names)} systems and people fail on {which} trials more often than by chance." in told
    for where, n in (("above", (table["EC_lead_low"] > 0).sum()), ("below", (table["EC_lead_high"] < 0).sum())):
        assert f"The EC of {n} of your {len(names)} systems and people is {where} that of two people." in told
    comparison = compare(ALL.select(systems=names), how=only_ec)
    told, pairs = " ".join(sentences(comparison)), comparison.pairs
    for which, n in (("the same", (pairs["EC_low"] > 0).sum()), ("different", (pairs["EC_high"] < 0).sum())):
        assert f"{n} of {len(pairs)} pairs fail on {which} trials more often than by chance." in told


def test_two_who_share_habits_and_never_an_answer_agree_less_than_their_habits():
    rng = np.random.default_rng(0)
    truth, first, step = rng.integers(5, size=600), rng.integers(1, 5, 600), rng.integers(1, 4, 600)
    second = (first - 1 + step) % 4 + 1  # another wrong answer
    right = rng.random((2, 600)) < 0.3
    answers = np.where(right, truth, (truth + np.stack([first, second])) % 5)
    comparison = compare(erralign.Responses.from_table(truth, dict(zip("AB", answers, strict=True))), how=FAST)
    assert [side for about, _, side, *_ in understood(comparison) if about == "answers"] == ["below"]


@pytest.mark.parametrize(("seed", "link", "side"), [(3, 0, ""), (37, 0, ""), (3, 0.9, "above")])
def test_habits_alone_are_not_called_the_same_wrong_answer(seed, link, side):
    """Few joint errors per class: in the first two worlds MA leaves out 0 and what habits give, and WMA contains 0."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(16, size=160)
    habits = rng.dirichlet(np.full(16, 0.5), size=16) * (1 - np.eye(16))
    habits /= habits.sum(axis=1, keepdims=True)
    wrong = np.array([[rng.choice(16, p=habits[each]) for each in truth] for _ in "AB"])
    wrong[1] = np.where(rng.random(160) < link, wrong[0], wrong[1])
    answers = dict(zip("AB", np.where(rng.random((2, 160)) < [[0.75], [0.7]], truth, wrong), strict=True))
    claims = understood(compare(erralign.Responses.from_table(truth, answers)))
    assert [told for about, _, told, *_ in claims if about == "answers"] == [side]


def test_too_few_trials_and_undefined_values_give_no_claim():
    few = ALL.select(systems=["copy", "likest"], trials=ALL.truth.index[:8])
    assert [side for about, _, side, *_ in understood(compare(few, how=FAST)) if about == "chance"] == [""]
    nobody_errs = ALL.select(systems=["perfect", "alone"])
    six = pd.DataFrame({"truth": [0, 1, 2, 0, 1, 2], "a": [1, 1, 1, 0, 1, 2], "b": [1, 1, 0, 0, 2, 2]})
    no_habits = erralign.Responses.from_table(six["truth"], six[["a", "b"]], classes=range(3))
    for responses in (nobody_errs, no_habits):
        assert not any("nan" in line or "undefined" in line for line in sentences(compare(responses, how=FAST)))


def test_where_a_person_answered_half_of_the_trials_nothing_is_told():
    half = PEOPLE.answers.assign(ann=PEOPLE.answers["ann"].where(np.arange(400) % 2 == 0, -1))
    with_gaps = dataclasses.replace(PEOPLE, answers=half)
    mine = ALL.select(systems=["likest"])
    (said,) = sentences(compare(mine, with_gaps, how=Options(measures="EC", n_resamples=200)))
    assert said.startswith("These files cannot tell who fails where")
    assert "ann: 50 % of the trials" in said
    apart = compare(mine, with_gaps, how=Options(measures="EC", unread="left out", n_resamples=200))
    assert "who fails where" not in " ".join(sentences(apart))
