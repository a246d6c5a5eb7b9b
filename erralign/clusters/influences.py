"""What trials do to a measure: the influence of each, and the change where only some are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from erralign.clusters.effects import Change
from erralign.measures import Measure, measure_of


def influence_of_trials(
    measure: str | Measure, truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **options: Any
) -> np.ndarray:
    r"""Return the influence of each trial on a measure, by the jackknife.

    It is :math:`\bar\theta_{(\cdot)} - \theta_{(i)}`, where :math:`\theta_{(i)}` is the value without trial i and
    :math:`\bar\theta_{(\cdot)}` the mean of these values.
    """
    pair = np.stack([a, b]), np.array([0]), np.array([1])
    found = measure_of(measure).leave_one_out(truth, *pair, n_classes, **options)
    if np.isnan(found.values[0]):
        return np.zeros(len(truth))
    without = found.without[0, found.place]
    return without.mean() - without


def change_of(
    measure: str | Measure, truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **options: Any
) -> Change:
    """Return a function that says how a measure changes if only some trials are kept; 0 where it becomes undefined."""
    found = measure_of(measure)
    whole = found.value(truth, a, b, n_classes, **options)

    def change(kept: np.ndarray) -> float:
        part = found.value(truth[kept], a[kept], b[kept], n_classes, **options)
        return 0.0 if np.isnan(part) else part - whole

    return change
