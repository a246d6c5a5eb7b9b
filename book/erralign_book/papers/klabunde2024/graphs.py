"""The six tests on Cora: 28 measures, three architectures, three sets of seeds."""

from dataclasses import replace
from itertools import product

import numpy as np

from erralign_book.datasets.planetoid import PLANETOID
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klabunde2024 import scored
from erralign_book.papers.klabunde2024.scored import BOTH_CORRELATIONS, PARTS, Setting, World
from erralign_book.training import Trained, graphs

# Sets of seeds for each architecture; they share no seed.
SEED_SETS = {"GCN": 3, "SAGE": 3, "GAT": 3}
NEEDS = ("torch", "torch_geometric")
WORLD = World(
    "graphs",
    "Cora",
    tuple(
        Setting(network, seeds, part)
        for seeds, network, part in product(range(max(SEED_SETS.values())), SEED_SETS, PARTS)
        if seeds < SEED_SETS[network]
    ),
    {
        BOTH_CORRELATIONS: ("0%",),
        "random labels": tuple(graphs.LABELS),
        "shortcuts": tuple(graphs.SHORTCUTS),
        "augmentation": tuple(graphs.AUGMENTATION),
        "layers": ("0%",),
    },
)
SPOT = (Setting("GCN", 0, "layers"), Setting("SAGE", 1, "augmentation"))


@frozen(inputs=[PLANETOID], needs=NEEDS, slow=True, rtol=1e-2, settings=WORLD.settings, spot=SPOT)
def graph_pairs(setting: Setting) -> dict[str, np.ndarray]:
    """Return what the measures say of all pairs of networks trained on Cora, test by test."""
    return scored.compared(WORLD, setting, scored.trained(WORLD, setting, one))


def one(network: str, seed: int, part: str, group: str) -> Trained:
    """Train one network."""
    if part == "layers":
        return graphs.deep(network, seed)
    if part == "shortcuts":
        return graphs.shortcuts(network, seed, group)
    if group == WORLD.groups[part][0]:
        return replace(graphs.standard(network, seed), group=group)
    train = graphs.random_labels if part == "random labels" else graphs.augmentation
    return train(network, seed, group)
