"""What the result tables of Klabunde et al. (2024), "ReSi", say, and what they say of each other."""

from erralign.reproduction.klabunde2024.agreement import agreement
from erralign.reproduction.klabunde2024.claims import main_scores, overview, perfect_scores, ranks
from erralign.reproduction.klabunde2024.families import families
from erralign.reproduction.klabunde2024.invariances import invariances
from erralign.reproduction.klabunde2024.printed import table
from erralign.reproduction.klabunde2024.results import TESTS, results

__all__ = [
    "TESTS",
    "agreement",
    "families",
    "invariances",
    "main_scores",
    "overview",
    "perfect_scores",
    "ranks",
    "results",
    "table",
]
