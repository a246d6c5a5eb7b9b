"""Result tables about the models of Gavrikov et al. (2025) and the children of Huber et al. (2022)."""

from erralign_book.papers.gavrikov2025.among import (
    BOTH,
    CLASSIFIER,
    JUDGE,
    ONE_EYE,
    ONE_MODEL,
    TWO_EYES,
    TWO_MODELS,
    answers_of_each,
    pairs_of_models,
    readings,
)
from erralign_book.papers.gavrikov2025.answers import CNNS, DESCRIPTION, OPTIONS, STYLISED
from erralign_book.papers.gavrikov2025.children import ages
from erralign_book.papers.gavrikov2025.groups import (
    fair_pairs,
    groups_with_people,
    newer_less_older,
    systems_with_people,
)
from erralign_book.papers.gavrikov2025.path import FORMS, above_older, height, older
from erralign_book.papers.gavrikov2025.printed import table
from erralign_book.papers.gavrikov2025.threshold import expected_consistency
