"""From what a caller knows about shared material to the clusters of trials."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from erralign.clusters.effects import Clusters
from erralign.errors import check_cluster_labels, check_clusters, number_clusters, warn_of_few_clusters


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
    factors = [number_clusters(list(chain(*each))) for each in zip(*whole, strict=True)]
    kept = tuple(codes for codes in factors if codes.max() + 1 < len(codes))
    return _of(kept)


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
