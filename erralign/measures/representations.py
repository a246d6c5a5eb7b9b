"""The 23 measures of representations of the ReSi benchmark, and what leaves each of them unchanged."""

from collections.abc import Callable
from functools import partial

from erralign.measures.measure import Measure
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
    short: str,
    function: Callable[..., float],
    invariances: frozenset[str],
    *variants: str,
    symmetric: bool = True,
    larger_is_more_similar: bool = True,
) -> Measure:
    return Measure(
        function.__name__,
        short,
        function,
        "features",
        larger_is_more_similar=larger_is_more_similar,
        invariances=invariances | _TRIALS | (_SYSTEMS if symmetric else frozenset()),
        variants={variant: partial(function, variant=variant) for variant in variants},
    )


_distance = partial(_similarity, larger_is_more_similar=False)

OF_REPRESENTATIONS: dict[str, Measure] = {
    measure.short: measure
    for measure in (
        _similarity("2nd-Cos", neighbours.second_order_cosine_similarity, _ROTATION | _SCALE, "resi", "textbook"),
        _similarity("AlignCos", alignment.aligned_cosine_similarity, _ROTATION | _SCALE),
        _distance("AngShape", alignment.angular_shape_distance, _ROTATION | _SCALE | _SHIFT),
        Measure(
            "cka",
            "CKA",
            kernels.cka,
            "features",
            invariances=_SYSTEMS | _TRIALS | _ROTATION | _SCALE | _SHIFT,
            variants={name: partial(kernels.cka, unbiased=name == "unbiased") for name in ("biased", "unbiased")},
        ),
        _distance("ConcDiff", statistics.concentricity_difference, _ROTATION | _SCALE),
        _similarity("DistCorr", matrices.distance_correlation, _ROTATION | _SCALE | _SHIFT),
        _similarity("EOS", matrices.eigenspace_overlap, _LINEAR, "resi", "centred"),
        _distance("GULP", matrices.gulp_distance, _AFFINE, *matrices.RIDGES),
        _similarity("HardCorr", alignment.hard_correlation_match, _PERMUTATION | _SCALE | _SHIFT),
        _distance(
            "IMD", topology.multiscale_intrinsic_distance, _ROTATION | _SCALE | _SHIFT, "exact", "resi", "textbook"
        ),
        _similarity("Jaccard", neighbours.jaccard_similarity, _ROTATION | _SCALE),
        _similarity(
            "LinReg", alignment.linear_regression, _ROTATION | _SCALE | _SHIFT, "resi", "textbook", symmetric=False
        ),
        _distance("MagDiff", statistics.magnitude_difference, _ROTATION),
        _distance(
            "OrthProc", alignment.orthogonal_procrustes_distance, _ROTATION | _SCALE | _SHIFT, "resi", "textbook"
        ),
        _similarity("PWCCA", correlations.projection_weighted_cca, _SCALE, "resi", "textbook", symmetric=False),
        _distance("PermProc", alignment.permutation_procrustes_distance, _PERMUTATION),
        _distance("ProcDist", alignment.size_and_shape_distance, _ROTATION | _SHIFT),
        _similarity("RSA", matrices.representational_similarity, _PERMUTATION | _SCALE),
        _distance("RSMDiff", matrices.rsm_norm_difference, _ROTATION | _SHIFT, "resi", "frobenius", "pip"),
        _similarity("RankSim", neighbours.rank_similarity, _ROTATION | _SCALE),
        _similarity("SVCCA", correlations.singular_vector_cca, _ROTATION | _SHIFT, "resi", "textbook"),
        _similarity("SoftCorr", alignment.soft_correlation_match, _PERMUTATION | _SCALE | _SHIFT, "resi", "textbook"),
        _distance("UnifDiff", statistics.uniformity_difference, _ROTATION | _SHIFT, "resi", "textbook"),
    )
}
