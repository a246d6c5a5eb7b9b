"""What would class-level error similarity be if two systems had one and the same habit, at their numbers of errors?"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from erralign.behaviour import class_level_error_similarity_from_counts
from erralign.nulls import same_error_distribution_test, with_random_errors
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources.trials import CATEGORIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, SYNTHETIC, answers_on, pairwise_scores

DEALS = 20
SHUFFLES = 199
# Two systems err about equally often where neither makes this many times the other's errors.
SIMILAR = 1.3
FEWEST = 30


@frozen(inputs=ANSWERS, slow=True, settings=SYNTHETIC, spot=("colour", "power-equalisation"))
def shared_habits(data_set: str) -> pd.DataFrame:
    """Return the CLES of every pair on a synthetic set, and the value that one shared habit would give.

    The answers on errors are dealt anew between the two systems, in each class, so that both draw them from one heap
    and keep their numbers of errors; the two answers to one picture stay together and change sides by the toss of a
    coin, as in :func:`erralign.nulls.same_error_distribution_test`, which gives the p-value.
    """
    responses = answers_on(data_set)
    pairs = pairwise_scores().query("data_set == @data_set").reset_index(drop=True)
    wrong = responses.answers.ne(responses.truth, axis=0).sum()
    table = pairs[["data_set", "system_a", "system_b", "kind"]].assign(
        errors_a=pairs["system_a"].map(wrong), errors_b=pairs["system_b"].map(wrong), CLES=pairs["CLES"]
    )
    return table.assign(shared=_shared(responses, pairs), p=_p_values(responses, pairs))


def _p_values(responses: Responses, pairs: pd.DataFrame) -> list[float]:
    truth, answers = responses.truth.to_numpy(), responses.answers
    return [
        same_error_distribution_test(truth, answers[a], answers[b], n_permutations=SHUFFLES).p
        for a, b in zip(pairs["system_a"], pairs["system_b"], strict=True)
    ]


def _shared(responses: Responses, pairs: pd.DataFrame) -> np.ndarray:
    rng = np.random.default_rng(0)
    truth, answers = responses.truth.to_numpy(), {name: y.to_numpy() for name, y in responses.answers.items()}
    found = [
        np.mean([class_level_error_similarity_from_counts(*two) for two in _deals(truth, answers[a], answers[b], rng)])
        for a, b in zip(pairs["system_a"], pairs["system_b"], strict=True)
    ]
    return np.round(found, 6)


def _deals(
    truth: np.ndarray, y_a: np.ndarray, y_b: np.ndarray, rng: np.random.Generator
) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """Return error matrices of two systems whose wrong answers come from one heap for each class."""
    size = len(CATEGORIES)
    one_hot, wrong_a, wrong_b = np.eye(size, dtype=int), y_a != truth, y_b != truth
    dealt_a, pooled = np.zeros((DEALS, size, size), dtype=int), np.zeros((size, size), dtype=int)
    for label in np.unique(truth[wrong_a | wrong_b]):
        here = truth == label
        joint = here & wrong_a & wrong_b
        said_a, said_b = one_hot[y_a[joint]], one_hot[y_b[joint]]
        heap = one_hot[y_a[here & wrong_a & ~wrong_b]].sum(axis=0), one_hot[y_b[here & wrong_b & ~wrong_a]].sum(axis=0)
        singles = rng.multivariate_hypergeometric(sum(heap), heap[0].sum(), size=DEALS, method="marginals")
        swaps = rng.integers(0, 2, size=(DEALS, len(said_a)))
        dealt_a[:, label] = said_a.sum(axis=0) + swaps @ (said_b - said_a) + singles
        pooled[label] = said_a.sum(axis=0) + said_b.sum(axis=0) + sum(heap)
    return zip(dealt_a, pooled - dealt_a, strict=True)


@frozen(inputs=ANSWERS, slow=True, settings=SYNTHETIC, spot=("colour", "power-equalisation"))
def habits_within_conditions(data_set: str) -> pd.DataFrame:
    """Return CLES, blind errors and one shared habit within conditions, for pairs that err about equally often."""
    every = answers_on(data_set)
    conditions = every.truth.index.get_level_values("condition")
    parts = pd.concat([_compared(every.select(trials=conditions == name)) for name in conditions.unique()])
    kinds = parts.groupby("kind")
    means = kinds[["CLES", "blind", "shared"]].mean().assign(n_pairs=kinds.size(), data_set=data_set).reset_index()
    return means[["data_set", "kind", "n_pairs", "CLES", "blind", "shared"]]


def _compared(responses: Responses) -> pd.DataFrame:
    measure, rng = "class_level_error_similarity", np.random.default_rng(0)
    pairs = pairwise(responses, [measure])
    redrawn = [pairwise(with_random_errors(responses, rng=rng), [measure])[measure] for _ in range(DEALS)]
    wrong = responses.answers.ne(responses.truth, axis=0).sum()
    errors = pd.concat([pairs["system_a"].map(wrong), pairs["system_b"].map(wrong)], axis=1)
    similar = (errors.max(axis=1) < SIMILAR * errors.min(axis=1)) & (errors.min(axis=1) >= FEWEST)
    chosen = pairs.assign(CLES=pairs[measure], blind=np.mean(redrawn, axis=0))[similar]
    return chosen.assign(shared=_shared(responses, chosen))
