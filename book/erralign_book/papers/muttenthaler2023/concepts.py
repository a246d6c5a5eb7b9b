"""What systems get right, concept by concept: the dimensions of VICE, and how well systems know them."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from erralign._validation.matrices import check_features, check_triplets
from erralign.inference.triplets import mean_interval, odd_one_out_interval
from erralign.triplets import odd_one_out, odd_one_out_accuracy, predict_dimensions
from erralign_book.datasets import things
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.probing import PROBES, choices_on_new_objects
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, SYSTEMS, features_of, triplets_for
from erralign_book.papers.tables import with_limits

REFERENCE = "VICE"
FEWEST = 100  # triplets, for an accuracy of one concept
N_NAMES = 5


@frozen(inputs=[things.VICE])
def dimensions() -> pd.DataFrame:
    """Name the objects that have most of each dimension of VICE."""
    embedding = features_of(REFERENCE)
    strongest = np.argsort(-embedding, axis=0)[:N_NAMES]
    names = things.concepts()["concept"].to_numpy(str)
    ranks = np.argsort(np.argsort(-embedding.sum(axis=0))) + 1
    objects = [", ".join(names[column]) for column in strongest.T]
    return pd.DataFrame({"dimension": range(1, len(ranks) + 1), "rank": ranks, "objects": objects})


@frozen(
    inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=SYSTEMS, spot=("CLIP ViT-B/32", "word2vec"), by="system"
)
def concept_accuracies(system: str) -> pd.DataFrame:
    """Return zero-shot accuracies for each dimension of VICE, where VICE finds the odd one out that people chose.

    A triplet belongs to the dimension in which the pair that people left together has most, in all; cosine.
    """
    triplets = triplets_for(system)
    reference = features_of(REFERENCE)
    triplets = triplets[odd_one_out(reference, triplets, similarity="dot") == 2]
    right = odd_one_out(np.nan_to_num(features_of(system)), triplets) == 2
    leading = leading_dimension(reference, triplets)
    rows = [_row(right[leading == i], triplets[leading == i]) for i in range(reference.shape[1])]
    return pd.DataFrame([{"dimension": i} | row for i, row in enumerate(rows, 1)])


def _row(right: np.ndarray, triplets: np.ndarray) -> dict:
    if len(right) < FEWEST:
        return {"triplets": len(right), "accuracy": np.nan, "low": np.nan, "high": np.nan}
    return {"triplets": len(right)} | with_limits(odd_one_out_interval(right, triplets), "accuracy")


READABLE = tuple(system for system in SYSTEMS if system != REFERENCE)


@frozen(
    inputs=INPUTS,
    needs=NEEDS,
    slow=True,
    rtol=2e-2,
    settings=READABLE,
    spot=("CLIP ViT-B/32", "word2vec"),
    by="system",
    tables=PROBES,
)
def concept_accuracies_probed(system: str) -> pd.DataFrame:
    """Return accuracies for each dimension of VICE before and after the probe, on triplets of three new objects.

    Triplets and dimensions as in ``concept_accuracies``; of these, the ninth whose three objects are in one fold.
    """
    triplets, *choices = choices_on_new_objects(system)
    reference = features_of(REFERENCE)
    known = odd_one_out(reference, triplets, similarity="dot") == 2
    leading = np.where(known, leading_dimension(reference, triplets), -1)
    belongs = [leading == i for i in range(reference.shape[1])]
    rows = [_before_and_after(triplets[its], *(right[its] for right in choices)) for its in belongs]
    return pd.DataFrame([{"dimension": i} | row for i, row in enumerate(rows, 1)])


def _before_and_after(triplets: np.ndarray, before: np.ndarray, after: np.ndarray) -> dict[str, float]:
    row: dict[str, float] = {"triplets": len(triplets)}
    for name, right in {"zero_shot": before, "probed": after}.items():
        limits = _row(right, triplets)
        row |= {name: limits["accuracy"], f"{name}_low": limits["low"], f"{name}_high": limits["high"]}
    if len(triplets) < FEWEST:
        return row | dict.fromkeys(("gain", "gain_low", "gain_high"), np.nan)
    return row | with_limits(mean_interval(after.astype(float) - before, triplets), "gain", "gain_")


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=READABLE, spot=("SPoSE", "word2vec"), by="system")
def dimensions_explained(system: str) -> pd.DataFrame:
    """Return how well ridge regression reads the dimensions of VICE off a system, for objects that were left out."""
    features = features_of(system)
    seen = ~np.isnan(features[:, 0])
    true = features_of(REFERENCE)
    predicted = np.zeros_like(true)
    predicted[seen] = predict_dimensions(features[seen], true[seen])
    shares = explained(true[seen], predicted[seen])
    accuracy = odd_one_out_accuracy(predicted, triplets_for(system), similarity="dot")
    rows = [(0, float(shares.mean()), accuracy), *((i, r2, np.nan) for i, r2 in enumerate(shares, 1))]
    return pd.DataFrame(rows, columns=["dimension", "r2", "accuracy"])


def leading_dimension(embedding: np.ndarray, triplets: np.ndarray) -> np.ndarray:
    """Return the dimension in which the two objects that belong together have most, in all."""
    rows = check_features("embedding", embedding)
    triplets = check_triplets("triplets", triplets, len(rows))
    return np.argmax(rows[triplets[:, 0]] + rows[triplets[:, 1]], axis=1)


def explained(Y: ArrayLike, predicted: ArrayLike) -> np.ndarray:
    """Return the share of the variance of each dimension that predictions explain."""
    Y, predicted = np.asarray(Y, dtype=float), np.asarray(predicted, dtype=float)
    whole = ((Y - Y.mean(axis=0)) ** 2).sum(axis=0)
    left = ((Y - predicted) ** 2).sum(axis=0)
    return 1 - np.divide(left, whole, out=np.full_like(left, np.nan), where=whole > 0)
