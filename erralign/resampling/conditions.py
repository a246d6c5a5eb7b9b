"""One condition of a benchmark: values of systems beside its people, and what each trial has to say about them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from erralign.measures import ACCURACY
from erralign.pairs.left_out import leave_one_out
from erralign.resampling.trials import Trials

# With fewer joint errors in the mean pair nothing that was tried holds the mean of MA as often as it promises.
ENOUGH_JOINT_ERRORS = 5
AGREEMENT, SIMILARITY = "misclassification_agreement", "class_level_error_similarity"


class Condition(NamedTuple):
    """Values of models, then of people, on the trials of one condition.

    Parameters
    ----------
    values : numpy.ndarray, shape (n_models + 1,)
        Means over people; nan where a value is undefined with each of them.
    bias : numpy.ndarray, shape (n_models + 1,)
        What is to be taken off the values.
    covariance : numpy.ndarray, shape (n_models + 1, n_models + 1)
        By the jackknife.
    joint_errors, undefined : numpy.ndarray of int, shape (n_models + 1,)
        The fewest of a pair, and pairs without a value.
    mean_joint_errors : numpy.ndarray, shape (n_models + 1,)
        Of a pair.
    influences : numpy.ndarray, shape (n_trials, n_models + 1), or None
        How each trial moves the values; their squares sum to the variances.
    """

    values: np.ndarray
    bias: np.ndarray
    covariance: np.ndarray
    joint_errors: np.ndarray
    undefined: np.ndarray
    mean_joint_errors: np.ndarray
    influences: np.ndarray | None


def pairs_with_people(n_models: int, n_people: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each model with each person, then each two people; and where the pairs of each system begin.

    Parameters
    ----------
    n_models, n_people : int
        Models come first among the systems.

    Returns
    -------
    tuple of numpy.ndarray
        First and second system of each pair, and the place of the first pair of each model and of the people.

    Examples
    --------
    >>> [each.tolist() for each in pairs_with_people(1, 2)]
    [[0, 0, 1], [1, 2, 2], [0, 2]]
    """
    person, other = np.triu_indices(n_people, k=1)
    first = np.append(np.repeat(np.arange(n_models), n_people), n_models + person)
    second = np.append(np.tile(n_models + np.arange(n_people), n_models), n_models + other)
    return first, second, np.arange(n_models + 1) * n_people


def jackknife(measure: str, trials: Trials, n_models: int, *, by_trial: bool) -> Condition:
    """Leave out each trial in turn, for all systems at once.

    Parameters
    ----------
    measure : str
        The full name of a measure of errors, or ``accuracy``.
    trials : Trials
        Of one condition: models first, then people.
    n_models : int
        How many of the systems are models.
    by_trial : bool
        Whether the influence of each trial is wanted.

    Returns
    -------
    Condition
        Values, bias and covariance. A share has no bias, and the interval of CLES is about the value at as many errors
        as here, bias included. MA is too low where errors are few, since chance agreement counts an error with itself;
        its bias is what that makes, and its covariance that of the value without it.
    """
    n_systems, n = trials.answers.shape
    first, second, starts = pairs_with_people(n_models, n_systems - n_models)
    if measure == ACCURACY:
        first, second, starts = np.arange(n_systems), np.arange(n_systems), np.arange(n_models + 1)
    pairs = trials.truth, trials.answers, first, second, trials.n_classes
    of_pairs = moved = leave_one_out(measure, *pairs, **trials.form)
    if measure == AGREEMENT:
        moved = leave_one_out(measure, *pairs, self_pairs=False)
    times, wrong = np.bincount(moved.place), ~trials.right
    values, without = by_system(of_pairs.values, starts), by_system(moved.without.T, starts)
    mean = times @ without / n
    apart = without - mean
    covariance = (n - 1) / n * (times[:, None] * apart).T @ apart
    bias = {AGREEMENT: np.nan_to_num(values - by_system(moved.values, starts))} | dict.fromkeys(
        (ACCURACY, SIMILARITY), np.zeros(len(values))
    )
    both_wrong = (wrong[first] & wrong[second]).sum(axis=1)
    return Condition(
        values,
        bias.get(measure, (n - 1) * (mean - values)),
        np.where(np.isnan(covariance), 0, covariance),
        np.minimum.reduceat(both_wrong, starts),
        np.add.reduceat(np.isnan(of_pairs.values), starts, dtype=int),
        by_system(both_wrong.astype(float), starts),
        np.sqrt((n - 1) / n) * np.nan_to_num(apart)[moved.place] if by_trial else None,
    )


def by_system(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Average over the people of each system what is defined; the last axis holds the pairs, system by system.

    Parameters
    ----------
    values : numpy.ndarray, shape (…, n_pairs)
        nan where undefined.
    starts : numpy.ndarray of int, shape (n_models + 1,)
        Where the pairs of each system begin.

    Returns
    -------
    numpy.ndarray, shape (…, n_models + 1)
        nan where nothing is defined.

    Examples
    --------
    >>> by_system(np.array([1.0, 2.0, np.nan]), np.array([0, 2])).tolist()
    [1.5, nan]
    """
    defined = ~np.isnan(values)
    total = np.add.reduceat(np.where(defined, values, 0), starts, axis=-1, dtype=float)
    n = np.add.reduceat(defined, starts, axis=-1, dtype=int)
    return np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)
