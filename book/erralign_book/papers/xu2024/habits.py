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
ONE_BY_ONE, APART, POOLED = 60, 30, 100  # errors of each system
KINDS = ("model-model", "model-human", "human-human")  # by how many of the two are people


@frozen(inputs=ANSWERS, slow=True, settings=SYNTHETIC, spot=("colour", "power-equalisation"))
def habits_at_equal_numbers(data_set: str) -> pd.DataFrame:
    """Return mean CLES by kind of pairs if each system makes ``n_errors``: at one strength at a time, and over all.

    Of each system so many errors are drawn at random, without replacement; systems with fewer are left out. *shared* is
    the value of the two tables after their errors were shuffled class by class. The errors of a pair come from the same
    pictures, or, on pictures *apart*, from one random half for the first system and from the other for the second.
    """
    every = answers_on(data_set)
    strengths = every.truth.index.get_level_values("condition")
    halves = np.random.default_rng(0).permutation(len(strengths)) % 2 == 0
    parts = []
    for each in strengths.unique():
        chosen = every.select(trials=strengths == each)
        one, other = (every.select(trials=(strengths == each) & (halves == half)) for half in (True, False))
        parts.append(_compared(chosen, chosen, ONE_BY_ONE).assign(strength=each, pictures="the same"))
        parts.append(_compared(one, other, APART).assign(strength=each, pictures="apart"))
    pairs = pd.concat([*parts, _compared(every, every, POOLED).assign(strength="all", pictures="the same")])
    kinds = pairs.groupby(["n_errors", "strength", "pictures", "kind"], sort=False)
    means = kinds[["CLES", "shared"]].mean().round(6).assign(n_pairs=kinds.size()).reset_index()
    return means[means["n_pairs"] >= FEWEST].assign(data_set=data_set)[["data_set", *means.columns]]


def _compared(first: Responses, second: Responses, n_errors: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    of_first = _thinned(first, n_errors, rng)
    of_second = of_first if second is first else _thinned(second, n_errors, rng)
    people = first.systems["kind"].eq("human")
    rows = []
    for a, b in combinations([name for name in of_first if name in of_second], 2):
        two = of_first[a], of_second[b]
        ways = {"CLES": two, "shared": _shuffled(*two, rng)}
        values = {way: np.mean([cles(*both) for both in zip(*tables, strict=True)]) for way, tables in ways.items()}
        rows.append({"n_errors": n_errors, "kind": KINDS[int(people[a]) + int(people[b])], **values})
    return pd.DataFrame(rows, columns=["n_errors", "kind", "CLES", "shared"])


def _thinned(responses: Responses, n_errors: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw so many errors of each system that made them, as tables of true classes and answers."""
    truth, size = responses.truth.to_numpy(), len(CATEGORIES)
    tables = {name: error_matrix(truth, said.to_numpy(), size) for name, said in responses.answers.items()}
    return {
        str(name): rng.multivariate_hypergeometric(table.ravel(), n_errors, size=DRAWS).reshape(DRAWS, size, size)
        for name, table in tables.items()
        if table.sum() >= n_errors
    }


def _shuffled(a: np.ndarray, b: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    heap, numbers = a + b, a.sum(axis=2)
    cells = zip(heap.reshape(-1, heap.shape[-1]), numbers.ravel(), strict=True)
    dealt = np.array([rng.multivariate_hypergeometric(row, n) for row, n in cells]).reshape(heap.shape)
    return dealt, heap - dealt
