"""How alike people and each group of models are, beside what their accuracies allow."""

from __future__ import annotations

from functools import cache
from itertools import product

import pandas as pd

from erralign.bounds import error_consistency_bounds
from erralign.measures import Measure, short_name
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources import model_vs_human
from erralign_book.papers.frozen import frozen
from erralign_book.papers.gavrikov2025.answers import (
    ANSWERS,
    CLIP,
    CNNS,
    NEWER,
    OLDER,
    OPTIONS,
    everybody,
    everyone,
    members,
    texture_shares,
    units,
    with_a_conflict,
    without_textures,
)
from erralign_book.papers.gavrikov2025.spread import Mean, lead, less, mean_of_pairs
from erralign_book.papers.gavrikov2025.threshold import TETRACHORIC
from erralign_book.papers.leads import Lead
from erralign_book.papers.tables import beside_people
from erralign_book.sources.years import years

# Name in charts: measure, and whether wrong answers that name the texture are taken away.
YARDSTICKS: dict[str, tuple[str | Measure, bool]] = {
    "EC": ("EC", False),
    "share of the largest EC": ("H", False),
    "threshold model": (TETRACHORIC, False),
    "MA": ("MA", False),
    "MA without textures": ("MA", True),
    "WMA": ("WMA", False),
}
PICTURES = {"all pictures": lambda responses: responses, "no agreeing cues": with_a_conflict}


@cache
def _on(pictures: str, textures: bool) -> Responses:
    chosen = PICTURES[pictures](everybody())
    return without_textures(chosen) if textures else chosen


@cache
def _mean(yardstick: str, pictures: str, rows: str, columns: str) -> Mean:
    measure, textures = YARDSTICKS[yardstick]
    return mean_of_pairs(_on(pictures, textures), measure, members()[rows], members()[columns])


def _spread(means: list[Mean], pictures: str, *groups: str) -> Lead:
    samples = {group: members()[group] for group in dict.fromkeys(["people", *groups])}
    return lead(_on(pictures, False).truth.index, means, units(), samples)


@frozen(inputs=ANSWERS)
def groups_with_people() -> pd.DataFrame:
    """Return each group's mean agreement with people, by each yardstick, and its members' accuracy and textures."""
    right = everybody().answers.eq(everybody().truth, axis=0).mean()
    textures, rows = texture_shares(everybody()), []
    for group, systems in members().items():
        facts = {"systems": len(systems), "accuracy": right[systems].mean(), "texture": textures[systems].mean()}
        for name in YARDSTICKS:
            found = _spread([_mean(name, "all pictures", "people", group)], "all pictures", group)
            rows.append({"group": group, "yardstick": name} | facts | found)
    return pd.DataFrame(rows)


@frozen(inputs=ANSWERS)
def newer_less_older() -> pd.DataFrame:
    """Return by how much newer models agree more with people than older ones, choice by choice."""
    rows = []
    for name, pictures, newer, older in product(YARDSTICKS, PICTURES, NEWER, OLDER):
        found = _difference(name, pictures, newer, older)
        ours = (pictures, newer, older) == ("all pictures", OPTIONS, CNNS)
        rows.append(found | {"n": 1, "ours": ours, "yardstick": name, "newer": newer, "older": older, "on": pictures})
    return pd.DataFrame(rows)


def _difference(name: str, pictures: str, newer: str, older: str) -> Lead:
    means = [_mean(name, pictures, "people", group) for group in (newer, older)]
    return _spread([means[0], less(means[1])], pictures, newer, older)


# ---- each system, for the picture ------------------------------------------------------------------------------------


@frozen(inputs=[*ANSWERS, *model_vs_human.KEYS])
def systems_with_people() -> pd.DataFrame:
    """Return each network's year, accuracy, mean EC with people and the mean of the largest that accuracies allow.

    Networks of 2020 to 2022 are those of the benchmark model-vs-human. CLIP with its three prompts counts once; a
    classifier that began as CLIP is one of its group.
    """
    people, found = members()["people"], everyone()
    pairs = beside_people(pairwise(found, ["EC", "MA"], with_=people).rename(columns=short_name))
    most = error_consistency_bounds(pairs["accuracy_a"], pairs["accuracy_b"])[1]
    named = pairs.assign(largest=most, system=pairs["system_b"], accuracy=pairs["accuracy_b"])
    table = named.groupby("system", sort=False)[["accuracy", "EC", "largest", "MA"]].mean().reset_index()
    groups = table["system"].map({system: name for name, systems in members().items() for system in systems})
    groups = groups.fillna("other older networks").mask(table["system"].str.startswith("CLIP "), CLIP)
    model = table["system"].map(units()).where(groups == CLIP, table["system"])
    kept = table.assign(group=groups, model=model, year=table["system"].map(years()))
    columns = ["year", "accuracy", "EC", "largest", "MA"]
    return kept.groupby(["group", "model"], sort=False)[columns].mean().reset_index()


@frozen(inputs=ANSWERS)
def fair_pairs() -> pd.DataFrame:
    """Return the EC of two people, and of a person and any model, whose accuracies differ by less than 0.05."""
    pairs = pairwise(everybody(), ["EC"], with_=members()["people"]).rename(columns=short_name)
    equal = (pairs["accuracy_a"] - pairs["accuracy_b"]).abs().round(9) < 0.05
    return pairs.loc[equal, ["kind", "system_a", "system_b", "EC"]]
