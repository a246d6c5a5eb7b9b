"""CLIP against each person in each condition."""

import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.nulls import holm, p_value
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import ANSWERS, N_RESAMPLES, conditions_in_use, every_condition

DRAWS_OF_FIGURE_10 = 50_000


@frozen(inputs=ANSWERS)
def clip_p_values() -> pd.DataFrame:
    """Return p-values of the error consistency between CLIP and each person in each condition (Figure 10)."""
    rows = [
        name | _clip_and_person(right["clip"], right[person], N_RESAMPLES)
        for name, right in every_condition()
        for person in right.filter(like="subject-")
    ]
    return pd.DataFrame(rows).assign(p_holm=lambda table: holm(table["p"]))


@frozen(inputs=ANSWERS)
def clip_and_subject_01() -> pd.DataFrame:
    """Return the p-values that Figure 10 draws: CLIP and one person in the conditions that the benchmark uses."""
    rows = [
        name | _clip_and_person(right["clip"], right["subject-01"], DRAWS_OF_FIGURE_10)
        for name, right in conditions_in_use()
    ]
    return pd.DataFrame(rows).assign(p_holm=lambda table: holm(table["p"]))


def _clip_and_person(clip: pd.Series, person: pd.Series, n_samples: int) -> dict:
    """Return error consistency and p-values of CLIP and a person in one condition."""
    counts = np.bincount(2 * clip.to_numpy() + person.to_numpy(), minlength=4).reshape(2, 2)
    return {
        "person": person.name,
        "n_joint_errors": int(counts[0, 0]),
        "EC": float(kappa(*counts.ravel().astype(float))),
        "p": p_value(counts),
        "p_printed": p_value(counts, prior="as-printed"),
        "p_simulated": p_value(counts, method="as-printed", n_samples=n_samples),
    }
