"""Means of measures of errors with people, as model-vs-human takes them: over people, conditions and data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from erralign.clusters import clusters_over
from erralign.errors import check_choice, check_level, check_resamples, check_responses, check_rng
from erralign.measures import ACCURACY, Measure, Trials, checked_options, measure_of
from erralign.measures.error_consistency import ERROR_CONSISTENCY
from erralign.measures.limits import wilson_interval
from erralign.measures.worlds import drawn_kappas
from erralign.resampling.conditions import Condition, by_system, jackknife, pairs_with_people, values_of_kept
from erralign.resampling.widening import clustered_covariance, nearest_covariance
from erralign.responses import Responses
from erralign.responses.arrays import trials_of
from erralign.results import Interval, TestResult

PEOPLE = "people"


@dataclass(frozen=True)
class ConsistencyWithPeople:
    """What :func:`erralign.consistency_with_people` returns: means, their intervals, and draws.

    Parameters
    ----------
    table : pandas.DataFrame
        Indexed by system: the models, then ``people`` (each person with the others; for accuracy, the mean of all
        people). The columns are the full name of the measure, ``low``, ``high``, ``bias`` (by the jackknife; the
        interval is about the value minus its bias), ``n_conditions``, ``fewest_joint_errors`` (the smallest number with
        any person in any condition; for accuracy, the smallest number of errors in a condition) and ``n_undefined``
        (how many values were 0/0 and left out).
    draws : pandas.DataFrame
        Draws of all means together, from the normal distribution with the jackknife's covariance.
    percentile_draws : pandas.DataFrame
        Means of plain resamples of trials, not corrected for bias, as in the papers; empty except for error
        consistency.
    level : float
        The level of the intervals.
    covariance : pandas.DataFrame
        The covariance of the means, by the jackknife; with clusters, larger where these are few, as ``level`` asks.
    measure : str
        The column of ``table`` with the values.
    """

    table: pd.DataFrame
    draws: pd.DataFrame
    percentile_draws: pd.DataFrame
    level: float
    covariance: pd.DataFrame
    measure: str = "error_consistency"

    def difference(self, system_a: str, system_b: str) -> Interval:
        """Return an interval for the difference of two rows of the table: system A minus system B.

        Parameters
        ----------
        system_a, system_b : str
            The two rows of ``table``, A and B.

        Returns
        -------
        Interval
            Of A minus B, both with the same people on the same pictures. ``n_joint_errors`` is the smaller number.
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
    measure: str | Measure = "error_consistency",
    *,
    level: float = 0.95,
    clusters: Any = None,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
    **options: Any,
) -> ConsistencyWithPeople:
    r"""Compute each model's mean error consistency with people, with an interval.

    The mean is taken over people, then over conditions, then over data sets. Other measures of errors are averaged in
    the same way. Accuracy is averaged over conditions and data sets for each model, and for all people together.

    The intervals come from the jackknife: each trial in turn is left out of its condition, for all systems at once.
    Let :math:`\theta` be the mean over people in a condition of n trials, :math:`\theta_{(i)}` the same without trial
    i, and :math:`\bar\theta_{(\cdot)}` the mean of all :math:`\theta_{(i)}`. The bias is estimated by
    :math:`(n - 1)(\bar\theta_{(\cdot)} - \theta)` and the variance by
    :math:`\frac{n - 1}{n} \sum_i (\theta_{(i)} - \bar\theta_{(\cdot)})^2`. The limits are those of a normal
    distribution around the value minus its bias. Half counts as for single pairs would shift all pairs alike, and are
    not added.

    For MA the bias comes from chance agreement that compares each error with itself; its limits are nan if pairs have
    on average fewer than five joint errors per condition. The bias of CLES is kept, since the interval is about the
    value at as many errors as here; the jackknife's variance is too large for CLES, so the interval is too wide.
    Accuracy gets Wilson's interval, with a number of trials that is chosen to give the jackknife's variance.

    Several runs of one model may take the place of people. With ``kind="human"`` for the runs, the row ``people`` is
    the model's mean with itself, and :meth:`ConsistencyWithPeople.difference` sets other models against this ceiling.

    Parameters
    ----------
    data_sets : Responses, or a sequence of them
        Each with people and the same models; the people may differ. If the trials have an index level ``condition``,
        the measure is computed in each condition by itself.
    measure, level, rng, **options
        As for :func:`difference_interval`.
    n_resamples : int
        The number of rows of ``draws`` and of ``percentile_draws``. The intervals do not depend on it.
    clusters : names of index levels, or a sequence of Series, DataFrames or None, optional
        What trials share with others, also across conditions: one entry for each data set, as for
        :func:`erralign.design_effect`, or None if its trials share nothing. Equal labels mean the same material, also
        in different data sets. Each variance, also that of a difference, comes from leaving out each cluster; the bias
        and the plain resamples take trials as independent.

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
    >>> from erralign.sources.examples import twelve_pictures
    >>> one = twelve_pictures()
    >>> people = one.systems.assign(kind=["human", "human", "model", "model"])
    >>> two_and_two = Responses(one.name, one.truth, one.answers, one.classes, people)
    >>> consistency_with_people(two_and_two, n_resamples=100).table["error_consistency"].round(2).tolist()
    [1.0, -0.33, 1.0]
    """
    check_level(level)
    measure = measure_of(measure, ACCURACY)
    options = checked_options([measure], options)
    data_sets = list(data_sets) if isinstance(data_sets, Sequence) else [data_sets]
    _check_data_sets(data_sets)
    rng, n_resamples = check_rng(rng), check_resamples(n_resamples)
    names = [*_names(data_sets[0], "model"), PEOPLE]
    shared = clusters_over(clusters, [each.truth.index for each in data_sets])
    trials = [list(_conditions(each, names[:-1])) for each in data_sets]
    conditions = [
        [jackknife(measure, part, len(names) - 1, by_trial=shared is not None, **options) for part in of_set]
        for of_set in trials
    ]
    columns, covariance = _combined(conditions)
    if shared is not None:
        order = np.concatenate(_orders(data_sets))
        changes = shared.changes(partial(_means_of_kept, measure, trials, conditions, order, options))
        covariance = clustered_covariance(shared, _influences(conditions, order), changes, covariance, level)
    columns["bias"][_mean_joint_errors(conditions) < measure.enough_joint_errors] = np.nan
    centre = columns["value"] - columns["bias"]
    if measure is ACCURACY:
        low, high = _limits_of_shares(centre, np.diag(covariance), sum(len(each.truth) for each in data_sets), level)
    else:
        half = ndtri((1 + level) / 2) * np.sqrt(np.diag(covariance))
        low, high = centre - half, np.minimum(centre + half, measure.range[1])
    limits = {"low": low, "high": high}
    possible = covariance if shared is None else nearest_covariance(covariance)
    draws = rng.multivariate_normal(centre, possible, size=n_resamples)
    plain = drawn_means(data_sets, n_resamples, rng) if measure is ERROR_CONSISTENCY else np.empty((0, len(names)))
    return ConsistencyWithPeople(
        pd.DataFrame({measure.name: columns.pop("value")} | limits | columns, index=pd.Index(names, name="system")),
        pd.DataFrame(draws, columns=names),
        pd.DataFrame(plain, columns=names),
        level,
        pd.DataFrame(covariance, index=names, columns=names),
        measure.name,
    )


