"""Sentences of a report: each says what plain pandas finds in the answers, and no more than its interval allows."""

import dataclasses
import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign.measures.class_level_error_similarity import INDEPENDENT_ERRORS
from erralign.reports import Options, compare
from erralign.reports.verdicts import near_chance
from erralign.reports.wording import sentences

NUMBERS = re.compile(r"(−?[\d.]+) \((−?[\d.]+) to (−?[\d.]+)\)")
ABOUT = {  # the words by which a sentence is known, of which the first that it has counts
    "near chance": "is (near|below) chance|gives one answer throughout",
    "no verdict": "not set against",
    "share": "By Loevinger's H",
    "chance": "trials more often than by chance",
    "answers": "give the same wrong answer",
    "ceiling": "could reach",
    "people": "that of two people",
    "value": r"\((EC|MA|CLES)\) of",
}


def understood(comparison):
    """Return what each sentence says: about what, of which measure, on which side, in which words, with which numbers.

    A side is where the whole interval is said to lie.
    """
    claims = []
    for sentence in re.split(r"(?<=\.) (?=[A-Z]|[a-z]+\d? and )", " ".join(sentences(comparison))):
        about = next(about for about, words in ABOUT.items() if re.search(words, sentence))
        short = "accuracy"
        if about != "near chance":
            short = re.search(r"\b(EC|MA|CLES)\b", sentence)[1]
        side = "above"
        if "cannot tell" in sentence:
            side = ""
        elif re.search(r"on different|more seldom|answer less|(is|are) below", sentence):
            side = "below"
        found = NUMBERS.search(sentence)
        numbers = [float(text.replace("−", "-")) for text in found.groups()] if found else []
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


def plain_h(one, other):
    """Return EC over the largest EC that the two accuracies allow."""
    right = ALL.answers[[one, other]].eq(ALL.truth, axis=0)
    lower, higher = sorted(right.mean())
    return (right.all(axis=1).mean() - lower * higher) / (lower * (1 - higher))


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
    seen, sides = set(), {}
    for about, short, side, sentence, numbers in understood(comparison):
        seen.add((about, short))
        sides[about, short] = side
        if about in ("near chance", "no verdict"):
            continue
        if about == "share":
            of_h = [plain_h(name, person) for person in PEOPLE.answers]
            of_people = [plain_h(*pair) for pair in combinations(PEOPLE.answers, 2)]
            assert numbers[0] == pytest.approx(np.mean(of_h) - np.mean(of_people), abs=0.0051)
            check_side(side, *numbers[1:])
            continue
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
    # What could be reached stands beside every verdict on EC, and that of H where it is another.
    if ("people", "EC") in seen:
        assert ("ceiling", "EC") in seen
        of_h = limits[["H_lead_low", "H_lead_high"]]
        by_h = "above" if of_h.iloc[0] > 0 else "below" if of_h.iloc[1] < 0 else ""
        assert (("share", "EC") in seen) == (by_h != sides["people", "EC"])
    assert (("people", "CLES") in seen) != (("no verdict", "CLES") in seen)
    has_ec = name != "perfect"
    assert (("chance", "EC") in seen, ("people", "EC") in seen) == (has_ec, has_ec)
    assert ("value", "CLES") in seen


def test_what_is_far_from_the_border_is_told():
    """A system with people's errors, one with none of them, and one that errs where they do not."""
    expected = {"likest": ["above", "above"], "alone": ["", "below"], "contrary": ["below", "below"]}
    for name, sides in expected.items():
        comparison = compare(ALL.select(systems=[name]), PEOPLE, how=FAST)
        told = {about: side for about, short, side, *_ in understood(comparison) if short == "EC"}
        assert not any(about == "near chance" for about, *_ in understood(comparison))
        assert [told["chance"], told["people"]] == sides, name


@pytest.mark.parametrize("pair", [*combinations(["copy", "likest", "alone", "contrary", "constant"], 2)])
def test_sentences_of_a_pair_say_what_pandas_finds(pair):
    responses = ALL.select(systems=list(pair))
    comparison = compare(responses, how=FAST)
    row = comparison.pairs.iloc[0]
    for about, short, side, sentence, numbers in understood(comparison):
        if about == "near chance":
            assert any(name in sentence for name in pair)
            continue
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


