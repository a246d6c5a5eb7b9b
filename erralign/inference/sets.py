"""Intervals over a few sets, people or architectures: Student's t, from the values without each of them.

A percentile bootstrap of 7 to 17 values is too short. The page "Which interval and p-value" has the coverage of both.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from erralign._validation import checked
from erralign.inference.clusters import Clusters
from erralign.measures.matrix import ratio
from erralign.results import Interval


def t_limits(value: ArrayLike, *without: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    r"""Return the limits of a value for other units than those that gave it: sets, people, architectures.

    With the n values :math:`\theta_{(i)}` without unit i, and their mean :math:`\bar\theta`, the variance is that of
    the jackknife, :math:`V = \frac{n - 1}{n} \sum_i (\theta_{(i)} - \bar\theta)^2`, and the limits are the value
    :math:`\pm t_{n-1} \sqrt{V}`. If units of several kinds vary, such as sets and architectures, their variances are
    added, and the degrees of freedom are Satterthwaite's, :math:`(\sum_k V_k)^2 / \sum_k \frac{V_k^2}{n_k - 1}`.

    Parameters
    ----------
    value : array_like of float
        The value of all units, or an array of values.
    *without : array_like of float, shape (n_units, ...)
        For each kind of units the values without each of them; the other axes are those of ``value``.
    level : float
        The share of experiments in which the interval should contain the true value.

    Returns
    -------
    tuple of numpy.ndarray
        The lower and the upper limits, of the shape of ``value``: nan where a value is nan, or has fewer than two
        units.

    Raises
    ------
    ValueError
        If no values without a unit are given, or their shape is not that of the value.

    References
    ----------
    Tukey (1958), the jackknife; Satterthwaite (1946), degrees of freedom.

    Examples
    --------
    The mean of three sets: the usual t interval.

    >>> low, high = t_limits(0.2, [0.25, 0.2, 0.15])
    >>> print(f"{low:.3f} to {high:.3f}")
    -0.048 to 0.448
    """
    checked(level=level)
    if not without:
        raise ValueError("without is missing; give the values without each unit, such as each set")
    whole = np.asarray(value, dtype=float)
    variance, squares = np.zeros(whole.shape), np.zeros(whole.shape)
    for values in without:
        left_out = np.asarray(values, dtype=float)
        if left_out.shape[1:] != whole.shape or left_out.ndim == 0:
            raise ValueError(
                f"values without each unit have the shape {left_out.shape}; expected (n_units, *{whole.shape})"
            )
        n = len(left_out)
        its = (n - 1) * left_out.var(axis=0) if n > 1 else np.full(whole.shape, np.nan)
        variance = variance + its
        squares = squares + its**2 / max(n - 1, 1)
    free = ratio(variance**2, squares, undefined=1)
    half = stdtrit(free, (1 + level) / 2) * np.sqrt(variance)
    return whole - half, whole + half


def mean_over_sets(values: ArrayLike, *, level: float = 0.95) -> Interval:
    r"""Return a mean over sets with Student's t interval: mean :math:`\pm t_{n-1}` standard errors.

    Parameters
    ----------
    values : array_like of float, shape (n_sets,)
        A value per set; sets without one (nan) are left out.
    level : float
        The share of experiments with other sets in which the interval should contain the true mean.

    Returns
    -------
    Interval
        About the mean of other sets of the same kind; nan with fewer than two values.

    Examples
    --------
    >>> lead = mean_over_sets([0.1, 0.2, 0.3])
    >>> print(f"{lead.estimate:.2f}, {lead.low:.3f} to {lead.high:.3f}")
    0.20, -0.048 to 0.448
    """
    of_sets = np.asarray(values, dtype=float)
    of_sets = of_sets[~np.isnan(of_sets)]
    n = len(of_sets)
    if n < 2:
        estimate = float(of_sets[0]) if n else float("nan")
        return Interval(float("nan"), float("nan"), estimate, "t, sets", "other sets")
    mean = float(of_sets.mean())
    low, high = t_limits(mean, (of_sets.sum() - of_sets) / (n - 1), level=level)
    return Interval(float(low), float(high), mean, "t, sets", "other sets")


def jackknife_error(
    without: Mapping[str, ArrayLike], *, clusters: Mapping[str, pd.DataFrame | None] | None = None
) -> tuple[float, float]:
    r"""Return the standard error of a value over units of several kinds, and its degrees of freedom.

    Each kind of units adds its variance by the jackknife, as in :func:`t_limits`. Units that share material, such as
    pictures of one photograph, are left out together: with the moves :math:`\delta_i = \theta_{(i)} - \bar\theta`
    summed within each cluster, the variance is :math:`\frac{m}{m - 1} \sum_c (\sum_{i \in c} \delta_i)^2`, where
    :math:`m` is how many equal clusters they are worth, and its degrees of freedom are :math:`m - 1`. It is never less
    than that of units which share nothing.

    Parameters
    ----------
    without : mapping of str to array_like of float, shape (n_units,)
        For each kind of units, such as ``"pictures"`` and ``"people"``, the values without each of them.
    clusters : mapping of str to pandas.DataFrame, optional
        For a kind of units what they share, such as the photograph of a picture: a row per unit, and one column, or
        two for factors that cross; None where they share nothing.

    Returns
    -------
    tuple of float
        The standard error, and Satterthwaite's degrees of freedom for Student's t: nan where some value is nan, or a
        kind has fewer than two units.

    Raises
    ------
    ValueError
        If there are no units, or their clusters are missing for some of them.

    Examples
    --------
    The mean of three sets: the usual standard error.

    >>> error, df = jackknife_error({"sets": [0.25, 0.2, 0.15]})
    >>> print(f"{error:.3f} with {df:.0f} degrees of freedom")
    0.058 with 2 degrees of freedom
    """
    if not without:
        raise ValueError("without is empty; give for each kind of units the values without each of them")
    variance, squares = 0.0, 0.0
    for kind, values in without.items():
        moves = np.asarray(values, dtype=float)
        moves = moves - moves.mean()
        labels = (clusters or {}).get(kind)
        if labels is None:
            its, df = _of_single_units(moves)
        else:
            its, df = _of_clusters(moves, _numbered(labels, len(moves), kind))
        variance, squares = variance + its, squares + its**2 / max(df, 1)
    with np.errstate(invalid="ignore"):
        return float(np.sqrt(variance)), float(np.float64(variance) ** 2 / squares)


def _of_single_units(moves: np.ndarray) -> tuple[float, float]:
    n = len(moves)
    if n < 2:
        return float("nan"), 1
    return (n - 1) / n * float(moves @ moves), n - 1


def _of_clusters(moves: np.ndarray, clusters: Clusters) -> tuple[float, float]:
    variance = max(float(moves @ moves), float(clusters.variances(moves[:, None])[0, 0]))
    worth = float(clusters.worth(moves**2))
    if worth <= 1:
        return float("nan"), 1
    return variance * worth / (worth - 1), worth - 1


def _numbered(labels: pd.DataFrame, n_units: int, kind: str) -> Clusters:
    if len(labels) != n_units or labels.isna().any(axis=None):
        raise ValueError(
            f"clusters of {kind} has {len(labels)} rows, {int(labels.isna().any(axis=1).sum())} of them with a missing "
            f"label; expected a label for each of {n_units} values"
        )
    return Clusters(tuple(pd.factorize(labels[column])[0] for column in labels))
