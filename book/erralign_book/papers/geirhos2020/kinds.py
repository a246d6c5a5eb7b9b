"""How far one kind of pair is ahead of another in the three experiments, choice by choice."""

from __future__ import annotations

from itertools import product

import pandas as pd

from erralign.sources import geirhos2020 as source
from erralign_book.papers.geirhos2020.pair_means import of_the_paper, pairwise_limits, pairwise_scores
from erralign_book.papers.leads import ACCURACIES, COPIES, Lead, jackknife


def leads(measure: str = "EC", of: str = "human-human", over: str = "model-human") -> pd.DataFrame:
    """Return how far one kind of pair is ahead of another in each experiment, where pairs of both are found."""
    keys = ["data_set", "system_a", "system_b"]
    pairs = of_the_paper(pairwise_scores()).assign(condition="").merge(pairwise_limits()[[*keys, "MA"]], on=keys)
    pairs = pairs[pairs["kind"].isin([of, over])]
    copies = (pairs["kind"] == "model-model") & (pairs["architecture_a"] == pairs["architecture_b"])
    apart = (pairs["accuracy_a"] - pairs["accuracy_b"]).abs().round(9)  # equal shares, equal floats
    rows = []
    for name, tolerance, near_copies in product(source.DATA_SETS, ACCURACIES, COPIES):
        chosen = pairs[(pairs["data_set"] == name) & (apart < tolerance) & (near_copies | ~copies)]
        if chosen["kind"].nunique() == 2 and (copies.any() or near_copies):
            words = {"accuracies": ACCURACIES[tolerance], "near-copies": COPIES[near_copies] if copies.any() else None}
            rows.append(_lead(chosen, measure, of, over) | {"sets": name.replace("-", " ")} | words)
    return pd.DataFrame(rows)


def _lead(pairs: pd.DataFrame, measure: str, of: str, over: str) -> Lead:
    """Return the lead with its standard error over other people and other networks."""
    both = jackknife(pairs, measure, of, over).set_index("others").loc["people and networks", ["value", "se", "df"]]
    return dict(both) | {"n": 1}
