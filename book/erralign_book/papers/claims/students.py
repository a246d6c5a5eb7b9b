"""Our own claims about language models beside students."""

from functools import partial

import pandas as pd

from erralign_book.papers import naep
from erralign_book.papers.claims.claim import claim, ours_first

OF_CHOICE = ["system", "choice", "asked"]


def _rows(table: pd.DataFrame, measure: str) -> pd.DataFrame:
    return table[table["system"].isin(naep.SMALL) & (table["measure"] == measure)].rename(columns={"value": "first"})


def _gaps(rows: pd.DataFrame) -> pd.DataFrame:
    named = {"members": "second", "gap": "value", "gap_low": "low", "gap_high": "high"}
    return rows[[*OF_CHOICE, "first", *named]].rename(columns=named)


def _above_chance(rows: pd.DataFrame, *choices: str) -> pd.DataFrame:
    return rows[[*choices, "first", "low", "high"]].assign(second=0.0, value=rows["first"])


def _averaged_first(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.sort_values("asked", key=lambda asked: asked == naep.ONCE, kind="stable")


def _together(table: pd.DataFrame) -> pd.DataFrame:
    rows = table[table["system"] == naep.TOGETHER].rename(columns={"value": "first"})
    rows = ours_first(rows, asked=naep.AVERAGED, choice=naep.CHOICES[0], measure="EC")
    return _above_chance(rows, "measure", "choice", "asked")


def _tempting(table: pd.DataFrame) -> pd.DataFrame:
    rows = table[table["what"] == "tempting"].sort_values("value").rename(columns={"value": "first"})
    return _above_chance(ours_first(rows, choice=naep.CHOICES[0]), "system", "choice")


_claim = partial(claim, "students.toml")
OTHER = _claim(
    "students-other-questions", lambda table: _gaps(_averaged_first(_rows(table, "EC"))), naep.agreement_of_small
)
TOGETHER = _claim("students-models-alike", _together, naep.agreement_of_small)
TEMPTED = _claim(
    "students-tempt-models",
    lambda table: _above_chance(_averaged_first(_rows(table, "MA")), *OF_CHOICE),
    naep.agreement_of_small,
)
LESS_TEMPTED = _claim("students-tempt-models-less", lambda table: _gaps(_rows(table, "MA")), naep.agreement_of_small)
TEMPTING = _claim("students-tempt-all-models", _tempting, naep.agreement_of_all)
CLAIMS = (OTHER, TOGETHER, TEMPTED, LESS_TEMPTED, TEMPTING)
