"""Our own claims about many language models, and about votes among them."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from erralign_book.papers import many_models
from erralign_book.papers.claims.claim import claim


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


_claim = partial(claim, "many_models.toml")
FAIL_TOGETHER = _claim(
    "models-fail-together", _above_chance("EC"), many_models.models_together, many_models.agents_together
)
SAME_WRONG_OPTION = _claim("models-same-wrong-option", _above_chance("MA"), many_models.models_together)
ACCURATE = _claim(
    "accurate-models-agree", _grown(many_models.EVERY, many_models.OLD, many_models.OTHERS), many_models.growth
)
OLD_QUESTIONS = _claim("accurate-models-agree-old-questions", _grown(many_models.APART), many_models.growth)
VOTE_AMONG_EQUALS = _claim("vote-among-equals", _voted("the next 12"), many_models.votes_of_models)
VOTE_BEHIND = _claim("vote-behind", _voted("the 12 best"), many_models.votes_of_models)
CLAIMS = (FAIL_TOGETHER, SAME_WRONG_OPTION, ACCURATE, OLD_QUESTIONS, VOTE_AMONG_EQUALS, VOTE_BEHIND)
