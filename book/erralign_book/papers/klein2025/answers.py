"""Which models have complete files, are above chance, and are no copies."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from erralign.datasets import model_vs_human as source
from erralign.datasets.trials import CATEGORIES
from erralign.inference import ConsistencyWithPeople, consistency_with_people
from erralign.measures.matrix import kappa
from erralign.responses import Responses
from erralign.significance import holm, p_value
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import lead

ANSWERS = list(source.KEYS)
DATA_SETS = tuple(source.data_sets().index)


@frozen(inputs=ANSWERS)
def model_files() -> pd.DataFrame:
    """Return what checks of every model's files find: whether they are complete, above chance, and no copies."""
    answers = {name: source.all_answers(name) for name in DATA_SETS}
    chosen = {
        name: (truth, table[table.columns.intersection(source.models().index, sort=False)])
        for name, (truth, table) in answers.items()
    }
    found = check_answers(chosen, n_classes=len(CATEGORIES))
    return source.models()[["archive", "family"]].join(found).reset_index()


def sound_models() -> list[str]:
    """Return the models whose files are complete, above chance and no copies."""
    return list(model_files().query("verdict == 'sound'")["system"])


def complete_models() -> list[str]:
    """Return every model with a complete file, once: the sound ones, and those at chance."""
    return list(model_files().query("verdict in ['sound', 'at chance']")["system"])


# ---- what can be wrong with files of answers: trials that lack, systems that guess, copies -------------------------


# Two systems that differ on less than one trial in a thousand are one: of model-vs-human's, the nearest others differ
# on 159 in a thousand.
COPY = 0.001
# A system that knows its task is right more than twice as often as a guess; of 16 classes, the four of model-vs-human
# that do not are at .06 to .07.
TIMES_CHANCE = 2


def check_answers(answers: Mapping[str, tuple[pd.Series, pd.DataFrame]], *, n_classes: int) -> pd.DataFrame:
    """Check files of answers: all trials there, right more than twice as often as a guess, no copy of another."""
    systems = list(dict.fromkeys(str(system) for _, table in answers.values() for system in table))
    rows = pd.DataFrame([_check(system, answers, n_classes) for system in systems], index=systems)
    together = pd.concat([table.reset_index(drop=True) for _, table in answers.values()])
    for place, name in enumerate(systems):
        found = _first_alike(together[name], together[systems[:place]])
        if found is not None:
            rows.loc[name, ["copy_of", "different_answers", "verdict"]] = *found, "copy"
    return rows


def _first_alike(answers: pd.Series, others: pd.DataFrame) -> tuple[str, int] | None:
    for other, theirs in others.items():
        different = int((answers.notna() & (theirs != answers)).sum())
        if different < COPY * answers.notna().sum():
            return str(other), different
    return None


def _check(system: str, answers: Mapping[str, tuple[pd.Series, pd.DataFrame]], n_classes: int) -> dict:
    own = [(truth, table[system]) for truth, table in answers.values() if system in table]
    accuracy = float(np.mean([(given == truth)[given.notna()].mean() for truth, given in own]))
    missing = sum(int(given.isna().sum()) for _, given in own)
    wrong = ["incomplete"] if missing or len(own) < len(answers) else []
    wrong += ["at chance"] if accuracy < TIMES_CHANCE / n_classes else []
    facts = {"data_sets": len(own), "missing_trials": missing, "accuracy": accuracy, "copy_of": ""}
    return facts | {"different_answers": 0, "verdict": ", ".join(wrong) or "sound"}


# ---- the answers in use, and the conditions in which they were given ----------------------------------------------


LEVEL = 0.95
N_RESAMPLES = 10_000
TAILS = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]


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
    """Return the 78 conditions: how many trials and people, and how accurate these are."""
    of_people = [(name, right.filter(like="subject-")) for name, right in every_condition()]
    return pd.DataFrame(
        name | {"n_trials": len(people), "people": people.shape[1], "accuracy": people.to_numpy().mean()}
        for name, people in of_people
    )


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


@frozen(inputs=ANSWERS)
def behind_people() -> pd.DataFrame:
    """Return how far each sound model is behind people under each strength of noise, of low contrast and of blur."""
    rows = []
    for name, right in every_condition():
        if name["data_set"] in ("uniform-noise", "contrast", "low-pass"):
            people = right.filter(like="subject-").mean(axis=1)
            for model in sound_models():
                over = lead((people - right[model]).groupby(level="image").mean())
                rows.append(name | {"group": model, "accuracy": right[model].mean()} | over)
    return pd.DataFrame(rows).drop(columns=["used", "n"]).rename(columns={"value": "behind"})


# ---- CLIP against each person in each condition --------------------------------------------------------------------


@frozen(inputs=ANSWERS)
def clip_p_values() -> pd.DataFrame:
    """Return error consistency and p-values of CLIP and each person in each condition (Figure 10)."""
    rows, conditions = [], every_condition()
    for (name, right), person in ((each, person) for each in conditions for person in each[1].filter(like="subject-")):
        counts = np.bincount(2 * right["clip"].to_numpy() + right[person].to_numpy(), minlength=4).reshape(2, 2)
        found = {"n_joint_errors": int(counts[0, 0]), "EC": float(kappa(*counts.ravel().astype(float)))}
        found |= {"p": p_value(counts), "p_printed": p_value(counts, prior="as-printed")}
        rows.append(name | {"person": person} | found)
    return pd.DataFrame(rows)


def clip_and_subject_01() -> pd.DataFrame:
    """Return the p-values that Figure 10 draws: CLIP and one person in the conditions that the benchmark uses."""
    drawn = clip_p_values().query("used and person == 'subject-01'").reset_index(drop=True)
    return drawn.assign(p_holm=holm(drawn["p"]))
