"""Models without an error in a condition: what error consistency with people is there, and what it does to a score."""

import numpy as np
import pandas as pd

from erralign.behaviour.consistency import kappa
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import conditions_in_use
from erralign_book.papers.klein2025.models import ANSWERS, DATA_SETS, sound_models


@frozen(inputs=ANSWERS)
def perfect_models() -> pd.DataFrame:
    """Return what three rules for a model that is always right do to its error consistency with people.

    The formula gives 0 beside anyone who errs.
    """
    parts = [
        _conditions_of(name, condition, right) for name in DATA_SETS for condition, right in conditions_in_use(name)
    ]
    every = pd.concat(parts)
    scores = every.groupby(["system", "data_set"])[["as_0", "as_1", "left_out"]].mean().groupby("system").mean()
    counts = every.groupby("system")[["perfect", "alike"]].sum()
    return counts[counts["perfect"] > 0].join(scores).reset_index()


def _conditions_of(data_set: str, condition: str, right: pd.DataFrame) -> pd.DataFrame:
    models, people = right[sound_models()].to_numpy(), right.filter(like="subject-").to_numpy()
    both = models.T.astype(float) @ people
    alone_a, alone_b = models.sum(axis=0)[:, None], people.sum(axis=0)[None]
    ec = kappa(len(right) - alone_a - alone_b + both, alone_b - both, alone_a - both, both).mean(axis=1)
    perfect = models.all(axis=0)
    rules = {"as_0": ec, "as_1": np.where(perfect, 1, ec), "left_out": np.where(perfect, np.nan, ec)}
    alike = (models[:, :, None] == people[:, None]).all(axis=0).sum(axis=1)
    facts = {"data_set": data_set, "condition": condition, "perfect": perfect, "alike": alike}
    return pd.DataFrame({"system": sound_models()} | facts | rules)
