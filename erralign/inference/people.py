"""Means of measures of errors with people, as model-vs-human takes them: over people, conditions and data sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from erralign._validation import check_choice, check_responses, checked
from erralign.inference.clusters import Clusters, clusters_over
from erralign.inference.conditions import (
    Stratum,
    clustered_covariance,
    few_trials,
    jackknife,
    larger_covariance,
    places_of_strata,
    values_of_kept,
)
from erralign.measures import ACCURACY, Measure, ResponseMatrix, measure_of
from erralign.measures.matrix import Ends, ratio, response_matrix, wilson_interval
from erralign.measures.registry import Chosen
from erralign.responses import Responses
from erralign.results import Interval, TestResult

PEOPLE = "people"


@dataclass(frozen=True)
class ConsistencyWithPeople:
    """What :func:`erralign.consistency_with_people` returns: means and their intervals.

    Parameters
    ----------
    table : pandas.DataFrame
        Indexed by system: the models, then ``people`` (each person with the others; for accuracy, the mean of all
        people). The columns are the measure (such as ``EC``), ``low``, ``high``, ``bias`` (by the jackknife; the
        interval is about the value minus its bias; nan if there is none), ``n_conditions``, ``fewest_joint_errors``
        (the smallest number with any person in any condition; for accuracy, the smallest number of errors in a
        condition) and ``n_undefined`` (how many values were 0/0 and left out).
    level : float
        The level of the intervals.
    covariance : pandas.DataFrame
        The covariance of the means, by the jackknife; larger where few trials or few clusters decide, as ``level``
        asks.
    measure : str
        The column of ``table`` with the values.
    """

    table: pd.DataFrame
    level: float
    covariance: pd.DataFrame
    measure: str = "EC"

    def difference(self, system_a: str, system_b: str) -> Interval:
        """Return an interval for the difference of two rows of the table: system A minus system B.

        Parameters
        ----------
        system_a, system_b : str
            The two rows of ``table``, A and B.

        Returns
        -------
        Interval
            For the same people and pictures.
        """
        estimate, bias, error = self._difference(system_a, system_b)
        half = float(ndtri((1 + self.level) / 2) * error)
        low, high = estimate - bias - half, estimate - bias + half
        fewest = int(self.table.loc[[system_a, system_b], "fewest_joint_errors"].min())
        return Interval(low, high, estimate, "jackknife", "difference of means", fewest, 0)

    def difference_test(self, system_a: str, system_b: str) -> TestResult:
        """Test whether two rows of the table differ.

        The test is two-sided: p is below 0.05 exactly if the 95 % interval of :meth:`difference` does not contain 0.

        Parameters
        ----------
        system_a, system_b
            As for :meth:`difference`.

        Returns
        -------
        TestResult
            ``statistic`` is A minus B without the bias, ``null`` is 0; p is 1 for two systems that never differ.
        """
        estimate, bias, error = self._difference(system_a, system_b)
        if error == 0 and abs(estimate) < 1e-12:
            return TestResult(1.0, 0.0, 0.0)
        with np.errstate(divide="ignore"):
            p = 2 * ndtr(-np.divide(abs(estimate - bias), error))
        return TestResult(float(p), estimate - bias, 0.0)

    def _difference(self, system_a: str, system_b: str) -> tuple[float, float, float]:
        """Return the difference, its bias and its standard error."""
        pair = [system_a, system_b]
        for name, system in zip(("system_a", "system_b"), pair, strict=True):
            check_choice(name, system, list(self.table.index))
        rows, (of_a, of_b) = self.table.loc[pair], self.covariance.loc[pair, pair].to_numpy()
        estimate, bias = (float(rows[column].iloc[0] - rows[column].iloc[1]) for column in (self.measure, "bias"))
        return estimate, bias, float(np.sqrt(max(of_a[0] + of_b[1] - 2 * of_a[1], 0.0)))


def consistency_with_people(
    data_sets: Responses | Sequence[Responses],
    measure: Chosen = "error_consistency",
    *,
    level: float = 0.95,
    clusters: Any = None,
) -> ConsistencyWithPeople:
    r"""Compute each model's mean error consistency with people, with an interval.

    The mean is taken over people, then over conditions, then over data sets, for other measures in the same way.
    Accuracy is averaged over conditions and data sets for each model, and for all people together.

    The intervals come from the jackknife: each trial in turn is left out of its condition, for all systems at once.
    Let :math:`\theta` be the mean over people in a condition of n trials, :math:`\theta_{(i)}` the same without trial
    i, and :math:`\bar\theta_{(\cdot)}` the mean of all :math:`\theta_{(i)}`. The bias is estimated by
    :math:`(n - 1)(\bar\theta_{(\cdot)} - \theta)` and the variance by :math:`\sum_i \psi_i^2` with
    :math:`\psi_i^2 = \frac{n - 1}{n} (\theta_{(i)} - \bar\theta_{(\cdot)})^2`. The limits are the value minus its bias
    ± t standard errors, with Student's t of as many degrees of freedom as trials that move the value,
    :math:`(\sum_i \psi_i^2)^2 / \sum_i \psi_i^4 - 1`, at least four.

    Errors that nobody happened to make would move the value too. So the variance is at least what it is with half a
    count more in each of the four cells of a pair; for MA, with two more joint errors, one with the same answer and one
    without. The value has no half counts, which would shift all pairs alike.

    With too few errors the mean itself is biased, and no interval would hold. So limits are nan if any pair has, in any
    condition, fewer than five trials on which one of the two errs, or fewer than five on which one is right; for MA,
    fewer than five joint errors; for every measure, if no trial moves the value. In simulations with true EC from 0 to
    0.66, 93 to 100 % of the 95 % intervals contained the true mean.

    For MA the bias comes from chance agreement that compares each error with itself. The bias of CLES is kept, since
    the interval is about the value at as many errors as here; the jackknife's variance is too large for CLES, so the
    interval is too wide. Accuracy gets Wilson's interval, with a number of trials that is chosen to give the
    jackknife's variance.

    Several runs of one model may take the place of people: with ``kind="human"`` for the runs, the row ``people`` is
    the model's mean with itself.

    Parameters
    ----------
    data_sets : Responses, or a sequence of them
        Each with people and the same models; the people may differ. If the trials have an index level ``condition``,
        the measure is computed in each condition by itself.
    measure, level
        As for :func:`difference_interval`.
    clusters : names of index levels, or a sequence of Series, DataFrames or None, optional
        What trials share with others, also across conditions: one entry for each data set, as for
        :func:`erralign.design_effect`, or None if its trials share nothing. Equal labels mean the same material, also
        in different data sets. Bias takes trials as independent.

    Returns
    -------
    ConsistencyWithPeople
        A mean is nan if the measure is 0/0 for every person in every condition of every data set.

    References
    ----------
    Geirhos et al. (2021), https://doi.org/10.48550/arXiv.2106.07411; Efron & Stein (1981), the jackknife's variance,
    https://doi.org/10.1214/aos/1176345462.

    Examples
    --------
    >>> from erralign.datasets.examples import twelve_pictures
    >>> one = twelve_pictures()
    >>> people = one.systems.assign(kind=["human", "human", "model", "model"])
    >>> two_and_two = Responses(one.name, one.truth, one.answers, one.classes, people)
    >>> consistency_with_people(two_and_two).table["EC"].round(2).tolist()
    [1.0, -0.33, 1.0]
    """
    measure = measure_of(measure, ACCURACY)
    data_sets = list(data_sets) if isinstance(data_sets, Sequence) else [data_sets]
    _check_data_sets(data_sets)
    checked(level=level)
    names = [*_names(data_sets[0], "model"), PEOPLE]
    shared = clusters_over(clusters, [responses.truth.index for responses in data_sets])
    conditions = _Conditions.of(data_sets)
    strata = [jackknife(measure, matrix, len(names) - 1) for matrix in conditions.matrices]
    weights = conditions.weights([stratum.values for stratum in strata])
    without = partial(_means_of_kept, measure, conditions, strata)
    covariance = _covariance(measure, conditions.influences(strata, weights), shared, without, level)
    varies = (np.diag(covariance) > 0) | (measure is ACCURACY)
    value = conditions.mean([stratum.values for stratum in strata])
    bias = conditions.mean([stratum.bias + 0 * stratum.values for stratum in strata])  # where the values are defined
    bias = np.where(np.all([stratum.enough for stratum in strata], axis=0) & varies, bias, np.nan)
    low, high = _limits(measure, value - bias, np.diag(covariance), len(conditions.places), level)
    columns = {measure.short: value, "low": low, "high": high, "bias": bias}
    columns["n_conditions"] = np.count_nonzero(weights, axis=0)
    columns["fewest_joint_errors"] = np.min([stratum.joint_errors for stratum in strata], axis=0)
    columns["n_undefined"] = np.sum([stratum.undefined for stratum in strata], axis=0)
    return ConsistencyWithPeople(
        pd.DataFrame(columns, index=pd.Index(names, name="system")),
        level,
        pd.DataFrame(covariance, index=names, columns=names),
        measure.short,
    )


def _covariance(
    measure: Measure,
    influences_and_half_counts: tuple[np.ndarray, np.ndarray],
    shared: Clusters | None,
    without: Callable[[np.ndarray], np.ndarray],
    level: float,
) -> np.ndarray:
    influences, half_counts = influences_and_half_counts
    wider = 1.0 if measure is ACCURACY else few_trials(influences, level)
    covariance = (influences * wider).T @ (influences * wider)
    if len(half_counts):
        covariance = larger_covariance(covariance, (half_counts * wider).T @ (half_counts * wider))
    if shared is None:
        return covariance
    clustered = clustered_covariance(shared, influences, shared.changes(without), level)
    return larger_covariance(clustered * np.outer(wider, wider), covariance)


def _limits(measure: Measure, centre: np.ndarray, variances: np.ndarray, n: int, level: float) -> Ends:
    if measure is not ACCURACY:
        half = ndtri((1 + level) / 2) * np.sqrt(variances)
        return centre - half, np.minimum(centre + half, measure.range[1])
    # Wilson's limits, with as many trials as would give shares the variance that they have.
    of_one_trial = centre * (1 - centre)
    effective = ratio(of_one_trial, np.where(of_one_trial > 0, variances, 0), undefined=n)
    return wilson_interval(centre, effective, level)


def _names(responses: Responses, kind: str) -> list[str]:
    return list(responses.systems.index[responses.systems["kind"] == kind])


def _check_data_sets(data_sets: Sequence[Responses]) -> None:
    if not data_sets:
        raise ValueError("data_sets is empty; give at least one Responses")
    for responses in data_sets:
        check_responses("data_sets", responses)
    models = _names(data_sets[0], "model")
    for responses in data_sets:
        if len(_names(responses, "human")) < 2:
            raise ValueError(f"{responses.name} has fewer than two people: there is nobody to compare them with")
        other = set(models) ^ set(_names(responses, "model"))
        if other:
            raise ValueError(f"{responses.name} and {data_sets[0].name} differ in {min(other)}: keep common models")


class _Conditions(NamedTuple):
    """The conditions of all data sets, one after another."""

    matrices: list[ResponseMatrix]  # who answered what: models first, then people
    sets: np.ndarray  # the data set of each condition
    places: np.ndarray  # of the trials of all conditions, among those of all data sets

    @classmethod
    def of(cls, data_sets: Sequence[Responses]) -> _Conditions:
        models = _names(data_sets[0], "model")
        matrices, sets, places, start = [], [], [], 0
        for number, responses in enumerate(data_sets):
            whole = response_matrix(responses, [*models, *_names(responses, "human")])
            for here in places_of_strata(responses.truth.index):
                matrices.append(whole.keep(here))
                sets.append(number)
                places.append(start + here)
            start += len(responses.truth)
        return cls(matrices, np.array(sets), np.concatenate(places))

    def mean(self, values: Sequence[np.ndarray]) -> np.ndarray:
        """Average what is defined over the conditions of each data set, then over data sets."""
        stacked = np.stack(values)
        rows = pd.DataFrame(stacked.reshape(len(stacked), -1))
        return rows.groupby(self.sets).mean().mean().to_numpy().reshape(stacked.shape[1:])

    def weights(self, values: Sequence[np.ndarray]) -> np.ndarray:
        """Return the weight of each condition in the mean of each system."""
        defined = pd.DataFrame(~np.isnan(values)).astype(int)
        of_sets = defined.groupby(self.sets)
        n_sets = of_sets.any().sum().clip(lower=1)
        return (defined / of_sets.transform("sum").clip(lower=1) / n_sets).to_numpy()

    def influences(self, strata: Sequence[Stratum], weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how each trial moves the means, in the order of the data sets, and the same with half counts."""
        weighted = list(zip(weights, strata, strict=True))
        influences = np.concatenate([w * stratum.influences for w, stratum in weighted])
        return influences[np.argsort(self.places)], np.concatenate([w * stratum.half_counts for w, stratum in weighted])


def _means_of_kept(
    measure: Measure, conditions: _Conditions, strata: Sequence[Stratum], trials: np.ndarray
) -> np.ndarray:
    """Return the means over conditions and data sets on some of the trials."""
    ends = np.cumsum([len(matrix.truth) for matrix in conditions.matrices])
    parts = np.split(trials[conditions.places], ends[:-1])
    values = []
    for matrix, part, stratum in zip(conditions.matrices, parts, strata, strict=True):
        values.append(values_of_kept(measure, matrix, part, stratum.values))
    return conditions.mean(values)
