"""A reader's own systems in the chapters: the file that holds their answers, and their pairs with everybody else."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from erralign.measures import MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.resampling import pairwise_intervals
from erralign.responses import Responses


def check_file_of_answers(name: str, path: str, read: Callable[[str], Responses]) -> None:
    """Refuse what is no file of answers to a data set."""
    if not isinstance(path, str) or (path and not Path(path).is_file()):
        raise ValueError(f"{name} is {path!r}; expected the path of a CSV file with your answers, or '' for none")
    if path:
        read(path)


def limits_beside_others(both: Responses, names: Sequence[str] | None = None) -> pd.DataFrame:
    """Return EC, MA and CLES of some systems, or of all, with all others, with 95 % intervals."""
    table = pairwise_intervals(both, with_=names, n_resamples=2000).rename(columns=short_name)
    values = [column for short in map(short_name, MEASURES_OF_ERRORS) for column in (short, *limit_columns(short)[:2])]
    return table[["system_a", "system_b", "kind", "n_joint_errors", "accuracy_a", "accuracy_b", *values]].round(6)


def limits_of_own(theirs: Responses, mine: Responses) -> pd.DataFrame:
    """Return EC, MA and CLES of a reader's systems with each other and with all others, with 95 % intervals."""
    return limits_beside_others(theirs.join(mine), [str(name) for name in mine.answers])
