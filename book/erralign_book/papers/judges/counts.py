"""The grades of 33 judges as counts, query by query: what all numbers about them are computed from."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

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


@cache
def of_pairs() -> dict[str, np.ndarray]:
    """Return EC, MA and the share of joint errors with one grade of all pairs: a row, and one without each query."""
    given, hit = judges().answers.to_numpy(), right()
    wrong = np.where(hit, -1, given)
    ends = np.triu_indices(given.shape[1], 1)
    of_each = [queries() == query for query in range(queries().max() + 1)]
    parts = [[_cells(hit[its], ends), _joint(wrong[its], ends)] for its in of_each]
    cells, joint = (_without(np.stack(part)) for part in zip(*parts, strict=True))
    n, a, b, both = np.moveaxis(cells, 1, 0)
    total, same = joint.sum(axis=(1, 2)), np.trace(joint, axis1=1, axis2=2)
    by_chance, observed = (joint.sum(axis=1) * joint.sum(axis=2)).sum(axis=1) / total**2, same / total
    ec = 2 * (both - a * b / n) / (a + b - 2 * a * b / n)
    return {"EC": ec, "MA": (observed - by_chance) / (1 - by_chance), "same grade": observed}


def _cells(hit: np.ndarray, ends: tuple) -> np.ndarray:
    hit = hit.astype(float)
    sums = hit.sum(axis=0)
    return np.stack([np.full(len(ends[0]), len(hit)), sums[ends[0]], sums[ends[1]], (hit.T @ hit)[ends]])


def _joint(wrong: np.ndarray, ends: tuple) -> np.ndarray:
    chosen = [(wrong == grade).astype(float) for grade in GRADES]
    return np.array([[(a.T @ b)[ends] for b in chosen] for a in chosen])


def _without(parts: np.ndarray) -> np.ndarray:
    return np.concatenate([parts.sum(axis=0)[None], parts.sum(axis=0) - parts])
