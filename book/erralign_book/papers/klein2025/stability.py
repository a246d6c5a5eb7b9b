"""How stable the ranking is, and which models differ."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import norm

from erralign.nulls import holm
from erralign.resampling import ConsistencyWithPeople
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import LEVEL, consistency_of
from erralign_book.papers.klein2025.elsewhere import OTHER_ANSWERS, answers_of_table_2
from erralign_book.papers.klein2025.models import ANSWERS, complete_models, sound_models
from erralign_book.papers.klein2025.ranks import scores

ALPHA = 0.05


@frozen(inputs=OTHER_ANSWERS)
def rank_stability() -> pd.DataFrame:
    """Return how far bootstrap rankings agree with the ranking, and what the choice of models does to that."""
    sound = sound_models()
    every = agreement_with_ranking(consistency_of(tuple(complete_models())))
    without = [system for system in sound if not system.startswith("bagnet")]
    known = agreement_with_ranking(answers_of_table_2())
    rows = [
        ("sound", *_whole(agreement_with_ranking(consistency_of(tuple(sound))), sound)),
        ("with models at chance", *_whole(every, complete_models())),
        ("sound, without the two BagNets", *_whole(every, without)),
        ("the eleven of Table 2", *_whole(known, list(known[0]))),
    ]
    return pd.DataFrame(rows, columns=["models", "n_models", "tau", "sd", "significant", "best_stays"])


def agreement_with_ranking(found: ConsistencyWithPeople) -> tuple[pd.Index, np.ndarray]:
    """Return which pairs of systems each bootstrap orders as the ranking does."""
    names = found.table.index.drop("people")
    values, draws = found.table.loc[names, found.measure].to_numpy(), found.percentile_draws[names].to_numpy()
    first, second = np.triu_indices(len(names), k=1)
    signs = np.sign(values[first] - values[second]) * np.sign(draws[:, first] - draws[:, second])
    square = np.zeros((len(names), len(names), len(draws)), dtype=np.int8)
    square[first, second] = square[second, first] = signs.T
    order = np.argsort(-values)
    return names[order], square[np.ix_(order, order)]


def kendall_taus(square: np.ndarray) -> np.ndarray:
    """Return Kendall's tau between the ranking and each bootstrap's."""
    n = len(square)
    return square.sum(axis=(0, 1), dtype=float) / (n * (n - 1))


def _whole(agreement: tuple[pd.Index, np.ndarray], models: Sequence[str]) -> tuple:
    names, square = agreement
    places = np.flatnonzero(names.isin(models))
    square = square[np.ix_(places, places)]
    taus = kendall_taus(square)
    best_stays = (square[0].sum(axis=0, dtype=int) == len(places) - 1).mean()
    return len(places), taus.mean(), taus.std(), (taus > _least_significant(len(places))).mean(), best_stays


def _least_significant(n: int) -> float:
    """Return the tau of n systems above which it differs from 0 at the level of significance."""
    return float(norm.ppf(1 - ALPHA / 2) * np.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1))))


@frozen(inputs=ANSWERS)
def differences() -> pd.DataFrame:
    """Return the difference of each pair of sound models, tested on the trials that both saw."""
    found = consistency_of(tuple(sound_models()))
    table = scores(found).dropna(subset="rank").reset_index(drop=True)
    better, worse = np.triu_indices(len(table), k=1)
    a, b = table.iloc[better].reset_index(drop=True), table.iloc[worse].reset_index(drop=True)
    difference = a["EC"] - b["EC"]
    covariance, place = found.covariance.to_numpy(), found.covariance.index.get_indexer
    i, j = place(pd.Index(a["system"])), place(pd.Index(b["system"]))
    spread = np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
    centre, half = difference - (a["bias"] - b["bias"]), norm.ppf((1 + LEVEL) / 2) * spread
    low, high = centre - half, centre + half
    p = 2 * norm.sf(np.abs(centre) / spread)
    names = {"system_a": a["system"], "system_b": b["system"], "rank_a": a["rank"], "rank_b": b["rank"]}
    tests = {"difference": difference, "low": low, "high": high, "p": p, "p_holm": holm(p)}
    return pd.DataFrame(names | tests | {"overlap": a["percentile_low"] <= b["percentile_high"]})
