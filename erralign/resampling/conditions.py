"""One condition of a benchmark: values of systems with its people, and how each trial moves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from erralign.measures import ACCURACY, Measure, Trials, measure_of
from erralign.measures.measure import steadied
from erralign.measures.trials import pairs_of


class Condition(NamedTuple):
    """Values of models, then of people, on the trials of one condition: arrays with one entry per system."""

    values: np.ndarray  # means over people; nan where a value is undefined with each of them
    bias: np.ndarray  # what is to be subtracted from the values
    joint_errors: np.ndarray  # the smallest number of a pair
    enough: np.ndarray  # whether each pair has enough errors for limits
    undefined: np.ndarray  # the number of pairs without a value
    influences: np.ndarray  # (n_trials, n_systems) how each trial moves the values; squares sum to variances
    with_half_counts: np.ndarray  # the same with pseudo-trials, for errors that were not seen; may have no rows


def strata(index: pd.Index) -> list[np.ndarray]:
    """Return the places of the trials of each condition."""
    places = pd.Series(np.arange(len(index)), index=index)
    if "condition" not in index.names:
        return [places.to_numpy()]
    return [each.to_numpy() for _, each in places.groupby(level="condition", sort=False)]


def pairs_with_people(n_models: int, n_people: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs of each model with each person, then of each two people, and where each system's pairs begin."""
    people = np.arange(n_models + n_people) >= n_models
    return *pairs_of(len(people), people), np.arange(n_models + 1) * n_people


def jackknife(measure: str | Measure, trials: Trials, n_models: int, **options: Any) -> Condition:
    """Compute the values of a condition and, by leaving out each trial in turn, their bias and how they vary."""
    measure, (n_systems, n) = measure_of(measure, ACCURACY), trials.answers.shape
    first, second, starts = pairs_with_people(n_models, n_systems - n_models)
    if measure is ACCURACY:
        first, second, starts = np.arange(n_systems), np.arange(n_systems), np.arange(n_models + 1)
    pairs = trials.truth, trials.answers, first, second, trials.n_classes
    measure.check_classes(trials.n_classes, trials.n_options)
    options |= measure.chance(trials.n_options)
    of_pairs = moved = measure.leave_one_out(*pairs, **options)
    if measure.unbiased is not None:
        moved = steadied(measure.unbiased(*pairs, **options))
    times = np.bincount(moved.place)
    values, without = by_system(of_pairs.values, starts), by_system(moved.without.T, starts)
    mean = times @ without / n
    bias = np.zeros(len(values)) if measure.keeps_bias else (n - 1) * (mean - values)
    if measure.unbiased is not None:
        bias = np.nan_to_num(values - by_system(moved.values, starts))
    both_right = (trials.right[first] & trials.right[second]).sum(axis=1)
    both_wrong = (~(trials.right[first] | trials.right[second])).sum(axis=1)
    errors = n - np.maximum(both_right, both_wrong)
    enough = (both_wrong >= measure.enough_joint_errors) & (errors >= measure.enough_errors)
    return Condition(
        values,
        bias,
        np.minimum.reduceat(both_wrong, starts),
        np.logical_and.reduceat(enough, starts),
        np.add.reduceat(np.isnan(of_pairs.values), starts, dtype=int),
        np.sqrt((n - 1) / n) * np.nan_to_num(without - mean)[moved.place],
        _with_half_counts(measure, pairs[:-1], starts, options, np.isnan(of_pairs.values)),
    )


def _with_half_counts(
    measure: Measure, pairs: tuple, starts: np.ndarray, options: Mapping[str, Any], undefined: np.ndarray
) -> np.ndarray:
    if measure.with_half_counts is None:
        return np.empty((0, len(starts)))
    moves, counts = measure.with_half_counts(*pairs, **options)
    moves[undefined] = np.nan
    return np.nan_to_num(by_system(moves.T, starts)) * np.sqrt(counts)[:, None]


def values_of_kept(
    measure: Measure, trials: Trials, kept: np.ndarray, whole: np.ndarray, options: Mapping[str, Any]
) -> np.ndarray:
    """Return the values of a condition on some of its trials; those on all of them where one becomes undefined."""
    if kept.all() or not kept.any():
        return whole
    n_models = len(whole) - 1
    people = np.arange(len(trials.answers)) >= n_models
    part = replace(trials.keep(kept), wanted=people)
    if measure is ACCURACY:
        found = by_system(part.right.mean(axis=1), np.arange(len(whole)))
    else:
        found = by_system(measure.of_all_pairs(part, options), np.arange(len(whole)) * people.sum())
    return np.where(np.isnan(found), whole, found)


def by_system(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Average the defined values over the people of each system."""
    defined = ~np.isnan(values)
    total = np.add.reduceat(np.where(defined, values, 0), starts, axis=-1, dtype=float)
    n = np.add.reduceat(defined, starts, axis=-1, dtype=int)
    return np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)
