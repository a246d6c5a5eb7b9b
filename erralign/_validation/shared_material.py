"""Checks of clusters: what each trial shares with others."""

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from erralign._validation import places_in

# Clusters are worth as many as equal ones would be.
FEWEST_CLUSTERS, ENOUGH_CLUSTERS = 3, 10


def check_clusters(clusters: Any, n_trials: int, index: Any = None) -> tuple[np.ndarray, ...]:
    """Return the clusters of trials as numbers, or say what is wrong with them."""
    numbered = [number_clusters(labels) for labels in check_cluster_labels(clusters, n_trials, index)]
    return tuple(codes for codes in numbered if codes.max() + 1 < n_trials)


def check_one_factor(n_factors: int) -> None:
    """Refuse two factors where whole clusters are exchanged."""
    if n_factors > 1:
        raise ValueError(
            f"clusters has {n_factors} factors; expected one: answers are exchanged by cluster, so give the factor "
            "whose clusters are fewer, or use difference_interval, which takes two"
        )


def check_cluster_labels(clusters: Any, n_trials: int, index: Any = None, name: str = "clusters") -> list[list]:
    """Return what trials share, label by label, or say what is wrong with it."""
    factors = _factors(name, clusters, index)
    if len(factors) not in (1, 2):
        raise ValueError(f"{name} has {len(factors)} factors; expected one, or two that cross: keep what matters most")
    return [_labels(name, factor, n_trials, index) for factor in factors]


def number_clusters(labels: list) -> np.ndarray:
    """Give labels numbers in the order in which they come, or refuse too few."""
    seen: dict[Any, int] = {}
    codes = np.array([seen.setdefault(label, len(seen)) for label in labels])
    worth = round(equal_clusters(codes), 1)
    if worth < FEWEST_CLUSTERS:
        raise ValueError(
            f"clusters has {len(seen)} different labels, worth {worth} of equal size; expected at least "
            f"{FEWEST_CLUSTERS}: fewer do not show how much other material would move a value"
        )
    return codes


def equal_clusters(codes: np.ndarray, amounts: np.ndarray | None = None) -> Any:
    """Return how many clusters of equal size are worth as much, by trials, or by amounts of each where that is fewer.

    It is the inverse of the sum of squared shares. Amounts have a row per trial; each column has a number of its own.
    """
    shares = np.bincount(codes) / len(codes)
    by_trials = 1 / (shares @ shares)
    if amounts is None:
        return by_trials
    sums = sums_of_clusters(amounts.reshape(len(codes), -1), codes)
    total, squares = sums.sum(axis=0), (sums**2).sum(axis=0)
    worth = np.divide(total**2, squares, out=np.full(total.shape, np.inf), where=squares > 0)
    return np.minimum(worth, by_trials).reshape(amounts.shape[1:])


def sums_of_clusters(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Add up each column over the trials of each cluster."""
    return np.stack([np.bincount(codes, column) for column in columns.T], axis=1)


def warn_of_few_clusters(factors: Iterable[np.ndarray]) -> None:
    """Warn the caller of a public function, which has asked ``erralign.inference.clusters`` for its clusters."""
    worth = min(map(equal_clusters, factors))
    if worth < ENOUGH_CLUSTERS:
        warnings.warn(
            f"clusters are worth {worth:.1f} of equal size: with fewer than {ENOUGH_CLUSTERS}, intervals are very wide "
            "and p-values large; collect more material, or say that the result is about this material",
            stacklevel=5,
        )


def _factors(name: str, clusters: Any, index: Any) -> list[Any]:
    """Return one array of labels per factor."""
    names = [clusters] if isinstance(clusters, str) else clusters
    if isinstance(names, list | tuple) and len(names) <= 2 and all(isinstance(level, str) for level in names):
        return [_level(name, level, index) for level in names]
    if hasattr(clusters, "iloc"):
        labelled = clusters
        if index is not None and not clusters.index.equals(index):
            labelled = clusters.iloc[places_in(name, clusters.index, index, "; give each one label, by the same index")]
        return [labelled[column] for column in labelled] if hasattr(labelled, "columns") else [labelled]
    if isinstance(clusters, list | tuple) and len(clusters) and np.ndim(clusters[0]):
        return list(clusters)
    return [clusters]


def _level(name: str, level: str, index: Any) -> Any:
    levels = [] if index is None else [each for each in index.names if each is not None]
    if level not in levels:
        has = f"their index has {', '.join(map(repr, levels))}" if levels else "the trials have no named index"
        raise ValueError(f"{name} names the level {level!r}, but {has}: name a level, or give one label per trial")
    return index.get_level_values(level)


def _labels(name: str, factor: Any, n_trials: int, index: Any) -> list:
    values = np.asarray(factor)
    if values.ndim != 1:
        raise ValueError(f"{name} has shape {values.shape}; expected one label per trial, or two such arrays")
    if len(values) != n_trials:
        raise ValueError(f"{name} has {len(values)} labels for {n_trials} trials: give one per trial, in that order")
    labels = values.tolist()
    nothing = {"NoneType", "NAType", "NaTType"}
    missing = (place for place, label in enumerate(labels) if type(label).__name__ in nothing or label != label)
    place = None if values.dtype.kind in "iubUS" else next(missing, None)
    if place is not None:
        trial = place if index is None else index.tolist()[place]
        raise ValueError(f"{name} has no label at trial {trial!r}; a trial that shares nothing gets one of its own")
    return labels
