"""One pair of systems: how far a value would move with other trials."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour.counting import count_classes, joint_errors
from erralign.clusters import clusters_of
from erralign.errors import check_answers, check_choice, check_level, check_rng
from erralign.measures import checked_options, full_name, short_name
from erralign.resampling.clusters import spread_of_pair
from erralign.resampling.methods import INTERVALS
from erralign.resampling.trials import Draws, Intervals, Trials
from erralign.results import Interval


def confidence_interval(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    measure: str = "error_consistency",
    *,
    level: float = 0.95,
    method: str = "default",
    estimand: str = "default",
    n_classes: int | None = None,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
    clusters: Any = None,
    **options: Any,
) -> Interval:
    r"""Say between which limits a measure of two systems lies, if the trials stand for others like them.

    EC adds half a count to each of its four cells and takes equal tails of the Dirichlet distribution. MA is a kappa
    :math:`(p - c) / (1 - c)`: Wilson's interval of the share p, with a design effect, is mapped by it. CLES resamples
    trials and moves the percentile limits by the bias that the resamples show.

    Parameters
    ----------
    y_true : array_like, shape (n_trials,)
        True classes: ids 0 … C - 1, or names. Series are aligned by their index.
    y_a, y_b : array_like, shape (n_trials,)
        Answers of the two systems, written likewise; -1 is "no answer in time".
    measure : str
        ``error_consistency`` (EC), ``misclassification_agreement`` (MA) or ``class_level_error_similarity`` (CLES), by
        name or abbreviation.
    level : float
        The share of experiments in which the interval should hold the true value.
    method : str
        EC: ``dirichlet`` (default), ``score``, ``percentile``, ``hdi``, see :func:`error_consistency_limits`. MA:
        ``wilson`` (default), ``percentile``. CLES: ``recentred`` (default), ``percentile``; at infinite errors
        ``jackknife``.
    estimand : str
        What the interval is about. EC and MA: ``population``. CLES: ``at-these-counts`` (default), the value expected
        with as many errors as here (values at other numbers of errors are other quantities), or ``infinite``, the value
        that endless trials would give.
    n_classes : int, optional
        How many classes there are. Default: 1 + the largest label.
    n_resamples : int
        Draws, at least 20, for the methods that draw.
    rng : int or numpy.random.Generator
        The source of randomness.
    clusters : array_like of labels, shape (n_trials,), or two of them, optional
        What each trial shares with others, such as the photograph that it is made of; limits move away from the value
        by the square root of :func:`erralign.design_effect`. Default: trials are independent.
    **options : Any
        Of the measure: ``variant`` and ``alpha`` of class-level error similarity. Its value at infinite errors is
        defined for the released variant only.

    Returns
    -------
    Interval
        Limits are nan where nothing can be said: MA with fewer than two joint errors, CLES without errors, and at
        infinite errors, where its estimate is nan too, with fewer than 60 errors per class of either system.

    Raises
    ------
    ValueError, TypeError
        An unknown measure, estimand or method, a level that is not between 0 and 1, labels as for the measures,
        clusters as for :func:`erralign.design_effect`.

    References
    ----------
    Klein et al. (2025), "Uncertainty in error consistency"; Wilson (1927),
    https://doi.org/10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> interval = confidence_interval([0] * 20, [0] * 14 + [1] * 6, [0] * 12 + [1] * 8)
    >>> round(interval.low, 1), round(interval.high, 1), interval.n_joint_errors
    (0.4, 0.9, 6)
    """
    found = clusters_of(clusters, y_true)
    answers = check_answers(y_true, y_a, y_b, n_classes)
    check_level(level)
    measure = full_name(measure)
    form = checked_options([measure], options)
    intervals = INTERVALS[short_name(measure)]
    estimand, method = _chosen(intervals, estimand, method)
    size = int(n_classes or count_classes(*answers))
    trials = Trials(answers[0], np.stack(answers[1:]), size, clusters=found, **form)
    draws = Draws(level, n_resamples, check_rng(rng))
    low, high, estimate, undefined = intervals.of_pair(trials, method, draws)
    low, high = spread_of_pair(trials, measure, (low, high), estimate)
    return Interval(low, high, estimate, method, estimand, int(joint_errors(*answers).sum()), undefined)


def _chosen(intervals: Intervals, estimand: str, method: str) -> tuple[str, str]:
    estimands = intervals.methods
    if estimand == "default":
        estimand = next((name for name, methods in estimands.items() if method in methods), next(iter(estimands)))
    check_choice("estimand", estimand, tuple(estimands))
    method = estimands[estimand][0] if method == "default" else method
    check_choice("method", method, estimands[estimand])
    return estimand, method
