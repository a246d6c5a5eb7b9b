"""Models without an error in a condition: what error consistency with people is there, and what it does to a score."""

import numpy as np
import pandas as pd

from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import conditions_in_use, consistencies
from erralign_book.papers.klein2025.models import ANSWERS, sound_models


@frozen(inputs=ANSWERS)
def perfect_models() -> pd.DataFrame:
    """Return what three rules for a model that is always right do to its error consistency with people."""
    every = pd.concat([_rules(right).assign(**name) for name, right in conditions_in_use()])
    scores = every.groupby(["system", "data_set"])[["as_0", "as_1", "left_out"]].mean().groupby("system").mean()
    counts = every.groupby("system")[["perfect", "alike"]].sum()
    return counts[counts["perfect"] > 0].join(scores).reset_index()


def _rules(right: pd.DataFrame) -> pd.DataFrame:
    models, people = right[sound_models()].to_numpy(), right.filter(like="subject-").to_numpy()
    ec, perfect = consistencies(right).mean(axis=1), models.all(axis=0)
    rules = {"as_0": ec, "as_1": np.where(perfect, 1, ec), "left_out": np.where(perfect, np.nan, ec)}
    alike = (models[:, :, None] == people[:, None]).all(axis=0).sum(axis=1)
    return pd.DataFrame({"system": sound_models(), "perfect": perfect, "alike": alike} | rules)
