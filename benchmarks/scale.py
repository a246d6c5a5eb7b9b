"""A zoo on ImageNet's validation set: 500 simulated systems, 50,000 trials, 1,000 classes, all 124,750 pairs.

Each point runs in a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import pandas as pd
from processes import peak_mb, rows_of

import erralign
from erralign.measures import MEASURES_OF_ERRORS, short_name

CLASSES = 1000
POINTS = ((125, 50_000), (250, 50_000), (500, 50_000), (500, 12_500), (500, 25_000))


def simulate(n_systems: int, n_trials: int) -> erralign.Responses:
    """Draw systems of 60 to 90 % accuracy, whose errors fall near the true class, as confusions do."""
    rng = np.random.default_rng(0)
    truth = np.arange(n_trials) % CLASSES
    names = [f"system-{i}" for i in range(n_systems)]
    answers = np.empty((n_systems, n_trials), dtype=np.int16)
    for own, accuracy in zip(answers, rng.uniform(0.6, 0.9, n_systems), strict=True):
        offsets = 1 + rng.exponential(20, n_trials).astype(int)
        own[:] = (truth + np.where(rng.random(n_trials) < accuracy, 0, offsets)) % CLASSES
    return erralign.Responses.from_table(truth, pd.DataFrame(answers.T, columns=names), classes=range(CLASSES))


def measure_point(n_systems: int, n_trials: int, measure: str) -> dict:
    """Compute one measure of all pairs, and check a few of them one by one."""
    responses = simulate(n_systems, n_trials)
    before, start = peak_mb(), time.perf_counter()
    table = erralign.pairwise(responses, [measure])
    seconds, peak = time.perf_counter() - start, peak_mb()
    options = {"n_classes": CLASSES} if measure == "class_level_error_similarity" else {}
    for row in np.linspace(0, len(table) - 1, 5).astype(int):
        a, b = table.loc[row, ["system_a", "system_b"]]
        alone = getattr(erralign, measure)(responses.truth, responses.answers[a], responses.answers[b], **options)
        np.testing.assert_allclose(table.loc[row, short_name(measure)], alone, rtol=0, atol=1e-12)
    return {
        "systems": n_systems,
        "trials": n_trials,
        "classes": CLASSES,
        "pairs": len(table),
        "measure": measure,
        "seconds": seconds,
        "peak_mb": peak,
        "mb_before": before,
    }


def measure() -> pd.DataFrame:
    """Measure all points, one process each."""
    return rows_of(__file__, [(*point, measure) for point in POINTS for measure in MEASURES_OF_ERRORS], "points")


if __name__ == "__main__":
    print(json.dumps(measure_point(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
