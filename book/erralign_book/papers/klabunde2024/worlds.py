"""The six tests on everything that was trained."""

from __future__ import annotations

import pandas as pd

from erralign_book.papers.klabunde2024.by_group import precision_by_group
from erralign_book.papers.klabunde2024.graphs import WORLD as GRAPHS
from erralign_book.papers.klabunde2024.graphs import graph_pairs, graph_scores
from erralign_book.papers.klabunde2024.language import WORLD as LANGUAGE
from erralign_book.papers.klabunde2024.language import language_pairs, language_scores
from erralign_book.papers.klabunde2024.vision import WORLD as PICTURES
from erralign_book.papers.klabunde2024.vision import vision_pairs, vision_scores


def all_scores() -> pd.DataFrame:
    """Return the score of every measure in every test, on all data."""
    return pd.concat([graph_scores(), vision_scores(), language_scores()], ignore_index=True)


def all_precisions() -> pd.DataFrame:
    """Return how well each measure finds the pairs of each single group, on all data."""
    parts = ((GRAPHS, graph_pairs()), (PICTURES, vision_pairs()), (LANGUAGE, language_pairs()))
    return pd.concat([precision_by_group(*part) for part in parts], ignore_index=True)