# ---- near chance, and CLES -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "words"), [("chance", "chance: it is right on"), ("constant", "'2'")])
def test_who_guesses_or_gives_one_answer_is_called_so_first_and_gets_no_verdict_by_cles(name, words):
    comparison = compare(ALL.select(systems=[name]), PEOPLE, how=FAST)
    first, *others = sentences(comparison)
    assert first.startswith(name)
    assert words in first
    accuracy = np.mean(ALL.answers[name] == ALL.truth)
    assert f" {accuracy:.2f} (" in first
    (about_cles,) = [paragraph for paragraph in others if "(CLES)" in paragraph]
    assert "a system that guesses can have a CLES as high" in about_cles
    assert "that of two people, 0." not in about_cles
    assert comparison.with_people.loc[name, ["CLES_lead", "CLES_lead_low", "CLES_lead_high"]].isna().all()


def test_a_copy_of_a_network_has_the_networks_sentences():
    told = []
    for name in ("halfway", "clone"):
        one = ALL.select(systems=["halfway"])
        renamed = dataclasses.replace(
            one, answers=one.answers.set_axis([name], axis=1), systems=one.systems.set_axis([name])
        )
        told.append([line.replace(name, "x") for line in sentences(compare(renamed, PEOPLE, how=FAST))])
    assert told[0] == told[1]


def right_on(n_right, n=400):
    """Return a system that is right on so many trials."""
    truth = ALL.truth.to_numpy()
    return np.where(np.arange(n) % n < n_right, truth, (truth + 1) % 5)


@pytest.mark.parametrize(("apart", "compared"), [(19, True), (20, False), (-19, True), (-20, False)])
def test_by_cles_two_are_compared_if_fewer_than_one_trial_in_twenty_lies_between_them(apart, compared):
    """As floats, 0.7 less 0.65 is below 0.05."""
    people = {name: right_on(280) for name in ("ann", "ben")}
    kinds = dict.fromkeys(people, "human") | {"net": "model"}
    answers = people | {"net": right_on(280 + apart)}
    both = erralign.Responses.from_table(ALL.truth, answers, classes=range(5), kind=kinds)
    comparison = compare(both, how=Options(measures="CLES", n_resamples=200))
    assert comparison.no_verdict["net"] == ("" if compared else "another accuracy")
    (told,) = sentences(comparison)
    assert bool(re.search(r"that of two people, \d", told)) is compared
    assert ("accuracies differ by 0.05 or more" in told) is not compared


def test_independent_errors_stand_beside_each_cles():
    one = ALL.select(systems=["halfway"])
    comparison = compare(one, PEOPLE, how=FAST)
    both = PEOPLE.join(one)
    pairs = erralign.pairwise(both, INDEPENDENT_ERRORS, with_="halfway")
    of_pairs = comparison.pairs.set_index(["system_a", "system_b"])["CLES_independent"].dropna()
    for row in pairs.itertuples():
        assert of_pairs[row.system_a, row.system_b] == pytest.approx(row.CLES_independent, abs=1e-12)
    told = " ".join(sentences(comparison))
    assert f"would give {pairs['CLES_independent'].mean():.2f}" in told


def test_chance_is_what_a_guess_or_the_best_answer_throughout_gives():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], [240, 40, 20])
    balanced = rng.integers(3, size=300)
    answers = {"throughout": np.zeros(300, int), "guess": balanced, "knows": np.where(truth == 2, 2, truth)}
    made = erralign.Responses.from_table(truth, answers, classes=range(3))
    told = near_chance(made, erralign.accuracy_intervals(made))
    assert set(told) == {"throughout", "guess"}
    assert "'0': it is right on 0.80" in told["throughout"]
    assert "guessing among 3 classes would be on 0.33, '0' throughout on 0.80" in told["guess"]
    one_class = made.select(trials=made.truth.index[:240])
    assert near_chance(one_class, erralign.accuracy_intervals(one_class)) == {}


def test_many_near_chance_are_counted():
    rng = np.random.default_rng(1)
    answers = {f"g{place}": rng.integers(5, size=400) for place in range(5)}
    made = erralign.Responses.from_table(ALL.truth, answers, classes=range(5))
    first, *_ = sentences(compare(made, how=Options(measures="EC", n_resamples=200)))
    assert first == "5 of your 5 systems are near chance, or give one answer throughout: g0, g1, g2, g3, g4."
