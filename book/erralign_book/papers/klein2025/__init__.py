"""Result tables of Klein et al. (2025), "Quantifying uncertainty in error consistency"."""

from erralign_book.papers.klein2025.answers import N_RESAMPLES, accuracies, conditions
from erralign_book.papers.klein2025.clip import DRAWS_OF_FIGURE_10, clip_and_subject_01, clip_p_values
from erralign_book.papers.klein2025.copies import IN_WORDS, copy_intervals
from erralign_book.papers.klein2025.data_sets import correlations, people_less_models, scores_by_data_set
from erralign_book.papers.klein2025.elsewhere import FOURTEEN, THREE, order_of_table_2, ranking_on_fourteen, table_2
from erralign_book.papers.klein2025.favourites import OF_OTHERS, OF_THEIR_PAPER, OF_WRONG, favourite_answers
from erralign_book.papers.klein2025.kinds import OTHERS, leads_with_other_networks
from erralign_book.papers.klein2025.models import DATA_SETS, model_files
from erralign_book.papers.klein2025.notebook import (
    EC_AS_DRAWN,
    EC_OF_FIGURE_3,
    FINER_EC,
    experiments,
    pooled_widths,
)
from erralign_book.papers.klein2025.perfect import perfect_models
from erralign_book.papers.klein2025.printed import table
from erralign_book.papers.klein2025.ranks import phase_scrambling, ranking
from erralign_book.papers.klein2025.shuffled import found_by_chance
from erralign_book.papers.klein2025.spread import ACCURACIES, explained_in_bootstraps, limits_by_mismatch, widths
from erralign_book.papers.klein2025.stability import ALPHA, differences, rank_stability
from erralign_book.papers.klein2025.yardsticks import (
    GROUPS,
    LARGER,
    beside_reach,
    limits_with_people,
    means_with_people,
    reach_with_people,
    systems_with_people,
)
