"""The probes of cross-validation once more, each with the penalty of its fold: what they choose on new objects."""

from __future__ import annotations

from functools import cache

import numpy as np

from erralign.triplets import in_span, odd_one_out, probe
from erralign.triplets.regression import folds_of
from erralign_book.papers.muttenthaler2023.probing import probing
from erralign_book.papers.muttenthaler2023.systems import features_of, triplets_for

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
