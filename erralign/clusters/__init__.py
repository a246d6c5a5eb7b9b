"""Trials that share material: by how much does the variance of a value grow where they are not independent?

Pictures made of the same photograph, or frames of one video, tend to be missed together. An interval from independent
trials is then too narrow. What is known about it is a label per trial, in one factor or in two that cross; what follows
from it is one number, the design effect, by which the variance grows.
"""

from erralign.clusters.effects import Clusters
from erralign.clusters.influences import influence_of_difference, influence_of_trials
from erralign.clusters.labels import clusters_of, clusters_over
from erralign.clusters.pair import design_effect, effect_of_pair

__all__ = [
    "Clusters",
    "clusters_of",
    "clusters_over",
    "design_effect",
    "effect_of_pair",
    "influence_of_difference",
    "influence_of_trials",
]
