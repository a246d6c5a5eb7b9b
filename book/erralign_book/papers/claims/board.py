"""Our own claims about what makes vision-language models alike, and about who reads their answers."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from erralign_book.papers import gavrikov2025
from erralign_book.papers.claims.claim import claim
from erralign_book.papers.gavrikov2025 import ONE_EYE, ONE_MODEL, TWO_EYES, TWO_MODELS

NUMBERS = ["first", "second", "value", "se", "df"]


def _pairs(pairs: str, less: str, *measures: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def rows(table: pd.DataFrame) -> pd.DataFrame:
        kept = table[(table["pairs"] == pairs) & (table["less"] == less) & table["measure"].isin(measures)]
        return kept[["measure", "asked", *NUMBERS]]

    return rows


def _read_otherwise(table: pd.DataFrame) -> pd.DataFrame:
    kept = table[table["less"].notna() & (table["measure"] == "MA")]
    return kept.sort_values("reading", key=lambda by: by != gavrikov2025.JUDGE, kind="stable")[["reading", *NUMBERS]]


_claim = partial(claim, "board.toml")
ONE_MODEL_TWO_WAYS = _claim("model-over-eye", _pairs(ONE_MODEL, ONE_EYE, "EC", "MA"), gavrikov2025.pairs_of_models)
EYE = _claim("one-eye-over-two", _pairs(ONE_EYE, TWO_EYES, "EC"), gavrikov2025.pairs_of_models)
WAY = _claim("one-way-of-asking", _pairs(TWO_MODELS, TWO_MODELS, "MA"), gavrikov2025.pairs_of_models)
READER = _claim("who-reads-descriptions", _read_otherwise, gavrikov2025.readings)
CLAIMS = (ONE_MODEL_TWO_WAYS, EYE, WAY, READER)
