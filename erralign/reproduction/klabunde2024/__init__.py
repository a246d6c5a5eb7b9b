"""What the result tables of Klabunde et al. (2024), "ReSi", say, and what they say of each other."""

from erralign.reproduction.klabunde2024.claims import overview, perfect_scores, ranks
from erralign.reproduction.klabunde2024.printed import table
from erralign.reproduction.klabunde2024.results import TESTS, results

__all__ = ["TESTS", "overview", "perfect_scores", "ranks", "results", "table"]
