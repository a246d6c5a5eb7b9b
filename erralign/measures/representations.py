"""The 23 measures of representations of the ReSi benchmark, and what leaves each of them unchanged."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from erralign.similarity import alignment, correlations, kernels, matrices, neighbours, statistics, topology

_WRITTEN = {"cka": "CKA", "cca": "CCA", "gulp": "GULP", "rsm": "RSM", "jaccard": "Jaccard", "procrustes": "Procrustes"}
_WORDS = re.compile("|".join(_WRITTEN))


@dataclass(frozen=True)
class Similarity:
    """A measure of two systems' features or confidences: a function of two arrays, and what is known of it.

    Parameters
    ----------
    name, short : str
        The name of the function and its abbreviation, the key in ``erralign.MEASURES``.
    function : callable
        The measure of two systems.
    invariances : frozenset of str
        Changes of the data that leave the value of the default form as it is: keys of ``INVARIANCES``.
    larger_is_more_similar : bool
        Whether the value grows with similarity; otherwise it is a distance.
    variants : mapping of str to callable
        The forms of the measure by name, the default first, each as a function of the same arguments.
    """

    name: str
    short: str
    function: Callable[..., float]
    invariances: frozenset[str]
    larger_is_more_similar: bool = True
    variants: Mapping[str, Callable[..., float]] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The name in a sentence."""
        return _WORDS.sub(lambda match: _WRITTEN[match[0]], self.name.replace("_", " "))


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
) -> Similarity:
    invariances |= _TRIALS
    if symmetric:
        invariances |= _SYSTEMS
    forms = {variant: partial(function, variant=variant) for variant in variants}
    return Similarity(function.__name__, short, function, invariances, larger_is_more_similar, forms)


_distance = partial(_similarity, larger_is_more_similar=False)

OF_REPRESENTATIONS: dict[str, Similarity] = {
    measure.short: measure
    for measure in (
        _similarity("2nd-Cos", neighbours.second_order_cosine_similarity, _ROTATION | _SCALE, "resi", "textbook"),
        _similarity("AlignCos", alignment.aligned_cosine_similarity, _ROTATION | _SCALE),
        _distance("AngShape", alignment.angular_shape_distance, _ROTATION | _SCALE | _SHIFT),
        Similarity(
            "cka",
            "CKA",
            kernels.cka,
            _SYSTEMS | _TRIALS | _ROTATION | _SCALE | _SHIFT,
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
