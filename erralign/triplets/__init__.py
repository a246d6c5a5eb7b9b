"""Which of three is the odd one out? What a representation chooses, and how it compares with people."""

from erralign.triplets.choices import (
    SIMILARITIES,
    choice_probabilities,
    chosen,
    odd_one_out,
    odd_one_out_accuracy,
    pair_similarities,
    triplet_entropy,
)
from erralign.triplets.variance import object_variance

__all__ = [
    "SIMILARITIES",
    "choice_probabilities",
    "chosen",
    "object_variance",
    "odd_one_out",
    "odd_one_out_accuracy",
    "pair_similarities",
    "triplet_entropy",
]
