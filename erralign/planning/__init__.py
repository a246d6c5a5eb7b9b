"""How many trials will an experiment need? Answers from simulations and formulas, before it is run.

The copy model, in which one system copies part of another's failures, gives data with any wanted error consistency.
"""

from erralign.planning.consistency import (
    agreement_width,
    expected_similarity,
    expected_width,
    joint_errors_needed,
    trials_needed,
    trials_needed_for_difference,
)
from erralign.planning.copies import copy_probability, expected_table, simulate_copies
from erralign.planning.with_people import power_with_people

__all__ = [
    "agreement_width",
    "copy_probability",
    "expected_similarity",
    "expected_table",
    "expected_width",
    "joint_errors_needed",
    "power_with_people",
    "simulate_copies",
    "trials_needed",
    "trials_needed_for_difference",
]
__dir__ = __all__.copy
