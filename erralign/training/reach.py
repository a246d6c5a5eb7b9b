"""The answers with which somebody who knew people would agree with them most."""

import numpy as np

from erralign.bounds import surely_right


def answers_knowing(known: np.ndarray, truth: np.ndarray, n_right: int, ties: np.ndarray, n_classes: int) -> np.ndarray:
    """Return answers of which ``n_right`` are right, those with the largest mean EC with people who are known.

    ``known`` says whether each person was right, shape (n_people, n_pictures). Of pictures that they named alike, those
    with the lowest ``ties`` come first.
    """
    sure = surely_right(known.astype(float), n_right / len(truth))
    best = np.lexsort((ties, -sure))[:n_right]
    answers = (truth + 1) % n_classes
    answers[best] = truth[best]
    return answers
