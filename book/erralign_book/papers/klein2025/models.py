"""Which models have complete files, are above chance, and are no copies."""

from __future__ import annotations

import pandas as pd

from erralign.sources import model_vs_human as source
from erralign.sources.trials import CATEGORIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.checks import check_answers

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
