"""What can be wrong with files of answers: trials that lack, systems that guess, copies under another name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

# Two systems that differ on less than one trial in a thousand are one: of model-vs-human's, the nearest others differ
# on 159 in a thousand.
COPY = 0.001
# A system that knows its task is right more than twice as often as a guess; of 16 classes, the four of model-vs-human
# that do not are at .06 to .07.
TIMES_CHANCE = 2


def check_answers(answers: Mapping[str, tuple[pd.Series, pd.DataFrame]], *, n_classes: int) -> pd.DataFrame:
    """Check files of answers: all trials there, right more than twice as often as a guess, no copy of another system.

    Parameters
    ----------
    answers : mapping of str to tuple
        Data set to true class ids, and to answers with one column per system; nan where a trial is missing.
    n_classes : int
        How many classes there are to guess from.

    Returns
    -------
    pandas.DataFrame
        Indexed by system: ``data_sets`` (with a file), ``missing_trials`` in these, ``accuracy`` (mean over them),
        ``copy_of`` (an earlier system with which it disagrees on less than one trial in a thousand),
        ``different_answers`` (from that one; 0 where there is none), ``verdict``: ``sound``, ``copy``, or what is
        wrong.

    Examples
    --------
    >>> truth = pd.Series(range(10))
    >>> answers = {"one": (truth, pd.DataFrame({"a": truth, "b": truth, "c": 9 - truth}))}
    >>> check_answers(answers, n_classes=10)["verdict"].to_dict()
    {'a': 'sound', 'b': 'copy', 'c': 'at chance'}
    """
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
