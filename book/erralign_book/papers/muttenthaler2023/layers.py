"""How often the odd one out of one network is that of people, stage after stage of the network."""

import numpy as np
import pandas as pd

from erralign.models import features, load
from erralign.models.lite import PACKAGES
from erralign.resampling.triplets import odd_one_out_interval
from erralign.triplets import odd_one_out
from erralign.triplets.choices import SIMILARITIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import pictures
from erralign_book.sources import things

NETWORK = "tf_efficientnet_lite0"
STAGES = tuple(f"blocks.{number}" for number in range(1, 7))
"""All but the first, whose outputs would fill gigabytes."""
INPUTS = (things.SEMANTIC, things.PICTURES)
NEEDS = ("torch", "timm", PACKAGES[NETWORK])


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=STAGES, spot=STAGES[-2:])
def accuracy_by_stage(stage: str) -> pd.DataFrame:
    """Return zero-shot odd-one-out accuracies of what a stage of EfficientNet-Lite0 computes."""
    rows = features(load(NETWORK, device="cpu"), pictures(), layer=stage).to_numpy()
    triplets = _triplets()
    facts = {"stage": stage, "features": rows.shape[1]}
    return pd.DataFrame([facts | _row(rows, triplets, similarity) for similarity in SIMILARITIES])


def _triplets() -> np.ndarray:
    place = np.full(things.N_OBJECTS, -1)
    seen = things.pictures().index
    place[seen] = np.arange(len(seen))
    triplets = place[things.triplets()]
    return triplets[(triplets >= 0).all(axis=1)]


def _row(rows: np.ndarray, triplets: np.ndarray, similarity: str) -> dict:
    found = odd_one_out_interval(odd_one_out(rows, triplets, similarity=similarity) == 2, triplets)
    limits = {"accuracy": found.estimate, "low": found.low, "high": found.high}
    return {"similarity": similarity, "triplets": len(triplets)} | limits
