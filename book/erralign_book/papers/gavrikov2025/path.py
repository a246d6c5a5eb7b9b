"""How far newer models lie above older networks of their accuracy: above a path through the older ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from erralign.measures import measure_of
from erralign.responses.arrays import response_matrix
from erralign.sources import model_vs_human
from erralign_book.papers.frozen import frozen
from erralign_book.papers.gavrikov2025.answers import ANSWERS, NEWER, OPTIONS, everyone, members
from erralign_book.papers.gavrikov2025.spread import lead

DEGREES = {"parabola": 2, "straight line": 1, "cubic": 3}
RISING, NEAR = "only rising", "mean within 0.05"
FORMS = (*DEGREES, RISING, NEAR)
# Older networks that are left out, by names: encoders of CLIP saw captions, SWAG's networks hashtags.
WITHOUT = {"CLIP": "CLIP", "none": "$^", "CLIP, painted textures": "CLIP|SIN", "CLIP, hashtags": "CLIP|swag"}


def height(form: str, accuracy: np.ndarray, value: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the height, at some accuracies, of a path through points; nan where none is near."""
    if form == NEAR:
        near = np.abs(accuracy - at[:, None]) < 0.05
        return np.divide(near @ value, near.sum(axis=1), out=np.full(len(at), np.nan), where=near.any(axis=1))
    if form == RISING:
        order = np.argsort(accuracy)
        return np.interp(at, accuracy[order], isotonic_regression(value[order]).x)
    return np.polyval(np.polyfit(accuracy, value, DEGREES[form]), at)


@dataclass(frozen=True)
class Above:
    """How far newer models lie above the path, on average; ``values`` are those of people (rows) with systems."""

    form: str
    newer: np.ndarray
    accuracy: np.ndarray
    values: pd.DataFrame
    without_each: tuple[np.ndarray, np.ndarray]  # accuracies and mean values, without each picture in turn

    def each(self, accuracy: np.ndarray, value: np.ndarray, kept: np.ndarray | bool = True) -> np.ndarray:
        """Return how far each newer model lies above the path."""
        new, old = self.newer & kept, ~self.newer & kept
        return value[new] - height(self.form, accuracy[old], value[old], accuracy[new])

    def without(self, left_out: Sequence[str] = ()) -> float:
        """Return the mean over the models that are left, with the people and older networks that are left."""
        value = self.values[~self.values.index.isin(left_out)].mean().to_numpy()
        return float(np.nanmean(self.each(self.accuracy, value, ~self.values.columns.isin(left_out))))

    @property
    def moved(self) -> np.ndarray:
        """Return what each picture does to the mean."""
        without = np.array([np.nanmean(self.each(*one)) for one in zip(*self.without_each, strict=True)])
        return without.mean() - without


@cache
def _with_people() -> tuple[np.ndarray, pd.DataFrame, np.ndarray, np.ndarray]:
    """Return all networks' accuracy and EC with each person, and accuracy and mean EC without each picture."""
    people = members()["people"]
    systems = everyone().answers.columns.difference(people)
    trials, shape = response_matrix(everyone(), [*people, *systems]), (len(people), len(systems))
    first, second = np.indices(shape).reshape(2, -1)
    values, without = measure_of("EC").leave_one_out(replace(trials, selected=(first, second + len(people))))
    right = (trials.answers == trials.truth)[len(people) :].T
    without = without.reshape(*shape, -1).mean(axis=0).T
    accuracies = (right.sum(axis=0) - right) / (len(right) - 1)
    return right.mean(axis=0), pd.DataFrame(values.reshape(shape), people, systems), accuracies, without


def older(without: str = "CLIP") -> pd.Index:
    """Return the networks of 2012 to 2022 that classify pictures, without some."""
    systems = _with_people()[1].columns
    networks = systems.difference([name for group in NEWER for name in members()[group]])
    return networks[~networks.str.contains(WITHOUT[without])]


def _families() -> pd.Series:
    """Return what is drawn together: a person, networks of one architecture, models whose names begin alike."""
    systems, names = everyone().systems, everyone().systems.index.to_series()
    known = systems["architecture"].replace(["", "person"], None).mask(names.str.contains("-SIN"), "stylised")
    return known.fillna(names.where(systems["kind"] == "human", names.str.extract("^([A-Za-z0-9]+)", expand=False)))


@frozen(inputs=[*ANSWERS, *model_vs_human.KEYS])
def above_older() -> pd.DataFrame:
    """Return by how much newer models lie above a path through older networks in EC with people, choice by choice."""
    groups = [OPTIONS, *(group for group in NEWER if group != OPTIONS)]
    return pd.DataFrame([_row(*choice) for choice in product(groups, FORMS, WITHOUT)])


def _row(group: str, form: str, without: str) -> dict:
    right, values, *left_out = _with_people()
    new, old = members()[group], older(without)
    kept = values.columns.isin([*new, *old])
    accuracies, means = (part[:, kept] for part in left_out)
    above = Above(form, values.columns[kept].isin(new), right[kept], values.loc[:, kept], (accuracies, means))
    each = above.each(above.accuracy, above.values.mean().to_numpy())
    accuracy = pd.Series(right, values.columns)
    as_accurate = accuracy[old].between(accuracy[new].min(), accuracy[new].max()).sum()
    facts = {"newer": group, "form": form, "without": without, "EC": above.values[new].mean(axis=None)}
    facts |= {"n_newer": len(new), "n_above": (each > 0).sum(), "n_older": len(old), "n_as_accurate": as_accurate}
    samples = {"people": list(values.index), "newer": new, "older": list(old)}
    return facts | lead(everyone().truth.index, [above], _families(), samples)
