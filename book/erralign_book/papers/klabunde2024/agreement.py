"""Which of the 23 measures agree: how they rank the same pairs of networks, trained on Cora."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from erralign.measures import OF_REPRESENTATIONS
from erralign.similarity import pairwise
from erralign_book.datasets.planetoid import PLANETOID
from erralign_book.papers.frozen import frozen
from erralign_book.training import Trained, graphs

SEED_ONLY, TRAINING = "seed only", "training"
ALIKE, PER_GROUP = 10, 5
WORLDS = tuple((network, differ) for differ in (TRAINING, SEED_ONLY) for network in graphs.NETWORKS)


@frozen(
    inputs=[PLANETOID],
    needs=["torch", "torch_geometric"],
    slow=True,
    rtol=1e-2,
    settings=WORLDS,
    spot=[("GCN", SEED_ONLY), ("SAGE", SEED_ONLY)],
    by="network differ",
)
def agreement(world: tuple[str, str]) -> pd.DataFrame:
    """Correlate the measures, two by two, over all pairs of networks of one architecture."""
    network, differ = world
    networks = [each.representation for each in _networks(network, everything=differ == TRAINING)]
    values = _similarities(networks)
    pairs = combinations(values, 2)
    return pd.DataFrame({"measure_a": a, "measure_b": b, **_correlation(values[a], values[b])} for a, b in pairs)


def _networks(network: str, *, everything: bool) -> Iterator[Trained]:
    for seed in range(ALIKE):
        yield graphs.standard(network, seed)
    for seed in range(PER_GROUP if everything else 0):
        for group in ("25%", "100%"):
            yield graphs.random_labels(network, seed, group)
        yield graphs.shortcuts(network, seed, "100%")
        yield graphs.augmentation(network, seed, "80% of edges")


def _similarities(representations: list[np.ndarray]) -> dict[str, np.ndarray]:
    found = pairwise(representations)
    apart = ~np.eye(len(representations), dtype=bool)
    signs = {short: 1 if measure.larger_is_more_similar else -1 for short, measure in OF_REPRESENTATIONS.items()}
    return {short: signs[short] * values[apart] for short, values in found.items()}


def _correlation(first: np.ndarray, second: np.ndarray) -> dict[str, float]:
    both = ~np.isnan(first) & ~np.isnan(second)
    varies = both.any() and all(len(np.unique(each[both])) > 1 for each in (first, second))
    return {"r": float(spearmanr(first[both], second[both])[0]) if varies else np.nan, "pairs": int(both.sum())}
