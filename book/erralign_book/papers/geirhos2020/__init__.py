"""Result tables of Geirhos, Meding & Wichmann (2020), "Beyond accuracy"."""

from erralign_book.papers.geirhos2020.colour import distortions, two_people_in_colour
from erralign_book.papers.geirhos2020.limits import (
    bounds,
    chance,
    cloud_of_chance,
    limits_with_material,
    outside_percentiles,
    percentile_band,
    percentiles,
    percentiles_against_released,
)
from erralign_book.papers.geirhos2020.pair_means import (
    FOUR,
    FOURTEEN,
    SIXTEEN,
    accuracies,
    groups,
    kinds_of_pairs,
    leads,
    of_the_paper,
    pairwise_limits,
    pairwise_scores,
    parts_of_the_trials,
    with_overlaps,
)
from erralign_book.papers.geirhos2020.people import (
    GROUPS,
    HABIT,
    ON_STYLIZED,
    answers_to_silhouettes,
    bands_of_pairs,
    brain_score_and_imagenet,
    confusion_of,
    confusions,
    easy_for_one_side,
    named_shapes,
    networks_with_people,
    regressions,
    shape_bias,
    shape_bias_by_category,
    shapes_by_category,
    silhouettes,
    with_brain_scores,
    with_people,
)
from erralign_book.papers.geirhos2020.printed import table
from erralign_book.papers.geirhos2020.variants import (
    EFFICIENTNETS,
    answers_of_variants,
    camps,
    efficientnet_answers,
    efficientnet_confidences,
    efficientnet_pairs,
    efficientnet_similarities,
    efficientnets,
    pictures_of_camps,
    reports_of_efficientnets,
    variant_differences,
    variants,
)
