"""Our own claims about who names which pictures, and about the wrong answer that networks like best."""

from functools import partial

import pandas as pd

from erralign_book.papers import klein2025, xu2024
from erralign_book.papers.claims.claim import claim, ours_first


def _beside_people(table: pd.DataFrame, data_set: str, strength: int) -> pd.DataFrame:
    """Choose how far each group of networks is behind people under each strength of a distortion, ours first."""
    found = table[(table["data_set"] == data_set) & (table["group"] != "people")]
    found = ours_first(found, group="CNN", strength=strength).rename(columns={"behind": "value"})
    arms = {"first": found["accuracy"] + found["value"], "second": found["accuracy"]}
    return found[["group", "condition", "value", "se", "df"]].assign(**arms)


_claim, _accuracy = partial(claim, "pictures.toml"), xu2024.accuracy_by_strength
NOISE = _claim("saw-noise", partial(_beside_people, data_set="uniform-noise", strength=5), _accuracy)
CONTRAST = _claim("saw-contrast", partial(_beside_people, data_set="contrast", strength=6), _accuracy)
BLUR = _claim("saw-blur", partial(_beside_people, data_set="low-pass", strength=5), _accuracy)
KNIFE = _claim(
    "saw-knife",
    partial(ours_first, data_set="silhouettes", networks=klein2025.OF_2020, of=klein2025.OF_OTHERS),
    klein2025.favourite_answers,
)
CLAIMS = (NOISE, CONTRAST, BLUR, KNIFE)
