"""Our own claims about many language models, and about votes among them."""

from functools import partial

import pandas as pd

from erralign_book.papers import judges, many_models
from erralign_book.papers.claims.claim import claim


def _above_chance(*tables: pd.DataFrame, what: str) -> pd.DataFrame:
    every = pd.concat(tables)
    kept = every[every["what"] == what]
    return kept[["benchmark", "source", "value", "low", "high"]].assign(first=kept["value"], second=0.0)


def _grown(table: pd.DataFrame, apart: bool) -> pd.DataFrame:
    return table.loc[(table["source"] == many_models.APART) == apart, ["choice", "source", "value", "se", "df"]]


def _voted(table: pd.DataFrame, *judges: pd.DataFrame, pool: str) -> pd.DataFrame:
    kept = pd.concat([table[table["pool"] == pool], *judges], ignore_index=True)
    arms = {"first": kept["best"] + kept["value"], "second": kept["best"]}
    return kept[["benchmark", "vote", "rule", "value", "low", "high"]].assign(**arms)


_claim = partial(claim, "many_models.toml")
_together, _votes = many_models.models_together, many_models.votes_of_models
FAIL_TOGETHER = _claim(
    "models-fail-together", partial(_above_chance, what="EC"), _together, many_models.agents_together
)
SAME_WRONG_OPTION = _claim("models-same-wrong-option", partial(_above_chance, what="MA"), _together)
ACCURATE = _claim("accurate-models-agree", partial(_grown, apart=False), many_models.growth)
OLD_QUESTIONS = _claim("accurate-models-agree-old-questions", partial(_grown, apart=True), many_models.growth)
VOTE_AMONG_EQUALS = _claim("vote-among-equals", partial(_voted, pool="the next 12"), _votes, judges.five_or_best)
VOTE_BEHIND = _claim("vote-behind", partial(_voted, pool="the 12 best"), _votes)
CLAIMS = (FAIL_TOGETHER, SAME_WRONG_OPTION, ACCURATE, OLD_QUESTIONS, VOTE_AMONG_EQUALS, VOTE_BEHIND)
