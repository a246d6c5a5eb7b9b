"""Trials that share material: by how much does the variance of a value grow where they are not independent?

Systems tend to miss pictures of the same photograph, or frames of the same video, together. An interval that takes
trials as independent is then too narrow. The caller gives one label per trial, such as its photograph, or two labels,
such as its photograph and its person (two factors that cross). From them follows one number, the design effect, by
which the variance is multiplied.
"""

from erralign.clusters.design import design_effect, effect_of_difference, effects_of_pairs
from erralign.clusters.effects import Clusters, equal_clusters, of_few_clusters
from erralign.clusters.influences import influence_of_trials
from erralign.clusters.labels import clusters_of, clusters_over
