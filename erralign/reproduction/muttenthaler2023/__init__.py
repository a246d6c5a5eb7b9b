"""Result tables of Muttenthaler et al. (2023), "Human alignment of neural network representations"."""

from erralign.reproduction.muttenthaler2023.claims import (
    gains,
    imagenet_correlations,
    limits_by_unit,
    sizes,
    spreads,
    without_one_source,
)
from erralign.reproduction.muttenthaler2023.game import game
from erralign.reproduction.muttenthaler2023.printed import table
from erralign.reproduction.muttenthaler2023.systems import SYSTEMS, features_of
from erralign.reproduction.muttenthaler2023.table_b1 import panels, table_b1
from erralign.reproduction.muttenthaler2023.zero_shot import noise_ceiling, zero_shot

__all__ = [
    "SYSTEMS",
    "features_of",
    "gains",
    "game",
    "imagenet_correlations",
    "limits_by_unit",
    "noise_ceiling",
    "panels",
    "sizes",
    "spreads",
    "table",
    "table_b1",
    "without_one_source",
    "zero_shot",
]
