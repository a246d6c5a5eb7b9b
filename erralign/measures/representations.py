"""The 23 measures of representations of the ReSi benchmark, and what leaves each of them unchanged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from erralign.measures.measure import Measure
from erralign.measures.names import NAMES
from erralign.similarity import alignment, correlations, kernels, matrices, neighbours, statistics, topology

_SYSTEMS = frozenset({"order of systems"})
_TRIALS = frozenset({"order of trials"})
_PERMUTATION = frozenset({"permutation of features"})
_ROTATION = _PERMUTATION | {"orthogonal transformation"}
_SCALE = frozenset({"isotropic scaling"})
_SHIFT = frozenset({"translation"})
_LINEAR = _ROTATION | _SCALE | {"invertible linear map"}
_AFFINE = _LINEAR | _SHIFT | {"affine map"}


def _similarity(
    function: Callable[..., float],
    invariances: frozenset[str],
    *variants: str,
    symmetric: bool = True,
    larger_is_more_similar: bool = True,
) -> Measure:
    return Measure(
        function.__name__,
        next(short for short, name in NAMES.items() if name == function.__name__),
        function,
        larger_is_more_similar=larger_is_more_similar,
        invariances=invariances | _TRIALS | (_SYSTEMS if symmetric else frozenset()),
        variants={variant: partial(function, variant=variant) for variant in variants},
    )


_distance = partial(_similarity, larger_is_more_similar=False)

OF_REPRESENTATIONS: dict[str, Measure] = {
    measure.short: measure
    for measure in (
        _similarity(neighbours.second_order_cosine_similarity, _ROTATION | _SCALE, "resi", "textbook"),
        _similarity(alignment.aligned_cosine_similarity, _ROTATION | _SCALE),
        _distance(alignment.angular_shape_distance, _ROTATION | _SCALE | _SHIFT),
        Measure(
            "cka",
            "CKA",
            kernels.cka,
            invariances=_SYSTEMS | _TRIALS | _ROTATION | _SCALE | _SHIFT,
            variants={name: partial(kernels.cka, unbiased=name == "unbiased") for name in ("biased", "unbiased")},
        ),
        _distance(statistics.concentricity_difference, _ROTATION | _SCALE),
        _similarity(matrices.distance_correlation, _ROTATION | _SCALE | _SHIFT),
        _similarity(matrices.eigenspace_overlap, _LINEAR, "resi", "centred"),
        _distance(matrices.gulp_distance, _AFFINE, *matrices.RIDGES),
        _similarity(alignment.hard_correlation_match, _PERMUTATION | _SCALE | _SHIFT),
        _distance(topology.multiscale_intrinsic_distance, _ROTATION | _SCALE | _SHIFT, "exact", "resi", "textbook"),
        _similarity(neighbours.jaccard_similarity, _ROTATION | _SCALE),
        _similarity(alignment.linear_regression, _ROTATION | _SCALE | _SHIFT, "resi", "textbook", symmetric=False),
        _distance(statistics.magnitude_difference, _ROTATION),
        _distance(alignment.orthogonal_procrustes_distance, _ROTATION | _SCALE | _SHIFT, "resi", "textbook"),
        _similarity(correlations.projection_weighted_cca, _SCALE, "resi", "textbook", symmetric=False),
        _distance(alignment.permutation_procrustes_distance, _PERMUTATION),
        _distance(alignment.size_and_shape_distance, _ROTATION | _SHIFT),
        _similarity(matrices.representational_similarity, _PERMUTATION | _SCALE),
        _distance(matrices.rsm_norm_difference, _ROTATION | _SHIFT, "resi", "frobenius", "pip"),
        _similarity(neighbours.rank_similarity, _ROTATION | _SCALE),
        _similarity(correlations.singular_vector_cca, _ROTATION | _SHIFT, "resi", "textbook"),
        _similarity(alignment.soft_correlation_match, _PERMUTATION | _SCALE | _SHIFT, "resi", "textbook"),
        _distance(statistics.uniformity_difference, _ROTATION | _SHIFT, "resi", "textbook"),
    )
}
