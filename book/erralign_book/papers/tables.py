"""Forms that result tables of several papers share."""

from collections.abc import Sequence

import pandas as pd

from erralign.inference import pairwise_intervals
from erralign.measures import MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.responses import Responses
from erralign.results import Interval


def beside_people(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs of a person, who comes first, and any system: one of two people counts for both of them."""
    turned = {f"{name}_{end}": f"{name}_{other}" for name in ("system", "accuracy") for end, other in ("ab", "ba")}
    two_people = pairs[pairs["kind"] == "human-human"].rename(columns=turned)
    return pd.concat([pairs[pairs["kind"] != "model-model"], two_people])


def with_limits(found: Interval, name: str, prefix: str = "") -> dict[str, float]:
    """Return an interval as columns of a table: the value under its name, and its limits."""
    return {name: found.estimate, f"{prefix}low": found.low, f"{prefix}high": found.high}


def limits_beside_others(both: Responses, names: Sequence[str] | None = None) -> pd.DataFrame:
    """Return EC, MA and CLES of some systems, or of all, with all others, with 95 % intervals."""
    table = pairwise_intervals(both, with_=names, n_resamples=2000)
    values = [column for short in map(short_name, MEASURES_OF_ERRORS) for column in (short, *limit_columns(short)[:2])]
    return table[["system_a", "system_b", "kind", "n_joint_errors", "accuracy_a", "accuracy_b", *values]].round(6)
