"""Error consistency with people through the whole calculation of model-vs-human: people, conditions, data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri

from erralign.behaviour import kappa
from erralign.clusters import clusters_over
from erralign.errors import check_level, check_resamples, check_responses, check_rng
from erralign.resampling.clusters import clustered_covariance, nearest_covariance
from erralign.resampling.worlds import drawn_kappas
from erralign.responses import Responses
from erralign.results import Interval

PEOPLE = "people"


@dataclass(frozen=True)
class ConsistencyWithPeople:
    """Mean error consistency with people: values, intervals, and the draws that go with them.

    Parameters
    ----------
    table : pandas.DataFrame
        Indexed by system, models first, then ``people`` (each person with the others): ``EC``, ``low``, ``high``,
        ``bias`` (of EC, by the jackknife; the interval is about EC less bias), ``n_conditions``,
        ``fewest_joint_errors`` (of a person in a condition), ``n_undefined`` (values that are 0/0, left out).
    draws : pandas.DataFrame
        Normal draws with the jackknife's covariance, shape (n_resamples, n_systems): one row is one possible world.
    percentile_draws : pandas.DataFrame
        Means of plain resamples, as they come: the papers' method.
    level : float
        The level of the intervals.
    covariance : pandas.DataFrame
        Of the means, by the jackknife.
    """

    table: pd.DataFrame
    draws: pd.DataFrame
    percentile_draws: pd.DataFrame
    level: float
    covariance: pd.DataFrame

    def difference(self, system_a: str, system_b: str) -> Interval:
        """Say between which limits the difference of two systems lies, who met the same people on the same pictures.

        Parameters
        ----------
        system_a, system_b : str
            Rows of ``table``.

        Returns
        -------
        Interval
            A less B; ``n_joint_errors`` is the smaller of the two.
        """
        pair = [system_a, system_b]
        rows, (of_a, of_b) = self.table.loc[pair], self.covariance.loc[pair, pair].to_numpy()
        estimate, bias = (float(rows[column].iloc[0] - rows[column].iloc[1]) for column in ("EC", "bias"))
        half = float(ndtri((1 + self.level) / 2) * np.sqrt(max(of_a[0] + of_b[1] - 2 * of_a[1], 0.0)))
        low, high = estimate - bias - half, estimate - bias + half
        fewest = int(rows["fewest_joint_errors"].min())
        return Interval(low, high, estimate, "jackknife", "difference of means", fewest, 0)


def consistency_with_people(
    data_sets: Sequence[Responses],
    *,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
    clusters: Any = None,
) -> ConsistencyWithPeople:
    r"""Compute mean error consistency with people: over people, over conditions, over data sets; with intervals.

    Each trial in turn is left out of its condition, for all systems at once. With :math:`\theta_{(i)}` for the mean
    without trial i of the n of a condition, its bias is :math:`(n - 1)(\bar\theta_{(\cdot)} - \theta)` and its variance
    :math:`\frac{n - 1}{n} \sum_i (\theta_{(i)} - \bar\theta_{(\cdot)})^2`; both add up over conditions. Joint draws
    with half a count a cell would not do: a mean does not average out what half a count adds.

    Parameters
    ----------
    data_sets : sequence of Responses
        Each with people and the same models; people may differ. An index level ``condition`` makes strata.
    level : float
        The share of experiments in which an interval should hold the true value.
    n_resamples : int
        Draws of either kind; the intervals themselves need none.
    rng : int or numpy.random.Generator
        The source of randomness.
    clusters : names of index levels, or a sequence of Series, DataFrames or None, optional
        What trials share with others, also over conditions: one entry for each data set (of a single one, that entry
        alone), as for :func:`erralign.design_effect`; None where trials share nothing. Equal labels are the same
        material, in another data set too. Each variance, also that of a difference, grows by its design effect; the
        bias and the plain resamples take trials as independent. Default: all trials are.

    Returns
    -------
    ConsistencyWithPeople
        A value is nan where it is 0/0 for every person in every condition of every data set.

    Raises
    ------
    ValueError
        No data set, one with fewer than two people, or one whose models are not those of the first;
        clusters as for :func:`erralign.design_effect`.

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
    >>> consistency_with_people([two_and_two], n_resamples=100).table["EC"].round(2).tolist()
    [1.0, -0.33, 1.0]
    """
    check_level(level)
    _check_data_sets(data_sets)
    rng, n_resamples = check_rng(rng), check_resamples(n_resamples)
    names = [*_names(data_sets[0], "model"), PEOPLE]
    shared = clusters_over(clusters, [each.truth.index for each in data_sets])
    conditions = [
        [_jackknife(right, len(names) - 1, by_trial=shared is not None) for right in _conditions(each, names[:-1])]
        for each in data_sets
    ]
    columns, covariance = _combined(conditions)
    if shared is not None:
        influences = _influences(conditions, np.concatenate(_orders(data_sets)))
        covariance = clustered_covariance(shared, influences, covariance)
    half = ndtri((1 + level) / 2) * np.sqrt(np.diag(covariance))
    centre = columns["EC"] - columns["bias"]
    limits = {"low": centre - half, "high": np.minimum(centre + half, 1)}
    possible = covariance if shared is None else nearest_covariance(covariance)
    draws = rng.multivariate_normal(centre, possible, size=n_resamples)
    plain = drawn_means(data_sets, n_resamples, rng)
    return ConsistencyWithPeople(
        pd.DataFrame({"EC": columns.pop("EC")} | limits | columns, index=pd.Index(names, name="system")),
        pd.DataFrame(draws, columns=names),
        pd.DataFrame(plain, columns=names),
        level,
        pd.DataFrame(covariance, index=names, columns=names),
    )


def drawn_means(
    data_sets: Sequence[Responses], n_resamples: int, rng: np.random.Generator, *, pseudo_trials: bool = False
) -> np.ndarray:
    """Resample trials within conditions, shared by all systems, and compute the means of every resample.

    Parameters
    ----------
    data_sets : sequence of Responses
        As for :func:`consistency_with_people`.
    n_resamples : int
        Draws.
    rng : numpy.random.Generator
        The source of randomness.
    pseudo_trials : bool
        Whether half a count is added to each cell of each pair; it moves the mean, and is here to show that it does.

    Returns
    -------
    numpy.ndarray of float, shape (n_resamples, n_models + 1)
        Models, then people among themselves; a draw that is 0/0 is left out of the mean.
    """
    models = _names(data_sets[0], "model")
    of_sets = []
    for responses in data_sets:
        of_conditions = []
        for right in _conditions(responses, models):
            first, second, starts = _pairs_with_people(len(models), len(right) - len(models))
            draws = drawn_kappas(right, first, second, n_resamples, rng, pseudo_trials=pseudo_trials)
            of_conditions.append(_by_system(draws, starts))
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


def _conditions(responses: Responses, models: list[str]) -> Iterator[np.ndarray]:
    """Yield, for each condition, who was right on what: models first, then people."""
    right = responses.answers.eq(responses.truth, axis=0)[[*models, *_names(responses, "human")]]
    if "condition" not in right.index.names:
        yield right.to_numpy().T
        return
    for _, trials in right.groupby(level="condition", sort=False):
        yield trials.to_numpy().T


def _pairs_with_people(n_models: int, n_people: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each model with each person, then each two people; and where the pairs of each system begin."""
    person, other = np.triu_indices(n_people, k=1)
    first = np.append(np.repeat(np.arange(n_models), n_people), n_models + person)
    second = np.append(np.tile(n_models + np.arange(n_people), n_models), n_models + other)
    return first, second, np.arange(n_models + 1) * n_people


