"""EC and MA of a system that spreads its answer to a form over several conclusions, with each of many people.

Where a theory predicts several conclusions, or a model answered a form several times, an answer is drawn for each form
from the shares. Cells of the table of both right, one or none are then means over all draws, and so are the counts of
joint errors by conclusion; EC and MA are what :mod:`erralign` computes from such cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from erralign_book.papers.leads import summed, variance_of
from erralign_book.sources import syllogisms

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
