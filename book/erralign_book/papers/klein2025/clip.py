"""CLIP against each person in each condition."""

import numpy as np
import pandas as pd

from erralign.behaviour.consistency import kappa
from erralign.nulls import holm, p_value
from erralign.sources import model_vs_human as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import N_RESAMPLES, conditions_in_use, right_by_condition
from erralign_book.papers.klein2025.models import ANSWERS, DATA_SETS

DRAWS_OF_FIGURE_10 = 50_000


@frozen(inputs=ANSWERS)
def clip_p_values() -> pd.DataFrame:
    """Return p-values of the error consistency between CLIP and each person in each condition (Figure 10)."""
    rows = [
        row
        for name in DATA_SETS
        for condition, right in right_by_condition(name)
        for row in _clip(name, condition, right)
    ]
    table = pd.DataFrame(rows)
    return table.assign(p_holm=holm(table["p"]))


@frozen(inputs=ANSWERS)
def clip_and_subject_01() -> pd.DataFrame:
    """Return the p-values that Figure 10 draws: CLIP and one person in the conditions that the benchmark uses."""
    rows = [
        {"data_set": name, "condition": condition, "used": True}
        | clip_and_person(right["clip"], right["subject-01"], n_samples=DRAWS_OF_FIGURE_10)
        for name in DATA_SETS
        for condition, right in conditions_in_use(name)
    ]
    table = pd.DataFrame(rows)
    return table.assign(p_holm=holm(table["p"]))


def _clip(data_set: str, condition: str, right: pd.DataFrame) -> list[dict]:
    used = (data_set, condition) not in source.excluded_conditions()
    start = {"data_set": data_set, "condition": condition, "used": used}
    return [start | clip_and_person(right["clip"], right[person]) for person in right.filter(like="subject-")]


def clip_and_person(clip: pd.Series, person: pd.Series, rng: int = 0, n_samples: int = N_RESAMPLES) -> dict:
    """Return error consistency and p-values of CLIP and a person in one condition."""
    counts = np.bincount(2 * clip.to_numpy() + person.to_numpy(), minlength=4).reshape(2, 2)
    return {
        "person": person.name,
        "n_joint_errors": int(counts[0, 0]),
        "EC": float(kappa(*counts.ravel().astype(float))),
        "p": p_value(counts),
        "p_printed": p_value(counts, prior="as-printed"),
        "p_simulated": p_value(counts, method="as-printed", n_samples=n_samples, rng=rng),
    }
