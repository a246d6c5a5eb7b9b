"""Trials that share material: by how much does the variance of a value grow where they are not independent?

From one label per trial, such as its photograph, or from two (factors that cross), follows one number, the design
effect, by which the variance is multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from erralign._validation import (
    check_cluster_labels,
    check_clusters,
    equal_clusters,
    number_clusters,
    sums_of_clusters,
    warn_of_few_clusters,
)
from erralign.measures import ACCURACY, Measure, ResponseMatrix, measure_of
from erralign.measures.measure import jackknife_error, moves_of

# From this share of the trials on, the value without a cluster is computed; for at most a hundred clusters, then.
_LARGE = 0.01
# Two degrees of freedom are the least: with one, t says nothing.
FEWEST = 3
# For each that lacks to so many clusters with errors, half a cluster is added whose trials are all alike.
_ENOUGH = 6


@dataclass(frozen=True)
class Clusters:
    r"""Which trials share material, by one label per trial or by two (two factors that cross).

    >>> pairs = Clusters((np.repeat(np.arange(10), 2),))
    >>> round(pairs.effect(np.repeat(np.tile([1.0, -1.0], 5), 2)), 2)
    3.04
    """

    factors: tuple[np.ndarray, ...]  # the cluster of each trial, 0, 1, …, one array per factor

    def changes(self, values: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
        """Return for each factor how leaving out each large cluster changes values of the trials that are kept."""
        whole = values(np.ones(len(self.factors[0]), dtype=bool))
        changes = []
        for codes in self.factors:
            without = [values(codes != cluster) for cluster in _large(codes)]
            changes.append(np.nan_to_num(np.reshape(without, (-1, len(whole))) - whole))
        return changes

    def variances(self, influences: np.ndarray, changes: Sequence[np.ndarray] = ()) -> np.ndarray:
        """Return variances and covariances of values, by leaving out each cluster.

        Without ``changes``, and for small clusters, the influences of its trials say what that would change.
        """
        parts = [_left_out(influences, *factor) for factor in zip_longest(self.factors, changes)]
        if len(parts) == 2:
            parts.append(-_left_out(influences, self._crossed(), None))
        return np.sum(parts, axis=0)

    def widening(self, influences: np.ndarray, level: float = 0.95) -> np.ndarray:
        """Return how much wider limits at a level are for few clusters than for as many trials, for each value."""
        # Satterthwaite's degrees of freedom for independent trials: clusters count by their share of the variance that
        # the value would then have. Few trials may have most of it too, but then limits allow for that already.
        alone = equal_clusters(np.arange(len(influences)), influences**2)
        return of_few_clusters(self.worth(influences**2), level) / stdtrit(
            np.maximum(alone, FEWEST) - 1, (1 + level) / 2
        )

    def worth(self, amounts: np.ndarray) -> Any:
        """Return how many equal clusters are worth as much, by trials or by amounts of each, of the worse factor."""
        return np.min([equal_clusters(codes, amounts) for codes in self.factors], axis=0)

    def effect(self, influence: np.ndarray, changes: Sequence[np.ndarray] = (), level: float = 0.95) -> float:
        """Return the design effect of one value: its variance divided by that of independent trials."""
        n = len(influence)
        alone = n / (n - 1) * (influence @ influence)
        if alone == 0:
            return 1.0
        column = influence[:, None]
        together = self.variances(column, changes)[0, 0] * self.widening(column, level)[0] ** 2
        # Only trials on which the value depends: to MA a trial is nothing on which one system is right, and a cluster
        # is as many trials as joint errors.
        counted = influence != 0
        factors = [codes[counted] for codes in self.factors]
        effect, largest = max(float(together / alone), 1.0), counted.sum() / min(map(equal_clusters, factors))
        # Where the trials that decide a value lie in few clusters, they do not show how alike those of a cluster are.
        deciding = min(_deciding(influence[counted], codes) for codes in factors)
        lacking = max(_ENOUGH - deciding, 0) / 2
        return max(effect, float((deciding * effect + lacking * largest) / (deciding + lacking)))

    def _crossed(self) -> np.ndarray:
        first, second = self.factors
        return np.unique(first * (second.max() + 1) + second, return_inverse=True)[1].ravel()


def of_few_clusters(worth: np.ndarray, level: float) -> np.ndarray:
    """Return Student's t for the m equal clusters that clusters are worth, times the root of m / (m - 1)."""
    # With t alone, coverage falls to .92 in the study ``coverage/clusters``: where few clusters happen to give a low
    # value, they give too small a variance, too.
    m = np.maximum(worth, FEWEST)
    return np.sqrt(m / (m - 1)) * stdtrit(m - 1, (1 + level) / 2)


