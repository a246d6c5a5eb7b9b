"""Forms that result tables of several papers share."""

from collections.abc import Callable, Iterable

import pandas as pd

from erralign.results import Interval

Fact = tuple[str, str, float]  # row, column and value


def each_data_set(table: Callable[[str], pd.DataFrame], data_sets: Iterable[str]) -> pd.DataFrame:
    """Put the tables of several data sets below each other."""
    names = list(data_sets)
    parts = [table(name).assign(data_set=name) for name in names]
    together = pd.concat(parts, ignore_index=True)
    return together[["data_set", *together.columns.drop("data_set")]]


def beside_people(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs of a person, who comes first, and any system: one of two people counts for both of them."""
    turned = {f"{name}_{end}": f"{name}_{other}" for name in ("system", "accuracy") for end, other in ("ab", "ba")}
    two_people = pairs[pairs["kind"] == "human-human"].rename(columns=turned)
    return pd.concat([pairs[pairs["kind"] != "model-model"], two_people])


def printed_form(facts: Iterable[Fact]) -> pd.DataFrame:
    """Arrange single facts in the rows and columns as printed."""
    return pd.DataFrame(facts, columns=["row", "column", "value"]).pivot(index="row", columns="column", values="value")


def with_limits(found: Interval, name: str, prefix: str = "") -> dict[str, float]:
    """Return an interval as columns of a table: the value under its name, and its limits."""
    return {name: found.estimate, f"{prefix}low": found.low, f"{prefix}high": found.high}
