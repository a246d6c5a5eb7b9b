"""How often the odd one out of a representation is that of people, and how often people agree among themselves."""

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import entr

from erralign.inference.triplets import mean_interval, odd_one_out_interval
from erralign.measures.matrix import wilson_interval
from erralign.triplets import best_temperature, choice_probabilities, misfit, odd_one_out, pair_similarities
from erralign.triplets.calibration import CRITERIA, TEMPERATURES
from erralign.triplets.choices import SIMILARITIES
from erralign_book.datasets import things
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, SHIPPED, SYSTEMS, features_of, triplets_for
from erralign_book.papers.tables import with_limits

OF_ALL = (*SYSTEMS, *SHIPPED)


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=OF_ALL, spot=("VICE", "CLIP ViT-B/32"), by="system")
def zero_shot(system: str) -> pd.DataFrame:
    """Return zero-shot odd-one-out accuracies on people's answers."""
    triplets = triplets_for(system)
    seen = np.nan_to_num(features_of(system))
    choices = {name: odd_one_out(seen, triplets, similarity=name) for name in SIMILARITIES}
    return pd.DataFrame([_row(name, choice, triplets) for name, choice in choices.items()])


def _row(similarity: str, choice: np.ndarray, triplets: np.ndarray) -> dict:
    found = odd_one_out_interval(choice == 2, triplets)
    low, high = wilson_interval(found.estimate, len(triplets), 0.95)
    row = {"similarity": similarity, "triplets": len(triplets)} | with_limits(found, "accuracy")
    return row | {"low_independent": low, "high_independent": high, "ties": float((choice < 0).mean())}


# ---- how sure choices should be, and whether systems err where people are undecided -------------------------------


REFERENCE = "VICE"
TEMPERED = ("muttenthaler2023/temperatures.csv",)
BIN = 0.1  # of entropy, which goes from 0 to ln 3 = 1.0986


def reference_probabilities(triplets: np.ndarray) -> np.ndarray:
    """Return how likely VICE finds each choice: of its public mean embedding, which has no variances."""
    return choice_probabilities(pair_similarities(features_of(REFERENCE), triplets, similarity="dot"))


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=SYSTEMS, spot=("SPoSE", "word2vec"), by="system")
def temperatures(system: str) -> pd.DataFrame:
    """Return the temperature at which a system's probabilities fit best, by three criteria; dot products."""
    triplets = triplets_for(system)
    similarities = pair_similarities(np.nan_to_num(features_of(system)), triplets, similarity="dot")
    reference, odd = reference_probabilities(triplets), np.full(len(triplets), 2)
    rows = []
    for criterion in CRITERIA:
        best, value = best_temperature(similarities, reference, odd, criterion)
        row = {"criterion": criterion, "temperature": best, "value": value}
        row["value_at_1"] = misfit(similarities, reference, odd, criterion)
        rows.append(row | {"at_the_edge": best in (TEMPERATURES[0], TEMPERATURES[-1])})
    return pd.DataFrame(rows)


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=SYSTEMS, spot=("SPoSE", "word2vec"), by="system")
def accuracy_by_entropy(system: str) -> pd.DataFrame:
    """Return accuracies where people are sure, and where they are not; cosine."""
    triplets = triplets_for(system)
    right = odd_one_out(np.nan_to_num(features_of(system)), triplets) == 2
    bins = np.floor(triplet_entropy(reference_probabilities(triplets)) / BIN).astype(int)
    rows = []
    for place in np.unique(bins):
        its = bins == place
        found = odd_one_out_interval(right[its], triplets[its])
        rows.append({"entropy": place * BIN, "triplets": int(its.sum())} | with_limits(found, "accuracy"))
    return pd.DataFrame(rows)


PAIRS, ENDS = tuple(combinations(SYSTEMS, 2)), "system_a system_b"
QUICK = (("SPoSE", "VICE"), ("CLIP ViT-B/32", "word2vec"))


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=PAIRS, spot=QUICK, by=ENDS, tables=TEMPERED)
def entropies_of_pairs(pair: tuple[str, str]) -> pd.DataFrame:
    """Return how the entropies of two systems go together: whether they are undecided on the same triplets."""
    triplets, seen = things.triplets(), [_seen(system) for system in pair]
    both = seen[0] & seen[1]
    a, b = (_standardised(_entropies(system)[both]) for system in pair)
    r = float((a * b).mean())
    around = mean_interval(a * b - r * (a**2 + b**2) / 2, triplets[both])  # how each triplet moves a correlation
    row = {"triplets": int(both.sum()), "pearson": r, "low": r + around.low, "high": r + around.high}
    return pd.DataFrame([row])


def _seen(system: str) -> np.ndarray:
    shown = ~np.isnan(features_of(system)[:, 0])
    return shown[things.triplets()].all(axis=1)


@cache
def _entropies(system: str) -> np.ndarray:
    """Return the entropy of each triplet, of those with things that the system was not shown, too."""
    table = temperatures().set_index(["system", "criterion"])["temperature"]
    similarities = pair_similarities(np.nan_to_num(features_of(system)), things.triplets(), similarity="dot")
    return triplet_entropy(choice_probabilities(similarities, float(table[system, "ECE"])))


def _standardised(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / values.std()


def triplet_entropy(probabilities: ArrayLike) -> np.ndarray:
    r"""Measure how undecided each choice is: :math:`H = -\sum_c p_c \ln p_c`."""
    return entr(np.asarray(probabilities, dtype=float)).sum(axis=1)
