"""Our own claims about newer models."""

from functools import partial

import pandas as pd

from erralign_book.papers import gavrikov2025
from erralign_book.papers.claims.claim import claim, ours_first


def _beside_cnns(differences: pd.DataFrame, yardstick: str) -> pd.DataFrame:
    of_cnns = differences["older"] == gavrikov2025.CNNS
    chosen = differences[of_cnns & (differences["yardstick"] == yardstick)]
    chosen = chosen[["yardstick", "newer", "on", "value", "se", "df"]]
    return ours_first(chosen, newer=gavrikov2025.OPTIONS, on="all pictures")


def _above(heights: pd.DataFrame) -> pd.DataFrame:
    rows = heights.assign(first=heights["EC"], second=heights["EC"] - heights["value"])
    rows = rows[["newer", "form", "without", "first", "second", "value", "se", "df"]]
    return ours_first(rows, newer=gavrikov2025.OPTIONS, form=gavrikov2025.FORMS[0], without="CLIP")


_claim = partial(claim, "newer.toml")
TRIPLED = _claim("newer-more-ec", partial(_beside_cnns, yardstick="EC"), gavrikov2025.newer_less_older)
ABOVE = _claim("newer-above-the-path", _above, gavrikov2025.above_older)
_share = partial(_beside_cnns, yardstick="share of the largest EC")
SHARE = _claim("newer-share", _share, gavrikov2025.newer_less_older)
CLAIMS = (TRIPLED, ABOVE, SHARE)
