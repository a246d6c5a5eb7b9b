"""The design effect of a measure of two systems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour.counting import count_classes
from erralign.clusters.effects import Clusters
from erralign.clusters.labels import clusters_of
from erralign.errors import check_answers, check_level
from erralign.measures import Measure, Trials, checked_options, measure_of


def effects_of_pairs(
    clusters: Clusters | None, measure: str | Measure, trials: Trials, level: float = 0.95, **options: Any
) -> np.ndarray:
    """Return the design effects of a measure of all pairs of systems."""
    pairs = list(zip(*trials.pairs, strict=True))
    if clusters is None:
        return np.ones(len(pairs))
    measure = measure_of(measure)
    changes = clusters.changes(lambda kept: measure.of_all_pairs(trials.keep(kept), options))
    influences = (_influence(measure, trials, *pair, options) for pair in pairs)
    effects = [
        clusters.effect(moved, [each[:, [place]] for each in changes], level) for place, moved in enumerate(influences)
    ]
    return np.array(effects)


def effect_of_difference(
    clusters: Clusters, measure: str | Measure, trials: Trials, level: float = 0.95, **options: Any
) -> float:
    """Return the design effect of a difference: of a measure of A with C minus B with C, or of two accuracies."""
    if len(trials.answers) == 2:
        gain = np.subtract(*trials.right.astype(float))
        return clusters.effect(gain - gain.mean(), level=level)
    measure = measure_of(measure)
    trials = replace(trials, wanted=np.array([False, False, True]))
    of_a, of_b = (_influence(measure, trials, each, 2, options) for each in (0, 1))
    changes = clusters.changes(lambda kept: -np.diff(measure.of_all_pairs(trials.keep(kept), options)))
    return clusters.effect(of_a - of_b, changes, level)


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


def _influence(measure: Measure, trials: Trials, a: int, b: int, options: dict[str, Any]) -> np.ndarray:
    how = measure.chance(trials.n_options) | options
    if not trials.leave_unread:
        return influence_of_trials(measure, *trials.of_pair(a, b), trials.n_classes, **how)
    kept = (trials.answers[a] >= 0) & (trials.answers[b] >= 0)
    moved = np.zeros(len(kept))
    if kept.any():
        moved[kept] = _influence(measure, replace(trials.keep(kept), leave_unread=False), a, b, options)
    return moved


def design_effect(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    measure: str | Measure = "error_consistency",
    *,
    level: float = 0.95,
    n_classes: int | None = None,
    clusters: Any,
    **options: Any,
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
    y_true, y_a, y_b, measure, n_classes, **options
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
    check_level(level)
    found = clusters_of(clusters, y_true)
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, n_classes)
    trials = Trials(y_true, np.stack([y_a, y_b]), n_classes or count_classes(y_true, y_a, y_b))
    measure = measure_of(measure)
    return float(effects_of_pairs(found, measure, trials, level, **checked_options([measure], options))[0])
