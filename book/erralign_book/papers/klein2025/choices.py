"""How far people are ahead of the best network by their consistency with people, choice by choice."""

from __future__ import annotations

from itertools import product

import pandas as pd

from erralign.measures import short_name
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources import model_vs_human as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.elsewhere import FOURTEEN
from erralign_book.papers.klein2025.models import ANSWERS, DATA_SETS, sound_models
from erralign_book.papers.leads import Lead, lead
from erralign_book.papers.tables import beside_people, each_data_set

SETS = {"all 17 sets": DATA_SETS, "Xu's 14 sets": FOURTEEN, "Geirhos' 3 sets": tuple({*DATA_SETS} - {*FOURTEEN})}
PEOPLE = {"people on average": "mean", "least typical person": "min"}
NETWORKS = {"all networks": (), "no large networks": ("Large",)}


@frozen(inputs=ANSWERS, slow=True, settings=DATA_SETS, spot=["edge", "silhouette"])
def consistency_by_choice(data_set: str) -> pd.DataFrame:
    """Return EC with people of each person and each sound model: strengths in use and all, pooled and one at a time."""
    return each_data_set(_by_choice, [data_set])


def _by_choice(data_set: str) -> pd.DataFrame:
    every = source.read(data_set)
    people = list(every.systems.query("kind == 'human'").index)
    every = every.select(systems=[*people, *sound_models()])
    parts = [
        _with_people(chosen, people, within).assign(strengths=strengths, within=within)
        for strengths, chosen in (("used", source.used_conditions(every)), ("all", every))
        for within in (True, False)
    ]
    return pd.concat(parts)[["strengths", "within", "system", "person", "EC"]]


def _with_people(responses: Responses, people: list[str], within: bool) -> pd.DataFrame:
    """Return each system's mean EC with people, over conditions if they are taken one at a time."""
    shown = responses.truth.index.get_level_values("condition")
    parts = [responses.select(trials=shown == each) for each in shown.unique()] if within else [responses]
    means = pd.concat([_mean_with_people(part, people) for part in parts], axis=1).mean(axis=1)
    table = means.rename("EC").rename_axis("system").reset_index()
    return table.assign(person=table["system"].isin(people))


def _mean_with_people(responses: Responses, people: list[str]) -> pd.Series:
    pairs = pairwise(responses, "EC", with_=people).rename(columns=short_name)
    return beside_people(pairs).groupby("system_b")["EC"].mean()


def leads() -> pd.DataFrame:
    """Return how far people are ahead of the best network, which may be another one under another choice."""
    ways = list(product(("used", "all"), (True, False)))
    choices = product(SETS, PEOPLE, NETWORKS, ways)
    # The three experiments have one strength each, so no way to combine strengths.
    rows = [_lead(*choice) for choice in choices if choice[0] != "Geirhos' 3 sets" or choice[-1] == ways[0]]
    return pd.DataFrame(rows)


def _lead(sets: str, people: str, networks: str, way: tuple[str, bool]) -> Lead:
    strengths, within = way
    table = consistency_by_choice()
    table = table[(table["strengths"] == strengths) & (table["within"] == within) & table["data_set"].isin(SETS[sets])]
    of_people = table[table["person"]].groupby("data_set")["EC"].agg(PEOPLE[people])
    kept = ~table["person"] & ~table["system"].map(source.models()["family"]).isin(NETWORKS[networks])
    wide = table[kept].pivot(index="data_set", columns="system", values="EC")
    words = {"sets": sets, "people": people, "networks": networks, "strengths": None, "pooling": None}
    if sets != "Geirhos' 3 sets":
        words["strengths"] = "strengths in use" if strengths == "used" else "all strengths"
        words["pooling"] = "one at a time" if within else "pooled"
    ours = (sets, people, networks, way) == ("all 17 sets", "people on average", "all networks", ("used", True))
    return lead(of_people - wide[wide.mean().idxmax()]) | {"ours": ours} | words
