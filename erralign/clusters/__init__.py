"""Trials that share material: by how much does the variance of a value grow where they are not independent?

From one label per trial, such as its photograph, or from two (factors that cross), follows one number, the design
effect, by which the variance is multiplied.
"""

from erralign.clusters.design import design_effect, effect_of_difference, effects_of_pairs, influence_of_trials
from erralign.clusters.effects import Clusters, equal_clusters, of_few_clusters
from erralign.clusters.labels import clusters_of, clusters_over
