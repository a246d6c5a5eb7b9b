"""Whose confusions are alike, once all systems make equally many errors?"""

from itertools import combinations

import numpy as np
import pandas as pd

from erralign.behaviour import class_level_error_similarity_from_counts as cles
from erralign.behaviour.counting import error_matrix
from erralign.responses import Responses
from erralign.sources.trials import CATEGORIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, SYNTHETIC, answers_on

DRAWS = 10
FEWEST = 3  # pairs of a kind, for their mean to be shown
AT_ONE_STRENGTH = (30, 60)
POOLED = 100
KINDS = ("model-model", "model-human", "human-human")  # by how many of the two are people


@frozen(inputs=ANSWERS, slow=True, settings=SYNTHETIC, spot=("colour", "power-equalisation"))
def habits_at_equal_numbers(data_set: str) -> pd.DataFrame:
    """Return mean CLES by kind of pairs if each system makes ``n_errors``: at one strength at a time, and over all.

    Of each system so many errors are drawn at random, without replacement; systems with fewer are left out. *shared* is
    the value of the two tables after their errors were shuffled class by class.
    """
    every = answers_on(data_set)
    strengths = every.truth.index.get_level_values("condition")
    parts = [
        _compared(every.select(trials=strengths == each), n).assign(strength=each)
        for each in strengths.unique()
        for n in AT_ONE_STRENGTH
    ]
    pairs = pd.concat([*parts, _compared(every, POOLED).assign(strength="all")])
    kinds = pairs.groupby(["n_errors", "strength", "kind"], sort=False)
    means = kinds[["CLES", "shared"]].mean().round(6).assign(n_pairs=kinds.size()).reset_index()
    return means[means["n_pairs"] >= FEWEST].assign(data_set=data_set)[["data_set", *means.columns]]


def _compared(responses: Responses, n_errors: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    truth, size = responses.truth.to_numpy(), len(CATEGORIES)
    tables = {name: error_matrix(truth, said.to_numpy(), size) for name, said in responses.answers.items()}
    thinned = {
        name: rng.multivariate_hypergeometric(table.ravel(), n_errors, size=DRAWS).reshape(DRAWS, size, size)
        for name, table in tables.items()
        if table.sum() >= n_errors
    }
    people = responses.systems["kind"].eq("human")
    rows = []
    for a, b in combinations(thinned, 2):
        ways = {"CLES": (thinned[a], thinned[b]), "shared": _shuffled(thinned[a], thinned[b], rng)}
        values = {way: np.mean([cles(*two) for two in zip(*both, strict=True)]) for way, both in ways.items()}
        rows.append({"n_errors": n_errors, "kind": KINDS[int(people[a]) + int(people[b])], **values})
    return pd.DataFrame(rows, columns=["n_errors", "kind", "CLES", "shared"])


def _shuffled(a: np.ndarray, b: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    heap, numbers = a + b, a.sum(axis=2)
    cells = zip(heap.reshape(-1, heap.shape[-1]), numbers.ravel(), strict=True)
    dealt = np.array([rng.multivariate_hypergeometric(row, n) for row, n in cells]).reshape(heap.shape)
    return dealt, heap - dealt
