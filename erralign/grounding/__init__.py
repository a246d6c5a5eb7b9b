"""ReSi's six tests of a measure: does it notice what is known to be different about systems?

The functions that score a measure take its values for all pairs of systems (or of one network's layers), and what the
test knows of them. ``"released"`` is what the benchmark's code does, ``"pooled"`` what the paper says.
"""

from erralign.grounding.groups import Chance, group_conformity, group_precision, precision_by_chance, precision_of_each
from erralign.grounding.outputs import (
    correlation_to_differences,
    disagreement,
    layer_conformity,
    layer_correlation,
    output_divergence,
)

__all__ = [
    "Chance",
    "correlation_to_differences",
    "disagreement",
    "group_conformity",
    "group_precision",
    "layer_conformity",
    "layer_correlation",
    "output_divergence",
    "precision_by_chance",
    "precision_of_each",
]
__dir__ = __all__.copy
