"""Our own claims about what a value is to be set against."""

from collections.abc import Callable
from functools import partial

import pandas as pd
from scipy.stats import ttest_ind

from erralign_book.papers import klein2025
from erralign_book.papers.claims.claim import claim

OLDER = klein2025.GROUPS["model-human"]
OF_LARGEST = "share of the largest EC"
OF_REACH = {"knows all": "share of what is within reach", "knows nine": "share of what knowing nine people is worth"}
BELOW = {"largest": OF_LARGEST, **OF_REACH}


def _newer_less_older(*of: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Compare networks trained on more data with CNNs of 2020 by EC, or by EC as a share of each column."""

    def rows(networks: pd.DataFrame) -> pd.DataFrame:
        found = []
        for below in of:
            values = networks["EC"] / (1 if below == "EC" else networks[below])
            for name, here in values.groupby(networks["data_set"]):
                newer, older = (here[networks["group"] == group] for group in (klein2025.LARGER, OLDER))
                low, high = ttest_ind(newer, older, equal_var=False).confidence_interval()
                means = {"first": newer.mean(), "second": older.mean(), "value": newer.mean() - older.mean()}
                found.append({"sets": name, "of": BELOW.get(below, below), **means, "low": low, "high": high})
        return pd.DataFrame(found).sort_values("sets", key=lambda sets: sets != "edges", kind="stable")

    return rows


_claim = partial(claim, "yardsticks.toml")
EC = _claim("yardsticks-ec", _newer_less_older("EC"), klein2025.beside_reach)
SHARE = _claim("yardsticks-share", _newer_less_older("largest"), klein2025.beside_reach)
REACHED = _claim("yardsticks-reach", _newer_less_older(*OF_REACH), klein2025.beside_reach)
CLAIMS = (EC, SHARE, REACHED)
