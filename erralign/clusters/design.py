"""The design effect of a measure of two systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.clusters.effects import Clusters
from erralign.clusters.labels import clusters_of
from erralign.errors import checked
from erralign.measures import Measure, ResponseMatrix, checked_options, measure_of


def effects_of_pairs(
    clusters: Clusters | None, measure: str | Measure, matrix: ResponseMatrix, level: float, options: Mapping[str, Any]
) -> np.ndarray:
    """Return the design effects of a measure of all pairs of systems."""
    if clusters is None:
        return np.ones(len(matrix.pairs[0]))
    measure = measure_of(measure)
    changes = clusters.changes(lambda kept: measure.of_all_pairs(matrix.keep(kept), options))
    influences = (influence_of_trials(measure, matrix.only(a, b), options) for a, b in zip(*matrix.pairs, strict=True))
    effects = [
        clusters.effect(influence, [each[:, [place]] for each in changes], level)
        for place, influence in enumerate(influences)
    ]
    return np.array(effects)


def effect_of_difference(
    clusters: Clusters, measure: Measure, matrix: ResponseMatrix, level: float, options: Mapping[str, Any]
) -> float:
    """Return the design effect of a difference: of a measure of A with C minus B with C, or of two accuracies."""
    if measure.of_one_system:
        gain = np.subtract(*matrix.right.astype(float))
        return clusters.effect(gain - gain.mean(), level=level)
    of_a, of_b = (influence_of_trials(measure, matrix.only(each, 2), options) for each in (0, 1))
    changes = clusters.changes(lambda kept: -np.diff(measure.of_all_pairs(matrix.keep(kept), options)))
    return clusters.effect(of_a - of_b, changes, level)


def influence_of_trials(measure: Measure, matrix: ResponseMatrix, options: Mapping[str, Any]) -> np.ndarray:
    """Return the influence of each trial on one pair: the mean of the values without one, less that without it."""
    kept = np.ones(len(matrix.truth), dtype=bool)
    if matrix.leave_unread:
        kept = np.all(matrix.answers >= 0, axis=0)
    influence = np.zeros(len(kept))
    if kept.any():
        (value,), (moves,) = measure.influences(replace(matrix.keep(kept), leave_unread=False), options)
        influence[kept] = 0.0 if np.isnan(value) else -moves
    return influence


def design_effect(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    measure: str | Measure = "error_consistency",
    *,
    level: float = 0.95,
    n_classes: int | None = None,
    clusters: Any,
    variant: str | None = None,
    alpha: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> float:
    r"""Return the factor by which the variance of a measure grows because trials share material.

    With the value :math:`\theta_{(i)}` without trial i, and the mean :math:`\bar\theta_{(\cdot)}` of all n such values,
    the influence of the trial is :math:`\psi_i = \frac{n - 1}{n} (\bar\theta_{(\cdot)} - \theta_{(i)})`. If trials were
    independent, the value would have the variance :math:`V_0 = \frac{n}{n - 1} \sum_i \psi_i^2`.

    If whole clusters of trials with one label vary from experiment to experiment, and not single trials, each cluster g
    is left out in turn, and the variance is :math:`V = \sum_g (\theta_{(g)} - \theta)^2`. For a cluster with less than
    a hundredth of the trials, a share :math:`h_g`, this change is taken from its trials:
    :math:`\theta_{(g)} - \theta \approx -\sum_{i \in g} \psi_i / (1 - h_g)`. Two factors cross if each trial has two
    labels, such as its photograph and its person. Then V is :math:`V_1 + V_2 - V_{12}`, where :math:`V_{12}` comes from
    clusters of trials that share both labels. The design effect is

    .. math:: d = \max\left(\frac{V}{V_0} \left(\frac{t_f}{t_{f_0}}\right)^2, 1\right),

    where :math:`t_f` is the 97.5 % point of Student's t with :math:`f = 1 / \sum_g w_g^2 - 1` degrees of freedom, at
    least 2. Here :math:`w_g` is the share of cluster g in :math:`\sum_i \psi_i^2`, so that f is G - 1 with G equal
    clusters, and smaller where clusters are unequal; :math:`f_0` is the same for single trials. With two factors, f is
    the smaller number.

    Parameters
    ----------
    y_true, y_a, y_b, measure, n_classes, variant, alpha, options
        As for :func:`erralign.confidence_interval`.
    level : float
        The level of the interval that is to be widened.
    clusters : array_like of labels, shape (n_trials,), or two of them
        What each trial shares with others, such as the photograph that it is made of. A Series or DataFrame of one or
        two columns is aligned by its index where ``y_true`` has one. Clusters that are worth fewer than three of equal
        size are refused; below ten there is a warning.

    Returns
    -------
    float
        At least 1. The width of an interval is multiplied by about the square root of this number.

    References
    ----------
    Hansen (2025), each cluster left out, https://doi.org/10.1093/restud/rdag050; Bell & McCaffrey (2002), degrees of
    freedom; Cameron, Gelbach & Miller (2011), two factors, https://doi.org/10.1198/jbes.2010.07136; Kish (1965), the
    design effect.

    Examples
    --------
    >>> photograph = np.repeat(np.arange(20), 5)
    >>> missed = (photograph % 4 == 0).astype(int)
    >>> round(design_effect(np.zeros(100, dtype=int), missed, missed[::-1], clusters=photograph), 1)
    7.5
    """
    checked(level=level)
    shared = clusters_of(clusters, y_true)
    measure = measure_of(measure)
    matrix = measure.matrix_of(n_classes, y_true=y_true, y_a=y_a, y_b=y_b)
    options = checked_options([measure], variant, alpha, options)
    return float(effects_of_pairs(shared, measure, matrix, level, options)[0])
