"""Our own claims about many language models, and about votes among them."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from erralign_book.papers import many_models
from erralign_book.papers.claims.claim import LESS, MORE, Claim

PAGE = "many-language-models"
OVER_GROWTH = "subjects, and makers of models"


def _above_chance(what: str) -> Callable[..., pd.DataFrame]:
    def rows(*tables: pd.DataFrame) -> pd.DataFrame:
        every = pd.concat(tables)
        kept = every[every["what"] == what]
        return kept[["benchmark", "source", "value", "low", "high"]].assign(first=kept["value"], second=0.0)

    return rows


def _grown(*sources: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.loc[table["source"].isin(sources), ["choice", "source", "value", "se", "df"]]


def _voted(pool: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def rows(table: pd.DataFrame) -> pd.DataFrame:
        kept = table[table["pool"] == pool]
        arms = {"first": kept["best"] + kept["value"], "second": kept["best"]}
        return kept[["vote", "rule", "value", "low", "high"]].assign(**arms)

    return rows


TOGETHER = partial(Claim, page=PAGE, drawn_again="subjects; of agents tasks", says=MORE, chance="0")
FAIL_TOGETHER = TOGETHER(
    "models-fail-together",
    "Language models fail on the same questions more often than independent ones would",
    arms=("two of the models", "chance"),
    unit="EC",
    tables=(many_models.models_together, many_models.agents_together),
    rows=_above_chance("EC"),
    reach="less than 1, since accuracies differ",
)
SAME_WRONG_OPTION = TOGETHER(
    "models-same-wrong-option",
    "Where two language models are wrong, they choose the same wrong option more often than by chance",
    arms=("two of 28 models", "chance"),
    unit="MA",
    tables=(many_models.models_together,),
    rows=_above_chance("MA"),
    reach="1",
)
GROWTH = partial(Claim, page=PAGE, unit="MA per ten points of accuracy", tables=(many_models.growth,))
ACCURATE = GROWTH(
    "accurate-models-agree",
    "More accurate language models agree more on a wrong option, also on the same question",
    arms=("MA of more accurate pairs", "MA of pairs ten points less accurate"),
    rows=_grown(many_models.EVERY, many_models.OLD, many_models.OTHERS),
    drawn_again=OVER_GROWTH,
    says=MORE,
    chance="0",
    reach="more, since MA is far from 1",
)
OLD_QUESTIONS = GROWTH(
    "accurate-models-agree-old-questions",
    "Agreement on wrong options grows faster with accuracy on questions of the old MMLU than on others",
    arms=("growth on questions of the old MMLU", "growth on other questions"),
    rows=_grown(many_models.APART),
    drawn_again=OVER_GROWTH,
    says=MORE,
    chance="0",
    reach="the same for both",
)
VOTE = partial(
    Claim,
    page=PAGE,
    arms=("a vote of five", "the best model alone"),
    unit="share of questions that are right",
    tables=(many_models.votes_of_models,),
    drawn_again="subjects",
    chance="0, if all fail on the same questions",
    reach="all questions on which one of the five is right",
)
VOTE_AMONG_EQUALS = VOTE(
    "vote-among-equals",
    "Where no model is far ahead, a vote of five is right more often than the best model",
    rows=_voted("the next 12"),
    says=MORE,
)
VOTE_BEHIND = VOTE(
    "vote-behind",
    "Where three models are far ahead, a vote of the five best is right less often than the best if ties are drawn",
    rows=_voted("the 12 best"),
    says=LESS,
)
CLAIMS = (FAIL_TOGETHER, SAME_WRONG_OPTION, ACCURATE, OLD_QUESTIONS, VOTE_AMONG_EQUALS, VOTE_BEHIND)
