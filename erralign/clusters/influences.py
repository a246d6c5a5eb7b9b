"""What each trial does to a measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from erralign.measures import Measure, measure_of


def influence_of_trials(
    measure: str | Measure, truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **options: Any
) -> np.ndarray:
    """Return the influence of each trial on a measure: the mean of the values without one, less that without it."""
    pair = np.stack([a, b]), np.array([0]), np.array([1])
    found = measure_of(measure).leave_one_out(truth, *pair, n_classes, **options)
    if np.isnan(found.values[0]):
        return np.zeros(len(truth))
    without = found.without[0, found.place]
    return without.mean() - without
