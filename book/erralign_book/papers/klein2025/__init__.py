"""Result tables of Klein et al. (2025), "Quantifying uncertainty in error consistency"."""

from erralign_book.papers.klein2025.answers import (
    accuracies,
    behind_people,
    clip_and_subject_01,
    clip_p_values,
    conditions,
    model_files,
)
from erralign_book.papers.klein2025.copies import (
    EC_AS_DRAWN,
    EC_OF_FIGURE_3,
    FINER_EC,
    IN_WORDS,
    copy_intervals,
    experiments,
    explained_in_bootstraps,
    limits_by_mismatch,
    pooled_widths,
    widths,
)
from erralign_book.papers.klein2025.kinds import (
    EQUAL,
    GROUPS,
    LARGER,
    OF_2020,
    OF_OTHERS,
    as_accurate,
    beside_reach,
    favourite_answers,
    leads_with_other_networks,
    means_with_people,
    systems_with_people,
)
from erralign_book.papers.klein2025.ranks import (
    FOURTEEN,
    THREE,
    correlations,
    differences,
    order_of_table_2,
    phase_scrambling,
    ranking,
    scores_by_data_set,
    table,
    table_2,
)
