"""A zoo on ImageNet's validation set: 500 simulated systems, 50,000 trials, 1,000 classes, all 124,750 pairs.

Each point runs in a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

import numpy as np
import pandas as pd
from tqdm import tqdm

import erralign

MEASURES = ("error_consistency", "misclassification_agreement", "class_level_error_similarity")
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
    systems = pd.DataFrame({"kind": "model", "family": "", "source": "simulated"}, index=names)
    return erralign.Responses(
        "simulated", pd.Series(truth), pd.DataFrame(answers.T, columns=names), tuple(map(str, range(CLASSES))), systems
    )


def peak_mb() -> float:
    """Return this process's largest memory so far, in MB (Linux counts KiB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def measure_point(n_systems: int, n_trials: int, measure: str) -> dict:
    """Compute one measure of all pairs, and check a few of them one by one."""
    responses = simulate(n_systems, n_trials)
    before, start = peak_mb(), time.perf_counter()
    table = erralign.pairwise(responses, [measure])
    seconds, peak = time.perf_counter() - start, peak_mb()
    options = {"n_classes": CLASSES} if measure == MEASURES[2] else {}
    for row in np.linspace(0, len(table) - 1, 5).astype(int):
        a, b = table.loc[row, ["system_a", "system_b"]]
        alone = getattr(erralign, measure)(responses.truth, responses.answers[a], responses.answers[b], **options)
        np.testing.assert_allclose(table.loc[row, measure], alone, rtol=0, atol=1e-12)
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
    jobs = [(*point, measure) for point in POINTS for measure in MEASURES]
    rows = []
    for job in tqdm(jobs, desc="points", file=sys.stderr):
        done = subprocess.run([sys.executable, __file__, *map(str, job)], check=True, capture_output=True, text=True)
        rows.append(json.loads(done.stdout))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    print(json.dumps(measure_point(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
