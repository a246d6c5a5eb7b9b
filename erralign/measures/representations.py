"""The 23 measures of representations of the ReSi benchmark, and what leaves each of them unchanged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from erralign import similarity
from erralign.measures.measure import Measure
from erralign.measures.names import NAMES
from erralign.similarity import matrices

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
        _similarity(similarity.second_order_cosine_similarity, _ROTATION | _SCALE, "resi", "textbook"),
        _similarity(similarity.aligned_cosine_similarity, _ROTATION | _SCALE),
        _distance(similarity.angular_shape_distance, _ROTATION | _SCALE | _SHIFT),
        Measure(
            "cka",
            "CKA",
            similarity.cka,
            invariances=_SYSTEMS | _TRIALS | _ROTATION | _SCALE | _SHIFT,
            variants={name: partial(similarity.cka, unbiased=name == "unbiased") for name in ("biased", "unbiased")},
        ),
        _distance(similarity.concentricity_difference, _ROTATION | _SCALE),
        _similarity(similarity.distance_correlation, _ROTATION | _SCALE | _SHIFT),
        _similarity(similarity.eigenspace_overlap, _LINEAR, "resi", "centred"),
        _distance(similarity.gulp_distance, _AFFINE, *matrices.RIDGES),
        _similarity(similarity.hard_correlation_match, _PERMUTATION | _SCALE | _SHIFT),
        _distance(similarity.multiscale_intrinsic_distance, _ROTATION | _SCALE | _SHIFT, "exact", "textbook"),
        _similarity(similarity.jaccard_similarity, _ROTATION | _SCALE),
        _similarity(similarity.linear_regression, _ROTATION | _SCALE | _SHIFT, "resi", "textbook", symmetric=False),
        _distance(similarity.magnitude_difference, _ROTATION),
        _distance(similarity.orthogonal_procrustes_distance, _ROTATION | _SCALE | _SHIFT, "resi", "textbook"),
        _similarity(similarity.projection_weighted_cca, _SCALE, "resi", "textbook", symmetric=False),
        _distance(similarity.permutation_procrustes_distance, _PERMUTATION),
        _distance(similarity.size_and_shape_distance, _ROTATION | _SHIFT),
        _similarity(similarity.representational_similarity, _PERMUTATION | _SCALE),
        _distance(similarity.rsm_norm_difference, _ROTATION | _SHIFT, "resi", "frobenius", "pip"),
        _similarity(similarity.rank_similarity, _ROTATION | _SCALE),
        _similarity(similarity.singular_vector_cca, _ROTATION | _SHIFT, "resi", "textbook"),
        _similarity(similarity.soft_correlation_match, _PERMUTATION | _SCALE | _SHIFT, "resi", "textbook"),
        _distance(similarity.uniformity_difference, _ROTATION | _SHIFT, "resi", "textbook"),
    )
}
