"""By how much one side is ahead, choice by choice: the form that leads of all papers share, and how far they spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import sem, t

Lead = dict[str, Any]
# What charts call a choice: by how much two accuracies may differ, and whether near-copies count.
ACCURACIES = {0.01: "within 0.01", 0.02: "within 0.02", 0.05: "within 0.05", np.inf: "any accuracies"}
COPIES = {False: "near-copies out", True: "near-copies in"}


def lead(differences: pd.Series) -> Lead:
    """Return the mean of differences, one per data set, with its standard error over data sets."""
    return {"value": differences.mean(), "se": sem(differences), "df": len(differences) - 1, "n": len(differences)}


def limits(leads: pd.DataFrame, level: float) -> pd.DataFrame:
    """Add the limits of t intervals to leads with a standard error; others have their own, of 95 %."""
    if "se" not in leads:
        if level != 0.95:
            raise ValueError(f"level is {level:g}; these intervals are known at 0.95 only")
        return leads
    half = t.ppf((1 + level) / 2, leads["df"]) * leads["se"]
    return leads.assign(low=leads["value"] - half, high=leads["value"] + half)


def with_limits(leads: pd.DataFrame, level: float) -> pd.DataFrame:
    """Put leads in the order of their values, with the limits of t intervals."""
    found = limits(leads, level).dropna(subset="value")
    return found.sort_values("value", kind="stable", ignore_index=True)


def verdicts(leads: pd.DataFrame) -> np.ndarray:
    """Say of each interval which side of 0 it lies on, if it leaves out 0."""
    known = leads[["low", "high"]].notna().all(axis=1)
    return np.select([~known, leads["low"] > 0, leads["high"] < 0], ["no interval", "more", "less"], "not clear")


def jackknife(pairs: pd.DataFrame, measure: str, of: str, over: str) -> pd.DataFrame:
    """Return the lead of one kind of pair, with standard errors over other people, over other networks, and over both.

    Means are taken over the pairs of a condition, over conditions, and over data sets. Each data set has its own
    people, who come first in its pairs; networks of one architecture are left out together.
    """
    pairs = pairs[pairs["kind"].isin([of, over])]
    ends = pd.concat([_end(pairs, "a", "model-model"), _end(pairs, "b", "model-human", "model-model")], keys=["a", "b"])
    people = ends[ends["person"]].groupby("data_set")["unit"].unique()
    samples = {"people": list(people), "networks": [ends.loc[~ends["person"], "unit"].unique()]}
    spreads = {
        others: [_spread(pairs, ends["unit"], units, (measure, of, over)) for units in parts]
        for others, parts in samples.items()
    }
    spreads["people and networks"] = [*spreads["people"], *spreads["networks"]]
    value = _lead_of(pairs, measure, of, over)
    return pd.DataFrame([{"others": others, "value": value} | summed(parts) for others, parts in spreads.items()])


def _end(pairs: pd.DataFrame, end: str, *networks: str) -> pd.DataFrame:
    """Name what is left out together at one end of the pairs: a person of one data set, or an architecture."""
    person = ~pairs["kind"].isin(networks)
    unit = (pairs["data_set"] + " " + pairs[f"system_{end}"]).where(person, pairs[f"architecture_{end}"])
    return pd.DataFrame({"data_set": pairs["data_set"], "person": person, "unit": unit})


def _spread(
    pairs: pd.DataFrame, ends: pd.Series, units: np.ndarray, of_what: tuple[str, str, str]
) -> tuple[float, float]:
    return variance_of([_lead_of(pairs[(ends["a"] != unit) & (ends["b"] != unit)], *of_what) for unit in units])


def variance_of(without: Sequence[float]) -> tuple[float, float]:
    """Return the jackknife's variance, from a value without each unit, and its degrees of freedom."""
    return (len(without) - 1) * float(np.var(without)), len(without) - 1


def summed(spreads: Sequence[tuple[float, float]]) -> Lead:
    """Add independent variances; return the standard error and Satterthwaite's degrees of freedom."""
    variances, df = np.transpose(spreads)
    return {"se": np.sqrt(variances.sum()), "df": variances.sum() ** 2 / (variances**2 / df).sum()}


def _lead_of(pairs: pd.DataFrame, measure: str, of: str, over: str) -> float:
    return by_set(pairs, measure, of, over).mean()


def by_set(pairs: pd.DataFrame, measure: str, of: str, over: str) -> pd.Series:
    """Return the lead of one kind of pair on each data set, its mean over conditions."""
    means = pairs.groupby(["data_set", "condition", "kind"], sort=False)[measure].mean().unstack()
    means = means.reindex(columns=[of, over]).dropna()
    return (means[of] - means[over]).groupby("data_set").mean()
