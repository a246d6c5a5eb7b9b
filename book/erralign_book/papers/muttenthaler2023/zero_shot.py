"""How often the odd one out of a representation is that of people, and how often people agree among themselves."""

import numpy as np
import pandas as pd

from erralign.measures.limits import wilson_interval
from erralign.resampling.triplets import mean_interval, odd_one_out_interval
from erralign.sources import things
from erralign.triplets import odd_one_out
from erralign.triplets.choices import SIMILARITIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, SHIPPED, SYSTEMS, features_of, triplets_for

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
    table = things.repeated_triplets()
    many = table["answers"] >= ENOUGH
    parts = {f"{ENOUGH} or more": table[many], f"fewer than {ENOUGH}": table[~many], "all": table}
    return pd.DataFrame([{"answers": name} | _agreement(part) for name, part in parts.items()])


def _agreement(part: pd.DataFrame) -> dict:
    found = mean_interval(part["most_frequent"], part[["first", "second", "third"]])
    sizes = {"triplets": len(part), "mean_answers": part["answers"].mean()}
    return sizes | {"share": found.estimate, "low": found.low, "high": found.high}
