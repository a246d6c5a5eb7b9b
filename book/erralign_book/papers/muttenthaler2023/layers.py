"""How often the odd one out of one network is that of people, stage after stage of the network."""

import numpy as np
import pandas as pd

from erralign.inference.triplets import odd_one_out_interval
from erralign.models import features, load
from erralign.models.networks import PACKAGES
from erralign.triplets import odd_one_out
from erralign.triplets.choices import SIMILARITIES
from erralign_book.datasets import things
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import pictures
from erralign_book.papers.tables import with_limits

NETWORK = "tf_efficientnet_lite0"
STAGES = tuple(f"blocks.{number}" for number in range(1, 7))
"""All but the first, whose outputs would fill gigabytes."""
INPUTS = (things.SEMANTIC, things.PICTURES)
NEEDS = ("torch", "timm", PACKAGES[NETWORK])


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=STAGES, spot=STAGES[-2:], by="stage")
def accuracy_by_stage(stage: str) -> pd.DataFrame:
    """Return zero-shot odd-one-out accuracies of what a stage of EfficientNet-Lite0 computes."""
    rows = features(load(NETWORK, device="cpu"), pictures(), layer=stage).to_numpy()
    place = np.full(things.N_OBJECTS, -1)
    place[things.pictures().index] = np.arange(len(rows))
    triplets = place[things.triplets()]
    triplets = triplets[(triplets >= 0).all(axis=1)]
    facts = {"features": rows.shape[1], "triplets": len(triplets)}
    right = {of: odd_one_out(rows, triplets, similarity=of) == 2 for of in SIMILARITIES}
    found = [
        {"similarity": of} | facts | with_limits(odd_one_out_interval(each, triplets), "accuracy")
        for of, each in right.items()
    ]
    return pd.DataFrame(found)[["features", "similarity", "triplets", "accuracy", "low", "high"]]
