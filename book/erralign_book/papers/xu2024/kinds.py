"""People, networks and mixed pairs: all conditions of a data set together, and one condition at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from erralign.measures import short_name
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources import xu2024 as source
from erralign.sources.model_vs_human import used_conditions
from erralign_book.papers.frozen import frozen
from erralign_book.papers.tables import each_data_set
from erralign_book.papers.xu2024.pair_scores import ANSWERS, BEHAVIOUR, answers_on

# The condition of rows about all trials of a data set together.
TOGETHER = "all"
# Two accuracies that differ by less count as equal; with the last one any two do.
TOLERANCES = (0.01, 0.02, 0.05, np.inf)
KINDS = ("human-human", "model-human", "model-model")


@frozen(inputs=ANSWERS)
def kinds_by_condition() -> pd.DataFrame:
    """Return the mean of each measure over three kinds of pairs, pooled over conditions and within each."""
    return each_data_set(_by_condition, source.data_sets().query("kind == 'synthetic'").index)


def _by_condition(data_set: str) -> pd.DataFrame:
    every = answers_on(data_set)
    parts = [_means(part).assign(condition=condition) for condition, part in [(TOGETHER, every), *_conditions(every)]]
    table = pd.concat(parts)
    return table[["condition", "tolerance", "near_copies", "kind", "n_pairs", *BEHAVIOUR]]


def _conditions(responses: Responses) -> Iterator[tuple[str, Responses]]:
    used = used_conditions(responses)
    conditions = used.truth.index.get_level_values("condition")
    for condition in conditions.unique():
        yield condition, used.select(trials=conditions == condition)


def _means(responses: Responses) -> pd.DataFrame:
    pairs = pairwise(responses).rename(columns=short_name)
    apart = (pairs["accuracy_a"] - pairs["accuracy_b"]).abs().round(9)  # equal shares, equal floats
    first, second = (pairs[system].map(source.architectures()) for system in ("system_a", "system_b"))
    copies = (pairs["kind"] == "model-model") & (first == second)
    parts = []
    for tolerance in TOLERANCES:
        for near_copies in (True, False):
            chosen = pairs[(apart < tolerance) & ~(copies & (not near_copies))]
            kinds = chosen.groupby("kind", sort=False)
            means = kinds[list(BEHAVIOUR)].mean().assign(n_pairs=kinds.size())
            parts.append(means.assign(tolerance=tolerance, near_copies=near_copies).reset_index())
    return pd.concat(parts)


def kinds_compared(
    measure: str = "EC",
    *,
    within: bool = False,
    tolerance: float = np.inf,
    near_copies: bool = True,
    kinds: Sequence[str] = KINDS,
) -> pd.DataFrame:
    """Compare kinds of pairs, by default people, networks and mixed pairs, where all of them are found."""
    if tolerance not in TOLERANCES:
        raise ValueError(f"tolerance is {tolerance}; expected one of {', '.join(map(str, TOLERANCES))}")
    table = kinds_by_condition()
    chosen = table[(table["tolerance"] == tolerance) & (table["near_copies"] == near_copies)]
    chosen = chosen[(chosen["condition"] != TOGETHER) == within]
    means = chosen.pivot(index=["data_set", "condition"], columns="kind", values=measure)
    return means[list(kinds)].dropna().groupby("data_set").mean()
