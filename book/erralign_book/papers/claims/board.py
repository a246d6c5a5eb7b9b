"""Our own claims about what makes vision-language models alike, and about who reads their answers."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from erralign_book.papers import gavrikov2025
from erralign_book.papers.claims.claim import MORE, NOT_CLEAR, Claim
from erralign_book.papers.gavrikov2025 import ONE_EYE, ONE_MODEL, TWO_EYES, TWO_MODELS

PAGE = "the-board"
NUMBERS = ["first", "second", "value", "se", "df"]


def _pairs(pairs: str, less: str, *measures: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def rows(table: pd.DataFrame) -> pd.DataFrame:
        kept = table[(table["pairs"] == pairs) & (table["less"] == less) & table["measure"].isin(measures)]
        return kept[["measure", "asked", *NUMBERS]]

    return rows


def _read_otherwise(table: pd.DataFrame) -> pd.DataFrame:
    kept = table[table["less"].notna() & (table["measure"] == "MA")]
    return kept.sort_values("reading", key=lambda by: by != gavrikov2025.JUDGE, kind="stable")[["reading", *NUMBERS]]


OF_PAIRS = partial(
    Claim,
    page=PAGE,
    tables=(gavrikov2025.pairs_of_models,),
    drawn_again="pictures and models",
    chance="0 for both",
    reach="1 for both, if accuracies were equal",
)
ONE_MODEL_TWO_WAYS = OF_PAIRS(
    "model-over-eye",
    "One model asked in two ways is not clearly more like itself than like another model with the same eye",
    arms=("one model that chooses and describes", "two models of one eye, one choosing and one describing"),
    unit="EC or MA",
    rows=_pairs(ONE_MODEL, ONE_EYE, "EC", "MA"),
    says=NOT_CLEAR,
)
EYE = OF_PAIRS(
    "one-eye-over-two",
    "Vision-language models with one eye share more failures than models with different eyes, however they are asked",
    arms=("two models of one eye", "two models of two eyes, asked in the same ways"),
    unit="EC",
    rows=_pairs(ONE_EYE, TWO_EYES, "EC"),
    says=MORE,
)
WAY = OF_PAIRS(
    "one-way-of-asking",
    "Two vision-language models asked in one way share more wrong answers than two models asked in different ways",
    arms=("two models asked in one way", "two models of which one chooses and one describes"),
    unit="MA",
    rows=_pairs(TWO_MODELS, TWO_MODELS, "MA"),
    says=MORE,
)
READER = Claim(
    "who-reads-descriptions",
    "Descriptions share more wrong answers with people if their reader need not name a class",
    page=PAGE,
    arms=("read by a judge that may name none", "read by a classifier that always names one"),
    unit="MA",
    tables=(gavrikov2025.readings,),
    rows=_read_otherwise,
    drawn_again="pictures, people and models",
    says=MORE,
    chance="0 for both",
    reach="1 for both, if people's answers had no noise",
)
CLAIMS = (ONE_MODEL_TWO_WAYS, EYE, WAY, READER)
