"""Our own claims about what makes vision-language models alike, and about who reads their answers."""

from collections.abc import Sequence
from functools import partial

import pandas as pd

from erralign_book.papers import gavrikov2025
from erralign_book.papers.claims.claim import claim
from erralign_book.papers.gavrikov2025 import ONE_EYE, ONE_MODEL, OTHER_EYE, OWN_EYE, TWO_MODELS

NUMBERS = ["first", "second", "value", "se", "df"]


def _pairs(table: pd.DataFrame, pairs: str, less: str, of: Sequence[str]) -> pd.DataFrame:
    kept = table[(table["pairs"] == pairs) & (table["less"] == less) & table["measure"].isin(of)]
    return kept[["measure", "asked", *NUMBERS]]


def _read_otherwise(table: pd.DataFrame) -> pd.DataFrame:
    kept = table[table["less"].notna() & (table["measure"] == "MA")]
    return kept.sort_values("reading", key=lambda by: by != gavrikov2025.JUDGE, kind="stable")[["reading", *NUMBERS]]


_claim, _models = partial(claim, "board.toml"), gavrikov2025.pairs_of_models
ONE_MODEL_TWO_WAYS = _claim("model-over-eye", partial(_pairs, pairs=ONE_MODEL, less=ONE_EYE, of=["EC", "MA"]), _models)
EYE = _claim("own-eye-over-others", partial(_pairs, pairs=OWN_EYE, less=OTHER_EYE, of=["EC"]), _models)
WAY = _claim("one-way-of-asking", partial(_pairs, pairs=TWO_MODELS, less=TWO_MODELS, of=["MA"]), _models)
READER = _claim("who-reads-descriptions", _read_otherwise, gavrikov2025.readings)
CLAIMS = (ONE_MODEL_TWO_WAYS, EYE, WAY, READER)
