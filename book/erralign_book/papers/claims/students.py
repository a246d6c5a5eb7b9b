"""Our own claims about language models beside students."""

import pandas as pd

from erralign_book.papers import naep
from erralign_book.papers.claims.claim import LESS, MORE, Claim

QUESTIONS = "questions"
PAGE = "students-and-language-models"
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


def _other(table: pd.DataFrame) -> pd.DataFrame:
    return _gaps(_averaged_first(_rows(table, "EC")))


def _less_tempted(table: pd.DataFrame) -> pd.DataFrame:
    return _gaps(_rows(table, "MA"))


def _tempted(table: pd.DataFrame) -> pd.DataFrame:
    return _above_chance(_averaged_first(_rows(table, "MA")), *OF_CHOICE)


def _together(table: pd.DataFrame) -> pd.DataFrame:
    rows = table[table["system"] == naep.TOGETHER].rename(columns={"value": "first"})
    ours = (rows["asked"] == naep.AVERAGED) & (rows["choice"] == naep.CHOICES[0]) & (rows["measure"] == "EC")
    return _above_chance(rows.loc[(~ours).sort_values(kind="stable").index], "measure", "choice", "asked")


def _tempting(table: pd.DataFrame) -> pd.DataFrame:
    rows = table[table["what"] == "tempting"].sort_values("value").rename(columns={"value": "first"})
    part = (rows["choice"] != naep.CHOICES[0]).sort_values(kind="stable")
    return _above_chance(rows.loc[part.index], "system", "choice")


OTHER = Claim(
    "students-other-questions",
    "Two small language models share far fewer failures with students than two students do",
    page=PAGE,
    arms=("a model with a student", "two students"),
    unit="EC",
    tables=(naep.agreement_of_small,),
    rows=_other,
    drawn_again=QUESTIONS,
    says=LESS,
    chance="0 for both",
    reach="averaged, a system of the model's accuracy could have more than twice the EC of two students",
)
TOGETHER = Claim(
    "students-models-alike",
    "Two small language models share failures with each other: many averaged over orders, few asked once",
    page=PAGE,
    arms=("the two models with each other", "chance"),
    unit="EC or MA",
    tables=(naep.agreement_of_small,),
    rows=_together,
    drawn_again=QUESTIONS,
    says=MORE,
    chance="0",
    reach="below 1 even averaged, since four orders still contain noise; we cannot say how far below",
)
TEMPTED = Claim(
    "students-tempt-models",
    "Where small language models fail, they choose the wrong options of students more often than by chance",
    page=PAGE,
    arms=("a model with a student", "chance"),
    unit="MA",
    tables=(naep.agreement_of_small,),
    rows=_tempted,
    drawn_again=QUESTIONS,
    says=MORE,
    chance="0",
    reach="the students' favourite wrong options would give more than twice as much",
)
LESS_TEMPTED = Claim(
    "students-tempt-models-less",
    "Asked once, small language models choose students' wrong options less often than a student; averaged, not clearly",
    page=PAGE,
    arms=("a model with a student", "a wrong student in the model's place"),
    unit="MA",
    tables=(naep.agreement_of_small,),
    rows=_less_tempted,
    drawn_again=QUESTIONS,
    says=LESS,
    chance="0 for both",
    reach="less than for a student, since a model is noisier: in another order it has an MA below 0 with itself",
)
TEMPTING = Claim(
    "students-tempt-all-models",
    "Over three subjects, wrong options that students choose tempt each of 18 language models more than chance",
    page=PAGE,
    arms=("a model's likeliest wrong option with a student", "chance"),
    unit="MA",
    tables=(naep.agreement_of_all,),
    rows=_tempting,
    drawn_again=QUESTIONS,
    says=MORE,
    chance="0",
    reach="the students' favourite wrong options would give more than twice as much",
)
CLAIMS = (OTHER, TOGETHER, TEMPTED, LESS_TEMPTED, TEMPTING)
