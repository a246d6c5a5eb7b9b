"""What may go wrong, said in one way: what came, what was expected, what to do."""

from erralign.errors.arrays import as_array
from erralign.errors.confidences import check_confidences, check_confidences_of_two, check_truth_of_confidences
from erralign.errors.installing import REPOSITORY, install_line, lacking
from erralign.errors.kinds import ChapterError, DataError
from erralign.errors.labels import (
    NO_ANSWER,
    as_right_or_wrong,
    check_all_answers,
    check_answers,
    check_labels,
    check_same_length,
)
from erralign.errors.matrices import (
    check_counts,
    check_enough_trials,
    check_features,
    check_matrices,
    check_same_trials,
    check_square,
    check_table,
    check_triplets,
)
from erralign.errors.numbers import (
    Seed,
    check_between,
    check_n_classes,
    check_positive,
    check_range,
    check_rng,
    check_shares,
    check_whole,
    checked,
)
from erralign.errors.options import check_counts_of_options, check_n_options, check_offered
from erralign.errors.order import check_once, in_one_order, places_in, shown
from erralign.errors.shared_material import (
    check_cluster_labels,
    check_clusters,
    check_one_factor,
    equal_clusters,
    number_clusters,
    warn_of_few_clusters,
)
from erralign.errors.tables import ROWS_AT_MOST, check_caption, check_columns, check_responses, check_rows
from erralign.errors.words import (
    NO_ANSWER_WORDS,
    check_choice,
    check_choices,
    check_common,
    check_option,
    check_partner,
    check_spelling,
    expected,
    read_class,
)
