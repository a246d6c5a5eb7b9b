"""Result tables of Muttenthaler et al. (2023), "Human alignment of neural network representations"."""

from erralign.reproduction.muttenthaler2023.claims import (
    gains,
    imagenet_correlations,
    limits_by_unit,
    sizes,
    spreads,
    without_one_source,
)
from erralign.reproduction.muttenthaler2023.printed import table
from erralign.reproduction.muttenthaler2023.table_b1 import panels, table_b1

__all__ = [
    "gains",
    "imagenet_correlations",
    "limits_by_unit",
    "panels",
    "sizes",
    "spreads",
    "table",
    "table_b1",
    "without_one_source",
]
