"""Vision-language models beside children and adults, on the pictures that each of them saw."""

import numpy as np
import pandas as pd

from erralign.bounds import error_consistency_bounds
from erralign.measures.matrix import kappa
from erralign.sources import gavrikov2025, huber2022
from erralign_book.papers.frozen import frozen
from erralign_book.papers.gavrikov2025.answers import OPTIONS, members
from erralign_book.papers.gavrikov2025.groups import tetrachoric
from erralign_book.papers.leads import Lead, summed, variance_of

INPUTS = [gavrikov2025.VLM_SHAPEBIAS, huber2022.DEVELOPMENT]


@frozen(inputs=INPUTS)
def ages() -> pd.DataFrame:
    """Return each age group's agreement with the 19 models asked with options: EC, its bound, and the correlation.

    The trials of a group are taken together, each with what a model said of its picture. Other people, other models and
    other photographs of shapes could have been drawn.
    """
    models = gavrikov2025.read()
    right = models.answers[members()[OPTIONS]].eq(models.truth, axis=0)
    trials = huber2022.trials().query("kind == 'human'")
    rows = []
    for age, seen in trials.groupby("age", sort=False):
        theirs = (seen["truth"] == seen["answer"]).to_numpy(int)
        facts = {"age": age, "people": seen["system"].nunique(), "trials": len(seen), "accuracy": theirs.mean()}
        rows.append(facts | _beside(right.loc[seen["image"]].to_numpy(int), theirs, seen))
    return pd.DataFrame(rows)


def _beside(models: np.ndarray, theirs: np.ndarray, seen: pd.DataFrame) -> Lead:
    values = _consistencies(models, theirs)
    units = [seen["system"].to_numpy(), seen["image"].str.split("-").str[0].to_numpy()]
    kept = [[of != each for each in np.unique(of)] for of in units]
    parts = [variance_of([_consistencies(models[its], theirs[its]).mean() for its in of]) for of in kept]
    parts.append(variance_of([np.delete(values, place).mean() for place in range(len(values))]))
    most = error_consistency_bounds(theirs.mean(), models.mean(axis=0))[1].mean()
    correlations = tetrachoric(len(theirs), theirs.sum(), models.sum(axis=0), theirs @ models)
    facts = {"of_models": models.mean(), "largest": most, "correlation": correlations.mean()}
    return facts | {"value": values.mean()} | summed(parts)


def _consistencies(models: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return a group's EC with each model."""
    both, a, b = theirs @ models, theirs.sum(), models.sum(axis=0)
    return kappa(len(theirs) - a - b + both, b - both, a - both, both)
