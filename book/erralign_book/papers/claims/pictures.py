"""Our own claims about who names which pictures, and about the wrong answer that networks like best."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from erralign_book.papers import klein2025, xu2024
from erralign_book.papers.claims.claim import LESS, MORE, Claim


def _beside_people(data_set: str, group: str, strength: int) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Choose how far each group of networks is behind people under each strength of a distortion, ours first."""

    def rows(table: pd.DataFrame) -> pd.DataFrame:
        found = table[(table["data_set"] == data_set) & (table["group"] != "people")]
        found = _ours_first(found, group=group, strength=strength).rename(columns={"behind": "value"})
        arms = {"first": found["accuracy"] + found["value"], "second": found["accuracy"]}
        return found[["group", "condition", "value", "se", "df"]].assign(**arms)

    return rows


def _ours_first(rows: pd.DataFrame, **ours: object) -> pd.DataFrame:
    others = (rows[list(ours)] != pd.Series(ours)).any(axis=1)
    return rows.loc[others.sort_values(kind="stable").index]


_accuracy = partial(
    Claim,
    page="what-they-saw",
    unit="accuracy",
    tables=(xu2024.accuracy_by_strength,),
    drawn_again="pictures, of the same people and networks",
    chance="0: both guess",
    reach="1 for both arms",
)
NOISE = _accuracy(
    "saw-noise",
    "Under noise people name more pictures than convolutional networks do; without any they name fewer",
    arms=("four people", "CNNs, at a width of 0.2"),
    rows=_beside_people("uniform-noise", "CNN", 5),
    says=MORE,
)
CONTRAST = _accuracy(
    "saw-contrast",
    "At low contrast people name fewer pictures than networks do",
    arms=("four people", "ViTs, at 1 % of the contrast"),
    rows=_beside_people("contrast", "ViT", 8),
    says=LESS,
)
BLUR = _accuracy(
    "saw-blur",
    "In blurred pictures people recognise more than networks do, until nobody recognises anything",
    arms=("four people", "CNNs, at 7 pixels of blur"),
    rows=_beside_people("low-pass", "CNN", 5),
    says=MORE,
)
KNIFE = Claim(
    "saw-knife",
    "“Knife” is the favourite wrong answer of networks to silhouettes; people give it far less often",
    page="what-they-saw",
    arms=("networks", "people"),
    unit="share of silhouettes of other things that are called a knife",
    tables=(klein2025.favourite_answers,),
    rows=partial(_ours_first, data_set="silhouettes", networks=klein2025.OF_THEIR_PAPER, of=klein2025.OF_OTHERS),
    drawn_again="pictures, people and architectures of networks",
    says=MORE,
    chance="about 1 in 15 wrong answers, if none were liked better than others",
    reach="as often as either is wrong",
)
CLAIMS = (NOISE, CONTRAST, BLUR, KNIFE)
