"""The design effect of a measure of two systems."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour.counting import count_classes
from erralign.clusters.effects import Clusters
from erralign.clusters.influences import change_of, influence_of_trials
from erralign.clusters.labels import clusters_of
from erralign.errors import check_answers
from erralign.measures import Measure, checked_options, measure_of


def effect_of_pair(
    clusters: Clusters | None,
    measure: str | Measure,
    truth: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    n_classes: int,
    **options: Any,
) -> float:
    """Return the design effect of a measure of two systems."""
    if clusters is None:
        return 1.0
    pair = measure, truth, a, b, n_classes
    return clusters.effect(influence_of_trials(*pair, **options), change_of(*pair, **options))


def effect_of_difference(
    clusters: Clusters,
    measure: str | Measure,
    truth: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    c: np.ndarray | None,
    n_classes: int,
    **options: Any,
) -> float:
    """Return the design effect of a difference: of a measure of A with C minus B with C, or of accuracies."""
    if c is None:
        gain = (a == truth).astype(float) - (b == truth)
        return clusters.effect(gain - gain.mean())
    pairs = [(measure, truth, each, c, n_classes) for each in (a, b)]
    of_a, of_b = (influence_of_trials(*pair, **options) for pair in pairs)
    change_a, change_b = (change_of(*pair, **options) for pair in pairs)
    return clusters.effect(of_a - of_b, lambda kept: change_a(kept) - change_b(kept))


def design_effect(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    measure: str | Measure = "error_consistency",
    *,
    n_classes: int | None = None,
    clusters: Any,
    **options: Any,
) -> float:
    r"""Return the factor by which the variance of a measure grows because trials share material.

    Each of the n trials is left out in turn (the jackknife). Let :math:`\theta_{(i)}` be the value without trial i, and
    :math:`\bar\theta_{(\cdot)}` the mean of these values. The influence of the trial is
    :math:`\psi_i = \frac{n - 1}{n} (\bar\theta_{(\cdot)} - \theta_{(i)})`. If trials were independent, the value
    would have the variance :math:`V_0 = \frac{n}{n - 1} \sum_i \psi_i^2`.

    A cluster is a set of trials with the same label. If whole clusters vary from experiment to experiment, and not
    single trials, each cluster g is left out in turn, and the variance is :math:`V = \sum_g (\theta_{(g)} - \theta)^2`.
    For a cluster with less than a hundredth of the trials, a share :math:`h_g`, this change is taken from its trials:
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
    y_true : array_like, shape (n_trials,)
        True classes: ids 0 … C - 1, or names. Series are aligned by their index.
    y_a, y_b : array_like, shape (n_trials,)
        Answers of system A (``y_a``) and of system B (``y_b``), in the same form; -1 is "no answer in time".
    measure : str
        ``error_consistency`` (EC), ``misclassification_agreement`` (MA) or ``class_level_error_similarity`` (CLES), by
        name or abbreviation.
    n_classes : int, optional
        How many classes there are. Default: 1 + the largest label.
    clusters : array_like of labels, shape (n_trials,), or two of them
        What each trial shares with others, such as the photograph that it is made of. A Series or DataFrame of one or
        two columns is aligned by its index where ``y_true`` has one.
    **options : Any
        Options of the measure: ``variant`` and ``alpha`` for class-level error similarity.

    Returns
    -------
    float
        At least 1. The width of an interval is multiplied by about the square root of this number.

    Raises
    ------
    ValueError, TypeError
        Cluster labels that are missing or not as many as the trials; clusters that have more than two factors or are
        worth fewer than three of equal size (below ten there is a warning); an unknown measure; classes and answers as
        for the measures.

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
    7.1
    """
    found = clusters_of(clusters, y_true)
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, n_classes)
    measure, size = measure_of(measure), n_classes or count_classes(y_true, y_a, y_b)
    return effect_of_pair(found, measure, y_true, y_a, y_b, size, **checked_options([measure], options))
