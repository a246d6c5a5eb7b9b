"""Which of three is the odd one out? What a representation chooses, and how it compares with people.

"The paper" is Muttenthaler et al. (2023), https://doi.org/10.48550/arXiv.2211.01201.
"""

from erralign.triplets.calibration import best_temperature, expected_calibration_error, misfit
from erralign.triplets.choices import (
    choice_probabilities,
    object_variance,
    odd_one_out,
    odd_one_out_accuracy,
    pair_similarities,
    predict_dimensions,
    representational_similarity,
    similarity_matrix,
)
from erralign.triplets.probing import Probing, cross_validate_probe, in_span, probe

__all__ = [
    "Probing",
    "best_temperature",
    "choice_probabilities",
    "cross_validate_probe",
    "expected_calibration_error",
    "in_span",
    "misfit",
    "object_variance",
    "odd_one_out",
    "odd_one_out_accuracy",
    "pair_similarities",
    "predict_dimensions",
    "probe",
    "representational_similarity",
    "similarity_matrix",
]
__dir__ = __all__.copy
