"""Representational similarity to people: 48 objects of THINGS, and 92 pictures that 16 people arranged."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from scipy.special import stdtrit
from scipy.stats import ttest_1samp

from erralign.triplets import representational_similarity, similarity_matrix
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.probing import PROBES, without
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, SYSTEMS, features_of
from erralign_book.sources.multi_arrangement import PERTURBATIONS, RSATOOLBOX, forty_eight, ninety_two


@frozen(inputs=(*INPUTS, PERTURBATIONS), needs=NEEDS, slow=True, rtol=1e-3, settings=SYSTEMS, spot=("VICE", "word2vec"))
def rsa_48(system: str) -> pd.DataFrame:
    """Return how a system's similarities of 48 objects correlate with those of people."""
    objects, dissimilarities = forty_eight()
    rows = features_of(system)[objects]
    seen = ~np.isnan(rows[:, 0])
    ours, theirs = similarity_matrix(rows[seen]), 1 - dissimilarities[np.ix_(seen, seen)]
    limits = _over_objects(partial(_correlation, ours, theirs), len(ours))
    return pd.DataFrame([{"system": system, "objects": len(ours)} | _named("spearman", limits)])


@frozen(
    inputs=(*INPUTS, PERTURBATIONS),
    needs=NEEDS,
    slow=True,
    rtol=2e-2,
    settings=SYSTEMS,
    spot=("CLIP ViT-B/32", "word2vec"),
    tables=PROBES,
)
def rsa_48_probed(system: str) -> pd.DataFrame:
    """Return how similarities of 48 objects correlate with those of people before and after a probe without them.

    A probe may be turned without changing what it says, and Pearson's kernel would notice: similarities are cosines,
    before and after.
    """
    objects, dissimilarities = forty_eight()
    seen = ~np.isnan(features_of(system)[objects][:, 0])
    theirs = 1 - dissimilarities[np.ix_(seen, seen)]
    before, after = (
        partial(_correlation, _cosines(rows), theirs)
        for rows in (features_of(system)[objects[seen]], without(system, objects[seen]))
    )
    n = len(theirs)
    row = {"system": system, "objects": n} | _named("before", _over_objects(before, n))
    row |= _named("after", _over_objects(after, n))
    gain = _over_objects(lambda kept: after(kept) - before(kept), n, scale=(np.positive, np.positive))
    return pd.DataFrame([row | _named("gain", gain)])


def _cosines(rows: np.ndarray) -> np.ndarray:
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit @ unit.T


def _correlation(ours: np.ndarray, theirs: np.ndarray, kept: tuple[np.ndarray, ...]) -> float:
    return representational_similarity(ours[kept], theirs[kept])


def _named(name: str, limits: tuple[float, float, float]) -> dict[str, float]:
    value, low, high = limits
    prefix = "" if name == "spearman" else f"{name}_"
    return {name: value, f"{prefix}low": low, f"{prefix}high": high}


def _over_objects(
    value: Callable[[tuple[np.ndarray, ...]], float], n: int, scale: tuple[np.ufunc, np.ufunc] = (np.arctanh, np.tanh)
) -> tuple[float, float, float]:
    """Return a value over all objects, with limits from leaving out each of them, on a scale (Fisher's) and back."""
    there, back = scale
    places = np.arange(n)
    whole = value(np.ix_(places, places))
    left_out = there([value(np.ix_(places != i, places != i)) for i in places])
    error = np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    low, high = back(there(whole) + np.array([-1, 1]) * stdtrit(n - 1, 0.975) * error)
    return whole, float(low), float(high)


@frozen(inputs=[RSATOOLBOX])
def rsa_92() -> pd.DataFrame:
    """Return how public matrices of 92 pictures correlate with those of 16 people, person by person."""
    people = list(ninety_two("people").values())
    rows = [
        {"matrix": name, "kind": kind} | _over_people([representational_similarity(matrix, each) for each in people])
        for kind in ("models", "brains")
        for name, matrix in ninety_two(kind).items()
    ]
    return pd.DataFrame(rows)


def _over_people(values: list[float]) -> dict[str, float]:
    low, high = ttest_1samp(values, 0).confidence_interval()
    return {"spearman": float(np.mean(values)), "low": float(low), "high": float(high)}
