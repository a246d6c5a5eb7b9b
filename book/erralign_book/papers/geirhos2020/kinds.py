"""How far one kind of pair is ahead of another in the three experiments, choice by choice."""

from __future__ import annotations

import pandas as pd

from erralign_book.papers.geirhos2020.pair_means import of_the_paper, pairwise_limits, pairwise_scores
from erralign_book.papers.kinds import leads_on_each_set


def leads(measure: str = "EC", of: str = "human-human", over: str = "model-human") -> pd.DataFrame:
    """Return how far one kind of pair is ahead of another in each experiment, where pairs of both are found."""
    keys = ["data_set", "system_a", "system_b"]
    pairs = of_the_paper(pairwise_scores()).merge(pairwise_limits()[[*keys, "MA"]], on=keys)
    return leads_on_each_set(pairs, measure, of, over)
