"""EC and MA of a system that spreads its answer to a form over several conclusions, with each of many people.

Where a theory predicts several conclusions, or a model answered a form several times, an answer is drawn for each form
from the shares. Cells of the table of both right, one or none are then means over all draws, and so are the counts of
joint errors by conclusion; EC and MA are what :mod:`erralign` computes from such cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from erralign_book.datasets import syllogisms
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import summed, variance_of

MEASURES = ("EC", "MA")
N = len(syllogisms.CONCLUSIONS)


@dataclass(frozen=True)
class Sample:
    """People, and what follows from the forms: which conclusion each drew, which are right."""

    said: np.ndarray  # forms by people
    right: np.ndarray  # of each conclusion, forms by conclusions

    @property
    def is_right(self) -> np.ndarray:
        """Return which person is right on which form."""
        return np.take_along_axis(self.right, self.said, axis=1)

    @property
    def counts(self) -> np.ndarray:
        """Return how many people drew each conclusion, forms by conclusions."""
        return (self.said[:, :, None] == np.arange(N)).sum(axis=1)


@cache
def sample(year: str) -> Sample:
    """Return the people of one experiment."""
    return Sample(syllogisms.people(year).to_numpy(), syllogisms.follows().to_numpy())


class Values(NamedTuple):
    """A number, and what it would be without each form and without each person."""

    whole: float
    forms: np.ndarray
    people: np.ndarray

    def __sub__(self, other: Values) -> Values:
        """Return a difference; both are without the same form, or the same person."""
        return Values(self.whole - other.whole, self.forms - other.forms, self.people - other.people)

    @classmethod
    def mean(cls, values: Sequence[Values]) -> Values:
        """Return the mean of several numbers."""
        whole = float(np.mean([each.whole for each in values]))
        forms, people = (np.mean([getattr(each, part) for each in values], axis=0) for part in ("forms", "people"))
        return cls(whole, forms, people)

    def found(self) -> dict[str, float]:
        """Return the number, with its standard error over forms and people and its degrees of freedom."""
        with np.errstate(invalid="ignore"):  # of a system that is always right
            return {"value": self.whole} | summed([variance_of(self.forms), variance_of(self.people)])


def each(shares: np.ndarray, people: Sample) -> dict[str, np.ndarray]:
    """Return each measure with each person, on all forms and without each: shape (1 + forms, people)."""
    sums = _of_forms(shares, people)
    return _values(np.concatenate([sums.sum(axis=0)[None], sums.sum(axis=0) - sums]))


def with_people(shares: np.ndarray, people: Sample) -> dict[str, Values]:
    """Return the mean over people of each measure."""
    return {name: mean_of(found) for name, found in each(shares, people).items()}


def with_each_other(people: Sample) -> dict[str, Values]:
    """Return the mean over all pairs of people."""
    n = people.said.shape[1]
    found = [each(np.eye(N)[people.said[:, place]], people) for place in range(n)]
    others = ~np.eye(n, dtype=bool)
    return {name: _mean_of_pairs(np.stack([of[name] for of in found], axis=1), others) for name in MEASURES}


def _mean_of_pairs(values: np.ndarray, others: np.ndarray) -> Values:
    known = np.where(others & ~np.isnan(values), values, 0.0)
    counted = others & ~np.isnan(values)
    total, n = known[0].sum(), counted[0].sum()
    left = known[0].sum(axis=0) + known[0].sum(axis=1), counted[0].sum(axis=0) + counted[0].sum(axis=1)
    forms = known[1:].sum(axis=(1, 2)) / counted[1:].sum(axis=(1, 2))
    return Values(total / n, forms, (total - left[0]) / (n - left[1]))


def mean_of(values: np.ndarray) -> Values:
    """Return the mean over those people for whom there is a value."""
    known = ~np.isnan(values)
    sums, n = np.where(known, values, 0).sum(axis=1), known.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / n
        without = (sums[0] - np.where(known[0], values[0], 0)) / (n[0] - known[0])
    return Values(float(means[0]), means[1:], without)


def _of_forms(shares: np.ndarray, people: Sample) -> np.ndarray:
    """Return what each form adds, for each person: shape (forms, people, sums)."""
    wrong, missed = shares * ~people.right, ~people.is_right
    hit = (shares * people.right).sum(axis=1)[:, None] * np.ones_like(missed)
    joint = wrong.sum(axis=1)[:, None] * missed
    same = np.take_along_axis(wrong, people.said, axis=1) * missed
    of_system = wrong[:, None, :] * missed[:, :, None]
    of_person = np.eye(N)[people.said] * joint[:, :, None]
    cells = np.stack([np.ones_like(hit), hit, people.is_right, hit * people.is_right, joint, same], axis=2)
    return np.concatenate([cells, of_system, of_person], axis=2)


def _values(sums: np.ndarray) -> dict[str, np.ndarray]:
    n, a, b, both, joint, same = np.moveaxis(sums[..., :6], -1, 0)
    by_chance = a * b / n
    observed = _ratio(same, joint)
    expected = _ratio((sums[..., 6 : 6 + N] * sums[..., 6 + N :]).sum(axis=-1), joint**2)
    return {
        "EC": _ratio(2 * (both - by_chance), a + b - 2 * by_chance),
        "MA": _ratio(observed - expected, 1 - expected),
    }


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=np.abs(below) > 1e-9)


# ---- which theory of thinking errs like people, under five rules for a theory that predicts several conclusions? ---


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
        return (np.eye(N)[np.where(member, sample("2016").counts, -1).argmax(axis=1)],)
    rng = np.random.default_rng(0)
    return tuple(np.eye(N)[np.where(member, rng.random(member.shape), -1).argmax(axis=1)] for _ in range(DRAWS))


def favourite(people: Sample) -> np.ndarray:
    """Return the most frequent conclusion of each form."""
    return np.eye(N)[people.counts.argmax(axis=1)]


def _systems() -> Iterator[tuple[dict[str, str], tuple[np.ndarray, ...]]]:
    """Yield every system but people: what it is, and the shares of its conclusions, draw by draw."""
    for rule, name in product(RULES, syllogisms.theories()):
        yield {"system": name, "kind": "theory", "rule": rule}, predicted(name, rule)
    for model, setting, reading in product(syllogisms.MODELS, syllogisms.SETTINGS, syllogisms.READINGS):
        called = f"{syllogisms.MODELS[model]}, {syllogisms.SETTINGS[setting]}"
        facts = {"system": called, "kind": "language model", "rule": reading}
        yield facts, (syllogisms.said(model, setting, reading).to_numpy(),)


def _over_draws(draws: tuple[np.ndarray, ...], people: Sample) -> dict[str, Values]:
    """Return means over people, and over draws where one conclusion is drawn."""
    found = [with_people(shares, people) for shares in draws]
    return {name: Values.mean([of[name] for of in found]) for name in MEASURES}


def reach(shares: np.ndarray, people: Sample) -> tuple[float, float]:
    """Return the EC of the best that is right as often, and the MA of the best that is wrong on the same forms.

    The one is right where most people are, the other draws people's favourite wrong conclusions.
    """
    right, wrong = (shares * people.right).sum(axis=1), (shares * ~people.right).sum(axis=1)
    easy = np.argsort(-people.is_right.mean(axis=1), kind="stable")
    surely = np.empty(len(right))
    surely[easy] = np.clip(right.sum() - np.arange(len(right)), 0, 1)
    tempting = np.eye(N)[np.where(people.right, -1, people.counts).argmax(axis=1)]
    valid = np.eye(N)[people.right.argmax(axis=1)]
    best, tempted = (
        valid * hit[:, None] + tempting * missed[:, None] for hit, missed in ((surely, 1 - surely), (right, wrong))
    )
    return with_people(best, people)["EC"].whole, with_people(tempted, people)["MA"].whole


def _row(facts: dict[str, str], found: dict[str, Values]) -> dict:
    row: dict[str, object] = dict(facts)
    for name in MEASURES:
        spread = found[name].found()
        half = student.ppf(0.975, spread["df"]) * spread["se"]
        row |= {name: spread["value"], f"{name}_low": spread["value"] - half, f"{name}_high": spread["value"] + half}
    return row


@frozen(inputs=ARCHIVES, settings=tuple(syllogisms.PEOPLE), by="year")
def beside_people(year: str) -> pd.DataFrame:
    """Return mean EC and MA with people of each system, their limits over forms and people, and what is within reach.

    ``joint`` is the number of forms, on average over people, on which both are wrong.
    """
    people = sample(year)
    facts = {"system": PERSON, "kind": "people", "rule": "each"}
    rows = [_row(facts, with_each_other(people)) | {"accuracy": people.is_right.mean()}]
    known = [({"system": FAVOURITE, "kind": "people", "rule": "all people"}, (favourite(people),)), *_systems()]
    for facts, draws in known:
        found, shares = [reach(each, people) for each in draws], np.mean(draws, axis=0)
        joint = (shares * ~people.right).sum(axis=1) @ (1 - people.is_right.mean(axis=1))
        accuracy = (shares * people.right).sum(axis=1).mean()
        more = dict(zip(("EC_reach", "MA_reach"), np.mean(found, axis=0), strict=True))
        rows.append(_row(facts, _over_draws(draws, people)) | more | {"joint": joint, "accuracy": accuracy})
    return pd.DataFrame(rows)


def in_its_place(shares: np.ndarray, people: Sample) -> dict[str, Values]:
    """Return the means for another person who is wrong on the same forms as a system, as often as it is."""
    missed = (shares * ~people.right).sum(axis=1, keepdims=True)
    valid = np.eye(N)[people.right.argmax(axis=1)] * (1 - missed)
    found = []
    for said in people.said.T:
        wrong = (people.counts - np.eye(N)[said]) * ~people.right
        others = wrong / np.maximum(wrong.sum(axis=1, keepdims=True), 1)
        found.append(each(valid + missed * others, Sample(said[:, None], people.right)))
    return {name: mean_of(np.concatenate([of[name] for of in found], axis=1)) for name in MEASURES}


@frozen(inputs=ARCHIVES[:1])
def leads() -> pd.DataFrame:
    """Return by how much each theory is ahead of another person, by people, rule and measure.

    ``over`` is another person, or one who is wrong on the same forms in the theory's place, of whom MA alone is known.
    Where all draws of a rule would take long, and on some forms, only those that the text needs are there.
    """
    nothing, rows = syllogisms.follows()[syllogisms.NOTHING].to_numpy(), []
    some_forms = {"all forms": np.ones(len(nothing), bool), "nothing follows": nothing, "something follows": ~nothing}
    for year, (forms, kept) in product(syllogisms.PEOPLE, some_forms.items()):
        some = Sample(sample(year).said[kept], sample(year).right[kept])
        person = with_each_other(some)
        for name, rule in product(syllogisms.theories(), RULES if forms == "all forms" else (SPLIT, HUMAN)):
            draws = tuple(shares[kept] for shares in predicted(name, rule))
            found = _over_draws(draws, some)
            facts = {"people": year, "rule": rule, "forms": forms, "of": name}
            measures = MEASURES if forms == "all forms" else ("MA",)
            rows += [_lead(facts, PERSON, measure, found[measure], person[measure]) for measure in measures]
            if rule != DRAW:
                rows.append(_lead(facts, IN_PLACE, "MA", found["MA"], in_its_place(draws[0], some)["MA"]))
    return pd.DataFrame(rows)


def _lead(facts: dict[str, str], over: str, measure: str, of: Values, other: Values) -> dict:
    arms = {"over": over, "measure": measure, "first": of.whole, "second": other.whole}
    return facts | arms | (of - other).found()
