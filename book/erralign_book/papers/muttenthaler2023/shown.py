"""What each system was shown, and whether the networks see what is in the pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd

from erralign.measures.limits import wilson_interval
from erralign.models.categories import imagenet_classes
from erralign.sources import things
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, NETWORKS, SYSTEMS, features_of


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=SYSTEMS, spot=("VICE", "word2vec"))
def shown(system: str) -> pd.DataFrame:
    """Return how many objects a system has features of, and for logits how often the network names them."""
    features = features_of(system)
    row = {"system": system, "objects": int((~np.isnan(features[:, 0])).sum()), "features": features.shape[1]}
    right = _right(features) if NETWORKS.get(system, ("", ""))[1] == "logits" else np.empty(0)
    share = float(right.mean()) if len(right) else np.nan
    low, high = wilson_interval(share, len(right), 0.95) if len(right) else (np.nan, np.nan)
    limits = {"top_1": share, "low": float(low), "high": float(high)}
    return pd.DataFrame([row | {"imagenet_objects": len(right)} | limits])


def _right(logits: np.ndarray) -> np.ndarray:
    classes = pd.Index(imagenet_classes())
    true = classes.get_indexer(things.wordnet_ids())  # type: ignore[arg-type]  # its stub knows an Index only
    known = (true >= 0) & ~np.isnan(logits[:, 0])
    return logits[known].argmax(axis=1) == true[known]
