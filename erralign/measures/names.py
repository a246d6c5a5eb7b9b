"""The names of the measures: words alone, so that what needs a name depends on no measure's code."""

from __future__ import annotations

import re

# Abbreviations, and the names of the functions.
NAMES: dict[str, str] = {
    "EC": "error_consistency",
    "MA": "misclassification_agreement",
    "CLES": "class_level_error_similarity",
    "CKA": "cka",
    "SOC": "confidence_similarity",
    "SOCE": "error_confidence_similarity",
    # ReSi, Table 2
    "2nd-Cos": "second_order_cosine_similarity",
    "AlignCos": "aligned_cosine_similarity",
    "AngShape": "angular_shape_distance",
    "ConcDiff": "concentricity_difference",
    "DistCorr": "distance_correlation",
    "EOS": "eigenspace_overlap",
    "GULP": "gulp_distance",
    "HardCorr": "hard_correlation_match",
    "IMD": "multiscale_intrinsic_distance",
    "Jaccard": "jaccard_similarity",
    "LinReg": "linear_regression",
    "MagDiff": "magnitude_difference",
    "OrthProc": "orthogonal_procrustes_distance",
    "PWCCA": "projection_weighted_cca",
    "PermProc": "permutation_procrustes_distance",
    "ProcDist": "size_and_shape_distance",
    "RSA": "representational_similarity",
    "RSMDiff": "rsm_norm_difference",
    "RankSim": "rank_similarity",
    "SVCCA": "singular_vector_cca",
    "SoftCorr": "soft_correlation_match",
    "UnifDiff": "uniformity_difference",
}
_WRITTEN = {"cka": "CKA", "cca": "CCA", "gulp": "GULP", "rsm": "RSM", "jaccard": "Jaccard", "procrustes": "Procrustes"}
_WORDS = re.compile("|".join(_WRITTEN))


def short_name(name: str) -> str:
    """Shorten a measure's name, alone or at the beginning of a column's name.

    The way back from an abbreviation is ``NAMES["EC"]``.
    """
    for short, full in NAMES.items():
        if name == full or name.startswith(f"{full}_"):
            return short + name.removeprefix(full)
    return name


def words_of(short: str) -> str:
    """Return a measure's name as it is written in a sentence."""
    if short not in NAMES:
        return short
    words = NAMES[short].replace("_", " ").replace("class level", "class-level")
    return _WORDS.sub(lambda found: _WRITTEN[found[0]], words)
