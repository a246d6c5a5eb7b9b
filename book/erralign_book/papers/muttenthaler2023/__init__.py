"""Result tables of Muttenthaler et al. (2023), "Human alignment of neural network representations"."""

from erralign_book.papers.muttenthaler2023.agreement import (
    agreement_by_number,
    embeddings_beside_people,
    errors_of_pairs,
    two_people,
)
from erralign_book.papers.muttenthaler2023.calibration import (
    accuracy_by_entropy,
    entropies_of_pairs,
    temperatures,
    zero_shot,
)
from erralign_book.papers.muttenthaler2023.concepts import (
    concept_accuracies,
    concept_accuracies_probed,
    dimensions,
    dimensions_explained,
)
from erralign_book.papers.muttenthaler2023.layers import accuracy_by_stage
from erralign_book.papers.muttenthaler2023.probing import probing, rsa_48_probed
from erralign_book.papers.muttenthaler2023.table_b1 import (
    gains,
    imagenet_correlations,
    limits_by_unit,
    panels,
    sizes,
    spreads,
    table,
    table_b1,
)
