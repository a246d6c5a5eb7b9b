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

NUMBERS = r"(−?[\d.]+) \((−?[\d.]+) to (−?[\d.]+)\)"
WHO, SHORT, TWO = r"(?P<who>(?:(?!whether ).)+)", r"(?P<short>\w+)", r"that of two people, (?P<two>\S+)"
CANNOT_TELL, CHANCE = "[Tt]hese files cannot tell whether", "trials more often than by chance: EC"
DIFFERENCE, COULD_REACH, THESE = rf": the difference is {NUMBERS}\.", "could reach an", r"with these people\."
NEXT = r"(?P<next>.+)"
SAME_ANSWER, HABITS = "give the same wrong answer", "often than their habits would: MA"
# What each sentence of a report says, but for names and numbers, and where the whole interval is said to lie.
SAYS = [
    ("chance", "above", rf"{WHO} fail on the same {CHANCE} {NUMBERS}\."),
    ("chance", "below", rf"{WHO} fail on different {CHANCE} {NUMBERS}\."),
    ("chance", "", rf"{CANNOT_TELL} {WHO} fail on the same {CHANCE} {NUMBERS}\."),
    ("answers", "above", rf"Where both fail, {WHO} {SAME_ANSWER} more {HABITS} {NUMBERS}.*\."),
    ("answers", "below", rf"Where both fail, {WHO} {SAME_ANSWER} less {HABITS} {NUMBERS}.*\."),
    ("answers", "", rf"Where both fail, {CANNOT_TELL} {WHO} {SAME_ANSWER} more {HABITS} {NUMBERS}.*\."),
    ("value", None, rf"The [\w -]+ \({SHORT}\) of {WHO} is {NUMBERS}.*\."),
    ("people", "above", rf"The {SHORT} of {WHO} with people is above {TWO}, by {NUMBERS}\."),
    ("people", "below", rf"The {SHORT} of {WHO} with people is below {TWO}, by {NUMBERS}\."),
    ("people", "", rf"{CANNOT_TELL} the {SHORT} of {WHO} with people is above or below {TWO}{DIFFERENCE}"),
    ("ceiling", None, rf"A system that is right as often as {WHO} {COULD_REACH} (?P<short>EC) of {NUMBERS} {THESE}"),
    (
        "ceiling",
        None,
        rf"A system that is wrong on the same trials as {WHO} {COULD_REACH} (?P<short>MA) of {NUMBERS} {THESE}",
    ),
    ("closest", "above", rf"Of your systems, {WHO} has the highest {SHORT} with people, above {NEXT} by {NUMBERS}\."),
    ("closest", "", rf"{CANNOT_TELL} {WHO} or {NEXT} has the higher {SHORT} with people{DIFFERENCE}"),
]


def understood(comparison):
    """Return what each sentence says: about what, on which side, of whom, with which numbers. None may be unknown."""
    said = []
    for sentence in re.split(r"(?<=\.) (?=[A-Z]|[a-z]+\d? and )", " ".join(sentences(comparison))):
        matches = [(about, side, re.fullmatch(form, sentence)) for about, side, form in SAYS]
        matches = [(about, side, match) for about, side, match in matches if match]
        assert len(matches) == 1, sentence
        about, side, match = matches[0]
        numbers = [float(text.replace("−", "-")) for text in match.groups()[-3:]]
        said.append((about, side, match.groupdict(), numbers))
    return said


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


def check_side(side, numbers, value, zero=0.0):
    """Refuse a claim that an interval does not allow, silence about one that it does, and a value of somebody else."""
    printed, low, high = numbers
    assert printed == pytest.approx(value, abs=0.0051)
    assert low <= printed <= high
    if side is not None:
        assert side == ("above" if low > zero else "below" if high < zero else "")


@pytest.mark.parametrize("name", SYSTEMS)
def test_sentences_beside_people_say_what_pandas_finds(name):
    comparison = compare(ALL.select(systems=[name]), PEOPLE, how=FAST)
    two_people = {
        short: np.mean([plain(PEOPLE, short, *pair) for pair in combinations(PEOPLE.answers, 2)])
        for short in ("EC", "MA", "CLES")
    }
    limits = comparison.with_people.loc[name]
    seen = set()
    for about, side, of, numbers in understood(comparison):
        short = of.get("short", "EC")
        seen.add((about, short))
        assert of["who"] in (name, f"{name} and people", f"{name} with people")
        if about in ("chance", "value"):
            column = short
            value = mean_with_people(short, name)
        elif about == "people":
            column = f"{short}_lead"
            assert float(of["two"].replace("−", "-")) == pytest.approx(two_people[short], abs=0.0051)
            value = mean_with_people(short, name) - two_people[short]
        else:
            column = f"{short}_reach"
            value = limits[column]
        ends = limits[[column, f"{column}_low", f"{column}_high"]].to_numpy()
        if about == "people" and side:  # the sentence has the size, and the word the sign
            assert side == ("above" if ends[1] > 0 else "below" if ends[2] < 0 else "nothing is certain")
            side, value, ends = "above", abs(value), np.array([abs(ends[0]), *sorted(abs(ends[1:]))])
        if about == "people" or about == "value":  # jackknife and smoothing take bias off
            value = ends[0]
        check_side(side, numbers, value)
        assert numbers == pytest.approx(ends, abs=0.0051)
    has_ec = name != "perfect"
    assert (("chance", "EC") in seen, ("people", "EC") in seen) == (has_ec, has_ec)
    assert ("value", "CLES") in seen
    assert ("ceiling", "MA") in seen or name == "perfect"


