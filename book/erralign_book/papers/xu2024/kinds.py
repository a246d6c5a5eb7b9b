"""People, networks and mixed pairs: strengths pooled or one at a time, those that the benchmark uses or all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd

from erralign.measures import short_name
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources import xu2024 as source
from erralign.sources.model_vs_human import used_conditions
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import ACCURACIES, COPIES, Lead, lead
from erralign_book.papers.tables import each_data_set
from erralign_book.papers.xu2024.pair_scores import ANSWERS, BEHAVIOUR, SYNTHETIC, answers_on

Strengths = Literal["used", "all"]
# Those that the benchmark uses, and all; pooled, they are conditions of the table beside the single ones.
STRENGTHS: dict[Strengths, str] = {"used": "strengths in use", "all": "all strengths"}
# Two accuracies that differ by less count as equal; with the last one any two do.
TOLERANCES = tuple(ACCURACIES)
OF_KINDS = (*BEHAVIOUR, "WMA")  # the last is MA beyond what the class alone gives
KINDS = ("human-human", "model-human", "model-model")


@frozen(inputs=ANSWERS)
def kinds_by_condition() -> pd.DataFrame:
    """Return the mean of each measure over three kinds of pairs, pooled over conditions and within each."""
    return each_data_set(_by_condition, SYNTHETIC)


def _by_condition(data_set: str) -> pd.DataFrame:
    every = answers_on(data_set)
    pooled = [("all", False, every), ("used", True, used_conditions(every))]
    table = pd.concat(
        _means(_pairs(part)).assign(condition=condition, used=used)
        for condition, used, part in [*pooled, *_strengths(every)]
    )
    return table[["condition", "used", "tolerance", "near_copies", "kind", "n_pairs", *OF_KINDS]]


def _strengths(responses: Responses) -> Iterator[tuple[str, bool, Responses]]:
    shown = responses.truth.index.get_level_values("condition")
    used = set(used_conditions(responses).truth.index.get_level_values("condition"))
    for condition in shown.unique():
        yield condition, condition in used, responses.select(trials=shown == condition)


def _pairs(responses: Responses, measures: Sequence[str] = OF_KINDS) -> pd.DataFrame:
    pairs = pairwise(responses, measures).rename(columns=short_name)
    apart = (pairs["accuracy_a"] - pairs["accuracy_b"]).abs().round(9)  # equal shares, equal floats
    first, second = (pairs[system].map(source.architectures()) for system in ("system_a", "system_b"))
    copies = (pairs["kind"] == "model-model") & (first == second)
    return pairs.assign(apart=apart, copies=copies, architecture_a=first, architecture_b=second)


def _means(pairs: pd.DataFrame) -> pd.DataFrame:
    parts = []
    for tolerance, near_copies in product(TOLERANCES, (True, False)):
        chosen = pairs[(pairs["apart"] < tolerance) & (near_copies | ~pairs["copies"])]
        kinds = chosen.groupby("kind", sort=False)
        means = kinds[list(OF_KINDS)].mean().assign(n_pairs=kinds.size())
        parts.append(means.assign(tolerance=tolerance, near_copies=near_copies).reset_index())
    return pd.concat(parts)


def kinds_compared(
    measure: str = "EC",
    *,
    strengths: Strengths = "all",
    within: bool = False,
    tolerance: float = np.inf,
    near_copies: bool = True,
    kinds: Sequence[str] = KINDS,
) -> pd.DataFrame:
    """Compare kinds of pairs, by default people, networks and mixed pairs, where all of them are found."""
    table = kinds_by_condition()
    chosen = table[(table["tolerance"] == tolerance) & (table["near_copies"] == near_copies)]
    single = ~chosen["condition"].isin(list(STRENGTHS)) & (chosen["used"] | (strengths == "all"))
    chosen = chosen[single if within else chosen["condition"] == strengths]
    means = chosen.pivot(index=["data_set", "condition"], columns="kind", values=measure)
    return means[list(kinds)].dropna().groupby("data_set").mean()


def leads(measure: str = "EC", of: str = "human-human", over: str = "model-human") -> pd.DataFrame:
    """Return how far one kind of pair is ahead of another on the fourteen sets, under all choices crossed."""
    choices = product(STRENGTHS, (True, False), TOLERANCES, (False, True))
    matter = "model-model" in (of, over)  # near-copies are pairs of networks
    return pd.DataFrame([_lead(measure, of, over, *choice) for choice in choices if matter or not choice[-1]])


def _lead(measure: str, of: str, over: str, strengths: Strengths, within: bool, tolerance: float, copies: bool) -> Lead:
    means = kinds_compared(
        measure, strengths=strengths, within=within, tolerance=tolerance, near_copies=copies, kinds=(of, over)
    )
    words = {
        "sets": "Xu's 14 sets",
        "strengths": STRENGTHS[strengths],
        "pooling": "one at a time" if within else "pooled",
        "accuracies": ACCURACIES[tolerance],
        "near-copies": COPIES[copies] if "model-model" in (of, over) else None,
    }
    return lead(means[of] - means[over]) | words
