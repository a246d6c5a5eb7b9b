"""Our own claims about newer models."""

from collections.abc import Callable

import pandas as pd

from erralign_book.papers import gavrikov2025
from erralign_book.papers.claims.claim import MORE, NOT_CLEAR, Claim

EVERYTHING = "photographs, people and models"
PAGE = "what-newer-models-see"


def _ours_first(rows: pd.DataFrame, **ours: str) -> pd.DataFrame:
    others = (rows[list(ours)] != pd.Series(ours)).any(axis=1)
    return rows.loc[others.sort_values(kind="stable").index]


def _beside(older: str, *yardsticks: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def rows(differences: pd.DataFrame) -> pd.DataFrame:
        chosen = differences[(differences["older"] == older) & differences["yardstick"].isin(yardsticks)]
        chosen = chosen[["yardstick", "newer", "on", "value", "se", "df"]]
        return _ours_first(chosen, yardstick=yardsticks[0], newer=gavrikov2025.OPTIONS, on="all pictures")

    return rows


def _above(heights: pd.DataFrame) -> pd.DataFrame:
    rows = heights.assign(first=heights["EC"], second=heights["EC"] - heights["value"])
    rows = rows[["newer", "form", "without", "first", "second", "value", "se", "df"]]
    return _ours_first(rows, newer=gavrikov2025.OPTIONS, form=gavrikov2025.FORMS[0], without="CLIP")


TRIPLED = Claim(
    "newer-more-ec",
    "Vision-language models share more failures with people than CNNs of 2012 to 2017",
    page=PAGE,
    arms=("vision-language models", "older CNNs"),
    unit="mean EC with ten people",
    tables=(gavrikov2025.newer_less_older,),
    rows=_beside(gavrikov2025.CNNS, "EC"),
    drawn_again=EVERYTHING,
    says=MORE,
    chance="0 for both",
    reach="the accuracies allow the newer models more than three times as much",
)
ABOVE = Claim(
    "newer-above-the-path",
    "Asked with options, vision-language models lie above older networks of their accuracy, but not clearly",
    page=PAGE,
    arms=("vision-language models", "a path through older networks at the same accuracies"),
    unit="mean EC with ten people",
    tables=(gavrikov2025.above_older,),
    rows=_above,
    drawn_again="photographs, people, families of models and architectures of older networks",
    says=NOT_CLEAR,
    chance="0 for both",
    reach="the same for both, since accuracies are equal",
)
SHARE = Claim(
    "newer-share",
    "As a share of what accuracies allow, vision-language models are behind older CNNs, but not clearly",
    page=PAGE,
    arms=("vision-language models", "older CNNs"),
    unit="share of the largest EC",
    tables=(gavrikov2025.newer_less_older,),
    rows=_beside(gavrikov2025.CNNS, "share of the largest EC"),
    drawn_again=EVERYTHING,
    says=NOT_CLEAR,
    chance="0 for both",
    reach="1 for both",
)
STYLISED = Claim(
    "newer-beside-resnet-50",
    "Asked with options, vision-language models are not clearly ahead of one equally accurate network of 2019",
    page=PAGE,
    arms=("vision-language models", "a ResNet-50 trained on paintings"),
    unit="EC, MA or another yardstick",
    tables=(gavrikov2025.newer_less_older,),
    rows=_beside(
        gavrikov2025.STYLISED, "MA", "EC", "share of the largest EC", "threshold model", "MA without textures", "WMA"
    ),
    drawn_again="photographs, people and newer models; the older network stands for itself",
    says=NOT_CLEAR,
    chance="0 for both",
    reach="about the same for both with options; CLIP and descriptions are right less often",
)
CLAIMS = (TRIPLED, ABOVE, SHARE, STYLISED)
