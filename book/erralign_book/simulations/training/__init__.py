"""Can a network be taught to err like people? Heads on frozen features, trained with each loss and its controls."""

from erralign_book.simulations.training.comparisons import (
    BASE_NAME,
    EQUAL,
    differences,
    elsewhere,
    planned,
    values,
)
from erralign_book.simulations.training.heads import (
    AIMS,
    CONTROLS,
    LITE0,
    LOSSES,
    STRENGTHS,
    WITH_STRENGTH,
    answers,
    features,
    features_of,
    folds_of,
    material,
    strengths,
)
