"""``erralign.similarity`` beside what a user would write: all pairs of representations, and all measures of one pair.

Opponents that work pair by pair are timed on a few pairs, and their time is multiplied by the number of pairs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from rsatoolbox.data import Dataset
from rsatoolbox.rdm import RDMs, calc_rdm, compare
from scipy.stats import spearmanr
from side_by_side import durations
from sklearn.metrics.pairwise import linear_kernel
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import KernelCenterer
from tqdm import tqdm

from erralign import cka, similarity
from erralign.measures import OF_REPRESENTATIONS

SYSTEMS, TRIALS, FEATURES = 22, 2_000, 768
ONE_PAIR = 1_000, 512
TIMED, ROUNDS = 2, 3
SECONDS_OF_ALL = 1.5  # all 23 measures of one pair


def rdm(features: np.ndarray) -> RDMs:
    """Compute correlation distances with rsatoolbox."""
    return calc_rdm(Dataset(features), method="correlation")


def rsatoolbox_pair(X: np.ndarray, Y: np.ndarray) -> float:
    """Compare by ranks, with both matrices computed afresh."""
    return rsatoolbox_matrices(rdm(X), rdm(Y))


def rsatoolbox_matrices(rdm_x: RDMs, rdm_y: RDMs) -> float:
    """Compare two matrices that are there already."""
    return float(compare(rdm_x, rdm_y, method="spearman")[0, 0])


def scipy_rsa(X: np.ndarray, Y: np.ndarray) -> float:
    """Correlate the correlations with NumPy and SciPy."""
    upper = np.triu_indices(len(X), 1)
    return float(spearmanr(np.corrcoef(X)[upper], np.corrcoef(Y)[upper]).statistic)


def scikit_learn_cka(X: np.ndarray, Y: np.ndarray) -> float:
    """Compare centred kernels with scikit-learn."""
    K, L = (KernelCenterer().fit_transform(linear_kernel(Z)) for Z in (X, Y))
    return float((K * L).sum() / np.sqrt((K * K).sum() * (L * L).sum()))


def scikit_learn_jaccard(X: np.ndarray, Y: np.ndarray) -> float:
    """Compare lists of neighbours with scikit-learn."""
    searches = (NearestNeighbors(n_neighbors=10, metric="cosine").fit(Z) for Z in (X, Y))
    graphs = [search.kneighbors_graph().astype(bool) for search in searches]
    common = np.asarray(graphs[0].multiply(graphs[1]).sum(axis=1)).ravel()
    return float((common / (20 - common)).mean())


def pytorch_cka(systems: list[np.ndarray]) -> np.ndarray:
    """Compare all pairs at once with pytorch-cka, whose estimate is the unbiased one."""
    import torch
    from cka import cka_from_features

    tensors = [torch.from_numpy(features) for features in systems]
    return cka_from_features(tensors, tensors).numpy()


class Opponent(NamedTuple):
    """What a user would write for one measure, and how many times as fast we want to be."""

    measure: str
    name: str
    function: Callable
    goal: float | None = None
    prepare: Callable = np.asarray  # what is done once per representation, outside the clock
    at_once: bool = False  # whether the function takes all representations
    ours: Callable | None = None  # of one pair, where the default form is not what the opponent computes


# Only where it is installed (the extra ``models`` has torch).
PYTORCH_CKA = Opponent("CKA", "pytorch-cka, all at once", pytorch_cka, at_once=True, ours=partial(cka, unbiased=True))
OPPONENTS = (
    Opponent("CKA", "erralign.cka, pair by pair", cka, 10),
    Opponent("CKA", "scikit-learn, pair by pair", scikit_learn_cka),
    *([PYTORCH_CKA] if find_spec("cka") else ()),
    Opponent("RSA", "rsatoolbox, matrices afresh", rsatoolbox_pair, 60),
    Opponent("RSA", "rsatoolbox, matrices reused", rsatoolbox_matrices, 20, rdm),
    Opponent("RSA", "SciPy, pair by pair", scipy_rsa),
    Opponent("Jaccard", "scikit-learn, pair by pair", scikit_learn_jaccard),
)


def measure(
    n_systems: int = SYSTEMS, shape: tuple[int, int] = (TRIALS, FEATURES), one_pair: tuple[int, int] = ONE_PAIR
) -> pd.DataFrame:
    """Measure every opponent, and all measures of one pair."""
    systems = draw(n_systems, *shape)
    progress = tqdm(OPPONENTS, desc="representations", file=sys.stderr, leave=False)
    rows = [
        {"systems": n_systems, "trials": shape[0], "features": shape[1]} | against(systems, each) for each in progress
    ]
    X, Y = draw(2, *one_pair)
    all_of_one = {
        "measure": f"all {len(OF_REPRESENTATIONS)}",
        "systems": 2,
        "trials": one_pair[0],
        "features": one_pair[1],
    }
    seconds = float(np.median(durations(lambda: similarity.compare(X, Y), ROUNDS)))
    return pd.DataFrame([*rows, all_of_one | {"seconds_ours": seconds, "goal_seconds": SECONDS_OF_ALL}])


def against(systems: list[np.ndarray], opponent: Opponent) -> dict:
    """Measure one opponent: by turns, so that a busy moment of the machine hits both."""
    prepared = [opponent.prepare(features) for features in (systems if opponent.at_once else systems[: TIMED + 1])]
    pairs = [(prepared,)] if opponent.at_once else list(combinations(prepared, 2))[:TIMED]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours += durations(lambda: similarity.pairwise(systems, opponent.measure), 1)
        theirs += [durations(lambda pair=pair: opponent.function(*pair), 1)[0] for pair in pairs]
    default = similarity.pairwise(systems[:2], opponent.measure)[opponent.measure][0, 1]
    value = opponent.ours(*systems[:2]) if opponent.ours else default
    found = opponent.function(prepared[:2])[0, 1] if opponent.at_once else opponent.function(*prepared[:2])
    np.testing.assert_allclose(found, value, rtol=1e-9)
    seconds = float(np.median(theirs)) * (1 if opponent.at_once else len(systems) * (len(systems) - 1) / 2)
    return {
        "measure": opponent.measure,
        "opponent": opponent.name,
        "pairs_timed": len(systems) * (len(systems) - 1) // 2 if opponent.at_once else len(pairs),
        "seconds_ours": float(np.median(ours)),
        "seconds_opponent": seconds,
        "ratio": seconds / float(np.median(ours)),
        "goal": opponent.goal,
    }


def draw(n_systems: int, n_trials: int, n_features: int) -> list[np.ndarray]:
    """Draw representations that share half of their variance."""
    rng = np.random.default_rng(0)
    shared = rng.standard_normal((n_trials, n_features))
    return [shared + rng.standard_normal((n_trials, n_features)) for _ in range(n_systems)]
