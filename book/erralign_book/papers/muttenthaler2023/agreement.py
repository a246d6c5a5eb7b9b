"""How often two people choose the same odd one out: what a system's accuracy is to be set beside."""

from itertools import product

import numpy as np
import pandas as pd

from erralign.resampling.triplets import mean_interval
from erralign.results import Interval
from erralign.sources import things
from erralign.triplets import odd_one_out
from erralign.triplets.choices import SIMILARITIES
from erralign_book.papers.frozen import frozen

ENOUGH = 100
OBJECTS = ["first", "second", "third"]


@frozen(inputs=[things.SEMANTIC])
def two_people() -> pd.DataFrame:
    """Return how often two different people choose alike: at least and at most, where only the majority is known."""
    whole = pd.DataFrame([_bounds(), _shared()])
    return whole[["asked", "triplets", "least", "least_low", "most", "most_high", "majority"]]


def _bounds() -> dict:
    table = things.repeated_triplets()
    table = table[table["answers"] >= ENOUGH]
    first = (table["most_frequent"] * table["answers"]).round()
    others = table["answers"] - first
    second = np.minimum(first, others)  # no answer is more frequent than the most frequent one
    evenly = [first, others // 2, others - others // 2]
    return _row("100 people or more", table, evenly, [first, second, others - second])


def _shared() -> dict:
    answers = things.answers_of_people()
    counts = [(answers == place).sum(axis=1) for place in range(3)]
    return _row("the same 209 people", answers.index.to_frame(index=False), counts, counts)


def _row(asked: str, triplets: pd.DataFrame, least: list, most: list) -> dict:
    objects = triplets[OBJECTS].to_numpy()
    lower, upper = (mean_interval(_same(counts), objects) for counts in (least, most))
    majority = (np.max(least, axis=0) / np.sum(least, axis=0)).mean()
    limits = {"least": lower.estimate, "least_low": lower.low, "most": upper.estimate, "most_high": upper.high}
    return {"asked": asked, "triplets": len(triplets), "majority": majority} | limits


def _same(counts: list) -> np.ndarray:
    """Return, per triplet, the share of pairs of different people who choose alike."""
    each = np.array(counts, dtype=float)
    of_all = each.sum(axis=0)
    return (each * (each - 1)).sum(axis=0) / (of_all * (of_all - 1))


@frozen(inputs=[things.SEMANTIC, things.VICE])
def embeddings_beside_people() -> pd.DataFrame:
    """Return how often embeddings choose like a person on the same 440 triplets, and their lead over two people."""
    answers = things.answers_of_people()
    objects = answers.index.to_frame(index=False)[OBJECTS].to_numpy()
    counts = np.array([(answers == place).sum(axis=1) for place in range(3)])
    rows = []
    for system, similarity in product(things.EMBEDDINGS, SIMILARITIES):
        choices = odd_one_out(things.embedding(system), objects, similarity=similarity)
        alike = np.take_along_axis(counts / counts.sum(axis=0), choices[None], axis=0)[0]
        share, lead = (mean_interval(each, objects) for each in (alike, alike - _same(list(counts))))
        rows.append((system, similarity, *_numbers(share), *_numbers(lead)))
    limits = ["accuracy", "low", "high", "lead", "lead_low", "lead_high"]
    return pd.DataFrame(rows, columns=["system", "similarity", *limits])


def _numbers(found: Interval) -> tuple[float, float, float]:
    return found.estimate, found.low, found.high
