"""Do two systems make the same mistakes? Error consistency, misclassification agreement, class-level error similarity.

A measure from labels (one true class and two answers per trial) only counts, and calls the form from counts.
"""

from erralign.measures.class_level_counts import class_level_error_similarity_from_counts
from erralign.measures.class_level_error_similarity import class_level_error_similarity
from erralign.measures.error_consistency import error_consistency, error_consistency_from_counts
from erralign.measures.loevingers_h import loevingers_h, loevingers_h_from_counts
from erralign.measures.misclassification_agreement import (
    misclassification_agreement,
    misclassification_agreement_from_counts,
)
from erralign.measures.within_class import blind_misclassification_agreement, within_class_misclassification_agreement

__all__ = [
    "blind_misclassification_agreement",
    "class_level_error_similarity",
    "class_level_error_similarity_from_counts",
    "error_consistency",
    "error_consistency_from_counts",
    "loevingers_h",
    "loevingers_h_from_counts",
    "misclassification_agreement",
    "misclassification_agreement_from_counts",
    "within_class_misclassification_agreement",
]
__dir__ = __all__.copy
