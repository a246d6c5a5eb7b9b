"""The six tests on everything that was trained: a world per domain, and one code for all of them."""

from functools import cache

import numpy as np
import pandas as pd

from erralign_book.papers.frozen import ResultTable, frozen
from erralign_book.papers.klabunde2024 import graphs, language, scored, vision
from erralign_book.papers.klabunde2024.results import TESTS
from erralign_book.papers.klabunde2024.scored import World, precision_by_group

WORLDS: dict[str, tuple[World, ResultTable[dict[str, np.ndarray]]]] = {
    "graphs": (graphs.WORLD, graphs.graph_pairs),
    "vision": (vision.WORLD, vision.vision_pairs),
    "language": (language.WORLD, language.language_pairs),
}


def scores(*domains: str) -> pd.DataFrame:
    """Return the score of every measure in every test, in all domains or in some."""
    return pd.concat([_scores(domain) for domain in domains or WORLDS], ignore_index=True)


@cache
def _scores(domain: str) -> pd.DataFrame:
    world, pairs = WORLDS[domain]
    return scored.scores(world, pairs())


def models(domain: str) -> pd.DataFrame:
    """Return the accuracy of every network of one domain."""
    world, pairs = WORLDS[domain]
    return scored.models(world, pairs())


@frozen(inputs=[], tables=[f"klabunde2024/{domain}_pairs.npz" for domain in ("graph", "vision", "language")])
def scores_by_group() -> pd.DataFrame:
    """Return the score of each measure in each test, a column per measure: of each group, where a test has groups."""
    alone = [precision_by_group(world, pairs()) for world, pairs in WORLDS.values()]
    every = scores()
    every = every[every["score"] == every["test"].map(TESTS)]
    parts = [every[every["score"] != "AUPRC"].assign(group="all"), *alone]
    of_one = ["data", "network", "seed_set", "test", "group"]
    values = pd.concat(parts).pivot(index=of_one, columns="measure", values="value")
    return values[[*parts[1]["measure"].unique()]].round(6).reset_index()