def _deciding(influence: np.ndarray, codes: np.ndarray) -> float:
    """Return in how many clusters the trials lie that decide a value: of equal ones, with as even a share of them."""
    shares = np.bincount(codes, influence**2) / np.maximum(np.bincount(codes), 1)
    return shares.sum() ** 2 / (shares @ shares)


def _large(codes: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.bincount(codes) >= _LARGE * len(codes))


def _left_out(influences: np.ndarray, codes: np.ndarray, changed: np.ndarray | None) -> np.ndarray:
    """Sum squares and products of what leaving out each cluster changes."""
    shares = np.bincount(codes) / len(codes)
    changes = -sums_of_clusters(influences, codes) / (1 - shares)[:, None]
    if changed is not None:
        changes[_large(codes)] = changed
    return changes.T @ changes


def jackknife(
    value: Callable[[np.ndarray], np.ndarray], columns: np.ndarray, clusters: Clusters | None, level: float
) -> tuple[float, float]:
    """Return a function of sums of columns over trials, and half the width of its interval: t standard errors."""
    sums = columns.sum(axis=0)
    whole = float(value(sums))
    without = value(sums - columns)
    without = np.where(np.isnan(without), whole, without)
    influence = -moves_of(without)
    # As many degrees of freedom as trials that move the value, less one.
    free = equal_clusters(np.arange(len(columns)), influence**2)
    half = stdtrit(max(free, FEWEST) - 1, (1 + level) / 2) * jackknife_error(influence)
    if clusters is not None:
        changes = clusters.changes(lambda trials: np.atleast_1d(value(columns[trials].sum(axis=0))))
        half *= np.sqrt(clusters.effect(influence, changes, level))
    return whole, float(half)


def clusters_of(clusters: Any, trials: Any) -> Clusters | None:
    """Return which trials share material."""
    if clusters is None:
        return None
    factors = check_clusters(clusters, len(trials), trials.index if hasattr(trials, "iloc") else None)
    return _of(factors)


def clusters_over(clusters: Any, indices: Sequence[pd.Index]) -> Clusters | None:
    """Return which trials of several data sets share material."""
    if clusters is None:
        return None
    parts = _for_each(clusters, len(indices))
    labels = [
        None if part is None else check_cluster_labels(part, len(index), index)
        for part, index in zip(parts, indices, strict=True)
    ]
    numbers = {len(factors) for factors in labels if factors is not None}
    if len(numbers) > 1:
        raise ValueError("clusters has one factor for some data sets and two for others; give each as many")
    if not numbers:
        return None
    own = [[[(place, trial) for trial in range(len(i))]] * max(numbers) for place, i in enumerate(indices)]
    whole = [own[place] if factors is None else factors for place, factors in enumerate(labels)]
    factors = [number_clusters(list(chain(*parts))) for parts in zip(*whole, strict=True)]
    return _of(tuple(codes for codes in factors if codes.max() + 1 < len(codes)))


def _of(factors: tuple[np.ndarray, ...]) -> Clusters | None:
    if not factors:
        return None
    warn_of_few_clusters(factors)
    return Clusters(factors)


def _for_each(clusters: Any, n_sets: int) -> list[Any]:
    names = [clusters] if isinstance(clusters, str) else clusters
    if isinstance(names, list | tuple) and all(isinstance(name, str) for name in names):
        return [clusters] * n_sets
    if n_sets == 1 and not (isinstance(clusters, list | tuple) and len(clusters) == 1):
        return [clusters]
    if not isinstance(clusters, list | tuple) or len(clusters) != n_sets:
        raise ValueError(f"clusters fits no {n_sets} data sets; give a list with one entry for each, None where none")
    return list(clusters)


def effects_of_pairs(
    clusters: Clusters | None, measure: str | Measure, matrix: ResponseMatrix, level: float
) -> np.ndarray:
    """Return the design effects of a measure of all pairs of systems."""
    if clusters is None:
        return np.ones(len(matrix.pairs[0]))
    measure = measure_of(measure)
    changes = clusters.changes(lambda trials: measure.of_all_pairs(matrix.keep(trials)))
    influences = (_influence_of_trials(measure, matrix.only(a, b)) for a, b in zip(*matrix.pairs, strict=True))
    effects = [
        clusters.effect(influence, [of_pairs[:, [place]] for of_pairs in changes], level)
        for place, influence in enumerate(influences)
    ]
    return np.array(effects)


