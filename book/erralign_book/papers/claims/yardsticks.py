"""Our own claims about what a value is to be set against."""

from collections.abc import Iterable
from functools import partial

import pandas as pd
from scipy.stats import ttest_ind

from erralign_book.papers import klein2025
from erralign_book.papers.claims.claim import Claim, claim

OLDER = klein2025.GROUPS["model-human"]
OF_REACH = {"knows all": "share of what is within reach", "knows nine": "share of what knowing nine people is worth"}
BELOW = {"largest": "share of the largest EC", **OF_REACH}


def _newer_less_older(networks: pd.DataFrame, of: Iterable[str]) -> pd.DataFrame:
    """Compare networks trained on more data with CNNs of 2020 by EC, or by EC as a share of each column."""
    found = []
    for below in of:
        values = networks["EC"] / (1 if below == "EC" else networks[below])
        for name, here in values.groupby(networks["data_set"]):
            newer, older = (here[networks["group"] == group] for group in (klein2025.LARGER, OLDER))
            low, high = ttest_ind(newer, older, equal_var=False).confidence_interval()
            means = {"first": newer.mean(), "second": older.mean(), "value": newer.mean() - older.mean()}
            found.append({"sets": name, "of": BELOW.get(below, below), **means, "low": low, "high": high})
    return pd.DataFrame(found).sort_values("sets", key=lambda sets: sets != "edges", kind="stable")


def _claim(name: str, *of: str) -> Claim:
    return claim("yardsticks.toml", name, partial(_newer_less_older, of=of), klein2025.beside_reach)


EC = _claim("yardsticks-ec", "EC")
SHARE = _claim("yardsticks-share", "largest")
REACHED = _claim("yardsticks-reach", *OF_REACH)
CLAIMS = (EC, SHARE, REACHED)
