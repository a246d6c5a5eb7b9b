"""How often does an interval hold the truth? Simulations with known truth, for every method that the book names."""

from benchmarks.coverage.benchmarks import means
from benchmarks.coverage.null_tests import correlation, p_values
from benchmarks.coverage.panels import panels
from benchmarks.coverage.shared_material import clusters
from benchmarks.coverage.single_pairs import (
    class_level_error_similarity,
    error_consistency,
    misclassification_agreement,
)
from benchmarks.coverage.third_system import differences
from benchmarks.coverage.triplets import triplets
from benchmarks.coverage.worlds import DATA_SETS
