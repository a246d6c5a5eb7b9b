"""Do language models fail where students fail, and are they tempted by the same wrong options?"""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from erralign.datasets import naep
from erralign.response_distribution import MEMBERS, Crowd, agreement
from erralign_book.papers.frozen import frozen

ARCHIVE = [naep.PSYCHOMETRICS]
SMALL = ["Llama-3.2-1B", "Qwen2.5-0.5B"]  # about as accurate as students; all others are right on 89 % and more
STUDENTS, TOGETHER = "two students", "the two models"
CHOICES = ("all questions", "within grade and subject", "youngest grade", "oldest grade")
ONCE, AVERAGED = "asked once", "four orders averaged"
SAME_ORDER, OTHER_ORDERS = "asked once, same order", "asked once, other orders"


@cache
def students() -> Crowd:
    """Return the students of all subjects, a trial being a question in a grade."""
    crowds = {subject: naep.students(subject) for subject in naep.SUBJECTS}
    truth, shares = (
        pd.concat({subject: getattr(crowd, part) for subject, crowd in crowds.items()}, names=["subject"])
        for part in ("truth", "shares")
    )
    return Crowd(truth, shares)


def in_four_orders(crowd: Crowd) -> Crowd:
    """Return a crowd that meets each question four times, below each other."""
    orders = range(len(naep.OPTIONS))
    truth = pd.concat([crowd.truth for _ in orders], keys=orders, names=["order"])
    return Crowd(truth, pd.concat([crowd.shares for _ in orders], keys=orders, names=["order"]))


@cache
def in_each_order(model: str) -> pd.DataFrame:
    """Return the probability that a model gives to each option, for each order of the options and trial."""
    each = pd.concat({subject: naep.asked_once(subject, model) for subject in naep.SUBJECTS}, names=["subject"])
    trials = in_four_orders(students()).truth
    rows = trials.droplevel("grade").index
    return each.reorder_levels(["order", "subject", "item"]).loc[rows].set_axis(trials.index)


def probabilities(model: str) -> pd.DataFrame:
    """Return the mean over the orders."""
    return in_each_order(model).groupby(["subject", "item", "grade"], sort=False).mean()


def answers(models: list[str]) -> pd.DataFrame:
    """Return the option that each model holds likeliest."""
    return pd.DataFrame({model: probabilities(model).idxmax(axis=1) for model in models})


def asked_once(models: list[str]) -> pd.DataFrame:
    """Return the option that each model holds likeliest in each order."""
    return pd.DataFrame({model: in_each_order(model).idxmax(axis=1) for model in models})


def tempting(models: list[str]) -> pd.DataFrame:
    """Return the wrong option that each model holds likeliest, also where it holds the right one likelier."""
    return pd.DataFrame({model: probabilities(model).mask(_is_right(students())).idxmax(axis=1) for model in models})


def _is_right(crowd: Crowd) -> np.ndarray:
    return np.arange(crowd.shares.shape[1]) == crowd.truth.to_numpy()[:, None]


def _chosen(choice: str) -> pd.Index:
    index = students().truth.index
    if choice in naep.SUBJECTS:
        return index[index.get_level_values("subject") == choice]
    grades = index.to_frame(index=False).sort_values("grade", ascending=choice == "youngest grade", kind="stable")
    once = ~grades.duplicated(["subject", "item"])
    return index[np.sort(grades.index[once])] if choice in CHOICES[2:] else index


def _strata(index: pd.Index, choice: str) -> np.ndarray:
    grades = index.get_level_values("subject") + index.get_level_values("grade").astype(str)
    return np.asarray(grades) if choice == CHOICES[1] else np.zeros(len(index))


def _agreement(table: pd.DataFrame, measure: str, choice: str = CHOICES[0]) -> pd.DataFrame:
    """Return agreement with a student."""
    kept, crowd = _chosen(choice), students()
    crowd = Crowd(crowd.truth[kept], crowd.shares.loc[kept])
    if "order" in table.index.names:
        crowd = in_four_orders(crowd)
    index = crowd.truth.index
    found = agreement(crowd, table.loc[index], measure, strata=_strata(index, choice), clusters="item")
    return found.rename({MEMBERS: STUDENTS})


@frozen(inputs=ARCHIVE)
def agreement_of_small() -> pd.DataFrame:
    """Return EC, MA and accuracy of the small models with a student, and of two students, choice by choice."""
    tables = {ONCE: asked_once(SMALL), AVERAGED: answers(SMALL)}
    parts = [_each_other("EC", AVERAGED, SMALL, CHOICES[1])]
    for measure, asked in product(("EC", "MA"), (AVERAGED, SAME_ORDER, OTHER_ORDERS)):
        parts.append(_each_other(measure, asked, SMALL))
    parts += [_each_other(measure, OTHER_ORDERS, [model, model]) for measure, model in product(("EC", "MA"), SMALL)]
    choices = [("accuracy", CHOICES[0]), *product(("EC", "MA"), (*CHOICES, *naep.SUBJECTS))]
    choices.remove(("MA", CHOICES[1]))  # its chance is from the number of options
    for (measure, choice), asked in product(choices, tables):
        found = _agreement(tables[asked], measure, choice)
        parts.append(found.assign(measure=measure, choice=choice, asked=asked).reset_index())
    return pd.concat(parts, ignore_index=True)


def _each_other(measure: str, asked: str, pair: list[str], choice: str = CHOICES[0]) -> pd.DataFrame:
    """Return agreement of two models, or of one with itself, the second in the place of the students."""
    first, second = pair
    crowd = students() if asked == AVERAGED else in_four_orders(students())
    table = (answers if asked == AVERAGED else asked_once)(SMALL)
    shares = pd.get_dummies(table[second], dtype=float).reindex(columns=range(len(naep.OPTIONS)), fill_value=0)
    if asked == OTHER_ORDERS:
        shares = shares.groupby(["subject", "item", "grade"]).transform("sum") - shares
    index = crowd.truth.index
    other, strata = Crowd(crowd.truth, shares), _strata(index, choice)
    found = agreement(other, table[[first]], measure, strata=strata, clusters="item")
    system = TOGETHER if first != second else f"{first} with itself"
    facts = {"system": system, "measure": measure, "choice": choice, "asked": asked}
    return found.iloc[:1][["value", "low", "high", "n_items"]].assign(**facts)


@frozen(inputs=ARCHIVE, settings=SMALL, by="system")
def orders(model: str) -> pd.DataFrame:
    """Return how often a small model chooses one option in all orders."""
    given = asked_once([model])[model].unstack("order").groupby(["subject", "item"]).first()
    return pd.DataFrame({"same_option": [given.nunique(axis=1).eq(1).mean()]})


@frozen(inputs=ARCHIVE)
def agreement_of_all() -> pd.DataFrame:
    """Return MA of all models with a student: of answers, and of the wrong option that tempts each most, by subject."""
    models = naep.models()
    right = answers(models).eq(students().truth, axis=0).groupby(["subject", "item"]).first()
    tempt, choices = tempting(models), (CHOICES[0], *naep.SUBJECTS)
    parts = [_agreement(answers(models), "MA").assign(what="answers", choice=CHOICES[0])]
    parts += [_agreement(tempt, "MA", choice).assign(what="tempting", choice=choice) for choice in choices]
    facts = pd.DataFrame({"accuracy": right.mean(), "n_missed": (~right).sum()})
    return pd.concat(parts).drop(STUDENTS).reset_index().join(facts, on="system")
