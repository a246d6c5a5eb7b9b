"""One stratum of a benchmark, a condition: values of systems with its people, how trials move them, covariances."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri, stdtrit

from erralign._validation import equal_clusters
from erralign.inference.clusters import Clusters
from erralign.measures import ACCURACY, Measure, ResponseMatrix
from erralign.measures.matrix import Pairs, pairs_of, ratio
from erralign.measures.measure import LeftOut, moves_of


class Stratum(NamedTuple):
    """Values of models, then of people, on the trials of one condition: arrays with one entry per system."""

    values: np.ndarray  # means over people; nan where a value is undefined with each of them
    bias: np.ndarray  # what is to be subtracted from the values
    joint_errors: np.ndarray  # the smallest number of a pair
    enough: np.ndarray  # whether each pair has enough errors for limits
    undefined: np.ndarray  # the number of pairs without a value
    influences: np.ndarray  # (n_trials, n_systems) how each trial moves the values; squares sum to variances
    half_counts: np.ndarray  # the same with pseudo-trials, for errors that were not seen; may have no rows


def places_of_strata(index: pd.Index) -> list[np.ndarray]:
    """Return the places of the trials of each condition."""
    places = pd.Series(np.arange(len(index)), index=index)
    if "condition" not in index.names:
        return [places.to_numpy()]
    return [of_condition.to_numpy() for _, of_condition in places.groupby(level="condition", sort=False)]


def _pairs_with_people(n_models: int, n_people: int) -> tuple[Pairs, np.ndarray]:
    """Return the pairs of each model with each person, then of each two people, and where each system's pairs begin."""
    people = np.arange(n_models + n_people) >= n_models
    return pairs_of(len(people), people), np.arange(n_models + 1) * n_people


def jackknife(measure: Measure, matrix: ResponseMatrix, n_models: int) -> Stratum:
    """Compute the values of a stratum and, by leaving out each trial in turn, their bias and how they vary."""
    n = len(matrix.truth)
    matrix, starts = _with_people(measure, matrix, n_models)
    first, second = matrix.pairs
    left_out = measure.leave_one_out(matrix)
    values, undefined = _by_system(left_out.values, starts), np.isnan(left_out.values)
    if left_out.unbiased is None:
        without = _by_system(left_out.without.T, starts)
        bias = (n - 1) * (without.mean(axis=0) - values)
    else:
        fair, fair_without = left_out.unbiased
        without = _by_system(fair_without.T, starts)
        bias = np.nan_to_num(values - _by_system(fair, starts))
    both_wrong = (~(matrix.right[first] | matrix.right[second])).sum(axis=1)
    enough = np.ones(len(both_wrong), dtype=bool)
    if left_out.enough is not None:
        enough = left_out.enough
    return Stratum(
        values,
        bias,
        np.minimum.reduceat(both_wrong, starts),
        np.logical_and.reduceat(enough, starts),
        np.add.reduceat(undefined, starts, dtype=int),
        np.sqrt((n - 1) / n) * np.nan_to_num(moves_of(without.T).T),
        _half_counts(left_out, starts, undefined),
    )


def _with_people(measure: Measure, matrix: ResponseMatrix, n_models: int) -> tuple[ResponseMatrix, np.ndarray]:
    """Select the pairs with people, or for a measure of single systems each system with itself."""
    n_systems = len(matrix.answers)
    pairs, starts = _pairs_with_people(n_models, n_systems - n_models)
    if measure is ACCURACY:
        pairs, starts = (np.arange(n_systems),) * 2, np.arange(n_models + 1)
    return replace(matrix, selected=pairs), starts


def _half_counts(left_out: LeftOut, starts: np.ndarray, undefined: np.ndarray) -> np.ndarray:
    if left_out.unseen is None:
        return np.empty((0, len(starts)))
    moves, counts = left_out.unseen
    moves[undefined] = np.nan
    return np.nan_to_num(_by_system(moves.T, starts)) * np.sqrt(counts)[:, None]


def values_of_kept(measure: Measure, matrix: ResponseMatrix, trials: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return the values of a stratum on some of its trials; those on all of them where one becomes undefined."""
    if trials.all() or not trials.any():
        return whole
    rest, starts = _with_people(measure, matrix.keep(trials), len(whole) - 1)
    values = _by_system(measure.of_all_pairs(rest), starts)
    return np.where(np.isnan(values), whole, values)


def _by_system(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Average the defined values over the people of each system."""
    defined = ~np.isnan(values)
    total = np.add.reduceat(np.where(defined, values, 0), starts, axis=-1, dtype=float)
    n = np.add.reduceat(defined, starts, axis=-1, dtype=int)
    return ratio(total, n)


# ---- covariances of means, where errors are few and where trials share material --------------------------------------


# Where fewer trials decide a value, limits are as wide as for so many. Means of pairs have at least as many errors.
_FEWEST_TRIALS = 5


def few_trials(influences: np.ndarray, level: float) -> np.ndarray:
    """Return how much wider limits at a level are if few trials decide a value: Student's t over the normal's z."""
    worth = equal_clusters(np.arange(len(influences)), influences**2)
    return stdtrit(np.maximum(worth, _FEWEST_TRIALS) - 1, (1 + level) / 2) / ndtri((1 + level) / 2)


def clustered_covariance(
    clusters: Clusters, influences: np.ndarray, changes: Sequence[np.ndarray], level: float
) -> np.ndarray:
    """Return the covariance of values where trials share material, larger if clusters are few."""
    n, wider = len(influences), clusters.widening(influences, level)
    return clusters.variances(influences, changes) * np.outer(wider, wider) * (n - 1) / n


def larger_covariance(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the larger variances of two covariances, of each value and of the difference of any two values."""
    own = np.maximum(np.diag(one), np.diag(other))
    between = np.maximum(_of_differences(one), _of_differences(other))
    return (own[:, None] + own - between) / 2


def _of_differences(covariance: np.ndarray) -> np.ndarray:
    own = np.diag(covariance)
    return own[:, None] + own - covariance - covariance.T