class _Condition(NamedTuple):
    values: np.ndarray  # shape (n_models + 1,), as are bias, joint_errors, undefined
    bias: np.ndarray
    covariance: np.ndarray
    joint_errors: np.ndarray
    undefined: np.ndarray
    influences: np.ndarray | None  # shape (n_trials, n_models + 1); their squares sum to the variances


def _jackknife(right: np.ndarray, n_models: int, *, by_trial: bool = False) -> _Condition:
    first, second, starts = _pairs_with_people(n_models, len(right) - n_models)
    n = right.shape[1]
    right = right.astype(np.int32)
    alone, both = right.sum(axis=1), np.einsum("pt,pt->p", right[first], right[second])
    both_wrong = n - alone[first] - alone[second] + both
    of_pairs = _kappa(n, alone[first], alone[second], both)
    # Trials with the same pattern of rights and wrongs leave the same behind.
    patterns, place, times = np.unique(right, axis=1, return_inverse=True, return_counts=True)
    a, b = patterns[first], patterns[second]
    without = _kappa(n - 1, alone[first, None] - a, alone[second, None] - b, both[:, None] - a * b)
    # Where the only error is left out, kappa is 0/0: that trial then says nothing of how kappa would move.
    without = np.where(np.isnan(without), of_pairs[:, None], without)
    values, without = _by_system(of_pairs, starts), _by_system(without.T, starts)
    mean = times @ without / n
    apart = without - mean
    covariance = (n - 1) / n * (times[:, None] * apart).T @ apart
    return _Condition(
        values,
        (n - 1) * (mean - values),
        np.where(np.isnan(covariance), 0, covariance),
        np.minimum.reduceat(both_wrong, starts),
        np.add.reduceat(np.isnan(of_pairs), starts, dtype=int),
        np.sqrt((n - 1) / n) * np.nan_to_num(apart)[place.ravel()] if by_trial else None,
    )


