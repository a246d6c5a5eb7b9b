"""Altair charts of the book: one module for each chapter, over one theme and parts that several charts share.

Those that the page of functions lists (``heatmap``, ``beside``, ``ranking``, ``whiskers``) take the tables that the
package's functions return, of anybody's data.

Every chart has a title that is a sentence, named axes, and a ``description``, its alternative text. Colours mean
the same on every page and can be told apart by colour-blind readers (Okabe and Ito).
"""

from erralign.charts.benchmarks import growth
from erralign.charts.class_level_error_similarity import by_number
from erralign.charts.comparing_representations import (
    agreeing_with,
    agreement_map,
    heat_curves,
    linked_points,
    spread_of_values,
    tables_of_likeness,
)
from erralign.charts.could_it_be_chance import chance_histogram, p_values
from erralign.charts.error_consistency import (
    copy_explorer,
    kinds_of_pairs,
    overlap,
    tunnel,
    two_kappas,
)
from erralign.charts.hard_for_one_hard_for_all import pooled_and_within, shared_difficulty
from erralign.charts.how_many_pictures import measured_by_trials
from erralign.charts.how_sure_are_we import (
    coverage,
    experiments,
    two_draws,
    whiskers,
)
from erralign.charts.index import (
    access_map,
    kinds_found,
    strips,
)
from erralign.charts.misclassification_agreement import decision_regions
from erralign.charts.odd_one_out import accuracy_of_systems, odd_one_out_game
from erralign.charts.representations_and_confidences import (
    correlations_by_data_set,
    shares,
    turned_spaces,
)
from erralign.charts.reproducing_geirhos_2020 import (
    colour_and_grey,
    confusion_matrices,
    distortions,
    expected_overlap,
    limits_of_chance,
)
from erralign.charts.reproducing_geirhos_2020_networks import (
    consistency_and_accuracy,
    consistency_and_scores,
    shape_bias,
    shape_bias_by_category,
)
from erralign.charts.reproducing_klabunde_2024 import ranks_by_domain
from erralign.charts.reproducing_klein_2025 import (
    accuracy_pairs,
    intervals_side_by_side,
    limits_by_mismatch,
    offset_by_consistency,
    rank_correlations,
    told_apart,
)
from erralign.charts.reproducing_muttenthaler_2023 import (
    accuracy_by_imagenet,
    accuracy_by_size,
    before_and_after,
    errors_by_entropy,
)
from erralign.charts.reproducing_muttenthaler_2023_concepts import (
    by_concept,
    choices_by_cka,
    two_similarities,
)
from erralign.charts.reproducing_muttenthaler_2023_probe import (
    concepts_before_and_after,
    matrix_of_entropies,
)
from erralign.charts.reproducing_xu_2024 import (
    correlation_matrix,
    families_by_measure,
    scatter,
    scatter_by_data_set,
)
from erralign.charts.tables import Table, table, verdict_grid
from erralign.charts.theme import INTERVALS, PAIRS
from erralign.charts.tiles import live_strips
from erralign.charts.what_should_a_good_measure_notice import ranks_of_pairs, scores_of_measures, six_tests
from erralign.charts.what_they_saw import distorted
from erralign.charts.words import number, with_interval
from erralign.charts.your_model_beside_people import (
    changed_by,
    pictures,
    shape_and_consistency,
    softened,
    under_noise,
    with_fewer_pictures,
)
from erralign.charts.your_own_data import (
    beside,
    heatmap,
    ranking,
)

__all__ = [
    "INTERVALS",
    "PAIRS",
    "Table",
    "access_map",
    "accuracy_by_imagenet",
    "accuracy_by_size",
    "accuracy_of_systems",
    "accuracy_pairs",
    "agreeing_with",
    "agreement_map",
    "before_and_after",
    "beside",
    "by_concept",
    "by_number",
    "chance_histogram",
    "changed_by",
    "choices_by_cka",
    "colour_and_grey",
    "concepts_before_and_after",
    "confusion_matrices",
    "consistency_and_accuracy",
    "consistency_and_scores",
    "copy_explorer",
    "correlation_matrix",
    "correlations_by_data_set",
    "coverage",
    "decision_regions",
    "distorted",
    "distortions",
    "errors_by_entropy",
    "expected_overlap",
    "experiments",
    "families_by_measure",
    "growth",
    "heat_curves",
    "heatmap",
    "intervals_side_by_side",
    "kinds_found",
    "kinds_of_pairs",
    "limits_by_mismatch",
    "limits_of_chance",
    "linked_points",
    "live_strips",
    "matrix_of_entropies",
    "measured_by_trials",
    "number",
    "odd_one_out_game",
    "offset_by_consistency",
    "overlap",
    "p_values",
    "pictures",
    "pooled_and_within",
    "rank_correlations",
    "ranking",
    "ranks_by_domain",
    "ranks_of_pairs",
    "scatter",
    "scatter_by_data_set",
    "scores_of_measures",
    "shape_and_consistency",
    "shape_bias",
    "shape_bias_by_category",
    "shared_difficulty",
    "shares",
    "six_tests",
    "softened",
    "spread_of_values",
    "strips",
    "table",
    "tables_of_likeness",
    "told_apart",
    "tunnel",
    "turned_spaces",
    "two_draws",
    "two_kappas",
    "two_similarities",
    "under_noise",
    "verdict_grid",
    "whiskers",
    "with_fewer_pictures",
    "with_interval",
]