def test_what_is_far_from_the_border_is_told():
    """A system with people's errors, one with none of them, and one that errs where they do not."""
    sides = {}
    for name in ("likest", "alone", "contrary", "copy"):
        comparison = compare(ALL.select(systems=[name]), PEOPLE, how=FAST)
        sides[name] = {about: side for about, side, of, _ in understood(comparison) if of.get("short", "EC") == "EC"}
    assert sides["likest"]["chance"] == sides["likest"]["people"] == "above"
    assert (sides["alone"]["chance"], sides["alone"]["people"]) == ("", "below")
    assert (sides["contrary"]["chance"], sides["contrary"]["people"]) == ("below", "below")
    assert (sides["copy"]["chance"], sides["copy"]["people"]) == ("above", "above")


@pytest.mark.parametrize("pair", [*combinations(["copy", "likest", "alone", "contrary", "constant", "chance"], 2)])
def test_sentences_of_a_pair_say_what_pandas_finds(pair):
    responses = ALL.select(systems=list(pair))
    comparison = compare(responses, how=FAST)
    row = comparison.pairs.iloc[0]
    for about, side, of, numbers in understood(comparison):
        assert of["who"] == " and ".join(pair)
        short = {"chance": "EC", "answers": "MA"}.get(about, of.get("short"))
        assert numbers == pytest.approx(row[[short, f"{short}_low", f"{short}_high"]].tolist(), abs=0.0051)
        value = plain(responses, short, *pair)
        assert numbers[0] == pytest.approx(value, abs=0.0051)
        if short == "EC":
            check_side(side, numbers, value)
        elif short == "MA":
            low, high = erralign.pairwise_intervals(responses, "WMA", rng=0).iloc[0].filter(regex="_(low|high)$")
            assert side == ("above" if low > 0 else "below" if high < 0 else "")


def test_the_closest_of_several_is_told_only_where_it_is_clear():
    for names, side in ((["halfway", "likest"], "above"), (["likest", "likest2"], "")):
        comparison = compare(ALL.select(systems=names), PEOPLE, how=FAST)
        said = [line for line in understood(comparison) if line[0] == "closest"]
        assert [line[2]["short"] for line in said] == ["EC", "MA", "CLES"]
        _, told, of, numbers = said[0]
        means = {name: mean_with_people("EC", name) for name in names}
        first = max(means, key=means.get)
        assert (told, of["who"]) == (side, first)
        assert numbers[0] == pytest.approx(means[first] - means[of["next"]], abs=0.02)
        assert told == ("above" if numbers[1] > 0 else "")


def test_many_systems_and_pairs_are_counted_on_their_sides():
    names = [name for name in SYSTEMS if name != "perfect"]
    comparison = compare(ALL.select(systems=names), PEOPLE, how=Options(measures="EC", n_resamples=200))
    said = " ".join(sentences(comparison))
    table = comparison.with_people.loc[names]
    sides = {"the same": (table["EC_low"] > 0).sum(), "different": (table["EC_high"] < 0).sum()}
    for which, n in sides.items():
        assert f"{n} of your {len(names)} systems and people fail on {which} trials more often than by chance." in said
    n_above, n_below = (table["EC_lead_low"] > 0).sum(), (table["EC_lead_high"] < 0).sum()
    assert f"The EC of {n_above} of your {len(names)} systems with people is above that of two people." in said
    assert f"The EC of {n_below} of your {len(names)} systems with people is below that of two people." in said
    comparison = compare(ALL.select(systems=names), how=Options(measures="EC", n_resamples=200))
    said, pairs = " ".join(sentences(comparison)), comparison.pairs
    for which, n in {"the same": (pairs["EC_low"] > 0).sum(), "different": (pairs["EC_high"] < 0).sum()}.items():
        assert f"{n} of {len(pairs)} pairs fail on {which} trials more often than by chance." in said
    assert f"By chance alone, about {0.05 * len(pairs):.1f} intervals would leave out 0" in said


def test_two_who_share_habits_and_never_an_answer_agree_less_than_their_habits():
    rng = np.random.default_rng(0)
    truth, first, step = rng.integers(5, size=600), rng.integers(1, 5, 600), rng.integers(1, 4, 600)
    second = (first - 1 + step) % 4 + 1  # another wrong answer
    right = rng.random((2, 600)) < 0.3
    answers = np.where(right, truth, (truth + np.stack([first, second])) % 5)
    comparison = compare(erralign.Responses.from_table(truth, dict(zip("AB", answers, strict=True))), how=FAST)
    sides = {about: side for about, side, *_ in understood(comparison)}
    assert sides["answers"] == "below"


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
    said = understood(compare(erralign.Responses.from_table(truth, answers)))
    assert [told for about, told, *_ in said if about == "answers"] == [side]


def test_too_few_trials_and_undefined_values_give_no_claim():
    few = ALL.select(systems=["copy", "likest"], trials=ALL.truth.index[:8])
    assert [side for about, side, *_ in understood(compare(few, how=FAST)) if about == "chance"] == [""]
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
