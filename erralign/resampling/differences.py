"""Two pairs that share a system: a measure of A with C, less the same measure of B with C."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from erralign.behaviour.counting import count_classes, joint_errors
from erralign.errors import check_all_answers, check_choice, check_level, check_rng
from erralign.measures import MEASURES_OF_ERRORS, short_name
from erralign.resampling.interval import Interval, percentile_limits
from erralign.resampling.methods import INTERVALS
from erralign.resampling.trials import Draws, Trials, trials_of
from erralign.responses import Responses


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
    systems = {"y_a": y_a, "y_b": y_b} | ({} if y_c is None else {"y_c": y_c})
    y_true, y_a, y_b, *others = check_all_answers(n_classes, y_true=y_true, **systems)
    draws = Draws(level, n_resamples, check_rng(rng))
    if not others:
        return _difference_of_accuracies(y_true, y_a, y_b, draws)
    n_classes = int(n_classes or count_classes(y_true, y_a, y_b, *others))
    trials = Trials(y_true, np.stack([y_a, y_b, *others]), n_classes)
    intervals = INTERVALS[short_name(measure)]
    values, limits_of = intervals.of_differences(trials, draws)
    low, high, undefined = limits_of(0, 1)
    of_what, estimate = f"difference of {measure}", float(values[0] - values[1])
    fewest = int(_joint_errors_with_last(trials).min())
    return Interval(low, high, estimate, intervals.default_method, of_what, fewest, undefined)


def _difference_of_accuracies(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray, draws: Draws) -> Interval:
    right_a, right_b = y_a == y_true, y_b == y_true
    only_a, only_b = np.count_nonzero(right_a & ~right_b), np.count_nonzero(right_b & ~right_a)
    counts = np.array([only_a, only_b, len(y_true) - only_a - only_b])
    # Half a count in each of four cells: two of them are "no difference".
    shares = draws.rng.dirichlet(counts + np.array([0.5, 0.5, 1.0]), size=draws.n_resamples)
    low, high, _ = percentile_limits(shares[:, 0] - shares[:, 1], draws.level)
    estimate, fewest = float(right_a.mean() - right_b.mean()), int(joint_errors(y_true, y_a, y_b).sum())
    return Interval(low, high, estimate, "dirichlet", "difference of accuracy", fewest, 0)


def _joint_errors_with_last(trials: Trials) -> np.ndarray:
    return joint_errors(trials.truth, trials.answers[:-1], trials.answers[-1]).sum(axis=1)


def pairwise_differences(
    responses: Responses,
    reference: str,
    measure: str = "error_consistency",
    *,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    r"""Compare all systems with one reference C, and each two of them by their difference, from shared draws.

    Each row is :math:`v(A, C) - v(B, C)`, as in :func:`erralign.difference_interval`.

    Parameters
    ----------
    responses : Responses
        What every system answered on every trial, shape (n_trials, n_systems).
    reference : str
        C, one of the systems.
    measure : str
        ``error_consistency``, ``misclassification_agreement`` or ``class_level_error_similarity``.
    level : float
        The share of experiments in which an interval should hold the true difference.
    n_resamples : int
        Draws.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    pandas.DataFrame
        One row an unordered pair of the other systems: ``system_a``, ``system_b``, ``n_joint_errors`` (with C, the
        smaller number), ``difference``, ``low``, ``high``, ``n_undefined``; nan where either value is undefined.

    Raises
    ------
    ValueError
        An unknown measure or reference, a level that is not between 0 and 1.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> pairwise_differences(twelve_pictures(), "A", n_resamples=100)["difference"].round(2).tolist()
    [0.0, 1.33, 1.33]
    """
    check_choice("measure", measure, MEASURES_OF_ERRORS)
    check_level(level)
    systems = responses.answers.columns.tolist()
    check_choice("reference", reference, systems)
    others = [system for system in systems if system != reference]
    trials = trials_of(responses, [*others, reference])
    values, limits_of = INTERVALS[short_name(measure)].of_differences(trials, Draws(level, n_resamples, check_rng(rng)))
    n_joint = _joint_errors_with_last(trials)
    rows = [
        (others[a], others[b], min(n_joint[a], n_joint[b]), values[a] - values[b], *limits_of(a, b))
        for a, b in combinations(range(len(others)), 2)
    ]
    columns = ["system_a", "system_b", "n_joint_errors", "difference", "low", "high", "n_undefined"]
    return pd.DataFrame(rows, columns=columns)
