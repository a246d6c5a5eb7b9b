"""CORnet-S beside ResNet-50 and AlexNet: which points coincide, and how sure a difference is."""

from __future__ import annotations

import numpy as np
import pandas as pd

from erralign.sources import geirhos2020 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import ANSWERS, answers_on, pairwise_scores
from erralign_book.papers.tables import each_data_set

NEAR = 0.01
RESAMPLES = 4000


@frozen(inputs=ANSWERS)
def coinciding_points() -> pd.DataFrame:
    """Return how many points of CORnet-S and ResNet-50 coincide (Figures 4b and SF.6).

    A point is a network with a person: its expected overlap and its error consistency.
    """
    return each_data_set(_coinciding_points, source.DATA_SETS)


def _coinciding_points(data_set: str) -> pd.DataFrame:
    scores = pairwise_scores()
    pairs = scores[(scores["data_set"] == data_set) & (scores["kind"] == "model-human")].set_index("system_a")
    a, b = (pairs.loc[pairs["system_b"] == name, ["expected", "EC"]] for name in ("cornet-s", "resnet50"))
    apart = np.linalg.norm(a.to_numpy()[:, None] - b.loc[a.index].to_numpy(), axis=2)
    same, equal = np.diag(apart), apart < 1e-12
    found = {"people": len(a), "equal": np.diag(equal).sum(), "equal_any": equal.sum()}
    return pd.DataFrame([found | {"near": (same <= NEAR).sum(), "farthest": same.max()}])


@frozen(inputs=ANSWERS)
def alexnet_less_cornet() -> pd.DataFrame:
    """Return how much more consistent with people AlexNet is than CORnet-S, on cue conflict, and how sure that is.

    The ten people stay; the pictures are drawn again.
    """
    images = answers_on("cue-conflict").truth.index
    units = {"pictures": images, "shapes": images.str.split("-").str[0], "textures": images.str.split("-").str[1]}
    value = _differences(np.ones((1, len(images)))).item()
    rows = []
    for name, unit in units.items():
        places, names = pd.factorize(unit)
        drawn = np.random.default_rng(0).multinomial(len(names), np.full(len(names), 1 / len(names)), size=RESAMPLES)
        low, high = np.quantile(_differences(drawn[:, places].astype(float)), [0.025, 0.975])
        rows.append({"drawn": name, "drawn_from": len(names), "difference": value, "low": low, "high": high})
    return pd.DataFrame(rows)


def _differences(weights: np.ndarray) -> np.ndarray:
    """Return the difference of the mean error consistencies for each row of weights of the pictures."""
    responses = answers_on("cue-conflict")
    right = responses.answers.eq(responses.truth, axis=0)
    people = right.filter(like="subject-").to_numpy(float)
    alexnet, cornet = (_with_each(people, right[name].to_numpy(float), weights) for name in ("alexnet", "cornet-s"))
    return (alexnet - cornet).mean(axis=1)


def _with_each(people: np.ndarray, network: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return a network's error consistency with each person: a row per row of weights."""
    total = weights.sum(axis=1, keepdims=True)
    p, q = weights @ people / total, (weights @ network)[:, None] / total
    both = weights @ (people * network[:, None]) / total
    expected = p * q + (1 - p) * (1 - q)
    return (1 - p - q + 2 * both - expected) / (1 - expected)
