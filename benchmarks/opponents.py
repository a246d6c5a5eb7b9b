"""What a user would write instead of ``erralign.pairwise``: from the same responses to the values of all pairs.

Each function takes Responses and returns an array, one value per pair in the order of ``pairwise``; the last one
returns the whole table. Nothing is done twice that a careful user would do once: error matrices are counted once per
system.
"""

from __future__ import annotations

import warnings
from itertools import combinations

import numba
import numpy as np
import pandas as pd
from scipy.spatial.distance import jensenshannon
from sklearn.metrics import cohen_kappa_score

from erralign import Responses

ALPHA = 0.5
KINDS = ("model-model", "model-human", "human-human")


def _arrays(responses: Responses) -> tuple[np.ndarray, np.ndarray]:
    return responses.truth.to_numpy(), np.ascontiguousarray(responses.answers.to_numpy().T)


def scikit_learn_ec(responses: Responses) -> np.ndarray:
    """Loop over pairs with ``cohen_kappa_score`` of being right."""
    truth, answers = _arrays(responses)
    return np.array([cohen_kappa_score(a, b) for a, b in combinations(answers == truth, 2)])


def scikit_learn_ma(responses: Responses) -> np.ndarray:
    """Loop over pairs with ``cohen_kappa_score`` of the answers on joint errors."""
    truth, answers = _arrays(responses)
    wrong = (answers != truth) & (answers >= 0)
    joint = [(answers[a], answers[b], wrong[a] & wrong[b]) for a, b in combinations(range(len(answers)), 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where kappa is undefined
        return np.array([cohen_kappa_score(a[both], b[both]) for a, b, both in joint])


@numba.njit
def _count(truth, answers):
    n_systems, n_trials = answers.shape
    counts = np.empty((n_systems * (n_systems - 1) // 2, 3))
    row = 0
    for a in range(n_systems):
        for b in range(a + 1, n_systems):
            right_a = right_b = both = 0
            for trial in range(n_trials):
                is_right_a = answers[a, trial] == truth[trial]
                is_right_b = answers[b, trial] == truth[trial]
                right_a += is_right_a
                right_b += is_right_b
                both += is_right_a and is_right_b
            counts[row] = right_a, right_b, both
            row += 1
    return counts


def _kappa(counts: np.ndarray, n_trials: int) -> np.ndarray:
    right_a, right_b, both = counts.T / n_trials
    expected = right_a * right_b + (1 - right_a) * (1 - right_b)
    return (1 - right_a - right_b + 2 * both - expected) / (1 - expected)


def numba_ec(responses: Responses) -> np.ndarray:
    """Loop over pairs and trials, compiled; the values alone."""
    truth, answers = _arrays(responses)
    return _kappa(_count(truth, answers), len(truth))


def numba_ec_table(responses: Responses) -> pd.DataFrame:
    """Loop over pairs and trials, compiled; the table that ``pairwise`` returns."""
    truth, answers = _arrays(responses)
    counts, n = _count(truth, answers), len(truth)
    pairs = list(combinations(responses.answers, 2))
    human = dict(zip(responses.systems.index, responses.systems["kind"] == "human", strict=True))
    family = responses.systems["family"]
    return pd.DataFrame(
        {
            "system_a": [a for a, _ in pairs],
            "system_b": [b for _, b in pairs],
            "kind": [KINDS[human[a] + human[b]] for a, b in pairs],
            "family_a": [family[a] for a, _ in pairs],
            "family_b": [family[b] for _, b in pairs],
            "n_joint_errors": (n - counts[:, 0] - counts[:, 1] + counts[:, 2]).astype(int),
            "accuracy_a": counts[:, 0] / n,
            "accuracy_b": counts[:, 1] / n,
            "EC": _kappa(counts, n),
        }
    )


def _error_matrices(responses: Responses) -> list[np.ndarray]:
    truth, answers = _arrays(responses)
    size = len(responses.classes)
    wrong = (answers != truth) & (answers >= 0)
    return [
        np.bincount(truth[w] * size + a[w], minlength=size**2).reshape(size, size)
        for a, w in zip(answers, wrong, strict=True)
    ]


def _similarity(weights: np.ndarray, distances: np.ndarray) -> float:
    return 1 / (1 + weights @ distances**2 / weights.sum())


def scipy_cles_row_by_row(responses: Responses) -> np.ndarray:
    """Loop over pairs and classes with ``jensenshannon`` of two rows: the printed form of CLES."""
    values = []
    for a, b in combinations(_error_matrices(responses), 2):
        distances = np.array([jensenshannon(p + ALPHA, q + ALPHA) for p, q in zip(a, b, strict=True)])
        values.append(_similarity(a.sum(axis=1) + b.sum(axis=1), distances))
    return np.array(values)


def scipy_cles_once_per_pair(responses: Responses) -> np.ndarray:
    """Loop over pairs with ``jensenshannon(..., axis=1)`` of two matrices: the printed form of CLES."""
    return np.array(
        [
            _similarity(a.sum(axis=1) + b.sum(axis=1), jensenshannon(a + ALPHA, b + ALPHA, axis=1))
            for a, b in combinations(_error_matrices(responses), 2)
        ]
    )
