"""What may go wrong, said in one way: what came, what was expected, what to do."""

from erralign.errors.clusters import FEWEST_CLUSTERS, check_cluster_labels, check_clusters, number_clusters
from erralign.errors.kinds import ChapterError, DataError
from erralign.errors.labels import NO_ANSWER, check_answers, check_labels, check_same_length
from erralign.errors.matrices import check_confidences, check_counts, check_features, check_matrices, check_table
from erralign.errors.numbers import (
    check_alpha,
    check_design_effect,
    check_level,
    check_n_classes,
    check_number,
    check_shares,
    check_width,
)
from erralign.errors.tables import ROWS_AT_MOST, check_columns, check_rows
from erralign.errors.words import check_choice, check_choices, check_option, check_spelling, expected, read_class

__all__ = [
    "FEWEST_CLUSTERS",
    "NO_ANSWER",
    "ROWS_AT_MOST",
    "ChapterError",
    "DataError",
    "check_alpha",
    "check_answers",
    "check_choice",
    "check_choices",
    "check_cluster_labels",
    "check_clusters",
    "check_columns",
    "check_confidences",
    "check_counts",
    "check_design_effect",
    "check_features",
    "check_labels",
    "check_level",
    "check_matrices",
    "check_n_classes",
    "check_number",
    "check_option",
    "check_rows",
    "check_same_length",
    "check_shares",
    "check_spelling",
    "check_table",
    "check_width",
    "expected",
    "number_clusters",
    "read_class",
]
