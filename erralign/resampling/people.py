"""Error consistency with people through the whole calculation of model-vs-human: people, conditions, data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from erralign.behaviour import kappa
from erralign.resampling.interval import Interval, check_level, percentile_limits
from erralign.resampling.worlds import drawn_kappas
from erralign.responses import Responses

PEOPLE = "people"


@dataclass(frozen=True)
class ConsistencyWithPeople:
    """Mean error consistency with people: values, intervals, and the draws that they come from.

    Parameters
    ----------
    table : pandas.DataFrame
        Indexed by system, models first, then ``people`` (each person with the others): ``EC``, ``low``, ``high``,
        ``n_conditions``, ``fewest_joint_errors`` (of a person in a condition), ``n_undefined`` (values that are 0/0,
        left out of the means), ``pull`` (how far half a count a cell had moved the draws before they were centred).
    draws : pandas.DataFrame
        Joint draws, shape (n_resamples, n_systems), centred at the value less its bias: one row is one possible world.
    percentile_draws : pandas.DataFrame
        The same from the plain bootstrap, as it comes.
    level : float
        The level of the intervals.
    """

    table: pd.DataFrame
    draws: pd.DataFrame
    percentile_draws: pd.DataFrame
    level: float

    def difference(self, system_a: str, system_b: str) -> Interval:
        """Say between which limits the difference of two systems lies, from the draws that they share.

        Parameters
        ----------
        system_a, system_b : str
            Rows of ``table``.

        Returns
        -------
        Interval
            A less B; ``n_joint_errors`` is the smaller of the two.
        """
        rows = self.table.loc[[system_a, system_b]]
        low, high, undefined = percentile_limits((self.draws[system_a] - self.draws[system_b]).to_numpy(), self.level)
        estimate = float(rows["EC"].iloc[0] - rows["EC"].iloc[1])
        fewest = int(rows["fewest_joint_errors"].min())
        return Interval(low, high, estimate, "dirichlet, re-centred", "difference of means", fewest, undefined)


def consistency_with_people(
    data_sets: Sequence[Responses],
    *,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> ConsistencyWithPeople:
    r"""Compute mean error consistency with people: over people, over conditions, over data sets; with intervals.

    Trials are drawn once within each condition and shared by all systems. Half a count a cell does not average out, as
    errors of single values do; so the joint draws give only the width. The centre is the value less its bias, mean of
    the plain bootstrap less the value.

    Parameters
    ----------
    data_sets : sequence of Responses
        Each with people and the same models; people may differ. An index level ``condition`` makes strata.
    level : float
        The share of experiments in which an interval should hold the true value.
    n_resamples : int
        Draws.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    ConsistencyWithPeople
        A value is nan where it is 0/0 for every person in every condition of a data set.

    Raises
    ------
    ValueError
        No data set, one with fewer than two people, or one whose models are not those of the first.

    References
    ----------
    Geirhos et al. (2021), https://doi.org/10.48550/arXiv.2106.07411; Klein et al. (2025).

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
    rng = np.random.default_rng(rng)
    models = _names(data_sets[0], "model")
    parts = [_of_data_set(responses, models, n_resamples, rng) for responses in data_sets]
    values, joint, plain = (_mean(np.stack([part[i] for part in parts])) for i in range(3))
    names = [*models, PEOPLE]
    bias = np.nanmean(plain, axis=0) - values
    pull = joint.mean(axis=0) - (values - bias)
    centred = joint - pull
    low, high = np.array([percentile_limits(column, level)[:2] for column in centred.T]).T
    table = pd.DataFrame({"EC": values, "low": low, "high": high.clip(max=1)}, index=pd.Index(names, name="system"))
    conditions, errors, undefined = (np.stack([part[i] for part in parts]) for i in (3, 4, 5))
    counts = {"n_conditions": conditions.sum(axis=0), "fewest_joint_errors": errors.min(axis=0)}
    table = table.assign(**counts, n_undefined=undefined.sum(axis=0), pull=pull)
    return ConsistencyWithPeople(table, pd.DataFrame(centred, columns=names), pd.DataFrame(plain, columns=names), level)


def _names(responses: Responses, kind: str) -> list[str]:
    return list(responses.systems.index[responses.systems["kind"] == kind])


def _check_data_sets(data_sets: Sequence[Responses]) -> None:
    if not data_sets:
        raise ValueError("data_sets is empty; give at least one Responses")
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


def _of_data_set(responses: Responses, models: list[str], n_resamples: int, rng: np.random.Generator) -> tuple:
    parts = [_of_condition(right, len(models), n_resamples, rng) for right in _conditions(responses, models)]
    values, joint, plain, errors, undefined = (np.stack(each) for each in zip(*parts, strict=True))
    n_conditions = (~np.isnan(values)).sum(axis=0)
    return _mean(values), _mean(joint), _mean(plain), n_conditions, errors.min(axis=0), undefined.sum(axis=0)


def _of_condition(right: np.ndarray, n_models: int, n_resamples: int, rng: np.random.Generator) -> tuple:
    """Return means over people of one condition: values, joint draws, plain draws; joint errors, undefined values."""
    n_people = len(right) - n_models
    first = np.repeat(np.arange(n_models), n_people)
    second = np.tile(np.arange(n_models, len(right)), n_models)
    person, other = np.triu_indices(n_people, k=1)
    first, second = np.append(first, n_models + person), np.append(second, n_models + other)
    both = np.array([np.count_nonzero(right[a] & right[b]) for a, b in zip(first, second, strict=True)])
    alone, n = right.sum(axis=1), right.shape[1]
    only_a, only_b = alone[first] - both, alone[second] - both
    both_wrong = n - both - only_a - only_b
    values = kappa(*(counts.astype(float) for counts in (both_wrong, only_b, only_a, both)))
    joint, plain = (drawn_kappas(right, first, second, n_resamples, rng, pseudo_trials=each) for each in (True, False))
    # What is 0/0 is left out of the mean, so it must be left out of the draws of the mean.
    joint[:, np.isnan(values)] = np.nan
    sizes = np.append(np.full(n_models, n_people), len(person))
    starts = np.append(0, sizes.cumsum()[:-1])
    fewest = np.minimum.reduceat(both_wrong, starts)
    undefined = np.add.reduceat(np.isnan(values), starts, dtype=int)
    return _by_system(values, starts), _by_system(joint, starts), _by_system(plain, starts), fewest, undefined


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
