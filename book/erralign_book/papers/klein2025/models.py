"""Which models have complete files, are above chance, and are no copies."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from erralign.sources import model_vs_human as source
from erralign.sources.trials import CATEGORIES
from erralign_book.papers.frozen import frozen

ANSWERS = list(source.KEYS)
DATA_SETS = tuple(source.data_sets().index)


@frozen(inputs=ANSWERS)
def model_files() -> pd.DataFrame:
    """Return what checks of every model's files find: whether they are complete, above chance, and no copies."""
    answers = {name: source.all_answers(name) for name in DATA_SETS}
    chosen = {name: (truth, table[_models_in(table)]) for name, (truth, table) in answers.items()}
    found = check_answers(chosen, n_classes=len(CATEGORIES))
    return source.models()[["archive", "family"]].join(found).reset_index()


def _models_in(answers: pd.DataFrame) -> list[str]:
    return [str(system) for system in answers if system in source.models().index]


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
