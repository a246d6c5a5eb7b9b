"""The charts of single pages, a module per chapter, drawn with :mod:`erralign.plot`."""

from erralign.plot.theme import PAIRS
from erralign_book.charts.benchmarks import growth
from erralign_book.charts.class_level_error_similarity import by_number
from erralign_book.charts.comparing_representations import (
    agreeing_with,
    agreement_map,
    heat_curves,
    linked_points,
    spread_of_values,
    tables_of_likeness,
)
from erralign_book.charts.could_it_be_chance import chance_histogram, p_values
from erralign_book.charts.error_consistency import copy_explorer, kinds_of_pairs, overlap, two_kappas, yardsticks
from erralign_book.charts.hard_for_one_hard_for_all import pooled_and_within, shared_difficulty
from erralign_book.charts.how_many_pictures import measured_by_trials
from erralign_book.charts.how_sure_are_we import coverage, experiments, two_draws
from erralign_book.charts.index import access_map, kinds_found, strips
from erralign_book.charts.looks import INTERVALS
from erralign_book.charts.misclassification_agreement import decision_regions
from erralign_book.charts.odd_one_out import accuracy_of_systems, odd_one_out_game
from erralign_book.charts.representations_and_confidences import correlations_by_data_set, shares, turned_spaces
from erralign_book.charts.reproducing_geirhos_2020 import (
    colour_and_grey,
    confusion_matrices,
    distortions,
    expected_overlap,
    limits_of_chance,
)
from erralign_book.charts.reproducing_geirhos_2020_networks import (
    consistency_and_accuracy,
    consistency_and_scores,
    shape_bias,
    shape_bias_by_category,
)
from erralign_book.charts.reproducing_klabunde_2024 import ranks_by_domain
from erralign_book.charts.reproducing_klein_2025 import (
    accuracy_pairs,
    intervals_side_by_side,
    limits_by_mismatch,
    offset_by_consistency,
    rank_correlations,
    told_apart,
)
from erralign_book.charts.reproducing_muttenthaler_2023 import (
    accuracy_by_imagenet,
    accuracy_by_size,
    before_and_after,
    errors_by_entropy,
)
from erralign_book.charts.reproducing_muttenthaler_2023_concepts import by_concept, choices_by_cka, two_similarities
from erralign_book.charts.reproducing_muttenthaler_2023_probe import concepts_before_and_after, matrix_of_entropies
from erralign_book.charts.reproducing_xu_2024 import (
    correlation_matrix,
    families_by_measure,
    scatter,
    scatter_by_data_set,
)
from erralign_book.charts.so_do_they import specifications
from erralign_book.charts.tiles import live_strips
from erralign_book.charts.verdicts import verdict_grid
from erralign_book.charts.what_should_a_good_measure_notice import ranks_of_pairs, scores_of_measures, six_tests
from erralign_book.charts.what_they_saw import distorted
from erralign_book.charts.your_model_beside_people import (
    changed_by,
    pictures,
    shape_and_consistency,
    softened,
    under_noise,
    with_fewer_pictures,
)
