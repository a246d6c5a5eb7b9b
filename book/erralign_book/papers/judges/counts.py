"""The grades of 33 judges as counts, query by query: what all numbers about them are computed from."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources import llmjudge

ARCHIVES = [llmjudge.JUDGES, llmjudge.ASSESSORS]
GRADES = np.arange(len(llmjudge.GRADES))


@cache
def judges() -> Responses:
    """Return the grades."""
    return llmjudge.read()


def queries() -> np.ndarray:
    """Return the query of each pair, as a number."""
    return pd.factorize(judges().truth.index.get_level_values("query"))[0]


def right() -> np.ndarray:
    """Return which grades are those of the assessors, pairs by judges."""
    return judges().answers.eq(judges().truth, axis=0).to_numpy()


def best_of_teams() -> list[str]:
    """Return the most accurate judge of each team."""
    accuracy = pd.Series(right().mean(axis=0), judges().answers.columns)
    return list(accuracy.groupby(judges().systems["family"]).idxmax())


def within(distance: int) -> Responses:
    """Return the judges with every grade as right that is at most so far from the assessors'."""
    far = judges().answers.sub(judges().truth, axis=0).abs()
    near = (far <= distance) & (judges().answers >= 0)
    return replace(judges(), answers=judges().answers.mask(near, judges().truth, axis=0))


def signed() -> np.ndarray:
    """Return by how much each grade is too high; 0 where there is none."""
    given = judges().answers
    return given.sub(judges().truth, axis=0).where(given >= 0, 0).to_numpy()


def number(errors: np.ndarray) -> float:
    """Return the effective number of systems, from errors that are 0 or 1, or signed."""
    return float(errors.shape[1] * errors.var(axis=0).sum() / errors.sum(axis=1).var())


def consistency_of_pairs(kept: np.ndarray) -> np.ndarray:
    """Return EC of all pairs of judges, on some of the pairs that they graded."""
    return pairwise(judges().select(trials=kept), ["error_consistency"])["error_consistency"].to_numpy()
