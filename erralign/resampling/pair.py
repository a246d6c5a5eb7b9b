"""One pair of systems, or two pairs that share a system: how far would a value move with other trials?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour import class_level_error_similarity, error_consistency, misclassification_agreement
from erralign.errors import check_answers, check_labels, check_same_length
from erralign.pairs import MEASURES_OF_ERRORS
from erralign.resampling import class_level_error_similarity as cles
from erralign.resampling import error_consistency as ec
from erralign.resampling import misclassification_agreement as ma
from erralign.resampling.interval import Interval, check_choice, check_level, percentile_limits, recentred_limits
from erralign.resampling.worlds import drawn_kappas

# Estimand to its methods; the first of each is the default.
METHODS = {
    "error_consistency": {"population": tuple(ec.METHODS)},
    "misclassification_agreement": {"population": ("wilson", "percentile")},
    "class_level_error_similarity": {"at-these-counts": ("recentred", "percentile"), "infinite": ("jackknife",)},
}


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
) -> Interval:
    r"""Say between which limits a measure of two systems lies, if the trials stand for others like them.

    EC adds half a count to each of its four cells and takes equal tails of the Dirichlet distribution. MA is a kappa
    :math:`(p - c) / (1 - c)`: Wilson's interval of the share p, with a design effect, is mapped by it. CLES resamples
    trials and moves the percentile limits by the bias that the resamples show.

    Parameters
    ----------
    y_true : array_like of int, shape (n_trials,)
        True class ids.
    y_a, y_b : array_like of int, shape (n_trials,)
        Answers of the two systems; -1 is "no answer in time".
    measure : str
        ``error_consistency``, ``misclassification_agreement`` or ``class_level_error_similarity``.
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
        C. Default: 1 + the largest label.
    n_resamples : int
        Draws, for the methods that draw.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    Interval
        Limits are nan where nothing can be said: MA with fewer than two joint errors, CLES without errors, and at
        infinite errors, where its estimate is nan too, with fewer than 60 errors a class of either system.

    Raises
    ------
    ValueError, TypeError
        An unknown measure, estimand or method, a level that is not between 0 and 1, labels as for the measures.

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
    answers = check_answers(y_true, y_a, y_b, n_classes)
    check_level(level)
    check_choice("measure", measure, MEASURES_OF_ERRORS)
    estimand, method = _chosen(measure, estimand, method)
    rng = np.random.default_rng(rng)
    size = n_classes or 1 + int(max(said.max() for said in answers))
    find = {
        "error_consistency": _of_ec,
        "misclassification_agreement": _of_ma,
        "class_level_error_similarity": _of_cles,
    }
    low, high, estimate, undefined = find[measure](answers, size, method, level, n_resamples, rng)
    return Interval(low, high, estimate, method, estimand, _n_joint_errors(*answers), undefined)


def _chosen(measure: str, estimand: str, method: str) -> tuple[str, str]:
    estimands = METHODS[measure]
    if estimand == "default":
        estimand = next((name for name, methods in estimands.items() if method in methods), next(iter(estimands)))
    check_choice("estimand", estimand, tuple(estimands))
    method = estimands[estimand][0] if method == "default" else method
    check_choice("method", method, estimands[estimand])
    return estimand, method


