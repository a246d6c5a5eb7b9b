"""Our own claims about what a value is to be set against."""

from collections.abc import Callable

import pandas as pd
from scipy.stats import ttest_ind

from erralign_book.papers import klein2025
from erralign_book.papers.claims.claim import LESS, MORE, NOT_CLEAR, Claim

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


def _claim(name: str, sentence: str, says: str, *of: str, unit: str, reach: str) -> Claim:
    return Claim(
        name,
        sentence,
        page="what-to-set-a-value-against",
        arms=(klein2025.LARGER, OLDER),
        unit=unit,
        tables=(klein2025.beside_reach,),
        rows=_newer_less_older(*of),
        drawn_again="networks",
        says=says,
        chance="0 for both",
        reach=reach,
    )


EC = _claim(
    "yardsticks-ec",
    "Networks trained on more data share more failures with people than CNNs of 2020 do",
    *(MORE, "EC"),
    unit="EC",
    reach="more for the more accurate: that is why a share is taken",
)
SHARE = _claim(
    "yardsticks-share",
    "As a share of the largest EC that the accuracies allow, CNNs of 2020 are ahead of networks trained on more data",
    *(LESS, "largest"),
    unit=OF_LARGEST,
    reach="1 only if all people failed on the same pictures",
)
REACHED = _claim(
    "yardsticks-reach",
    "As a share of what somebody reaches who knows people's answers, CNNs of 2020 are not clearly ahead",
    *(NOT_CLEAR, *OF_REACH),
    unit="share of the EC within reach",
    reach="1 for both, with all people's answers to the very pictures",
)
CLAIMS = (EC, SHARE, REACHED)
