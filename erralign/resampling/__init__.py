"""How far would a value move with other trials? Intervals for one pair, for a difference, for all pairs, for means.

Methods are chosen by how they do in simulations. An error that was not observed cannot be resampled, so the percentile
bootstrap is too narrow if joint errors are few. The page "Which interval?" gives the coverage of each method.
"""

from erralign.measures.error_consistency import error_consistency_limits
from erralign.pairs import accuracy_intervals, pairwise_intervals
from erralign.resampling.confidences import (
    capa_interval,
    confidence_similarity_interval,
    error_confidence_similarity_interval,
)
from erralign.resampling.differences import difference_interval, pairwise_differences
from erralign.resampling.one_pair import confidence_interval
from erralign.resampling.people import ConsistencyWithPeople, consistency_with_people
from erralign.resampling.reach import reach_with_people
from erralign.resampling.triplets import mean_interval, odd_one_out_interval

__all__ = [
    "ConsistencyWithPeople",
    "accuracy_intervals",
    "capa_interval",
    "confidence_interval",
    "confidence_similarity_interval",
    "consistency_with_people",
    "difference_interval",
    "error_confidence_similarity_interval",
    "error_consistency_limits",
    "mean_interval",
    "odd_one_out_interval",
    "pairwise_differences",
    "pairwise_intervals",
    "reach_with_people",
]
__dir__ = __all__.copy
