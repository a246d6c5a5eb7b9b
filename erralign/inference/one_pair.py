"""The interval of a measure of one pair of systems."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from erralign._validation import Seed, checked
from erralign.inference.clusters import clusters_of, effects_of_pairs
from erralign.measures import Resampling, measure_of
from erralign.measures.matrix import joint_errors, widen
from erralign.measures.registry import Chosen
from erralign.results import Interval


def confidence_interval(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    measure: Chosen = "error_consistency",
    *,
    level: float = 0.95,
    n_classes: int | None = None,
    n_options: ArrayLike | None = None,
    clusters: Any = None,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> Interval:
    r"""Return an interval for the value that a measure of two systems would have over all trials of the same kind.

    For EC we add half a count to each of the four cells, draw EC from the Dirichlet distribution with these parameters,
    and cut equal tails off the draws. For H both accuracies are drawn with it, and the system that is more accurate in
    the data is taken as the more accurate one in each draw; the log odds ratio is drawn as EC is. For WEC we put chance
    within classes in the place of the chance of EC, and widen the limits of EC by the root of how much more variance
    this has, by the jackknife; with few errors this factor is kept near 1.

    For MA we take Wilson's interval of the share p of joint errors with matching answers, and turn both limits into MA
    by :math:`(p - c) / (1 - c)`. Here chance agreement c never compares a joint error with itself. Because c is
    estimated from the same answers, the number of joint errors in Wilson's formula is divided by a design effect: the
    variance of MA divided by what it would be if c were known; with few joint errors it is kept near 1. With
    ``n_options`` c is known, and the design effect comes from trials with different numbers of options.

    For CLES we leave out each trial in turn. The limits are the value ± z standard errors by the jackknife, and they
    are about the value to expect with as many errors as here. A measure of your own gets the same, unless it brings
    limits.

    Parameters
    ----------
    y_true : array_like, shape (n_trials,)
        True classes: ids 0 … C - 1, or names. Series are aligned by their index.
    y_a, y_b : array_like, shape (n_trials,)
        Answers of system A (``y_a``) and of system B (``y_b``), in the same form; -1 is "no answer in time".
    measure : str, Measure or function
        ``error_consistency`` (EC), ``within_class_error_consistency`` (WEC), ``loevingers_h`` (H), ``log_odds_ratio``
        (LOR), ``misclassification_agreement`` (MA) or ``class_level_error_similarity`` (CLES), by name or abbreviation;
        or a measure, such as that of :func:`erralign.behaviour.cles`.
    level : float
        The share of experiments in which the interval should contain the true value.
    n_classes : int, optional
        How many classes there are. Default: 1 + the largest label.
    n_options : int or array_like of int, shape (n_trials,), optional
        How many options each trial offers, from which MA takes chance.
    clusters : array_like of labels, shape (n_trials,), or two of them, optional
        What each trial shares with others, such as the photograph that it is made of. The distance of each limit from
        the value is multiplied by the square root of :func:`erralign.design_effect`. Default: trials are independent.
    n_resamples : int
        How many draws are made, at least 20, by the methods that draw.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        The source of randomness. The default, 0, gives the same result in each call; None does not.

    Returns
    -------
    Interval
        The limits are nan for EC, H and LOR if these are undefined; for MA if there are fewer than two joint errors, or
        if both systems gave the same single class on all of them; for CLES, and for measures without limits of their
        own, if no trial moves the value.

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
    shared = clusters_of(clusters, y_true)
    resampling = Resampling(*checked(level=level, n_resamples=n_resamples, rng=rng))
    measure = measure_of(measure)
    matrix = measure.matrix_of(n_classes, n_options, y_true=y_true, y_a=y_a, y_b=y_b)
    values = measure.of_all_pairs(matrix)
    low, high, n_undefined, method = measure.limits_of(matrix, values, resampling)
    low, high = widen(low, high, values, effects_of_pairs(shared, measure, matrix, level), measure.range)
    ends = float(low[0]), float(high[0]), float(values[0])
    n_joint = int(joint_errors(matrix.truth, *matrix.answers).sum())
    return Interval(*ends, method, "population", n_joint, int(n_undefined[0]))
