"""Altair charts of the book, and the one theme that they share.

Every chart has a title that is a sentence, named axes, and a ``description``, its alternative text. Colours mean
the same on every page and can be told apart by colour-blind readers (Okabe and Ito).
"""

from erralign.charts.benchmark import (
    accuracy_pairs,
    intervals_side_by_side,
    p_values,
    rank_correlations,
    ranking,
    told_apart,
)
from erralign.charts.chance import (
    colour_and_grey,
    consistency_and_accuracy,
    distortions,
    expected_overlap,
    explained,
    limits_of_chance,
    overlap,
    shape_bias,
)
from erralign.charts.explorer import copy_explorer, tunnel, two_kappas
from erralign.charts.measures import (
    access_map,
    by_number,
    correlations_by_data_set,
    decision_regions,
    kinds_of_pairs,
    shares,
    strips,
    turned_spaces,
)
from erralign.charts.pairs import (
    correlation_matrix,
    families_by_measure,
    growth,
    heatmap_explorer,
    scatter,
    scatter_by_data_set,
    verdict_grid,
)
from erralign.charts.planning import chance_histogram, consistency_and_p, offset_by_consistency, width_by_trials
from erralign.charts.theme import PAIRS
from erralign.charts.uncertainty import coverage, experiments, two_draws, whiskers

__all__ = [
    "PAIRS",
    "access_map",
    "accuracy_pairs",
    "by_number",
    "chance_histogram",
    "colour_and_grey",
    "consistency_and_accuracy",
    "consistency_and_p",
    "copy_explorer",
    "correlation_matrix",
    "correlations_by_data_set",
    "coverage",
    "decision_regions",
    "distortions",
    "expected_overlap",
    "experiments",
    "explained",
    "families_by_measure",
    "growth",
    "heatmap_explorer",
    "intervals_side_by_side",
    "kinds_of_pairs",
    "limits_of_chance",
    "offset_by_consistency",
    "overlap",
    "p_values",
    "rank_correlations",
    "ranking",
    "scatter",
    "scatter_by_data_set",
    "shape_bias",
    "shares",
    "strips",
    "told_apart",
    "tunnel",
    "turned_spaces",
    "two_draws",
    "two_kappas",
    "verdict_grid",
    "whiskers",
    "width_by_trials",
]
