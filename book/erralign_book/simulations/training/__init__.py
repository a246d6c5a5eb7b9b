"""Can a network be taught to err like people? Heads on frozen features, trained with each loss and its controls."""

from erralign_book.simulations.training.comparisons import (
    BASE_NAME,
    EQUAL,
    answers_for,
    beside_accuracy,
    differences,
    elsewhere,
    planned,
    values,
    verdicts,
    wrong_on_purpose,
)
from erralign_book.simulations.training.heads import (
    AIMS,
    CONTROLS,
    LITE0,
    LITE2,
    LOSSES,
    MOST_COST,
    STRENGTHS,
    TRIED,
    WITH_STRENGTH,
    answers,
    features,
    features_of,
    folds_of,
    material,
    strengths,
    tried,
)
