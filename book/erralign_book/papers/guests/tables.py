"""A guest beside people and networks: means with people, differences of them, pairs; each computed once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from erralign import inference
from erralign.datasets import model_vs_human
from erralign.datasets.data_sets import records
from erralign.datasets.geirhos2020 import textures
from erralign.inference.people import PEOPLE
from erralign.measures.matrix import limits_of_difference, wilson_interval
from erralign.pairs import pairwise
from erralign.plot.theme import with_interval
from erralign.reports.averages import as_model, columns_of
from erralign.responses import Responses
from erralign.significance import pairwise_p_values
from erralign_book.papers import efficientnets
from erralign_book.papers.board import relations
from erralign_book.papers.guests.reading import ALONE, TWINS, USUAL, Guest
from erralign_book.papers.guests.words import Lead
from erralign_book.papers.tables import limits_beside_others

NETWORKS, YOURS = "networks", "yours"
EQUAL = 0.05  # accuracies that differ by less are about the same
UNKNOWN = Lead(*[np.nan] * 5)
Z = float(ndtri(0.975))


def clusters(both: Responses) -> Any:
    """Return what the trials of a data set share."""
    shared = records()[both.name].clusters
    return None if shared is None else shared(both.truth.index)


def people_of(both: Responses, guest: Guest, kind: str = "human") -> list[str]:
    """List the people of a data set, or the systems of another kind, without the guest."""
    kinds = both.systems["kind"].drop(guest.name)
    return list(kinds.index[kinds == kind])


@cache
def with_people(guest: Guest, data_set: str, measure: str) -> inference.ConsistencyWithPeople:
    """Return the means with people of a guest, and of all networks."""
    both = as_model(guest.sets[data_set], guest.name)
    return inference.consistency_with_people(both, measure, clusters=clusters(both))


def contrast(found: inference.ConsistencyWithPeople, plus: str, minus: Iterable[str]) -> Lead:
    """Return one row of means minus the mean of others, with its interval, for the same people and pictures."""
    others = list(minus)
    rows = [plus, *others]
    weights = np.array([1.0, *[-1 / len(others)] * len(others)])
    table, covariance = found.table.loc[rows], found.covariance.loc[rows, rows].to_numpy()
    values, bias = table[found.measure].to_numpy(), weights @ table["bias"].to_numpy()
    value, half = weights @ values, Z * np.sqrt(max(weights @ covariance @ weights, 0.0))
    return Lead(*map(float, (values[0], values[1:].mean(), value, value - bias - half, value - bias + half)))


def over_people(guest: Guest, data_set: str, measure: str) -> Lead:
    """Return how far a guest is ahead of people, each of whom is set beside the others."""
    return contrast(with_people(guest, data_set, measure), guest.name, [PEOPLE])


def over_equals(guest: Guest, data_set: str, measure: str) -> tuple[Lead, int]:
    """Return how far a guest is ahead of the networks that are about as accurate, and how many these are."""
    right = with_people(guest, data_set, "accuracy").table["accuracy"]
    apart = (right - right[guest.name]).abs().drop([guest.name, PEOPLE])
    others = list(apart.index[apart < EQUAL])
    return contrast(with_people(guest, data_set, measure), guest.name, others) if others else UNKNOWN, len(others)


def means(guest: Guest, data_set: str, measure: str) -> pd.DataFrame:
    """Return the means of a guest, of networks and of people, each with its interval."""
    found = with_people(guest, data_set, measure)
    table = found.table[[found.measure, "low", "high"]].set_axis(["value", "low", "high"], axis=1)
    whose = table.index.map({PEOPLE: PEOPLE, guest.name: YOURS}.get).fillna(NETWORKS)
    return table.assign(data_set=data_set, guest=guest.name, whose=whose).reset_index()


def row_of_means(guest: Guest, data_set: str) -> pd.DataFrame:
    """Return a guest's accuracy and means with people in one row, with limits in columns beside them."""
    measures = ("accuracy", "EC", "H", "MA", "CLES")
    values = [value for short in measures for value in _of(with_people(guest, data_set, short), guest)]
    return pd.DataFrame([values], columns=[column for short in measures for column in columns_of(short)])


def _of(found: inference.ConsistencyWithPeople, guest: Guest) -> tuple[float, float, float]:
    value, low, high = map(float, found.table.loc[guest.name].iloc[:3])
    return value, low, high


