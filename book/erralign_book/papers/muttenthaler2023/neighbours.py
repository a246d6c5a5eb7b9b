"""Whether things of one human concept lie together in a representation: counted, where the paper draws a map."""

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.concepts import READABLE, REFERENCE
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, features_of

NEAREST = 10


@frozen(
    inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=READABLE, spot=("CLIP ViT-B/32", "word2vec"), by="system"
)
def concept_neighbours(system: str) -> pd.DataFrame:
    """Return how many of a thing's ten nearest neighbours (cosine) are of its own concept.

    A thing's concept is its largest dimension of VICE.
    """
    features = features_of(system)
    seen = np.flatnonzero(~np.isnan(features[:, 0]))
    concept = features_of(REFERENCE)[seen].argmax(axis=1)
    same = (concept[_nearest(features[seen])] == concept[:, None]).mean(axis=1)
    counts = np.bincount(concept)
    return pd.DataFrame(
        [{"dimension": i + 1} | _row(same[concept == i], len(seen)) for i in np.flatnonzero(counts >= NEAREST)]
    )


def _nearest(rows: np.ndarray) -> np.ndarray:
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    return np.argsort(-cosines, axis=1, kind="stable")[:, :NEAREST]


def _row(shares: np.ndarray, n_all: int) -> dict[str, float]:
    n, mean = len(shares), float(shares.mean())
    half = float(stdtrit(n - 1, 0.975) * shares.std(ddof=1) / np.sqrt(n))
    limits = {"low": max(mean - half, 0.0), "high": min(mean + half, 1.0)}
    return {"things": n, "share": mean} | limits | {"chance": (n - 1) / (n_all - 1)}
