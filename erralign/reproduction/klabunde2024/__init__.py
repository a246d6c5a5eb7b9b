"""What the result tables of Klabunde et al. (2024), "ReSi", say, and what they say of each other."""

from erralign.reproduction.klabunde2024.agreement import agreement
from erralign.reproduction.klabunde2024.claims import overview, perfect_scores, ranks
from erralign.reproduction.klabunde2024.families import families
from erralign.reproduction.klabunde2024.graphs import graph_pairs
from erralign.reproduction.klabunde2024.invariances import invariances
from erralign.reproduction.klabunde2024.printed import table
from erralign.reproduction.klabunde2024.results import TESTS, results
from erralign.reproduction.klabunde2024.seeds import seed_intervals
from erralign.reproduction.klabunde2024.worlds import all_precisions, all_scores

__all__ = [
    "TESTS",
    "agreement",
    "all_precisions",
    "all_scores",
    "families",
    "graph_pairs",
    "invariances",
    "overview",
    "perfect_scores",
    "ranks",
    "results",
    "seed_intervals",
    "table",
]