def effect_of_difference(clusters: Clusters, measure: Measure, matrix: ResponseMatrix, level: float) -> float:
    """Return the design effect of a difference: of a measure of A with C minus B with C, or of two accuracies."""
    if measure is ACCURACY:
        gain = np.subtract(*matrix.right.astype(float))
        return clusters.effect(gain - gain.mean(), level=level)
    of_a, of_b = (_influence_of_trials(measure, matrix.only(system, 2)) for system in (0, 1))
    changes = clusters.changes(lambda trials: -np.diff(measure.of_all_pairs(matrix.keep(trials))))
    return clusters.effect(of_a - of_b, changes, level)


def _influence_of_trials(measure: Measure, matrix: ResponseMatrix) -> np.ndarray:
    """Return the influence of each trial on one pair: the mean of the values without one, less that without it."""
    read = np.ones(len(matrix.truth), dtype=bool)
    if matrix.leave_unread:
        read = np.all(matrix.answers >= 0, axis=0)
    influence = np.zeros(len(read))
    if read.any():
        left_out = measure.leave_one_out(replace(matrix.keep(read), leave_unread=False))
        if not np.isnan(left_out.values[0]):
            counted = left_out.without[0] != left_out.values[0]
            influence[read] = np.where(counted, -moves_of(left_out.without)[0], 0)
    return influence


def design_effect(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    *,
    clusters: Any,
) -> float:
    r"""Return the factor by which the variance of error consistency grows because trials share material.

    The intervals of all measures are widened in the same way.

    With the value :math:`\theta_{(i)}` without trial i, and the mean :math:`\bar\theta_{(\cdot)}` of all n such values,
    the influence of the trial is :math:`\psi_i = \frac{n - 1}{n} (\bar\theta_{(\cdot)} - \theta_{(i)})`. If trials were
    independent, the value would have the variance :math:`V_0 = \frac{n}{n - 1} \sum_i \psi_i^2`.

    If whole clusters of trials with one label vary from experiment to experiment, and not single trials, each cluster g
    is left out in turn, and the variance is :math:`V = \sum_g (\theta_{(g)} - \theta)^2`. For a cluster with less than
    a hundredth of the trials, a share :math:`h_g`, this change is taken from its trials:
    :math:`\theta_{(g)} - \theta \approx -\sum_{i \in g} \psi_i / (1 - h_g)`. Two factors cross if each trial has two
    labels, such as its photograph and its person. Then V is :math:`V_1 + V_2 - V_{12}`, where :math:`V_{12}` comes from
    clusters of trials that share both labels. The design effect is

    .. math:: d = \max\left(\frac{V}{V_0} \left(\frac{t_f}{t_{f_0}}\right)^2, 1\right),

    where :math:`t_f` is the 97.5 % point of Student's t with :math:`f = 1 / \sum_g w_g^2 - 1` degrees of freedom, at
    least 2. Here :math:`w_g` is the share of cluster g in :math:`\sum_i \psi_i^2`, so that f is G - 1 with G equal
    clusters, and smaller where clusters are unequal; :math:`f_0` is the same for single trials. With two factors, f is
    the smaller number.

    Where errors lie in few clusters, they don't show how alike the trials of a cluster are. With the mean
    :math:`m_g` of :math:`\psi_i^2` in a cluster, let :math:`k = (\sum_g m_g)^2 / \sum_g m_g^2`. If k is below 6, each
    cluster that lacks counts as half a one with trials all alike: with :math:`l = (6 - k) / 2`, d becomes
    :math:`(k d + l n \sum_g h_g^2) / (k + l)`, if that is more.

    Parameters
    ----------
    y_true, y_a, y_b
        As for :func:`erralign.confidence_interval`.
    clusters : array_like of labels, shape (n_trials,), or two of them
        What each trial shares with others, such as the photograph that it is made of. A Series or DataFrame of one or
        two columns is aligned by its index where ``y_true`` has one. Clusters that are worth fewer than three of equal
        size are refused; below ten there is a warning.

    Returns
    -------
    float
        At least 1. The width of a 95 % interval is multiplied by about the square root of this number.

    References
    ----------
    Hansen (2025), each cluster left out, https://doi.org/10.1093/restud/rdag050; Bell & McCaffrey (2002), degrees of
    freedom; Cameron, Gelbach & Miller (2011), two factors, https://doi.org/10.1198/jbes.2010.07136; Kish (1965), the
    design effect.

    Examples
    --------
    >>> photograph = np.repeat(np.arange(20), 5)
    >>> missed = (photograph % 4 == 0).astype(int)
    >>> round(design_effect(np.zeros(100, dtype=int), missed, missed[::-1], clusters=photograph), 1)
    7.5
    """
    shared = clusters_of(clusters, y_true)
    measure = measure_of("EC")
    matrix = measure.matrix_of(None, y_true=y_true, y_a=y_a, y_b=y_b)
    return float(effects_of_pairs(shared, measure, matrix, 0.95)[0])
