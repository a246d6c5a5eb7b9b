"""The six tests on everything that was trained: a world per domain, and one code for all of them."""

from functools import cache

import numpy as np
import pandas as pd

from erralign_book.papers.frozen import ResultTable
from erralign_book.papers.klabunde2024 import graphs, language, scored, vision
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


def precisions() -> pd.DataFrame:
    """Return how well each measure finds the pairs of each single group, in all domains."""
    return pd.concat([precision_by_group(world, pairs()) for world, pairs in WORLDS.values()], ignore_index=True)
