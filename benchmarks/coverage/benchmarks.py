"""Intervals of a mean over conditions: a benchmark of two models with four people."""

from itertools import product

import numpy as np
import pandas as pd

from benchmarks.coverage import worlds
from erralign.inference import consistency_with_people
from erralign.measures.error_consistency import drawn_kappas
from erralign.measures.matrix import percentile_limits
from erralign.responses import Responses
from erralign_book.cells import frozen

# Accuracies of the two models, their loading, conditions; accuracy of people, and their loading.
BENCHMARKS = {
    "easy": ((0.98, 0.97), 0.6, 24, 0.95, 0.6),
    "easy, apart": ((0.98, 0.93), 0.6, 24, 0.95, 0.6),
    "easy, unlike people": ((0.98, 0.97), 0.3, 24, 0.95, 0.6),
    "easy, few conditions": ((0.98, 0.93), 0.6, 4, 0.95, 0.6),
    "easy, one condition": ((0.93, 0.9), 0.6, 1, 0.95, 0.6),
    "hard, one condition": ((0.7, 0.6), 0.6, 1, 0.95, 0.6),
    "very easy, one condition": ((0.97, 0.95), 0.6, 1, 0.98, 0.6),
    "easy and alike, one condition": ((0.95, 0.93), 0.9, 1, 0.95, 0.9),
}
N_PEOPLE = 4
TRIALS = 160
SETS = 1000


@frozen(
    "coverage/means",
    slow=True,
    settings=tuple(BENCHMARKS),
    spot=["easy, one condition", "hard, one condition"],
    by=["setting"],
)
def means(setting: str) -> pd.DataFrame:
    """Return the coverage of 95 % intervals of mean EC over conditions of 160 trials, with four people."""
    # Accuracies of models fall from the value of a setting by up to .1 over the conditions, those of people do not.
    cells = _cells(*BENCHMARKS[setting])
    people = range(2, 2 + N_PEOPLE)
    with_people = np.array([[[worlds.consistency_in(each, i, j) for j in people] for i in (0, 1)] for each in cells])
    of_a, of_b = with_people.mean(axis=(0, 2))
    rng = np.random.default_rng(list(setting.encode()))
    found = np.array([_limits(cells, rng) for _ in range(SETS)])
    names = product(("mean", "difference"), ("jackknife", "dirichlet", "percentile"))
    truths = {"mean": of_a, "difference": of_a - of_b}
    rows = [
        {"conditions": len(cells), "value": name, "method": method}
        | {"truth": truths[name], "below": float(np.mean(found[:, i, 1] < truths[name]))}
        | worlds.held(found[:, i], truths[name])
        for i, (name, method) in enumerate(names)
    ]
    return pd.DataFrame(rows)


def _cells(
    accuracies: tuple[float, float], loading: float, n_conditions: int, of_people: float, their_loading: float
) -> list[np.ndarray]:
    falls = np.linspace(0, 0.1, n_conditions)
    loadings = [loading, loading, *[their_loading] * N_PEOPLE]
    return [
        worlds.cells_of_many([*(a - fall for a in accuracies), *[of_people] * N_PEOPLE], loadings) for fall in falls
    ]


_KINDS = {"A": "model", "B": "model"} | {f"person {i}": "human" for i in range(N_PEOPLE)}


def _limits(cells: list[np.ndarray], rng: np.random.Generator) -> list[tuple[float, float]]:
    right = np.concatenate([worlds.rights_and_wrongs(each, TRIALS, rng) for each in cells], axis=1)
    trials = pd.MultiIndex.from_product([range(len(cells)), range(TRIALS)], names=["condition", "image"])
    answers = pd.DataFrame(right.T, index=trials, columns=list(_KINDS))
    responses = Responses.from_table(pd.Series(1, index=trials), answers, classes=("wrong", "right"), kind=_KINDS)
    found = consistency_with_people([responses])
    rng.standard_normal((worlds.FEWER_RESAMPLES, 3))  # drawn when the table was frozen, whose rows are compared
    plain = _drawn_means(right > 0, len(cells), rng, half_counts=False)
    joint = _drawn_means(right > 0, len(cells), rng, half_counts=True)
    between = found.difference("A", "B")
    ours = [tuple(found.table.loc["A", ["low", "high"]]), (between.low, between.high)]
    of_draws = [[d[:, 0], d[:, 0] - d[:, 1]] for d in (joint, plain)]
    return [
        limits for i in (0, 1) for limits in (ours[i], *(percentile_limits(draws[i], 0.95)[:2] for draws in of_draws))
    ]


def _drawn_means(right: np.ndarray, n_conditions: int, rng: np.random.Generator, *, half_counts: bool) -> np.ndarray:
    """Draw trials again within conditions, and compute each model's mean EC over people and conditions."""
    first, second = np.triu_indices(len(right), 1)
    with_people = second >= 2
    first, second = first[with_people], second[with_people]
    of_conditions = []
    for part in np.split(right, n_conditions, axis=1):
        drawn = drawn_kappas(part, (first, second), worlds.FEWER_RESAMPLES, rng, half_counts=half_counts)
        of_conditions.append([np.nanmean(drawn[:, first == model], axis=1, dtype=float) for model in (0, 1)])
    return np.nanmean(of_conditions, axis=0).T
