"""By how much one side is ahead, choice by choice: the form that leads of all papers share, and how far they spread."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t

from erralign.datasets.geirhos2020 import exemplars
from erralign.inference.clusters import Clusters

Lead = dict[str, Any]


def limits(leads: pd.DataFrame, level: float) -> pd.DataFrame:
    """Add the limits of t intervals to leads with a standard error; others have their own, of 95 %."""
    if "se" not in leads:
        if level != 0.95:
            raise ValueError(f"level is {level:g}; these intervals are known at 0.95 only")
        return leads
    half = t.ppf((1 + level) / 2, leads["df"]) * leads["se"]
    return leads.assign(low=leads["value"] - half, high=leads["value"] + half)


def in_order(leads: pd.DataFrame, level: float) -> pd.DataFrame:
    """Put leads in the order of their values, with the limits of t intervals."""
    found = limits(leads, level).dropna(subset="value")
    return found.sort_values("value", kind="stable", ignore_index=True)


def over_pictures(pictures: pd.Index, moved: np.ndarray) -> tuple[float, float]:
    """Return a variance over pictures, with its degrees of freedom, from what each picture does to a value.

    A picture of a cue conflict goes with all that have its shape or its texture.
    """
    factors = tuple(pd.factorize(of)[0] for _, of in exemplars(pictures).items() if of.notna().any())
    if not factors:
        return variance_of(moved)
    clusters = Clusters(factors)
    alone, together = moved @ moved, clusters.variances(moved[:, None])[0, 0]
    worth = clusters.worth(moved**2)
    return max(alone, together) * worth / (worth - 1), worth - 1


def variance_of(without: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """Return the jackknife's variance, from a value without each unit, and its degrees of freedom."""
    return (len(without) - 1) * float(np.var(without)), len(without) - 1


def summed(spreads: Sequence[tuple[float, float]]) -> Lead:
    """Add independent variances; return the standard error and Satterthwaite's degrees of freedom."""
    variances, df = np.transpose(spreads)
    return {"se": np.sqrt(variances.sum()), "df": variances.sum() ** 2 / (variances**2 / df).sum()}
