"""What the result tables of Klabunde et al. (2024), "ReSi", say, and what they say of each other."""

from erralign.reproduction.klabunde2024.claims import overview, perfect_scores, ranks
from erralign.reproduction.klabunde2024.graphs import graph_pairs
from erralign.reproduction.klabunde2024.printed import table
from erralign.reproduction.klabunde2024.results import TESTS, results
from erralign.reproduction.klabunde2024.seeds import seed_intervals
from erralign.reproduction.klabunde2024.worlds import all_precisions, all_scores

__all__ = [
    "TESTS",
    "all_precisions",
    "all_scores",
    "graph_pairs",
    "overview",
    "perfect_scores",
    "ranks",
    "results",
    "seed_intervals",
    "table",
]
