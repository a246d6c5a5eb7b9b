"""Which of three is the odd one out? What a representation chooses, and how it compares with people."""

from erralign.triplets.calibration import (
    CRITERIA,
    TEMPERATURES,
    best_temperature,
    divergence,
    expected_calibration_error,
    misfit,
)
from erralign.triplets.choices import (
    SIMILARITIES,
    choice_probabilities,
    chosen,
    odd_one_out,
    odd_one_out_accuracy,
    pair_similarities,
    triplet_entropy,
)
from erralign.triplets.dimensions import leading_dimension
from erralign.triplets.probing import PENALTIES, Probing, cross_validate_probe, in_span, probe
from erralign.triplets.regression import STRENGTHS, explained, folds_of, predict_dimensions
from erralign.triplets.rsa import representational_similarity, similarity_matrix
from erralign.triplets.variance import object_variance

__all__ = [
    "CRITERIA",
    "PENALTIES",
    "SIMILARITIES",
    "STRENGTHS",
    "TEMPERATURES",
    "Probing",
    "best_temperature",
    "choice_probabilities",
    "chosen",
    "cross_validate_probe",
    "divergence",
    "expected_calibration_error",
    "explained",
    "folds_of",
    "in_span",
    "leading_dimension",
    "misfit",
    "object_variance",
    "odd_one_out",
    "odd_one_out_accuracy",
    "pair_similarities",
    "predict_dimensions",
    "probe",
    "representational_similarity",
    "similarity_matrix",
    "triplet_entropy",
]
