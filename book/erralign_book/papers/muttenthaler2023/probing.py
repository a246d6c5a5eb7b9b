"""How much of people's choices a linear map of a system's features recovers, on objects that it has not seen."""

from functools import cache

import numpy as np
import pandas as pd

from erralign.resampling.triplets import odd_one_out_interval
from erralign.triplets import (
    Probing,
    cross_validate_probe,
    in_span,
    odd_one_out,
    odd_one_out_accuracy,
    probe,
)
from erralign.triplets.regression import folds_of
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
