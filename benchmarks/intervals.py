"""Intervals and p-values of all 351 pairs of 27 simulated systems, 1,280 trials, 10,000 resamples.

Each task runs in a process of its own, so that its peak of memory is its own; beside the joint intervals of error
consistency stands the loop that a user would write.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import combinations

import numpy as np
import pandas as pd
from processes import peak_mb, rows_of
from scipy.stats import bootstrap

import erralign
from erralign.significance import pairwise_p_values

N_TRIALS, N_RESAMPLES, CLASSES = 1280, 10_000, 16
LOOP = "EC, a loop of scipy.stats.bootstrap"
REPEATS = 5


def simulate(n_models: int, n_people: int, n_trials: int, seed: int = 0) -> erralign.Responses:
    """Draw systems that find the same pictures hard, 160 pictures per condition."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(CLASSES, size=n_trials)
    ease = rng.beta(2, 0.6, size=n_trials)
    names = [f"model {i}" for i in range(n_models)] + [f"person {i}" for i in range(n_people)]
    answers = [
        np.where(rng.random(n_trials) < ease, truth, (truth + rng.integers(1, CLASSES, n_trials)) % CLASSES)
        for _ in names
    ]
    trials = pd.MultiIndex.from_arrays([np.arange(n_trials) // 160, np.arange(n_trials)], names=["condition", "image"])
    kind = {name: "model" if name.startswith("model") else "human" for name in names}
    answers = pd.DataFrame(np.transpose(answers), index=trials, columns=names)
    return erralign.Responses.from_table(pd.Series(truth, index=trials), answers, classes=range(CLASSES), kind=kind)


def joint(measure: str):
    """Return the intervals of one measure for all pairs."""
    responses = simulate(23, 4, N_TRIALS)
    return lambda: erralign.pairwise_intervals(responses, [measure], n_resamples=N_RESAMPLES)


def hierarchy():
    """Return means of 24 models over four people and 46 conditions."""
    data_sets = [simulate(24, 4, 2 * 160, seed) for seed in range(23)]
    return lambda: erralign.consistency_with_people(data_sets)


def p_values():
    """Return exact p-values of all pairs."""
    responses = simulate(23, 4, N_TRIALS)
    return lambda: pairwise_p_values(responses)


def kappa(right_a: np.ndarray, right_b: np.ndarray, axis: int = -1) -> np.ndarray:
    """Compute Cohen's kappa along an axis, as a user of ``bootstrap(vectorized=True)`` would."""
    observed = (right_a == right_b).mean(axis=axis)
    p, q = right_a.mean(axis=axis), right_b.mean(axis=axis)
    expected = p * q + (1 - p) * (1 - q)
    return (observed - expected) / (1 - expected)


def loop():
    """Return percentile intervals of all pairs, one call of SciPy's bootstrap per pair."""
    responses = simulate(23, 4, N_TRIALS)
    right = responses.answers.eq(responses.truth, axis=0).to_numpy().T
    options = {"paired": True, "vectorized": True, "method": "percentile", "n_resamples": N_RESAMPLES, "rng": 0}
    return lambda: [bootstrap((a, b), kappa, **options) for a, b in combinations(right, 2)]


# What is measured, and the seconds (for the loop: how many times ours) that we aim at.
TASKS = {
    "EC": (lambda: joint("error_consistency"), None),
    LOOP: (loop, 100),
    "MA": (lambda: joint("misclassification_agreement"), 2),
    "CLES": (lambda: joint("class_level_error_similarity"), 4),
    "mean EC with people": (hierarchy, 1),
    "exact p-values": (p_values, 2.5),
}


def measure_task(task: str) -> dict:
    """Run one task, the loop once and the others several times, and take the median."""
    work = TASKS[task][0]()
    seconds = []
    for _ in range(1 if task == LOOP else REPEATS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return {"task": task, "seconds": float(np.median(seconds)), "goal": TASKS[task][1], "peak_mb": peak_mb()}


def measure() -> pd.DataFrame:
    """Run every task in a process of its own."""
    return rows_of(__file__, [(task,) for task in TASKS], "tasks")


if __name__ == "__main__":
    print(json.dumps(measure_task(sys.argv[1])))
