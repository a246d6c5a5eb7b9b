"""What would chance alone give? p-values of error consistency, permutation tests, and systems with random errors."""

from erralign.nulls.correlations import correlation_interval, holm, mantel_test, mcnemar_test
from erralign.nulls.independence import p_value, p_value_from_answers, pairwise_p_values
from erralign.nulls.observers import independent_limits, textbook_limits, with_random_errors
from erralign.nulls.permutations import (
    common_habits_test,
    difference_test,
    error_distribution_test,
    misclassification_agreement_test,
    same_error_distribution_test,
)

__all__ = [
    "common_habits_test",
    "correlation_interval",
    "difference_test",
    "error_distribution_test",
    "holm",
    "independent_limits",
    "mantel_test",
    "mcnemar_test",
    "misclassification_agreement_test",
    "p_value",
    "p_value_from_answers",
    "pairwise_p_values",
    "same_error_distribution_test",
    "textbook_limits",
    "with_random_errors",
]
__dir__ = __all__.copy
