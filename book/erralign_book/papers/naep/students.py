"""Do language models fail where students fail, and are they tempted by the same wrong options?"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from erralign.crowd import MEMBERS, Crowd, agreement
from erralign.sources import naep
from erralign_book.papers.frozen import frozen

ARCHIVE = [naep.PSYCHOMETRICS]
SMALL = ["Llama-3.2-1B", "Qwen2.5-0.5B"]  # about as accurate as students; all others are right on 89 % and more
STUDENTS, FAVOURITE = "two students", "the students' favourite"
LEVELS = (0.95, 0.99)
CHOICES = ("all questions", "within grade and subject", "youngest grade", "oldest grade")


@cache
def students() -> Crowd:
    """Return the students of all subjects, a trial being a question in a grade."""
    crowds = {subject: naep.students(subject) for subject in naep.SUBJECTS}
    truth, shares = (
        pd.concat({subject: getattr(crowd, part) for subject, crowd in crowds.items()}, names=["subject"])
        for part in ("truth", "shares")
    )
    return Crowd(truth, shares)


@cache
def probabilities(model: str) -> pd.DataFrame:
    """Return the probability that a model gives to each option, for each trial of the students."""
    parts = {subject: naep.probabilities(subject, model) for subject in naep.SUBJECTS}
    truth = students().truth
    return pd.concat(parts, names=["subject"]).loc[truth.droplevel("grade").index].set_axis(truth.index)


def answers(models: list[str]) -> pd.DataFrame:
    """Return the option that each model holds likeliest."""
    return pd.DataFrame({model: probabilities(model).idxmax(axis=1) for model in models})


def tempting(models: list[str]) -> pd.DataFrame:
    """Return the wrong option that each model holds likeliest, also where it holds the right one likelier."""
    is_right = np.arange(len(naep.OPTIONS)) == students().truth.to_numpy()[:, None]
    return pd.DataFrame({model: probabilities(model).mask(is_right).idxmax(axis=1) for model in models})


def _chosen(choice: str) -> pd.Index:
    index = students().truth.index
    grades = index.to_frame(index=False).sort_values("grade", ascending=choice == "youngest grade", kind="stable")
    once = ~grades.duplicated(["subject", "item"])
    return index[np.sort(grades.index[once])] if choice in CHOICES[2:] else index


def _agreement(table: pd.DataFrame, measure: str, level: float, choice: str = CHOICES[0]) -> pd.DataFrame:
    kept, crowd = _chosen(choice), students()
    strata = kept.get_level_values("subject") + kept.get_level_values("grade").astype(str)
    return agreement(
        Crowd(crowd.truth[kept], crowd.shares.loc[kept]),
        table.loc[kept],
        measure,
        level=level,
        strata=strata if choice == CHOICES[1] else None,
        clusters="item",
    ).rename({MEMBERS: STUDENTS})


@frozen(inputs=ARCHIVE)
def agreement_of_small() -> pd.DataFrame:
    """Return EC, MA and accuracy of the small models with a student, and of two students, choice by choice."""
    table = answers(SMALL).assign(**{FAVOURITE: students().shares.to_numpy().argmax(axis=1)})
    parts = []
    for level in LEVELS:
        for measure in ("accuracy", "EC", "MA"):
            for choice in CHOICES:
                found = _agreement(table, measure, level, choice).reset_index()
                parts.append(found.assign(measure=measure, choice=choice, level=level))
    return pd.concat(parts, ignore_index=True)


@frozen(inputs=ARCHIVE)
def agreement_of_all() -> pd.DataFrame:
    """Return MA of all models with a student: of their answers, and of the wrong option that tempts each most."""
    models, crowd = naep.models(), students()
    right = answers(models).eq(crowd.truth, axis=0).groupby(["subject", "item"]).first()
    parts = []
    for level in LEVELS:
        for what, table in {"answers": answers(models), "tempting": tempting(models)}.items():
            found = _agreement(table, "MA", level).drop(STUDENTS).reset_index()
            parts.append(found.assign(what=what, level=level))
    odds = {model: _odds(model) for model in models}
    order = {model: spearmanr(each, crowd.accuracies).statistic for model, each in odds.items()}
    facts = {"accuracy": right.mean(), "n_missed": (~right).sum(), "order": pd.Series(order)}
    return pd.concat(parts, ignore_index=True).join(pd.DataFrame(facts), on="system")


def _odds(model: str) -> np.ndarray:
    chance, truth = probabilities(model).to_numpy(), students().truth.to_numpy()
    right = np.arange(chance.shape[1]) == truth[:, None]
    return (chance * right).sum(axis=1) / (chance * ~right).sum(axis=1)
