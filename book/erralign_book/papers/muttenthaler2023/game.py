"""Twelve triplets for a reader to judge, with what people and a network chose."""

import numpy as np
import pandas as pd

from erralign.triplets import odd_one_out
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.agreement import counts_of_people
from erralign_book.papers.muttenthaler2023.systems import features_of
from erralign_book.sources import things

NETWORK, LEVELS = "CLIP ViT-B/32", 6
PLACES = ("first", "second", "third")


@frozen(inputs=[things.SEMANTIC])
def game() -> pd.DataFrame:
    """Return twelve of the 440 triplets that 199 people judged, easy and hard ones, and their choices."""
    triplets, counts = counts_of_people()
    chosen = odd_one_out(features_of(NETWORK), triplets)
    order = _chosen(triplets, counts.max(axis=1) / counts.sum(axis=1), chosen == counts.argmax(axis=1))
    words = things.concepts()["concept"].str.replace("_", " ").to_numpy()
    table = pd.DataFrame(words[triplets[order]], columns=PLACES)
    shares = counts[order] / counts[order].sum(axis=1, keepdims=True)
    table[[f"people_{place}" for place in PLACES]] = shares
    return table.assign(answers=counts[order].sum(axis=1), network=chosen[order])


def _chosen(triplets: np.ndarray, agreement: np.ndarray, alike: np.ndarray) -> list[int]:
    plain = ~things.concepts()["concept"].str.contains(r"\d").to_numpy()
    used: set[int] = set()
    order = []
    for part in np.array_split(np.argsort(-agreement, kind="stable"), LEVELS):
        for wanted in (True, False):
            fits = (t for t in sorted(part) if alike[t] == wanted and plain[triplets[t]].all())
            found = next(t for t in fits if used.isdisjoint(triplets[t].tolist()))
            used.update(triplets[found].tolist())
            order.append(int(found))
    return order
