"""Which of the 23 measures agree: how they rank the same pairs of networks, trained on Cora."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from erralign.measures import OF_REPRESENTATIONS
from erralign.reproduction.klabunde2024.graphs import WORLD, graph_pairs
from erralign.reproduction.klabunde2024.pairs import Compared, matrices_of

# The parts of the benchmark whose networks are compared as wholes, and in what these networks differ.
DIFFER: Final = {
    "correlations": "seed only",
    "random labels": "labels",
    "shortcuts": "hints",
    "augmentation": "edges",
}


def agreement() -> pd.DataFrame:
    """Correlate the measures, two by two, over all pairs of networks of one architecture and one test.

    Returns
    -------
    pandas.DataFrame
        ``network``, ``differ`` (in what the networks differ), ``measure_a``, ``measure_b``, ``r`` (Spearman's, of
        similarities: distances have their sign changed; the mean over the sets of seeds), ``lowest``, ``highest`` (of
        the sets). Where a measure is undefined or constant, r is nan.
    """
    rows = graph_pairs()
    parts = [
        _correlations({name: values[rows["setting"] == place] for name, values in rows.items()}).assign(
            network=setting.network, differ=DIFFER[setting.part]
        )
        for place, setting in enumerate(WORLD.settings)
        if setting.part in DIFFER
    ]
    keys = ["network", "differ", "measure_a", "measure_b"]
    found = pd.concat(parts).groupby(keys, sort=False)["r"].agg(r="mean", lowest="min", highest="max").reset_index()
    order = list(DIFFER.values())
    return found.sort_values(
        ["network", "differ"],
        key=lambda c: c.map(order.index) if c.name == "differ" else c,
        kind="stable",
        ignore_index=True,
    )


def _correlations(rows: dict[str, np.ndarray]) -> pd.DataFrame:
    (compared,) = matrices_of(rows)
    ranked = _similarities(compared).corr(method="spearman").to_numpy()
    a, b = np.triu_indices(len(ranked), 1)
    names = np.array([*OF_REPRESENTATIONS])
    return pd.DataFrame({"measure_a": names[a], "measure_b": names[b], "r": ranked[a, b]})


def _similarities(compared: Compared) -> pd.DataFrame:
    """Return the values of all pairs, in either order, the larger the more alike."""
    apart = ~np.eye(len(compared.groups), dtype=bool)
    signs = {short: 1 if measure.larger_is_more_similar else -1 for short, measure in OF_REPRESENTATIONS.items()}
    return pd.DataFrame({short: sign * compared.values[short][apart] for short, sign in signs.items()})
