"""What the result tables of Klabunde et al. (2024), "ReSi", say, what they say of each other, and what ours say."""

from erralign_book.papers.klabunde2024.agreement import agreement
from erralign_book.papers.klabunde2024.comparison import cora_comparison, cora_verdicts, spread, table
from erralign_book.papers.klabunde2024.graphs import graph_pairs
from erralign_book.papers.klabunde2024.invariances import invariances
from erralign_book.papers.klabunde2024.language import language_pairs
from erralign_book.papers.klabunde2024.results import (
    TESTS,
    families,
    main_scores,
    overview,
    perfect_scores,
    places,
    ranks,
    results,
)
from erralign_book.papers.klabunde2024.vision import vision_pairs
from erralign_book.papers.klabunde2024.worlds import models, scores, scores_by_group
