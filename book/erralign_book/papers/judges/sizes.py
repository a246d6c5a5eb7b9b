"""Which few of the judges would you choose, and what are they worth on queries on which they were not chosen?"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from erralign.diversity import plurality
from erralign_book.papers.frozen import frozen
from erralign_book.papers.judges.counts import ARCHIVES, GRADES, judges, number, queries, right

LARGEST, N_RANDOM = 9, 300
RANDOM, ACCURATE, NUMBER, VOTE = "at random", "most accurate", "for the number", "for the vote"
Score = Callable[[list[int], np.ndarray], float]


def _worth(chosen: list[int], kept: np.ndarray) -> float:
    return number(~right()[kept][:, chosen])


def _voted(chosen: list[int], kept: np.ndarray) -> float:
    given, truth = judges().answers.to_numpy()[kept][:, chosen], judges().truth.to_numpy()[kept]
    return float(plurality(given, truth, len(GRADES)).mean())


def _accurate(chosen: list[int], kept: np.ndarray) -> float:
    return float(right()[kept][:, chosen].mean())


def greedy(score: Score, kept: np.ndarray, n: int) -> list[int]:
    """Return judges in the order in which they are chosen: the first is the most accurate, then the best addition."""
    chosen = [max(range(n), key=lambda judge: _accurate([judge], kept))]
    while len(chosen) < LARGEST:
        others = [judge for judge in range(n) if judge not in chosen]
        chosen.append(max(others, key=lambda judge: score([*chosen, judge], kept)))
    return chosen


RULES: dict[str, Score] = {ACCURATE: _accurate, NUMBER: _worth, VOTE: _voted}


@frozen(inputs=ARCHIVES)
def sizes() -> pd.DataFrame:
    """Return effective number and vote of panels of 1 to 9 judges, by how they are chosen.

    ``there`` is where they are measured: on the queries on which they were chosen, or elsewhere, a fifth of the queries
    at a time, with panels chosen on the others. Panels at random are a mean over draws.
    """
    n, codes = right().shape[1], queries()
    everywhere = np.ones(len(codes), bool)
    rows = []
    for how, score in RULES.items():
        order = greedy(score, everywhere, n)
        for size in range(1, LARGEST + 1):
            facts = {"how": how, "there": "where chosen", "size": size}
            rows.append(facts | {"number": _worth(order[:size], everywhere), "vote": _voted(order[:size], everywhere)})
        rows += _elsewhere(how, score, codes)
    return pd.DataFrame(rows + _at_random(n, everywhere))


def folds(codes: np.ndarray) -> np.ndarray:
    """Return in which of five parts each query is."""
    return (np.random.default_rng(0).permutation(codes.max() + 1) % 5)[codes]


def _elsewhere(how: str, score: Score, codes: np.ndarray) -> list[dict]:
    part, wrong = folds(codes), ~right()
    given, truth = judges().answers.to_numpy(), judges().truth.to_numpy()
    orders = [greedy(score, part != fold, wrong.shape[1]) for fold in range(5)]
    rows = []
    for size in range(1, LARGEST + 1):
        errors, said = (np.zeros((len(codes), size), int) for _ in range(2))
        for fold, order in enumerate(orders):
            here = part == fold
            errors[here], said[here] = wrong[here][:, order[:size]], given[here][:, order[:size]]
        found = {"number": number(errors), "vote": float(plurality(said, truth, len(GRADES)).mean())}
        rows.append({"how": how, "there": "elsewhere", "size": size} | found)
    return rows


def _at_random(n: int, everywhere: np.ndarray) -> list[dict]:
    rng = np.random.default_rng(0)
    rows = []
    for size in (*range(1, LARGEST + 1), 15, 21, 27, n):
        drawn = [list(rng.choice(n, size, replace=False)) for _ in range(N_RANDOM if size < n else 1)]
        numbers = np.array([_worth(each, everywhere) for each in drawn])
        votes = [_voted(each, everywhere) for each in drawn[:60]]
        means = {"number": numbers.mean(), "vote": np.mean(votes)}
        rows.append({"how": RANDOM, "there": "elsewhere", "size": size} | means)
    return rows
