"""How much of people's choices a linear map of a system's features recovers, on objects that it has not seen."""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from erralign.inference.triplets import odd_one_out_interval
from erralign.triplets import (
    Probing,
    cross_validate_probe,
    in_span,
    odd_one_out,
    odd_one_out_accuracy,
    probe,
    representational_similarity,
)
from erralign.triplets.choices import folds_of
from erralign_book.datasets.multi_arrangement import PERTURBATIONS, forty_eight
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, SYSTEMS, features_of, triplets_for
from erralign_book.papers.tables import with_limits

SHUFFLED = ", shuffled"
SETTINGS = (*SYSTEMS, f"VICE{SHUFFLED}")


@frozen(
    inputs=INPUTS, needs=NEEDS, slow=True, rtol=2e-2, settings=SETTINGS, spot=("VICE", f"VICE{SHUFFLED}"), by="system"
)
def probing(system: str) -> pd.DataFrame:
    """Return accuracies of linear probes, cross-validated over objects, for each fold and penalty."""
    name, shuffled, _ = system.partition(SHUFFLED)
    features = features_of(name)
    places = np.flatnonzero(~np.isnan(features[:, 0]))
    triplets = np.searchsorted(places, triplets_for(name))
    if shuffled:
        triplets = np.random.default_rng(1).permuted(triplets, axis=1)
    found = cross_validate_probe(features[places], triplets)
    return _rows(found).assign(**_whole(found, features[places], triplets))


def _rows(found: Probing) -> pd.DataFrame:
    folds, places = np.nonzero(np.isfinite(found.inner))
    table = {"fold": folds + 1, "penalty": np.array(found.penalties)[places], "inside": found.inner[folds, places]}
    table |= {"new": found.new[folds, places], "seen": found.seen[folds, places]}
    return pd.DataFrame(table | {"chosen": found.chosen[folds] == places})


def _whole(found: Probing, features: np.ndarray, triplets: np.ndarray) -> dict[str, float]:
    tested = triplets[found.tested]
    limits = odd_one_out_interval(found.right, tested)
    values = {"tested": len(tested)} | with_limits(limits, "accuracy")
    values |= {"accuracy_seen": found.accuracy_seen, "accuracy_chosen_on_test": found.accuracy_chosen_on_test}
    return values | {"zero_shot": odd_one_out_accuracy(features, tested)}


# ---- the probes of cross-validation once more, each with the penalty of its fold -----------------------------------


PROBES = ("muttenthaler2023/probing.csv",)
"""The penalties that cross-validation chose inside the training objects."""


def choices_on_new_objects(system: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return whether a system chooses like people, zero-shot and by a probe that has seen none of the three objects."""
    objects, rows, triplets = _problem(system)
    penalties = _penalties(system)
    folds = folds_of(len(rows), len(penalties), 0)  # as in cross_validate_probe, whose first draw this is
    tested, right = [], []
    for fold, penalty in enumerate(penalties):
        own, others = (triplets[which[triplets].all(axis=1)] for which in (folds == fold, folds != fold))
        tested.append(objects[own])
        right.append(odd_one_out(rows @ probe(rows, others, penalty), own, similarity="dot") == 2)
    new = np.concatenate(tested)
    return new, odd_one_out(np.nan_to_num(features_of(system)), new) == 2, np.concatenate(right)


def without(system: str, kept_out: np.ndarray) -> np.ndarray:
    """Return the features of some objects after a probe that has seen none of them."""
    objects, rows, triplets = _problem(system)
    places = np.searchsorted(objects, kept_out)
    others = triplets[~np.isin(triplets, places).any(axis=1)]
    return rows[places] @ probe(rows, others, float(np.median(_penalties(system))))


def _penalties(system: str) -> np.ndarray:
    """Return the penalty of each fold."""
    table = probing()
    its = table[(table["system"] == system) & table["chosen"]]
    return its.sort_values("fold")["penalty"].to_numpy()


@cache
def _problem(system: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the objects that a system was shown, their features as a probe takes them, and triplets of their rows."""
    features = features_of(system)
    objects = np.flatnonzero(~np.isnan(features[:, 0]))
    return objects, in_span(features[objects]), np.searchsorted(objects, triplets_for(system))


# ---- representational similarity to people: 48 objects of THINGS, and 92 pictures that 16 people arranged ---------


@frozen(
    inputs=(*INPUTS, PERTURBATIONS),
    needs=NEEDS,
    slow=True,
    rtol=2e-2,
    settings=SYSTEMS,
    spot=("CLIP ViT-B/32", "word2vec"),
    by="system",
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
    row = {"objects": n} | _named("before", _over_objects(before, n)) | _named("after", _over_objects(after, n))
    gain = _over_objects(lambda kept: after(kept) - before(kept), n, scale=(np.positive, np.positive))
    return pd.DataFrame([row | _named("gain", gain)])


def correlation_of_48(rows: np.ndarray, objects: np.ndarray) -> dict[str, float]:
    """Correlate the cosines of a representation of some objects with people's similarities of those 48 among them."""
    judged, dissimilarities = forty_eight()
    there = np.isin(judged, objects)
    ours = _cosines(rows[np.searchsorted(objects, judged[there])])
    theirs = 1 - dissimilarities[np.ix_(there, there)]
    return _named("rsa", _over_objects(partial(_correlation, ours, theirs), len(ours)))


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
