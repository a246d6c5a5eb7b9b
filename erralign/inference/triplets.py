"""Intervals of odd-one-out accuracy, where triplets share objects and other objects could have been chosen."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from erralign._validation import checked, equal_clusters
from erralign.inference.clusters import of_few_clusters
from erralign.measures.matrix import wilson_interval
from erralign.results import Interval
from erralign.triplets.choices import object_variance

_ENOUGH_OBJECTS = 10


def odd_one_out_interval(right: ArrayLike, triplets: ArrayLike, *, level: float = 0.95) -> Interval:
    r"""Return an interval of a share of triplets that allows for the objects being a sample.

    It is Wilson's interval of the share p of n triplets, where n is divided by a design effect,
    :math:`d = V / (p (1 - p) / n)` with V from :func:`erralign.triplets.object_variance`. For few objects d is
    multiplied by :math:`\frac{m}{m - 1} (t_{m-1} / z)^2`, as for clusters (:func:`erralign.design_effect`). Objects
    that are in :math:`n_i` triplets count as :math:`m = (\sum_i n_i)^2 / \sum_i n_i^2` that are in equally many; if
    these are fewer than ten, a warning says so. If m is smaller with the sums of squared residuals of an object's
    triplets in the place of :math:`n_i`, it is that number, but at least 3.

    Parameters
    ----------
    right : array_like of bool, shape (n_triplets,)
        Whether each choice was right.
    triplets : array_like of int, shape (n_triplets, 3)
        Objects, in any order.
    level : float
        The share of experiments in which the interval should contain the true value.

    Returns
    -------
    Interval
        About the accuracy on other objects from the same source.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> triplets = np.array([rng.choice(40, 3, replace=False) for _ in range(2000)])
    >>> easy = triplets.min(axis=1) < 8
    >>> found = odd_one_out_interval(easy, triplets)
    >>> round(found.low, 2), round(found.estimate, 2), round(found.high, 2)
    (0.29, 0.51, 0.74)
    """
    checked(level=level)
    right = np.asarray(right, dtype=float)
    share, n = right.mean(), len(right)
    alone = share * (1 - share) / n
    effect = max(object_variance(right, triplets) / alone, 1.0) if alone > 0 else 1.0
    low, high = wilson_interval(share, n / (effect * _few_objects(right - share, triplets, level)), level)
    return Interval(float(low), float(high), float(share), "wilson, objects", "other objects")


def mean_interval(values: ArrayLike, triplets: ArrayLike, *, level: float = 0.95) -> Interval:
    """Return an interval for a mean over triplets, such as a difference of two accuracies, for objects drawn anew.

    Parameters
    ----------
    values : array_like of float, shape (n_triplets,)
        What is averaged. For a difference, 1 for right or 0 for wrong of one system minus the same of the other.
    triplets, level
        As for :func:`odd_one_out_interval`.

    Returns
    -------
    Interval
        The mean ± t standard errors, from :func:`erralign.triplets.object_variance`.
    """
    checked(level=level)
    values = np.asarray(values, dtype=float)
    mean = float(values.mean())
    variance = object_variance(values, triplets) * _few_objects(values - mean, triplets, level)
    half = float(ndtri((1 + level) / 2) * np.sqrt(variance))
    return Interval(mean - half, mean + half, mean, "normal, objects", "other objects")


def equal_objects(triplets: ArrayLike) -> float:
    """Return how many objects, each in equally many triplets, would be worth as much."""
    counts = np.unique(np.asarray(triplets), return_counts=True)[1]
    return float(counts.sum() ** 2 / (counts**2).sum())


def _few_objects(residuals: np.ndarray, triplets: ArrayLike, level: float) -> float:
    worth = equal_objects(triplets)
    if worth < _ENOUGH_OBJECTS:
        warnings.warn(
            f"objects are worth {worth:.1f} that are in equally many triplets: with fewer than {_ENOUGH_OBJECTS}, "
            "intervals are very wide; take more objects, or say that the result is about these",
            stacklevel=3,
        )
    objects = np.unique(triplets, return_inverse=True)[1].ravel()
    worth = equal_clusters(objects, np.repeat(residuals**2, 3))
    return float(of_few_clusters(worth, level) / ndtri((1 + level) / 2)) ** 2
