"""Can a network be taught to err like people? Heads on frozen features, trained with each loss and its controls."""

from erralign_book.simulations.training.comparisons import (
    BASE_NAME,
    COPIES,
    EACH_AT_ITS_OWN,
    EQUAL,
    differences,
    planned,
    values,
)
from erralign_book.simulations.training.heads import AIMS, CONTROLS, LOSSES, features, features_of, study_of
