"""Which theory of thinking errs like people, under five rules for a theory that predicts several conclusions?"""

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import t as student

from erralign_book.papers.frozen import frozen
from erralign_book.papers.theories import scores
from erralign_book.sources import syllogisms

ARCHIVES = [syllogisms.CCOBRA, syllogisms.REASONERS]
SPLIT, DRAW, HUMAN = "split evenly", "draw one", "most human member"
NOTHING, SOMETHING = "nothing follows, if named", "a conclusion, if named"  # and else split evenly
RULES = (SPLIT, DRAW, HUMAN, NOTHING, SOMETHING)
PERSON, FAVOURITE = "another person", "the most frequent answer"
IN_PLACE = "a wrong person in its place"
DRAWS = 100


@cache
def predicted(theory: str, rule: str) -> tuple[np.ndarray, ...]:
    """Return the shares of conclusions that a theory predicts; where one is drawn for each form, in each of the draws.

    The most human member is the one that most people of 2016 drew, of 2018, too.
    """
    member = syllogisms.theories()[theory].to_numpy()
    if rule in (NOTHING, SOMETHING):
        nothing = np.array(syllogisms.CONCLUSIONS) == syllogisms.NOTHING
        preferred = member & (nothing == (rule == NOTHING))
        member = np.where(preferred.any(axis=1, keepdims=True), preferred, member)
    if rule not in (HUMAN, DRAW):
        return (member / member.sum(axis=1, keepdims=True),)
    if rule == HUMAN:
        return (np.eye(scores.N)[np.where(member, scores.sample("2016").counts, -1).argmax(axis=1)],)
    rng = np.random.default_rng(0)
    return tuple(np.eye(scores.N)[np.where(member, rng.random(member.shape), -1).argmax(axis=1)] for _ in range(DRAWS))


def favourite(people: scores.Sample) -> np.ndarray:
    """Return the most frequent conclusion of each form."""
    return np.eye(scores.N)[people.counts.argmax(axis=1)]


def theories() -> list[str]:
    """Return the names of the theories."""
    return list(syllogisms.theories())


def _systems() -> Iterator[tuple[dict[str, str], tuple[np.ndarray, ...]]]:
    """Yield every system but people: what it is, and the shares of its conclusions, draw by draw."""
    for rule, name in product(RULES, theories()):
        yield {"system": name, "kind": "theory", "rule": rule}, predicted(name, rule)
    for model, setting, reading in product(syllogisms.MODELS, syllogisms.SETTINGS, syllogisms.READINGS):
        called = f"{syllogisms.MODELS[model]}, {syllogisms.SETTINGS[setting]}"
        facts = {"system": called, "kind": "language model", "rule": reading}
        yield facts, (syllogisms.said(model, setting, reading).to_numpy(),)


def _over_draws(draws: tuple[np.ndarray, ...], people: scores.Sample) -> dict[str, scores.Values]:
    """Return means over people, and over draws where one conclusion is drawn."""
    found = [scores.with_people(shares, people) for shares in draws]
    return {name: scores.Values.mean([of[name] for of in found]) for name in scores.MEASURES}


def reach(shares: np.ndarray, people: scores.Sample) -> tuple[float, float]:
    """Return the EC of the best that is right as often, and the MA of the best that is wrong on the same forms.

    The one is right where most people are, the other draws people's favourite wrong conclusions.
    """
    right, wrong = (shares * people.right).sum(axis=1), (shares * ~people.right).sum(axis=1)
    easy = np.argsort(-people.is_right.mean(axis=1), kind="stable")
    surely = np.empty(len(right))
    surely[easy] = np.clip(right.sum() - np.arange(len(right)), 0, 1)
    tempting = np.eye(scores.N)[np.where(people.right, -1, people.counts).argmax(axis=1)]
    valid = np.eye(scores.N)[people.right.argmax(axis=1)]
    best, tempted = (
        valid * hit[:, None] + tempting * missed[:, None] for hit, missed in ((surely, 1 - surely), (right, wrong))
    )
    return scores.with_people(best, people)["EC"].whole, scores.with_people(tempted, people)["MA"].whole


def _row(facts: dict[str, str], found: dict[str, scores.Values]) -> dict:
    row: dict[str, object] = dict(facts)
    for name in scores.MEASURES:
        spread = found[name].found()
        half = student.ppf(0.975, spread["df"]) * spread["se"]
        row |= {name: spread["value"], f"{name}_low": spread["value"] - half, f"{name}_high": spread["value"] + half}
    return row


