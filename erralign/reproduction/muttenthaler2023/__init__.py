"""Result tables of Muttenthaler et al. (2023), "Human alignment of neural network representations"."""

from erralign.reproduction.muttenthaler2023.systems import SYSTEMS, features_of
from erralign.reproduction.muttenthaler2023.zero_shot import noise_ceiling, zero_shot

__all__ = ["SYSTEMS", "features_of", "noise_ceiling", "zero_shot"]
