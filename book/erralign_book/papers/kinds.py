"""People, networks and mixed pairs: their means choice by choice, and how far one kind is ahead of another."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
import pandas as pd

from erralign.measures import measure_of, short_name
from erralign.measures.matrix import response_matrix
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources.model_vs_human import used_conditions
from erralign_book.papers.leads import ACCURACIES, COPIES, jackknife, lead, over_pictures

Strengths = Literal["used", "all"]
# Those that the benchmark uses, and all; pooled, they are conditions of the table beside the single ones.
STRENGTHS: dict[Strengths, str] = {"used": "strengths in use", "all": "all strengths"}
# Two accuracies that differ by less count as equal; with the last one any two do.
TOLERANCES = tuple(ACCURACIES)
# Share of the largest EC that both accuracies allow; MA beyond what the class alone gives.
OF_KINDS = ("EC", "MA", "CLES", "WMA", "H")
KINDS = ("human-human", "model-human", "model-model")
FOURTEEN, POOLING = "fourteen sets", {True: "one at a time", False: "pooled"}


def by_condition(every: Responses, architectures: pd.Series) -> pd.DataFrame:
    """Return the mean of each measure over three kinds of pairs of one set, pooled over conditions and within each."""
    pooled = [("all", False, every), ("used", True, used_conditions(every))]
    table = pd.concat(
        _means(pairs_of(part, architectures)).assign(condition=condition, used=used)
        for condition, used, part in [*pooled, *_strengths(every)]
    )
    return table[["condition", "used", "tolerance", "near_copies", "kind", "n_pairs", *OF_KINDS]]


def _strengths(responses: Responses) -> Iterator[tuple[str, bool, Responses]]:
    shown = responses.truth.index.get_level_values("condition")
    used = set(used_conditions(responses).truth.index.get_level_values("condition"))
    for condition in shown.unique():
        yield condition, condition in used, responses.select(trials=shown == condition)


def pairs_of(responses: Responses, architectures: pd.Series, measures: Sequence[str] = OF_KINDS) -> pd.DataFrame:
    """Return all pairs with the architectures of both."""
    pairs = pairwise(responses, measures).rename(columns=short_name)
    first, second = (pairs[system].map(architectures) for system in ("system_a", "system_b"))
    return pairs.assign(architecture_a=first, architecture_b=second)


def _compared_under(pairs: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return how far accuracies are apart, and which pairs are near-copies."""
    apart = (pairs["accuracy_a"] - pairs["accuracy_b"]).abs().round(9)  # equal shares, equal floats
    return apart, (pairs["kind"] == KINDS[-1]) & (pairs["architecture_a"] == pairs["architecture_b"])


def _means(pairs: pd.DataFrame) -> pd.DataFrame:
    apart, copies = _compared_under(pairs)
    parts = []
    for tolerance, near_copies in product(TOLERANCES, (True, False)):
        kinds = pairs[(apart < tolerance) & (near_copies | ~copies)].groupby("kind", sort=False)
        means = kinds[list(OF_KINDS)].mean().assign(n_pairs=kinds.size())
        parts.append(means.assign(tolerance=tolerance, near_copies=near_copies).reset_index())
    return pd.concat(parts)


def compared(
    table: pd.DataFrame,
    measure: str = "EC",
    *,
    strengths: Strengths = "all",
    within: bool = False,
    tolerance: float = np.inf,
    near_copies: bool = True,
    kinds: Sequence[str] = KINDS,
) -> pd.DataFrame:
    """Compare kinds of pairs, by default people, networks and mixed pairs, on the sets where all of them are found."""
    chosen = table[(table["tolerance"] == tolerance) & (table["near_copies"] == near_copies)]
    single = ~chosen["condition"].isin(list(STRENGTHS)) & (chosen["used"] | (strengths == "all"))
    chosen = chosen[single if within else chosen["condition"] == strengths]
    means = chosen.pivot(index=["data_set", "condition"], columns="kind", values=measure)
    return means[list(kinds)].dropna().groupby("data_set").mean()


def leads_over_sets(table: pd.DataFrame, measure: str, of: str, over: str) -> pd.DataFrame:
    """Return how far one kind of pair is ahead of another over fourteen sets, under all choices crossed."""
    matter = KINDS[-1] in (of, over)  # near-copies are pairs of networks
    known: Mapping[bool, str | None] = COPIES if matter else {False: None}
    rows = []
    for strengths, within, tolerance, copies in product(STRENGTHS, (True, False), TOLERANCES, known):
        choice: dict[str, Any] = {"strengths": strengths, "within": within, "tolerance": tolerance}
        means = compared(table, measure, near_copies=copies, kinds=(of, over), **choice)
        words: dict[str, str | None] = {"sets": FOURTEEN, "strengths": STRENGTHS[strengths], "pooling": POOLING[within]}
        words |= {"accuracies": ACCURACIES[tolerance], "near-copies": known[copies]}
        arms = {"first": means[of].mean(), "second": means[over].mean()}
        rows.append(lead(means[of] - means[over]) | words | arms)
    return pd.DataFrame(rows)


def leads_on_a_set(responses: Responses, architectures: pd.Series, measures: Sequence[str]) -> pd.DataFrame:
    """Return how far two people are ahead of other pairs on one set, where pairs of both are found, choice by choice.

    The standard error is over other people, other networks and other pictures.
    """
    pairs = pairs_of(responses, architectures, measures)
    apart, copies = _compared_under(pairs)
    rows = []
    for measure, over in product(measures, KINDS[1:]):
        kinds, without = pairs["kind"].isin([KINDS[0], over]), _without_pictures(responses, measure)
        any_copies = (kinds & copies).any()
        for tolerance, near_copies in product(ACCURACIES, COPIES):
            chosen = pairs[kinds & (apart < tolerance) & (near_copies | ~copies)]
            if chosen["kind"].nunique() == 2 and (any_copies or near_copies):
                found = _lead_on_pictures(chosen, measure, over, responses.truth.index, without)
                words = {"measure": measure, "over": over, "accuracies": ACCURACIES[tolerance]}
                rows.append(found | words | {"near-copies": COPIES[near_copies] if any_copies else None})
    return pd.DataFrame(rows)


def _without_pictures(responses: Responses, measure: str) -> np.ndarray:
    """Return the values of all pairs (rows) without each picture."""
    return measure_of(measure).leave_one_out(response_matrix(responses)).without


def _lead_on_pictures(
    chosen: pd.DataFrame, measure: str, over: str, pictures: pd.Index, without: np.ndarray
) -> dict[str, object]:
    rows = {kind: without[chosen.index[chosen["kind"] == kind]] for kind in (KINDS[0], over)}
    leads = np.nanmean(rows[KINDS[0]], axis=0) - np.nanmean(rows[over], axis=0)
    found = jackknife(chosen, measure, KINDS[0], over, over_pictures(pictures, leads.mean() - leads))
    means = chosen.groupby("kind")[measure].mean()
    return found | {"first": means[KINDS[0]], "second": means[over], "n": 1}
