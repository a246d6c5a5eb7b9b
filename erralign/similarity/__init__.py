"""Do two systems see alike? The measures of the ReSi benchmark, one short module per family.

Klabunde et al. (2024), https://doi.org/10.48550/arXiv.2408.00531, describe all of them; each says whose it is.
"""

from erralign.similarity.alignment import (
    aligned_cosine_similarity,
    angular_shape_distance,
    hard_correlation_match,
    linear_regression,
    orthogonal_procrustes_distance,
    permutation_procrustes_distance,
    size_and_shape_distance,
    soft_correlation_match,
)
from erralign.similarity.correlations import projection_weighted_cca, singular_vector_cca
from erralign.similarity.kernels import cka
from erralign.similarity.matrices import (
    distance_correlation,
    eigenspace_overlap,
    gulp_distance,
    representational_similarity,
    rsm_norm_difference,
)
from erralign.similarity.neighbours import jaccard_similarity, rank_similarity, second_order_cosine_similarity
from erralign.similarity.pairwise import compare, pairwise
from erralign.similarity.prepared import Prepared
from erralign.similarity.statistics import concentricity_difference, magnitude_difference, uniformity_difference
from erralign.similarity.topology import multiscale_intrinsic_distance

__all__ = [
    "Prepared",
    "aligned_cosine_similarity",
    "angular_shape_distance",
    "cka",
    "compare",
    "concentricity_difference",
    "distance_correlation",
    "eigenspace_overlap",
    "gulp_distance",
    "hard_correlation_match",
    "jaccard_similarity",
    "linear_regression",
    "magnitude_difference",
    "multiscale_intrinsic_distance",
    "orthogonal_procrustes_distance",
    "pairwise",
    "permutation_procrustes_distance",
    "projection_weighted_cca",
    "rank_similarity",
    "representational_similarity",
    "rsm_norm_difference",
    "second_order_cosine_similarity",
    "singular_vector_cca",
    "size_and_shape_distance",
    "soft_correlation_match",
    "uniformity_difference",
]
__dir__ = __all__.copy