def reported(guest: Guest, data_set: str) -> str:
    """Write the sentence with which a paper would report a guest's values."""
    both, shorts = guest.sets[data_set], ("EC", "MA", "CLES")
    values = [with_interval(*_of(with_people(guest, data_set, short), guest)) for short in shorts]
    of = [f"a mean {short} of {value}" for short, value in zip(shorts, values, strict=True)]
    where = f"{len(both.truth):,} pictures of {data_set.rpartition('/')[2]}"
    who = f"{len(people_of(both, guest))} people (95 % intervals)"
    return f"{guest.name} has on {where} {', '.join(of)} with {who}."


def nearest(guest: Guest) -> dict[Any, Any]:
    """Return the network whose answers a guest gives most often, and its mean EC with networks, on cue conflicts."""
    return relations(as_model(guest.sets[USUAL], guest.name)).loc[[guest.name]].to_dict("records")[0]


def on_benchmark(guest: Guest, data_sets: Sequence[str]) -> tuple[list[str], tuple[float, float, float]]:
    """Return model-vs-human's names of data sets, and a guest's mean EC with people on them, as it computes it."""
    known, used = {name: twin.partition("/")[2] for twin, name in TWINS.items()}, []
    for name in data_sets:
        both = as_model(guest.sets[name], guest.name)
        both = both.select(systems=[*people_of(both, guest), guest.name])
        used.append(model_vs_human.used_conditions(both) if name.startswith("model-vs-human/") else both)
    found = inference.consistency_with_people(used)
    return [known.get(name, name.rpartition("/")[2]) for name in data_sets], _of(found, guest)


@cache
def pairs(guest: Guest, data_set: str) -> pd.DataFrame:
    """Return EC, MA and CLES of a guest with each of the others, with 95 % intervals."""
    return limits_beside_others(guest.sets[data_set], [guest.name])


def systems_beside_people(guest: Guest, data_set: str) -> pd.DataFrame:
    """Return accuracy and mean EC with people of a guest, of networks, and of people together."""
    means = {short: with_people(guest, data_set, short).table[short] for short in ("accuracy", "EC")}
    families = guest.sets[data_set].systems["family"].reindex(means["EC"].index).fillna("Human")
    return pd.DataFrame(means | {"family": families.replace("", "CNN")}).rename_axis("system")


def overlaps(guest: Guest, data_set: str) -> pd.DataFrame:
    """Return expected and observed overlap, and EC, of a guest with each of the others."""
    both = guest.sets[data_set]
    table = pairwise(both, "EC", with_=[guest.name])
    p_a, p_b = table["accuracy_a"], table["accuracy_b"]
    observed = p_a + p_b - 1 + 2 * table["n_joint_errors"] / len(both.truth)
    return table.assign(expected=p_a * p_b + (1 - p_a) * (1 - p_b), observed=observed)


def confusion(guest: Guest, data_set: str) -> pd.DataFrame:
    """Return the share of each answer of a guest to each category."""
    both = guest.sets[data_set]
    words = {-1: "no answer", **dict(enumerate(both.classes))}
    category, answer = both.truth.map(words), both.answers[guest.name].map(words)
    shares = pd.crosstab(category, answer, rownames=["category"], normalize="index")
    shares = shares.reindex(columns=[*both.classes, "no answer"], fill_value=0).reset_index()
    return shares.melt("category", var_name="answer", value_name="share")


def shape_bias_by_category(guest: Guest) -> pd.DataFrame:
    """Return how often a guest names the shape, of cue conflicts in which it names the shape or the texture."""
    both = guest.sets["geirhos2020/cue-conflict"]
    cues = {"shape": both.truth, "texture": pd.Series(textures(both.truth.index), both.truth.index)}
    differ = cues["shape"] != cues["texture"]
    named = pd.DataFrame({name: both.answers[guest.name][differ].eq(cue[differ]) for name, cue in cues.items()})
    category = both.truth[differ].map(dict(enumerate(both.classes))).rename("category")
    shares = named.groupby(category).mean()
    either = shares["shape"] + shares["texture"]
    return pd.DataFrame({"shape_bias": shares["shape"] / either, "either": either}).reset_index()


def by_condition(guest: Guest, data_set: str) -> pd.DataFrame:
    """Return a guest's accuracy in each condition, with Wilson's interval."""
    both = guest.sets[data_set]
    right = both.answers[guest.name].eq(both.truth).groupby(level="condition").agg(["mean", "size"])
    low, high = wilson_interval(right["mean"].to_numpy(), right["size"].to_numpy(), 0.95)
    return pd.DataFrame({"accuracy": right["mean"], "low": low, "high": high, "who": guest.name})


