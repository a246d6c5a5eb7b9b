"""What is left of a correlation of measures when accuracies, the data set's difficulty or near-copies are taken out."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import rankdata, spearmanr

from erralign.sources import xu2024 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, BEHAVIOUR, REPRESENTATION, SYNTHETIC
from erralign_book.papers.xu2024.released import pairs_with_released

MEASURES = (*BEHAVIOUR, *REPRESENTATION)
MEAN, APART = "accuracy", "apart"


def _pairs() -> pd.DataFrame:
    pairs = pairs_with_released()
    first, second = (pairs[system].map(source.architectures()) for system in ("system_a", "system_b"))
    return pairs.assign(apart=(pairs["accuracy_a"] - pairs["accuracy_b"]).abs(), near_copies=first == second)


def _partial_r(pairs: pd.DataFrame, a: str, b: str, out: Sequence[str]) -> float:
    """Return the correlation of two rankings after a regression of both on the ranks of other columns."""
    ranks = {column: rankdata(pairs[column]) for column in (a, b, *out)}
    known = np.column_stack([np.ones(len(pairs)), *(ranks[column] for column in out)])
    rests = [ranks[column] - known @ np.linalg.lstsq(known, ranks[column], rcond=None)[0] for column in (a, b)]
    return float(np.corrcoef(rests[0], rests[1])[0, 1])


@frozen(inputs=ANSWERS)
def correlations_without_accuracy() -> pd.DataFrame:
    """Return Spearman's r of two measures over pairs of models with the pair's accuracies taken out, by data set."""
    rows = [
        {"data_set": name, "measure_a": a, "measure_b": b, **_three_r(pairs, a, b)}
        for name, pairs in _pairs().groupby("data_set", sort=False)
        for a, b in combinations(MEASURES, 2)
    ]
    return pd.DataFrame(rows)


def _three_r(pairs: pd.DataFrame, a: str, b: str) -> dict[str, float]:
    apart = pairs[~pairs["near_copies"]]
    return {
        "r": spearmanr(pairs[a], pairs[b])[0],
        "without both": _partial_r(pairs, a, b, [MEAN, APART]),
        "without near-copies": spearmanr(apart[a], apart[b])[0],
    }


@frozen(inputs=ANSWERS)
def accuracy_differences() -> pd.DataFrame:
    """Return how each measure goes with the two accuracies of a pair of models, data set by data set."""
    rows = [
        (name, measure, spearmanr(pairs[measure], pairs[MEAN])[0], spearmanr(pairs[measure], pairs[APART])[0])
        for name, pairs in _pairs().groupby("data_set", sort=False)
        for measure in (*MEASURES, "CLES random")
    ]
    return pd.DataFrame(rows, columns=["data_set", "measure", "mean", "difference"])


@frozen(inputs=ANSWERS)
def without_difficulty() -> pd.DataFrame:
    """Return global correlations on the synthetic sets with the difficulty of a data set taken out."""
    pairs = _pairs()
    pairs = pairs[pairs["data_set"].isin(SYNTHETIC)]
    pairs = pairs.assign(difficulty=pairs.groupby("data_set")[MEAN].transform("mean"))
    rows = [(a, b, _partial_r(pairs, a, b, ["difficulty"])) for a, b in combinations(BEHAVIOUR, 2)]
    return pd.DataFrame(rows, columns=["measure_a", "measure_b", "without difficulty"])