def _limits_of_shares(shares: np.ndarray, variances: np.ndarray, n: int, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Return Wilson's limits, with as many trials as would give shares the variance that they have."""
    spread = shares * (1 - shares)
    effective = np.divide(spread, variances, out=np.full(shares.shape, float(n)), where=(variances > 0) & (spread > 0))
    return wilson_interval(shares, effective, level)


def drawn_means(
    data_sets: Sequence[Responses], n_resamples: int, rng: np.random.Generator, *, pseudo_trials: bool = False
) -> np.ndarray:
    """Resample trials within conditions, shared by all systems, and compute the means of every resample."""
    models = _names(data_sets[0], "model")
    of_sets = []
    for responses in data_sets:
        of_conditions = []
        for trials in _conditions(responses, models):
            right = trials.right
            first, second, starts = pairs_with_people(len(models), len(right) - len(models))
            draws = drawn_kappas(right, first, second, n_resamples, rng, pseudo_trials=pseudo_trials)
            of_conditions.append(by_system(draws, starts))
        of_sets.append(_mean(np.stack(of_conditions)))
    return _mean(np.stack(of_sets))


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
            raise ValueError(
                f"{responses.name} and {data_sets[0].name} differ in {sorted(other)[0]}: keep common models"
            )


def _conditions(responses: Responses, models: list[str]) -> Iterator[Trials]:
    """Yield, for each condition, who answered what: models first, then people."""
    whole = trials_of(responses, [*models, *_names(responses, "human")])
    for places in _strata(responses.truth.index):
        yield whole.keep(places)


def _strata(index: pd.Index) -> list[np.ndarray]:
    """Return the places of the trials of each condition."""
    places = pd.Series(np.arange(len(index)), index=index)
    if "condition" not in index.names:
        return [places.to_numpy()]
    return [each.to_numpy() for _, each in places.groupby(level="condition", sort=False)]


def _orders(data_sets: Sequence[Responses]) -> list[np.ndarray]:
    """Return the places in the data sets of the trials of each condition, condition after condition."""
    orders, start = [], 0
    for responses in data_sets:
        orders.append(start + np.concatenate(_strata(responses.truth.index)))
        start += len(responses.truth)
    return orders


def _influences(conditions: list[list[Condition]], order: np.ndarray) -> np.ndarray:
    """Return how each trial moves the means over conditions and data sets, in the order of the data sets."""
    parts = [part for of_set in conditions for part in of_set]
    weights = _weights([np.stack([part.values for part in of_set]) for of_set in conditions])
    influences = np.empty((len(order), weights.shape[1]))
    influences[order] = np.concatenate([w * part.influences for w, part in zip(weights, parts, strict=True)])
    return influences


def _means_of_kept(
    measure: Measure,
    trials: list[list[Trials]],
    conditions: list[list[Condition]],
    order: np.ndarray,
    options: Mapping[str, Any],
    kept: np.ndarray,
) -> np.ndarray:
    """Return the means over conditions and data sets on some of the trials."""
    ends = np.cumsum([len(part.truth) for of_set in trials for part in of_set])
    rest = iter(np.split(kept[order], ends[:-1]))
    of_sets = [
        [values_of_kept(measure, part, next(rest), whole.values, options) for part, whole in zip(*both, strict=True)]
        for both in zip(trials, conditions, strict=True)
    ]
    return _mean(np.stack([_mean(np.stack(each)) for each in of_sets]))


def _combined(conditions: list[list[Condition]]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Average over the conditions of each data set, then over data sets; also the covariance of these means."""
    weights = _weights([np.stack([part.values for part in of_set]) for of_set in conditions])
    parts = [part for of_set in conditions for part in of_set]
    covariance = np.sum([np.outer(w, w) * part.covariance for w, part in zip(weights, parts, strict=True)], axis=0)
    columns = {
        "value": _weighted(weights, [part.values for part in parts]),
        "bias": _weighted(weights, [part.bias for part in parts]),
        "n_conditions": np.count_nonzero(weights, axis=0),
        "fewest_joint_errors": np.min([part.joint_errors for part in parts], axis=0),
        "n_undefined": np.sum([part.undefined for part in parts], axis=0),
    }
    return columns, covariance


def _mean_joint_errors(conditions: list[list[Condition]]) -> np.ndarray:
    return np.mean([part.mean_joint_errors for of_set in conditions for part in of_set], axis=0)


def _weights(of_sets: list[np.ndarray]) -> np.ndarray:
    """Return the weight of each condition in the mean of each system, from values with one row per condition."""
    defined = [~np.isnan(values) for values in of_sets]
    n_sets = np.sum([each.any(axis=0) for each in defined], axis=0)
    shares = [each / np.maximum(each.sum(axis=0), 1) / np.maximum(n_sets, 1) for each in defined]
    return np.concatenate(shares)


def _weighted(weights: np.ndarray, parts: list[np.ndarray]) -> np.ndarray:
    total = np.where(weights > 0, weights * np.stack(parts), 0).sum(axis=0)
    return np.where(weights.any(axis=0), total, np.nan)


def _mean(values: np.ndarray) -> np.ndarray:
    """Average over the first axis what is defined."""
    defined = ~np.isnan(values)
    total = np.where(defined, values, 0).sum(axis=0)
    return np.divide(total, defined.sum(axis=0), out=np.full(total.shape, np.nan), where=defined.any(axis=0))
