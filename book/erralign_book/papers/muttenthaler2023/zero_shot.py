"""How often the odd one out of a representation is that of people, and how often people agree among themselves."""

import numpy as np
import pandas as pd

from erralign.measures.limits import wilson_interval
from erralign.resampling.triplets import mean_interval, odd_one_out_interval
from erralign.triplets import odd_one_out
from erralign.triplets.choices import SIMILARITIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, SHIPPED, SYSTEMS, features_of, triplets_for
from erralign_book.sources import things

ENOUGH = 100


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=(*SYSTEMS, *SHIPPED), spot=("VICE", "CLIP ViT-B/32"))
def zero_shot(system: str) -> pd.DataFrame:
    """Return zero-shot odd-one-out accuracies on people's answers."""
    triplets = triplets_for(system)
    seen = np.nan_to_num(features_of(system))
    choices = {name: odd_one_out(seen, triplets, similarity=name) for name in SIMILARITIES}
    return pd.DataFrame([{"system": system} | _row(name, choice, triplets) for name, choice in choices.items()])


def _row(similarity: str, choice: np.ndarray, triplets: np.ndarray) -> dict:
    found = odd_one_out_interval(choice == 2, triplets)
    low, high = wilson_interval(found.estimate, len(triplets), 0.95)
    row = {"similarity": similarity, "triplets": len(triplets), "accuracy": found.estimate}
    row |= {"low": found.low, "high": found.high, "low_independent": float(low), "high_independent": float(high)}
    return row | {"ties": float((choice < 0).mean())}


@frozen(inputs=[things.SEMANTIC])
def noise_ceiling() -> pd.DataFrame:
    """Return how often the most frequent answer of people is given: what no system can exceed by much."""
    many = things.repeated_triplets().query("answers >= @ENOUGH")
    found = mean_interval(many["most_frequent"], many[["first", "second", "third"]])
    return pd.DataFrame([{"share": found.estimate, "low": found.low, "high": found.high}])
