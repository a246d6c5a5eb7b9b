"""The influence of each trial on a measure, from the value without it."""

from __future__ import annotations

from typing import Any

import numpy as np

from erralign.pairs.left_out import leave_one_out


def influence_of_trials(
    measure: str, truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **form: Any
) -> np.ndarray:
    r"""Return the influence of each trial on a measure, by the jackknife.

    It is :math:`\bar\theta_{(\cdot)} - \theta_{(i)}`, where :math:`\theta_{(i)}` is the value without trial i and
    :math:`\bar\theta_{(\cdot)}` the mean of these values.
    """
    found = leave_one_out(measure, truth, np.stack([a, b]), np.array([0]), np.array([1]), n_classes, **form)
    if np.isnan(found.values[0]):
        return np.zeros(len(truth))
    without = found.without[0, found.place]
    return without.mean() - without


def influence_of_difference(
    measure: str,
    truth: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    c: np.ndarray | None,
    n_classes: int,
    **form: Any,
) -> np.ndarray:
    """Return the influence of each trial on a difference: of a measure of A with C minus B with C, or of accuracies."""
    if c is None:
        gain = (a == truth).astype(float) - (b == truth)
        return gain - gain.mean()
    of_a, of_b = (influence_of_trials(measure, truth, each, c, n_classes, **form) for each in (a, b))
    return of_a - of_b
