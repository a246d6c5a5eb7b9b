"""Intervals of SOC and SOCE, which are means over trials, turned into a similarity."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from erralign._validation import check_truth_of_confidences, checked
from erralign.inference.clusters import Clusters, clusters_of
from erralign.measures.confidences import confidence_divergences
from erralign.results import Interval

_MOST = np.log(2)  # the divergence of confidences that never overlap


def confidence_similarity_interval(
    p_a: ArrayLike, p_b: ArrayLike, *, level: float = 0.95, clusters: Any = None
) -> Interval:
    r"""Return an interval for the value that SOC would have over all trials of the same kind.

    SOC is :math:`1 / (1 + d)`, where d is the mean of a divergence over trials. With the standard deviation s of the
    divergences, d has the limits :math:`d \pm t_{n-1} s / \sqrt{n}`, cut to what is possible. They become limits of SOC
    by :math:`1 / (1 + d)`. About 92 % of the 95 % intervals contain the value with 20 trials, and 94 to 95 % with 160.

    Parameters
    ----------
    p_a, p_b : array_like of float, shape (n_trials, C)
        As for :func:`erralign.confidence_similarity`.
    level, clusters
        As for :func:`confidence_interval`; the limits of d are moved by the design effect.

    Returns
    -------
    Interval
        Limits from 1 / (1 + log 2) to 1; they are nan with fewer than two trials.

    Examples
    --------
    >>> p_a = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.7, 0.3]]
    >>> found = confidence_similarity_interval(p_a, [[0.7, 0.3], [0.6, 0.4], [0.5, 0.5], [0.8, 0.2]])
    >>> round(found.low, 2), round(found.estimate, 2), round(found.high, 2)
    (0.94, 0.98, 1.0)
    """
    checked(level=level)
    divergences = confidence_divergences(p_a, p_b)
    every = np.ones(len(divergences), dtype=bool)
    return _interval(divergences, every, level, clusters_of(clusters, p_a))


def error_confidence_similarity_interval(
    y_true: ArrayLike, p_a: ArrayLike, p_b: ArrayLike, *, level: float = 0.95, clusters: Any = None
) -> Interval:
    """Return an interval for the value that SOCE would have over all trials of the same kind.

    It is that of :func:`confidence_similarity_interval`, with the mean and the standard deviation over joint errors.

    Parameters
    ----------
    y_true, p_a, p_b, level, clusters
        As for :func:`erralign.error_confidence_similarity` and :func:`confidence_similarity_interval`.

    Returns
    -------
    Interval
        Limits from 1 / (1 + log 2) to 1; they are nan with fewer than two joint errors, the estimate without any.
    """
    checked(level=level)
    truth, p_a, p_b = check_truth_of_confidences(y_true, p_a, p_b)
    joint = (p_a.argmax(axis=1) != truth) & (p_b.argmax(axis=1) != truth)
    # Rows are in the order of y_true from here on.
    return _interval(confidence_divergences(p_a, p_b), joint, level, clusters_of(clusters, y_true), int(joint.sum()))


def _interval(
    divergences: np.ndarray, trials: np.ndarray, level: float, clusters: Clusters | None, joint: int | None = None
) -> Interval:
    n, half = int(trials.sum()), np.nan
    mean = float(divergences[trials].mean()) if n else np.nan
    if n > 1:
        # How each trial moves the mean: a trial that is not among these moves nothing.
        influence = np.where(trials, divergences - mean, 0) / n
        effect = 1.0 if clusters is None else clusters.effect(influence, level=level)
        half = float(stdtrit(n - 1, (1 + level) / 2) * np.sqrt(n / (n - 1) * (influence @ influence) * effect))
    low, high = 1 / (1 + np.clip([mean + half, mean - half], 0, _MOST))
    return Interval(float(low), float(high), 1 / (1 + mean), "t", "population", joint)