def by_difficulty(guest: Guest, data_set: str) -> tuple[pd.Series, Lead]:
    """Return a guest's accuracy by how many people are right, and easy less hard, with Newcombe's interval."""
    both = guest.sets[data_set]
    people = both.answers[people_of(both, guest)].eq(both.truth, axis=0).mean(axis=1)
    parts = pd.cut(people, [-1, 1 / 3, 2 / 3, 2], labels=["up to a third", "between", "more than two thirds"])
    shares = both.answers[guest.name].eq(both.truth).groupby(parts, observed=False).agg(["mean", "size"])
    easy_and_hard = shares.iloc[[-1, 0]].to_numpy(float)
    return shares["mean"], of_shares(*easy_and_hard.T)


def of_shares(shares: np.ndarray, numbers: np.ndarray) -> Lead:
    """Return the difference of two independent shares, with Newcombe's (1998) interval of Wilson's limits."""
    if not numbers.all():
        return Lead(*map(float, shares), *[np.nan] * 3)
    limits = limits_of_difference(*zip(shares, *wilson_interval(shares, numbers, 0.95), strict=True))
    return Lead(*map(float, (*shares, shares[0] - shares[1], *limits)))


def chance_with_people(guest: Guest, data_set: str) -> pd.DataFrame:
    """Return EC of a guest with each person, and how often independent observers have one as far from 0."""
    both = guest.sets[data_set]
    both = both.select(systems=[*people_of(both, guest), guest.name])
    found = pairwise_p_values(both, with_=guest.name, adjust="holm").rename(columns={"p_value": "p"})
    return found[["system_a", "system_b", "n_joint_errors", "EC", "p", "p_holm"]].assign(used=True)


def among_models(guest: Guest, data_set: str) -> dict[str, Any]:
    """Return a guest's mean EC with the models of a set of questions, beside that of two of them."""
    both = guest.sets[data_set]
    models = [*people_of(both, guest, "model"), guest.name]
    table = pairwise(both.select(systems=models), "EC")
    mine = table["system_b"] == guest.name
    values = table["EC"].groupby(mine).mean()
    right = float(both.answers[guest.name].eq(both.truth).mean())
    ec = {"EC with models": float(values[True]), "EC of two models": float(values[False])}
    return {"models": len(models) - 1, "accuracy": right} | ec


def named_shapes(given: pd.Series, truth: pd.Series) -> dict[str, float]:
    """Say how often a system names the shape and not the texture of pictures in which the two differ."""
    texture = textures(truth.index)
    by_shape, by_texture = (int(((given == cue) & (truth != texture)).sum()) for cue in (truth, texture))
    named = by_shape + by_texture
    low, high = (float(limit[0]) for limit in wilson_interval(np.array([by_shape / named]), np.array([named]), 0.95))
    return {"shape_bias": by_shape / named, "low": low, "high": high}


def shape_bias(guest: Guest) -> Lead:
    """Return a guest's shape bias less the mean of people on the same pictures; Wilson's interval is the guest's."""
    both = guest.sets["geirhos2020/cue-conflict"]
    mine = named_shapes(both.answers[guest.name], both.truth)
    people = [named_shapes(both.answers[person], both.truth)["shape_bias"] for person in people_of(both, guest)]
    value, theirs = mine["shape_bias"], float(np.mean(people))
    return Lead(value, theirs, value - theirs, mine["low"] - theirs, mine["high"] - theirs)


def beside_confidences(guest: Guest, data_set: str) -> pd.DataFrame:
    """Return SOC and SOCE of a guest with three networks, with 95 % intervals in words."""
    both, file = guest.sets[data_set], guest.confidences[data_set]
    sure = pd.read_csv(file, index_col=[0, 1]).xs(guest.name.removesuffix(ALONE), level=0).loc[both.truth.index]
    truth = pd.Series(np.array(both.classes)[both.truth], both.truth.index)
    rows = []
    for network in efficientnets.NETWORKS:
        theirs = efficientnets.confidences(network, data_set.partition("/")[2]).loc[sure.index]
        two, shared = (sure[theirs.columns], theirs), clusters(both)
        found = {
            "SOC": inference.confidence_similarity_interval(*two, clusters=shared),
            "SOCE": inference.error_confidence_similarity_interval(truth, *two, clusters=shared),
        }
        written = {name: with_interval(each.estimate, each.low, each.high) for name, each in found.items()}
        rows.append({"with": network} | written)
    return pd.DataFrame(rows)


def favourite(guest: Guest, data_set: str) -> tuple[str, float]:
    """Return the wrong answer that a guest gives most often, and its share of all wrong answers."""
    both = guest.sets[data_set]
    given = both.answers[guest.name]
    shares = given[(given != both.truth) & (given >= 0)].value_counts(normalize=True)
    return both.classes[int(shares.index[0])], float(shares.iloc[0])
