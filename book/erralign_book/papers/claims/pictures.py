"""Our own claims about who names which pictures, and about the wrong answer that networks like best."""

from functools import partial

import pandas as pd

from erralign_book.papers import klein2025, xu2024
from erralign_book.papers.claims.claim import claim, ours_first


def _beside_people(table: pd.DataFrame, newer: pd.DataFrame, data_set: str, condition: str) -> pd.DataFrame:
    """Choose how far groups of networks are behind people at each strength, ours first, and single ones at ours."""
    single = newer[newer["condition"] == condition]
    found = pd.concat([table[table["group"] != "people"], single], ignore_index=True)
    found = ours_first(found[found["data_set"] == data_set], group="CNN", condition=condition).rename(
        columns={"behind": "value"}
    )
    arms = {"first": found["accuracy"] + found["value"], "second": found["accuracy"]}
    return found[["group", "condition", "value", "se", "df"]].assign(**arms)


_claim, _tables = partial(claim, "pictures.toml"), (xu2024.accuracy_by_strength, klein2025.behind_people)
NOISE = _claim("saw-noise", partial(_beside_people, data_set="uniform-noise", condition="0.20"), *_tables)
CONTRAST = _claim("saw-contrast", partial(_beside_people, data_set="contrast", condition="c05"), *_tables)
BLUR = _claim("saw-blur", partial(_beside_people, data_set="low-pass", condition="7"), *_tables)
KNIFE = _claim(
    "saw-knife",
    partial(ours_first, data_set="silhouettes", networks=klein2025.OF_2020, of=klein2025.OF_OTHERS),
    klein2025.favourite_answers,
)
CLAIMS = (NOISE, CONTRAST, BLUR, KNIFE)