def _orders(data_sets: Sequence[Responses]) -> list[np.ndarray]:
    """Return where the trials of each condition, one after the other, stand in the data sets."""
    orders, start = [], 0
    for responses in data_sets:
        index = responses.truth.index
        conditions = index.get_level_values("condition") if "condition" in index.names else np.zeros(len(index))
        orders.append(start + pd.factorize(conditions)[0].argsort(kind="stable"))
        start += len(index)
    return orders


def _influences(conditions: list[list[_Condition]], order: np.ndarray) -> np.ndarray:
    """Return how each trial moves the means over conditions and data sets, in the order of the data sets."""
    parts = [part for of_set in conditions for part in of_set]
    weights = _weights([np.stack([part.values for part in of_set]) for of_set in conditions])
    influences = np.empty((len(order), weights.shape[1]))
    influences[order] = np.concatenate([w * part.influences for w, part in zip(weights, parts, strict=True)])
    return influences


def _kappa(n: int, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
    return kappa(n - a - b + both, b - both, a - both, both)


def _combined(conditions: list[list[_Condition]]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Average over the conditions of each data set, then over data sets; also the covariance of these means."""
    weights = _weights([np.stack([part.values for part in of_set]) for of_set in conditions])
    parts = [part for of_set in conditions for part in of_set]
    covariance = np.sum([np.outer(w, w) * part.covariance for w, part in zip(weights, parts, strict=True)], axis=0)
    columns = {
        "EC": _weighted(weights, [part.values for part in parts]),
        "bias": _weighted(weights, [part.bias for part in parts]),
        "n_conditions": np.count_nonzero(weights, axis=0),
        "fewest_joint_errors": np.min([part.joint_errors for part in parts], axis=0),
        "n_undefined": np.sum([part.undefined for part in parts], axis=0),
    }
    return columns, covariance


def _weights(of_sets: list[np.ndarray]) -> np.ndarray:
    """Return how much each condition counts in the mean of each system, from values, a row a condition."""
    defined = [~np.isnan(values) for values in of_sets]
    n_sets = np.sum([each.any(axis=0) for each in defined], axis=0)
    shares = [each / np.maximum(each.sum(axis=0), 1) / np.maximum(n_sets, 1) for each in defined]
    return np.concatenate(shares)


def _weighted(weights: np.ndarray, parts: list[np.ndarray]) -> np.ndarray:
    total = np.where(weights > 0, weights * np.stack(parts), 0).sum(axis=0)
    return np.where(weights.any(axis=0), total, np.nan)


def _by_system(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Average over the people of each system what is defined; the last axis holds the pairs, system by system."""
    defined = ~np.isnan(values)
    total = np.add.reduceat(np.where(defined, values, 0), starts, axis=-1, dtype=float)
    n = np.add.reduceat(defined, starts, axis=-1, dtype=int)
    return np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)


def _mean(values: np.ndarray) -> np.ndarray:
    """Average over the first axis what is defined."""
    defined = ~np.isnan(values)
    total = np.where(defined, values, 0).sum(axis=0)
    return np.divide(total, defined.sum(axis=0), out=np.full(total.shape, np.nan), where=defined.any(axis=0))
