"""A system beside all others: pairs with intervals, for readers who compare their own."""

from collections.abc import Sequence

import pandas as pd

from erralign.measures import MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.resampling import pairwise_intervals
from erralign.responses import Responses


def limits_beside_others(both: Responses, names: Sequence[str] | None = None) -> pd.DataFrame:
    """Return EC, MA and CLES of some systems, or of all, with all others, with 95 % intervals."""
    table = pairwise_intervals(both, with_=names, n_resamples=2000).rename(columns=short_name)
    values = [column for short in map(short_name, MEASURES_OF_ERRORS) for column in (short, *limit_columns(short)[:2])]
    return table[["system_a", "system_b", "kind", "n_joint_errors", "accuracy_a", "accuracy_b", *values]].round(6)
