"""How often do all fail, and how alike are two, among language models and among coding agents?"""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pandas as pd

from erralign.datasets import agents, mmlu_pro
from erralign.datasets.logs.answers import filler
from erralign.inference import pairwise_intervals
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.papers import tables
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import around, without_each

MODELS, AGENTS = [mmlu_pro.MMLU_PRO], [agents.AGENTS]
N_BEST, EVERY = 20, "all sources"
EC, MA = "EC", "MA"
SHORT = {"ec": EC, "ma": MA}
READINGS = {"pred": "filled", "broad": "broad"}  # columns of the files, and what the tables say


@cache
def models() -> Responses:
    """Return what the models said on MMLU-Pro."""
    return mmlu_pro.read()


@cache
def questions() -> pd.DataFrame:
    """Return the subject (``category``) and the ``source`` of each question."""
    return mmlu_pro.items(str(models().answers.columns[0])).loc[models().truth.index, ["category", "source"]]


def of_source(source: str) -> np.ndarray:
    """Return which questions are from a source."""
    return (questions()["source"] == source).to_numpy() | (source == EVERY)


def right(responses: Responses) -> np.ndarray:
    """Return which answers are right, trials by systems."""
    return responses.answers.eq(responses.truth, axis=0).to_numpy()


@cache
def best(benchmark: str) -> Responses:
    """Return the agents that solved most tasks of a benchmark, the best one first."""
    every = agents.read(benchmark)
    order = np.argsort(-right(every).mean(axis=0), kind="stable")
    return every.select(systems=list(every.answers.columns[order[:N_BEST]]))


def most_frequent_wrong(responses: Responses) -> tuple[np.ndarray, np.ndarray]:
    """Return, trial by trial, how many systems chose the most frequent wrong option, and how many could be read."""
    said, truth = responses.answers.to_numpy(), responses.truth.to_numpy()
    counts = np.stack([(said == option).sum(axis=1) for option in range(len(responses.classes))], axis=1)
    counts[np.arange(len(truth)), truth] = 0
    return counts.max(axis=1), (said >= 0).sum(axis=1)


def mean_of_pairs(responses: Responses, measure: str, kept: np.ndarray) -> float:
    """Return the mean of a measure over all pairs, on the items that are kept."""
    return float(pairwise(responses.select(trials=kept), [measure])[measure].mean())


def _together(responses: Responses, groups: np.ndarray | None = None) -> dict[str, tuple]:
    """Return how often all fail, their effective number and their mean EC, with intervals over groups of trials."""
    each = np.arange(len(responses.truth)) if groups is None else groups
    found = tables.together(responses, groups)
    return found | {"EC": around(*without_each(partial(mean_of_pairs, responses, EC), each))}


def _rows(responses: Responses, found: dict[str, tuple]) -> list[dict]:
    facts = {"benchmark": responses.name, "n_systems": responses.answers.shape[1], "n_items": len(responses.truth)}
    return [
        facts | {"what": what} | dict(zip(("value", "low", "high"), values, strict=True))
        for what, values in found.items()
    ]


@frozen(inputs=MODELS)
def models_together() -> pd.DataFrame:
    """Return how often all models fail and how alike two are, by source of questions, with intervals over subjects."""
    rows = []
    for source in (EVERY, mmlu_pro.OLD, mmlu_pro.OTHERS):
        chosen = of_source(source)
        responses, subjects = models().select(trials=chosen), questions()["category"][chosen].to_numpy()
        found = _together(responses, subjects)
        found["MA"] = around(*without_each(partial(mean_of_pairs, responses, MA), subjects))
        rows += [row | {"source": source} for row in _rows(responses, found)]
    return pd.DataFrame(rows)


@frozen(inputs=AGENTS)
def agents_together() -> pd.DataFrame:
    """Return how often all of the best agents fail, and how alike two are."""
    return pd.DataFrame(row for name in agents.BENCHMARKS for row in _rows(best(name), _together(best(name))))


def halves(n_items: int) -> np.ndarray:
    """Return which items are in the first of two random halves."""
    return np.random.default_rng(0).permutation(n_items) < n_items // 2


def _read_by(column: str) -> Responses:
    """Return the answers under another reading."""
    responses = models()
    answers = pd.DataFrame({name: mmlu_pro.items(name)[column] for name in responses.answers})
    answers = answers.loc[responses.truth.index]
    return replace(responses, answers=answers.where(answers.lt(np.asarray(responses.options), axis=0), -1))


@frozen(inputs=MODELS)
def pairs() -> pd.DataFrame:
    """Return EC and MA of each pair of models, under other ways to treat unread answers.

    ``filled`` uses the letters that the files' authors put in, and ``broad`` a broader reading of the unread answers.
    """
    responses = models()
    table = pairwise(responses, (EC, MA))
    other = {name: pairwise(_read_by(column), (EC, MA)) for column, name in READINGS.items()}
    intervals = pairwise_intervals(responses, (MA,), clusters=questions()["category"].to_numpy())
    return table[["system_a", "system_b"]].assign(
        accuracy=(table["accuracy_a"] + table["accuracy_b"]) / 2,
        n_joint_errors=table["n_joint_errors"],
        ec=table[EC],
        ma=table[MA],
        **{f"{short}_{name}": values[of] for short, of in SHORT.items() for name, values in other.items()},
        **{end: intervals[f"{MA}_{end}"] for end in ("low", "high")},
    )


# ---- how are answers read, and what do the files hold where none could be read? -----------------------------------


@frozen(inputs=MODELS, settings=mmlu_pro.models, by="model")
def fillers(model: str) -> pd.DataFrame:
    """Return, file by file, which share of answers could not be read, and what the file has there.

    ``letter`` fills most of these gaps, the ``share`` of them that has it.
    """
    table = mmlu_pro.items(model).loc[models().truth.index]
    unread = table["said"] < 0
    found, right = filler(table["pred"], unread), (table["said"] == table["key"]).mean()
    facts: dict[str, object] = {"accuracy": right, "unread": unread.mean(), "letter": "none", "share": np.nan}
    if found:
        facts |= {"letter": mmlu_pro.LETTERS[found.option], "share": found.share_unread}
    return pd.DataFrame([facts])
