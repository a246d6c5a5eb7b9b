"""Our own claims about who names which pictures, and about the wrong answer that networks like best."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from erralign_book.papers import klein2025, xu2024
from erralign_book.papers.claims.claim import claim, ours_first


def _beside_people(data_set: str, group: str, strength: int) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Choose how far each group of networks is behind people under each strength of a distortion, ours first."""

    def rows(table: pd.DataFrame) -> pd.DataFrame:
        found = table[(table["data_set"] == data_set) & (table["group"] != "people")]
        found = ours_first(found, group=group, strength=strength).rename(columns={"behind": "value"})
        arms = {"first": found["accuracy"] + found["value"], "second": found["accuracy"]}
        return found[["group", "condition", "value", "se", "df"]].assign(**arms)

    return rows


_claim = partial(claim, "pictures.toml")
NOISE = _claim("saw-noise", _beside_people("uniform-noise", "CNN", 5), xu2024.accuracy_by_strength)
CONTRAST = _claim("saw-contrast", _beside_people("contrast", "CNN", 6), xu2024.accuracy_by_strength)
BLUR = _claim("saw-blur", _beside_people("low-pass", "CNN", 5), xu2024.accuracy_by_strength)
KNIFE = _claim(
    "saw-knife",
    partial(ours_first, data_set="silhouettes", networks=klein2025.OF_2020, of=klein2025.OF_OTHERS),
    klein2025.favourite_answers,
)
CLAIMS = (NOISE, CONTRAST, BLUR, KNIFE)
