"""Questions that US schools set, what students chose, and what 18 language models did (Säuberli et al. 2025)."""

import json
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import softmax

from erralign._validation import DataError, check_choice
from erralign.datasets.archives import manifest, open_member
from erralign.responses import Responses

_PSYCHOMETRICS = "mainlp/llm-psychometrics@09f1c8a34ed4a46b946d1364deda7f8bb56cca95"
ARCHIVES = (_PSYCHOMETRICS,)
_OPTIONS = ("first", "second", "third", "fourth")
# Subject to its number of questions. By the authors' README and prompts/with-passage.yaml models read each reading
# question below its passage; the texts of the passages are not in the archive.
SUBJECTS = {"economics": 93, "history": 204, "reading": 252}
_ANSWERS = "llm-responses/output/naep-{}-responses-"


def _lines(member: str) -> pd.DataFrame:
    table = pd.DataFrame(map(json.loads, open_member(_PSYCHOMETRICS, member)))
    return table.assign(item=table.pop("item_id").str.removeprefix("NAEP-"))


@cache
def _texts(subject: str) -> pd.DataFrame:
    """Return the words of each question of a subject, its four options, and which of them, 0 to 3, is right."""
    check_choice("subject", subject, list(SUBJECTS))
    passages = "-without-passages" if subject == "reading" else ""
    table = _lines(f"data/output/naep-{subject}-items{passages}.jsonl").set_index("item")
    if (
        len(table) != SUBJECTS[subject]
        or not table.index.is_unique
        or set(table["options"].map(len)) != {len(_OPTIONS)}
    ):
        raise DataError(f"the questions on {subject} are not {SUBJECTS[subject]} of four options; fetch them anew")
    return table[["stem", "options", "correct_option_index"]].rename(columns={"correct_option_index": "truth"})


def _questions(subject: str) -> pd.Series:
    """Return which of its four options, 0 to 3, is right for each question of a subject."""
    return _texts(subject)["truth"]


def models() -> list[str]:
    """Return the names of the language models."""
    start, members = _ANSWERS.format("history"), manifest()[_PSYCHOMETRICS]["members"]
    return [path.removeprefix(start).removesuffix(".jsonl") for path in members if path.startswith(start)]


@cache
def asked_once(subject: str, model: str) -> pd.DataFrame:
    """Return the probability that a model gives to each option in each of four prompts, by their order of options.

    In order k option k stands first, and k - 1 last (``debiased_respond`` in the authors' generate_responses.py); the
    released logits are in the order of the question. In history the files have ten questions more, whose text and
    answer are not released.
    """
    table = (
        _lines(f"{_ANSWERS.format(subject)}{model}.jsonl").set_index("item")["logits"].loc[_questions(subject).index]
    )
    shares = softmax(np.array(table.to_list()), axis=2)
    orders = {order: pd.DataFrame(shares[:, order], table.index) for order in range(shares.shape[1])}
    return pd.concat(orders, names=["order"])


def probabilities(subject: str, model: str) -> pd.DataFrame:
    """Return the probability that a model gives to each option: the mean over four prompts."""
    return asked_once(subject, model).groupby("item", sort=False).mean()


def read(subject: str) -> Responses:
    """Read which option each model holds likeliest, question by question; students are in :func:`students`."""
    truth, names = _questions(subject), models()
    answers = pd.DataFrame({name: probabilities(subject, name).idxmax(axis=1) for name in names}, dtype="int64")
    facts = {"kind": "model", "family": [name.partition("-")[0] for name in names], "source": _PSYCHOMETRICS}
    return Responses(f"naep/{subject}", truth, answers, _OPTIONS, pd.DataFrame(facts, index=names))


class _Students(NamedTuple):
    """The right option of each question in a grade, and the share of students that chose each option."""

    truth: pd.Series
    shares: pd.DataFrame


def students(subject: str) -> _Students:
    """Return the shares of students that chose each option; trials are questions in a grade, 4, 8 or 12.

    Shares are of all US students of the grade, as the assessment estimates them, rounded to whole percent. What is
    missing to 1, up to 0.09, did not answer: shares are of those who did.
    """
    table = _lines(f"data/output/naep-{subject}-response-distributions.jsonl").set_index(["item", "grade"])
    shares = pd.DataFrame(table["response_distribution"].to_list(), index=table.index)
    truth = _questions(subject).loc[table.index.get_level_values("item")].set_axis(table.index)
    return _Students(truth, shares.div(shares.sum(axis=1), axis=0))
