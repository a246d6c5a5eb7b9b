"""How often does an interval hold the truth? Simulations with known truth, for every method that the book names."""

from erralign_book.simulations.coverage.benchmarks import means
from erralign_book.simulations.coverage.null_tests import correlation, p_values
from erralign_book.simulations.coverage.panels import panels
from erralign_book.simulations.coverage.shared_material import clusters
from erralign_book.simulations.coverage.single_pairs import (
    class_level_error_similarity,
    error_consistency,
    misclassification_agreement,
)
from erralign_book.simulations.coverage.third_system import differences
from erralign_book.simulations.coverage.triplets import triplets
from erralign_book.simulations.coverage.worlds import DATA_SETS