@frozen(inputs=ARCHIVES)
def beside_people() -> pd.DataFrame:
    """Return mean EC and MA with people of each system, their limits over forms and people, and what is within reach.

    ``joint`` is the number of forms, on average over people, on which both are wrong.
    """
    rows = []
    for year in syllogisms.PEOPLE:
        people = scores.sample(year)
        facts = {"year": year, "system": PERSON, "kind": "people", "rule": "each"}
        rows.append(_row(facts, scores.with_each_other(people)) | {"accuracy": people.is_right.mean()})
        known = [({"system": FAVOURITE, "kind": "people", "rule": "all people"}, (favourite(people),)), *_systems()]
        for facts, draws in known:
            found = [reach(shares, people) for shares in draws]
            missed = np.mean(draws, axis=0) * ~people.right
            joint = missed.sum(axis=1) @ (1 - people.is_right.mean(axis=1))
            accuracy = (np.mean(draws, axis=0) * people.right).sum(axis=1).mean()
            more = dict(zip(("EC_reach", "MA_reach"), np.mean(found, axis=0), strict=True))
            rows.append(
                {"year": year} | _row(facts, _over_draws(draws, people)) | more | {"joint": joint, "accuracy": accuracy}
            )
    return pd.DataFrame(rows)


@frozen(inputs=ARCHIVES[:1])
def each_person() -> pd.DataFrame:
    """Return the mean EC and MA of each person with the others."""
    rows = []
    for year in syllogisms.PEOPLE:
        said = scores.sample(year).said
        for place in range(said.shape[1]):
            others = scores.Sample(np.delete(said, place, axis=1), scores.sample(year).right)
            found = scores.each(np.eye(scores.N)[said[:, place]], others)
            rows.append(
                {"year": year, "person": place} | {name: np.nanmean(found[name][0]) for name in scores.MEASURES}
            )
    return pd.DataFrame(rows)


def in_its_place(shares: np.ndarray, people: scores.Sample) -> dict[str, scores.Values]:
    """Return the means for another person who is wrong on the same forms as a system, as often as it is."""
    missed = (shares * ~people.right).sum(axis=1, keepdims=True)
    valid = np.eye(scores.N)[people.right.argmax(axis=1)] * (1 - missed)
    found = []
    for said in people.said.T:
        wrong = (people.counts - np.eye(scores.N)[said]) * ~people.right
        others = wrong / np.maximum(wrong.sum(axis=1, keepdims=True), 1)
        found.append(scores.each(valid + missed * others, scores.Sample(said[:, None], people.right)))
    return {name: scores.mean_of(np.concatenate([of[name] for of in found], axis=1)) for name in scores.MEASURES}


def _forms() -> dict[str, np.ndarray]:
    nothing = syllogisms.follows()[syllogisms.NOTHING].to_numpy()
    return {"all forms": np.ones(len(nothing), bool), "nothing follows": nothing, "something follows": ~nothing}


@frozen(inputs=ARCHIVES[:1])
def leads() -> pd.DataFrame:
    """Return by how much each theory is ahead of another person, by people, rule and measure.

    ``over`` is another person, or one who is wrong on the same forms in the theory's place, of whom MA alone is known.
    Where all draws of a rule would take long, and on some forms, only those that the text needs are there.
    """
    rows = []
    for year, (forms, kept) in product(syllogisms.PEOPLE, _forms().items()):
        some = scores.Sample(scores.sample(year).said[kept], scores.sample(year).right[kept])
        person = scores.with_each_other(some)
        for name, rule in product(theories(), RULES if forms == "all forms" else (SPLIT, HUMAN)):
            draws = tuple(shares[kept] for shares in predicted(name, rule))
            found = _over_draws(draws, some)
            facts = {"people": year, "rule": rule, "forms": forms, "of": name}
            measures = scores.MEASURES if forms == "all forms" else ("MA",)
            rows += [_lead(facts, PERSON, measure, found[measure], person[measure]) for measure in measures]
            if rule != DRAW:
                rows.append(_lead(facts, IN_PLACE, "MA", found["MA"], in_its_place(draws[0], some)["MA"]))
    return pd.DataFrame(rows)


def _lead(facts: dict[str, str], over: str, measure: str, of: scores.Values, other: scores.Values) -> dict:
    arms = {"over": over, "measure": measure, "first": of.whole, "second": other.whole}
    return facts | arms | (of - other).found()
