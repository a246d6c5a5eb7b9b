"""The answers in use, and the conditions in which they were given."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from erralign.behaviour.consistency import kappa
from erralign.resampling import ConsistencyWithPeople, consistency_with_people
from erralign.responses import Responses
from erralign.sources import model_vs_human as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.models import ANSWERS, DATA_SETS, sound_models

LEVEL = 0.95
N_RESAMPLES = 10_000
TAILS = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
FEW = 5


@cache
def _responses(data_set: str) -> Responses:
    return source.used_conditions(source.read(data_set))


def with_models(data_set: str, models: Sequence[str]) -> Responses:
    """Return people and the given models on the conditions that the benchmark uses."""
    every = _responses(data_set)
    people = list(every.systems.query("kind == 'human'").index)
    return every.select(systems=[*people, *models])


@cache
def consistency_of(models: tuple[str, ...], data_sets: tuple[str, ...] = DATA_SETS) -> ConsistencyWithPeople:
    """Return error consistency with people of the given models."""
    chosen = [with_models(name, models) for name in data_sets]
    return consistency_with_people(chosen, level=LEVEL, n_resamples=N_RESAMPLES)


@cache
def every_condition() -> list[tuple[dict[str, Any], pd.DataFrame]]:
    """Return the 78 conditions: the name of each, and who of the people and the sound models was right on what."""
    found = []
    for data_set in DATA_SETS:
        responses = source.read(data_set)
        right = responses.answers.eq(responses.truth, axis=0)
        chosen = right[[*right.filter(like="subject-"), *sound_models()]]
        for condition, part in chosen.groupby(level="condition", sort=False):
            used = (data_set, condition) not in source.excluded_conditions()
            found.append(({"data_set": data_set, "condition": str(condition), "used": used}, part))
    return found


def conditions_in_use() -> list[tuple[dict[str, Any], pd.DataFrame]]:
    """Return the conditions that the benchmark uses, as :func:`every_condition` does."""
    return [(name, right) for name, right in every_condition() if name["used"]]


@frozen(inputs=ANSWERS)
def conditions() -> pd.DataFrame:
    """Return the 78 conditions: how many trials and people, how accurate, and how many errors there are to compare."""
    return pd.DataFrame([name | _condition(right) for name, right in every_condition()])


def _condition(right: pd.DataFrame) -> dict:
    people, models = right.filter(like="subject-"), right[sound_models()]
    joint_errors = (~models).to_numpy().T.astype(int) @ (~people).to_numpy().astype(int)
    return {
        "n_trials": len(right),
        "people": people.shape[1],
        "accuracy": people.to_numpy().mean(),
        "comparisons": joint_errors.size,
        "few": int((joint_errors < FEW).sum()),
    }


@frozen(inputs=ANSWERS)
def accuracies() -> pd.DataFrame:
    """Return the pairs of accuracies in which a model, or a person, is compared with people (Figure 2b)."""
    table = pd.concat([_accuracies(right).assign(**name) for name, right in every_condition()], ignore_index=True)
    return table[["data_set", "condition", "used", "kind", "system", "accuracy", "accuracy of people"]]


def _accuracies(right: pd.DataFrame) -> pd.DataFrame:
    accuracy = right.mean()
    human = accuracy.index.str.startswith("subject-")
    people = accuracy[human]
    others = (people.sum() - accuracy.where(human, 0)) / (len(people) - human)
    kind = np.where(human, "human-human", "model-human")
    return pd.DataFrame({"kind": kind, "accuracy": accuracy, "accuracy of people": others}).reset_index(names="system")


def consistencies(right: pd.DataFrame) -> np.ndarray:
    """Return the EC of each sound model, row by row, with each person in a condition."""
    people, models = right.filter(like="subject-").to_numpy(float), right[sound_models()].to_numpy(float)
    both = models.T @ people
    alone_a, alone_b = models.sum(axis=0)[:, None], people.sum(axis=0)[None]
    return kappa(len(right) - alone_a - alone_b + both, alone_b - both, alone_a - both, both)
