"""Result tables of Xu et al. (2024), "Measuring Error Alignment for Decision-Making Systems"."""

from erralign_book.papers.kinds import KINDS
from erralign_book.papers.xu2024.classes import time_outs
from erralign_book.papers.xu2024.correlated import (
    correlations,
    global_correlations,
    mantel_tests,
    table,
    without_resnet50,
)
from erralign_book.papers.xu2024.kinds import (
    accuracy_by_strength,
    habits_at_equal_numbers,
    kinds_by_condition,
    kinds_compared,
    leads,
)
from erralign_book.papers.xu2024.pair_scores import (
    accuracies,
    agreement_with_released,
    model_pairs,
    pairwise_limits,
    pairwise_scores,
)
