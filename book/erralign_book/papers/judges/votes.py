"""The vote of many judges: how ties are broken, what independent judges would reach, and which few to choose."""

import numpy as np

from erralign_book.papers.judges.counts import GRADES


def counts(given: np.ndarray) -> np.ndarray:
    """Return how many judges gave each grade, pairs by grades."""
    return np.stack([(given == grade).sum(axis=1) for grade in GRADES], axis=1)


def independent(given: np.ndarray, truth: np.ndarray) -> float:
    """Return how often the vote of judges would be right who know the true grade's habits, and nothing of each other.

    A judge grades as on a random pair with the same true grade; all sums over grades of all judges are exact.
    """
    total = 0.0
    for grade in np.unique(truth):
        habits = counts(given[truth == grade].T) / (truth == grade).sum()
        total += _chance_to_lead(habits / habits.sum(axis=1, keepdims=True), grade) * (truth == grade).mean()
    return total


def _chance_to_lead(habits: np.ndarray, grade: int) -> float:
    """Return the chance that a grade is the most frequent one, from the chance of each by judge."""
    n = len(habits)
    chances = np.zeros((n + 1,) * 3)  # how many chose the first three grades; all others chose the last
    chances[0, 0, 0] = 1
    for first, second, third, last in habits:
        moved = last * chances
        moved[1:] += first * chances[:-1]
        moved[:, 1:] += second * chances[:, :-1]
        moved[:, :, 1:] += third * chances[:, :, :-1]
        chances = moved
    votes = np.indices(chances.shape)
    votes = np.concatenate([votes, n - votes.sum(axis=0)[None]])
    leads = votes == votes.max(axis=0)
    return float((chances * leads[grade] / leads.sum(axis=0))[votes[3] >= 0].sum())
