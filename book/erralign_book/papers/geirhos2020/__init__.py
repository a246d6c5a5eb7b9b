"""What no chapter of Geirhos et al. (2020) computes: what three EfficientNets answer."""

from erralign_book.papers.geirhos2020.variants import (
    EFFICIENTNETS,
    answers_of_variants,
    camps,
    efficientnet_answers,
    efficientnet_confidences,
    efficientnet_pairs,
    efficientnet_similarities,
    efficientnets,
    named_shapes,
    pictures_of_camps,
    reports_of_efficientnets,
    variant_differences,
    variants,
)