def _n_joint_errors(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> int:
    return int(np.count_nonzero((y_a != y_true) & (y_b != y_true)))


def _of_ec(answers, size, method, level, n_resamples, rng) -> tuple[float, float, float, int]:
    y_true, y_a, y_b = answers
    table = [[np.count_nonzero(((y_a == y_true) == a) & ((y_b == y_true) == b)) for b in (0, 1)] for a in (0, 1)]
    low, high, undefined = ec.error_consistency_limits(
        table, level=level, method=method, n_resamples=n_resamples, rng=rng
    )
    return low, high, error_consistency(*answers), undefined


def _of_ma(answers, size, method, level, n_resamples, rng) -> tuple[float, float, float, int]:
    said, estimate = ma.joint_answers(*answers), misclassification_agreement(*answers)
    if method == "wilson":
        return *ma.wilson_limits(*said, size, level)[:2], estimate, 0
    low, high, undefined = ma.resampled_limits(*said, len(answers[0]), level, n_resamples, rng)
    return low, high, estimate, undefined


def _of_cles(answers, size, method, level, n_resamples, rng) -> tuple[float, float, float, int]:
    if method == "jackknife":
        return *cles.similarity_at_infinite_errors(*answers, size, level), 0
    estimate = class_level_error_similarity(*answers, n_classes=size)
    pair = np.array([0]), np.array([1])
    draws = cles.drawn_similarities(answers[0], np.stack(answers[1:]), *pair, size, n_resamples, rng)[:, 0]
    if method == "percentile":
        low, high, undefined = percentile_limits(draws, level)
    else:
        low, high, undefined = recentred_limits(draws, estimate, level)
    return low, min(high, 1.0), estimate, undefined


# ---- a difference ------------------------------------------------------------------------------------------------

# Of three systems: A with C, B with C.
_WITH_C = np.array([0, 1]), np.array([2, 2])


def difference_interval(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    y_c: ArrayLike | None = None,
    measure: str = "error_consistency",
    *,
    level: float = 0.95,
    n_classes: int | None = None,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> Interval:
    r"""Say between which limits a difference lies: a measure of A with C, less the same measure of B with C.

    All three answered the same trials, so where C happened to fail both values move together; the overlap of two
    intervals does not see that. EC and accuracy: joint draws with pseudo-trials. MA: from the distances of the two
    Wilson limits from their values, :math:`d \pm \sqrt{(v_1 - l_1)^2 + (u_2 - v_2)^2}`. CLES: resampled together,
    moved by the bias; it is a difference at these numbers of errors, so let A and B have about as many.

    Parameters
    ----------
    y_true : array_like of int, shape (n_trials,)
        True class ids.
    y_a, y_b, y_c : array_like of int, shape (n_trials,)
        Answers; -1 is "no answer in time". C is left out for accuracy, which needs no partner.
    measure : str
        ``error_consistency``, ``misclassification_agreement``, ``class_level_error_similarity`` or ``accuracy``.
    level : float
        The share of experiments in which the interval should hold the true difference.
    n_classes : int, optional
        C. Default: 1 + the largest label.
    n_resamples : int
        Draws.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    Interval
        From -2 to 2 for EC and MA, -1 to 1 for CLES and accuracy; nan where either value is undefined.

    Raises
    ------
    ValueError, TypeError
        An unknown measure, a C too many or too few, a level that is not between 0 and 1, labels as for the measures.

    References
    ----------
    Zou & Donner (2008), limits of a difference from two intervals, https://doi.org/10.1002/sim.3095.

    Examples
    --------
    >>> truth, c = [0] * 40, [1] * 10 + [0] * 30
    >>> interval = difference_interval(truth, c, [0] * 30 + [1] * 10, c)
    >>> round(interval.estimate, 2), round(interval.low, 1)
    (1.33, 0.9)
    """
    check_level(level)
    check_choice("measure", measure, (*MEASURES_OF_ERRORS, "accuracy"))
    if (y_c is None) != (measure == "accuracy"):
        raise ValueError(f"{measure} and y_c {'missing' if y_c is None else 'given'}: only accuracy goes without C")
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, n_classes)
    rng = np.random.default_rng(rng)
    if measure == "accuracy":
        return _difference_of_accuracies(y_true, y_a, y_b, level, n_resamples, rng)
    y_c = check_labels("y_c", y_c, n_classes=n_classes, may_time_out=True)
    check_same_length(y_true=y_true, y_c=y_c)
    size = n_classes or 1 + int(max(said.max() for said in (y_true, y_a, y_b, y_c)))
    low, high, estimate, method, undefined = _DIFFERENCES[measure](
        y_true, (y_a, y_b, y_c), size, level, n_resamples, rng
    )
    fewest = min(_n_joint_errors(y_true, y, y_c) for y in (y_a, y_b))
    return Interval(low, high, estimate, method, f"difference of {measure}", fewest, undefined)


def _difference_of_accuracies(y_true, y_a, y_b, level, n_resamples, rng) -> Interval:
    right_a, right_b = y_a == y_true, y_b == y_true
    only_a, only_b = np.count_nonzero(right_a & ~right_b), np.count_nonzero(right_b & ~right_a)
    counts = np.array([only_a, only_b, len(y_true) - only_a - only_b])
    # Half a count in each of four cells: two of them are "no difference".
    shares = rng.dirichlet(counts + [0.5, 0.5, 1.0], size=n_resamples)
    low, high, _ = percentile_limits(shares[:, 0] - shares[:, 1], level)
    estimate = float(right_a.mean() - right_b.mean())
    n_joint_errors = _n_joint_errors(y_true, y_a, y_b)
    return Interval(low, high, estimate, "dirichlet", "difference of accuracy", n_joint_errors, 0)


def _difference_of_ec(y_true, answers, size, level, n_resamples, rng) -> tuple:
    values = [error_consistency(y_true, y, answers[2]) for y in answers[:2]]
    if np.isnan(values).any():
        return np.nan, np.nan, np.nan, "dirichlet", 0
    draws = drawn_kappas(np.stack(answers) == y_true, *_WITH_C, n_resamples, rng)
    low, high, undefined = percentile_limits(draws[:, 0] - draws[:, 1], level)
    return low, high, values[0] - values[1], "dirichlet", undefined


def _difference_of_ma(y_true, answers, size, level, n_resamples, rng) -> tuple:
    (low_a, high_a, a), (low_b, high_b, b) = (
        ma.wilson_limits(*ma.joint_answers(y_true, y, answers[2]), size, level) for y in answers[:2]
    )
    values = [misclassification_agreement(y_true, y, answers[2]) for y in answers[:2]]
    low, high = a - b - np.hypot(a - low_a, high_b - b), a - b + np.hypot(high_a - a, b - low_b)
    return float(low), float(high), values[0] - values[1], "wilson", 0


def _difference_of_cles(y_true, answers, size, level, n_resamples, rng) -> tuple:
    values = [class_level_error_similarity(y_true, y, answers[2], n_classes=size) for y in answers[:2]]
    draws = cles.drawn_similarities(y_true, np.stack(answers), *_WITH_C, size, n_resamples, rng)
    estimate = values[0] - values[1]
    low, high, undefined = recentred_limits(draws[:, 0] - draws[:, 1], estimate, level)
    return low, high, estimate, "recentred", undefined


_DIFFERENCES = {
    "error_consistency": _difference_of_ec,
    "misclassification_agreement": _difference_of_ma,
    "class_level_error_similarity": _difference_of_cles,
}
