"""What may go wrong, said in one way: what came, what was expected, what to do."""

from erralign.errors.clusters import FEWEST_CLUSTERS, check_cluster_labels, check_clusters, number_clusters
from erralign.errors.kinds import ChapterError, DataError
from erralign.errors.labels import NO_ANSWER, check_answers, check_labels, check_same_length
from erralign.errors.matrices import check_confidences, check_counts, check_features, check_matrices, check_table
from erralign.errors.numbers import check_choice, check_design_effect, check_level, check_shares, check_width

__all__ = [
    "FEWEST_CLUSTERS",
    "NO_ANSWER",
    "ChapterError",
    "DataError",
    "check_answers",
    "check_choice",
    "check_cluster_labels",
    "check_clusters",
    "check_confidences",
    "check_counts",
    "check_design_effect",
    "check_features",
    "check_labels",
    "check_level",
    "check_matrices",
    "check_same_length",
    "check_shares",
    "check_table",
    "check_width",
    "number_clusters",
]
