"""What may go wrong, said in one way: what came, what was expected, what to do."""

from erralign.errors.kinds import ChapterError, DataError
from erralign.errors.labels import NO_ANSWER, check_answers, check_labels, check_same_length
from erralign.errors.matrices import check_confidences, check_counts, check_features, check_matrices, check_table
from erralign.errors.numbers import check_choice, check_level, check_number, check_shares, check_width
from erralign.errors.tables import ROWS_AT_MOST, check_columns, check_rows

__all__ = [
    "NO_ANSWER",
    "ROWS_AT_MOST",
    "ChapterError",
    "DataError",
    "check_answers",
    "check_choice",
    "check_columns",
    "check_confidences",
    "check_counts",
    "check_features",
    "check_labels",
    "check_level",
    "check_matrices",
    "check_number",
    "check_rows",
    "check_same_length",
    "check_shares",
    "check_table",
    "check_width",
]
