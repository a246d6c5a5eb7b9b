"""Result tables about the models of Gavrikov et al. (2025) and the children of Huber et al. (2022)."""

from erralign_book.papers.gavrikov2025.among import (
    JUDGE,
    ONE_EYE,
    ONE_MODEL,
    OTHER_EYE,
    OWN_EYE,
    TWO_MODELS,
    answers_of_each,
    pairs_of_models,
    readings,
    table,
)
from erralign_book.papers.gavrikov2025.answers import CNNS, OPTIONS, STYLISED, pictures_named
from erralign_book.papers.gavrikov2025.groups import (
    FORMS,
    above_older,
    ages,
    curve,
    groups_with_people,
    height,
    newer_less_older,
    systems_with_people,
)
