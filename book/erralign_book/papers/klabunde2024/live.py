"""One test on a few networks, trained at once: for a page that shows how a score comes about."""

from collections.abc import Callable

import pandas as pd

from erralign_book.papers.frozen import FrozenTable
from erralign_book.papers.klabunde2024 import scored
from erralign_book.papers.klabunde2024.graphs import WORLD, graph_pairs
from erralign_book.papers.klabunde2024.scored import Setting
from erralign_book.training import Trained, graphs

_TRAINED: dict[str, Callable[..., Trained]] = {
    "random labels": graphs.random_labels,
    "shortcuts": graphs.shortcuts,
    "augmentation": graphs.augmentation,
}


def train_groups(
    network: str = "GCN", test: str = "random labels", seeds: tuple[int, ...] = (0, 1, 2)
) -> list[Trained]:
    """Train a few networks for one test of groups, here and now: nine GCN in about half a minute."""
    return [_TRAINED[test](network, seed, group) for group in WORLD.groups[test] for seed in seeds]


def score_groups(network: str, test: str, models: list[Trained]) -> pd.DataFrame:
    """Score all measures on networks that were trained for one test of groups."""
    world = WORLD._replace(settings=(Setting(network, 0, test),))
    return scored.scores(world, scored.compared(world, world.settings[0], models))


def can_train() -> bool:
    """Say whether this machine has Cora and what trains networks on it."""
    table: FrozenTable = graph_pairs.table
    return table.can_be_computed()
