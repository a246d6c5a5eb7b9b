"""People, networks and mixed pairs: their means choice by choice, and how far one kind is ahead of another."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd

from erralign.datasets.model_vs_human import used_conditions
from erralign.measures import measure_of
from erralign.measures.matrix import response_matrix
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.papers.leads import ACCURACIES, COPIES, JOINT, Lead, jackknife, over_pictures, summed, variance_of
from erralign_book.papers.within_class import WITHIN_CLASSES

Strengths = Literal["used", "all"]
# Those that the benchmark uses, and all; pooled, they are conditions of the table beside the single ones.
STRENGTHS: dict[Strengths, str] = {"used": "strengths in use", "all": "all strengths"}
# Two accuracies that differ by less count as equal; with the last one any two do.
TOLERANCES = tuple(ACCURACIES)
# Share of the largest EC that both accuracies allow; MA beyond what the class alone gives.
OF_KINDS = ("EC", "MA", "CLES", "WMA", "H")
LED = ("EC", "MA", "WMA", "H", "WEC")  # those in which people's lead is known
OF_BOOK = {WITHIN_CLASSES.short: WITHIN_CLASSES}
OF_JOINT_ERRORS = ("MA", "WMA")  # that have nothing else to go by
KINDS = ("human-human", "model-human", "model-model")
FOURTEEN, POOLING = "fourteen sets", {True: "one at a time", False: "pooled"}


def by_condition(every: Responses, architectures: pd.Series) -> pd.DataFrame:
    """Return the mean of each measure over three kinds of pairs of one set, pooled over conditions and within each."""
    table = pd.concat(
        _means(pairs_of(part, architectures)).assign(condition=condition, used=used)
        for condition, used, part in _conditions(every)
    )
    return table[["condition", "used", "tolerance", "near_copies", "kind", "n_pairs", "n_joint_errors", *OF_KINDS]]


def pairs_by_condition(every: Responses, architectures: pd.Series) -> pd.DataFrame:
    """Return all pairs of one set, pooled over conditions and within each."""
    return pd.concat(
        pairs_of(part, architectures, LED).assign(condition=condition, used=used)
        for condition, used, part in _conditions(every)
    )


def _conditions(every: Responses) -> Iterator[tuple[str, bool, Responses]]:
    shown, in_use = every.truth.index.get_level_values("condition"), used_conditions(every)
    used = set(in_use.truth.index.get_level_values("condition"))
    yield from [("all", False, every), ("used", True, in_use)]
    for condition in shown.unique():
        yield condition, condition in used, every.select(trials=shown == condition)


def pairs_of(responses: Responses, architectures: pd.Series, measures: Sequence[str] = OF_KINDS) -> pd.DataFrame:
    """Return all pairs with the architectures of both."""
    pairs = pairwise(responses, [OF_BOOK.get(each, each) for each in measures])
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
        means = kinds[["n_joint_errors", *OF_KINDS]].mean().assign(n_pairs=kinds.size())
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
    fewest: int = 0,
) -> pd.DataFrame:
    """Compare people, networks and mixed pairs on the sets where all of them are found.

    Conditions in which a mean pair of some kind has fewer than ``fewest`` joint errors are left out.
    """
    chosen = table[(table["tolerance"] == tolerance) & (table["near_copies"] == near_copies)]
    single = ~chosen["condition"].isin(list(STRENGTHS)) & (chosen["used"] | (strengths == "all"))
    chosen = chosen[single if within else chosen["condition"] == strengths]
    chosen = _with_joint_errors(chosen, fewest)
    means = chosen.pivot(index=["data_set", "condition"], columns="kind", values=measure)
    return means[list(KINDS)].dropna().groupby("data_set").mean()


def leads_over_sets(pairs: pd.DataFrame, over: str, measures: Sequence[str] = LED) -> pd.DataFrame:
    """Return how far two people are ahead of other pairs over fourteen sets, under all choices crossed.

    The standard error is over other sets, each with its own people, and over other networks.
    """
    apart, copies = _compared_under(pairs)
    single = ~pairs["condition"].isin(list(STRENGTHS))
    known: Mapping[bool, str | None] = COPIES if over == KINDS[-1] else {False: None}  # pairs of networks
    rows = []
    for strengths, within, tolerance, near_copies in product(STRENGTHS, POOLING, TOLERANCES, known):
        shown = single & (pairs["used"] | (strengths == "all")) if within else pairs["condition"] == strengths
        chosen = pairs[shown & (apart < tolerance) & (near_copies | ~copies)]
        words: dict[str, str | None] = {"sets": FOURTEEN, "strengths": STRENGTHS[strengths], "pooling": POOLING[within]}
        words |= {"accuracies": ACCURACIES[tolerance], "near-copies": known[near_copies], "over": over}
        for fewest, said in JOINT.items():
            led = [measure for measure in measures if fewest == 0 or measure in OF_JOINT_ERRORS]
            for found in _leads_over_sets(_with_joint_errors(chosen, fewest), over, led):
                named = said if found["measure"] in OF_JOINT_ERRORS else None
                rows.append(found | words | {"joint errors": named})
    return pd.DataFrame(rows)


def _with_joint_errors(table: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """Leave out conditions in which a mean pair of some kind has fewer joint errors."""
    of_kinds = table.groupby(["data_set", "condition", "kind"])["n_joint_errors"].transform("mean")
    enough = of_kinds.groupby([table["data_set"], table["condition"]]).transform("min") >= fewest
    return table[enough]


def _leads_over_sets(pairs: pd.DataFrame, over: str, measures: Sequence[str]) -> Iterator[Lead]:
    pairs = pairs[pairs["kind"].isin([KINDS[0], over])]
    first, last = pairs["architecture_a"].where(pairs["kind"] == KINDS[-1]), pairs["architecture_b"]
    networks = pd.concat([first, last[pairs["kind"] == over]]).dropna().unique()
    kept = [pairs, *(pairs[(first != out) & (last != out)] for out in networks)]
    means = [part.groupby(["kind", "data_set", "condition"])[list(measures)].mean().unstack("kind") for part in kept]
    for measure in measures:
        of_sets = [each[measure].dropna().groupby("data_set").mean() for each in means]
        leads = [each[KINDS[0]] - each[over] for each in of_sets]
        spread = leads[0].var() / len(leads[0]), len(leads[0]) - 1
        arms = {"measure": measure, "first": of_sets[0][KINDS[0]].mean(), "second": of_sets[0][over].mean()}
        more = summed([spread, variance_of([each.mean() for each in leads[1:]])])
        yield {"value": leads[0].mean(), "n": len(leads[0])} | more | arms


def leads_on_a_set(responses: Responses, architectures: pd.Series, measures: Sequence[str] = LED) -> pd.DataFrame:
    """Return how far two people are ahead of other pairs on one set, where pairs of both are found, choice by choice.

    The standard error is over other people, other networks and other pictures.
    """
    pairs = pairs_of(responses, architectures, measures)
    apart, copies = _compared_under(pairs)
    rows = []
    for measure, over in product(measures, KINDS[1:]):
        of_all = measure_of(OF_BOOK.get(measure, measure)).leave_one_out(response_matrix(responses))
        kinds = pairs["kind"].isin([KINDS[0], over])
        any_copies = (kinds & copies).any()
        for tolerance, near_copies in product(ACCURACIES, COPIES):
            chosen = pairs[kinds & (apart < tolerance) & (near_copies | ~copies)]
            if chosen["kind"].nunique() == 2 and (any_copies or near_copies):
                found = _lead_on_pictures(chosen, measure, over, responses.truth.index, of_all.without)
                words = {"measure": measure, "over": over, "accuracies": ACCURACIES[tolerance]}
                rows.append(found | words | {"near-copies": COPIES[near_copies] if any_copies else None})
    return pd.DataFrame(rows)


def _lead_on_pictures(chosen: pd.DataFrame, measure: str, over: str, pictures: pd.Index, without: np.ndarray) -> dict:
    rows = {kind: without[chosen.index[chosen["kind"] == kind]] for kind in (KINDS[0], over)}
    leads = np.nanmean(rows[KINDS[0]], axis=0) - np.nanmean(rows[over], axis=0)
    found = jackknife(chosen, measure, KINDS[0], over, over_pictures(pictures, leads.mean() - leads))
    means = chosen.groupby("kind")[measure].mean()
    return found | {"first": means[KINDS[0]], "second": means[over], "n": 1}
