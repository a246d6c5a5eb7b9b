"""Result tables of Xu et al. (2024), "Measuring Error Alignment for Decision-Making Systems"."""

from erralign_book.papers.kinds import KINDS, TOLERANCES
from erralign_book.papers.xu2024.accuracy import accuracy_differences, correlations_without_accuracy, without_difficulty
from erralign_book.papers.xu2024.classes import error_distribution_tests, similarity_with_itself
from erralign_book.papers.xu2024.correlated import (
    correlations,
    global_correlations,
    global_intervals,
    inception_among_networks,
    mantel_tests,
    without_resnet50,
)
from erralign_book.papers.xu2024.habits import habits_at_equal_numbers
from erralign_book.papers.xu2024.kinds import kinds_by_condition, kinds_by_strength_alone, kinds_compared, leads
from erralign_book.papers.xu2024.order import neighbours
from erralign_book.papers.xu2024.own import check_own_answers, own_pairs
from erralign_book.papers.xu2024.pair_scores import (
    accuracies,
    model_pairs,
    pairwise_limits,
    pairwise_scores,
    people_less_networks,
)
from erralign_book.papers.xu2024.pictures import same_wrong_answers
from erralign_book.papers.xu2024.printed import table
from erralign_book.papers.xu2024.released import agreement_with_released, released_divergences, released_values
from erralign_book.papers.xu2024.silence import time_out_classes, time_outs
from erralign_book.papers.xu2024.strengths import accuracy_by_strength
