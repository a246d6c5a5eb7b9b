"""Which concept is a triplet about? Accuracies by three rules, of systems whose features are public."""

from __future__ import annotations

import numpy as np
import pandas as pd

from erralign.sources import things
from erralign.triplets import odd_one_out
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.concepts import REFERENCE
from erralign_book.papers.muttenthaler2023.systems import features_of

RULES = {"sum": np.add, "product": np.multiply, "minimum": np.minimum}


@frozen(inputs=[things.SEMANTIC, things.VICE])
def concept_rules() -> pd.DataFrame:
    """Return CLIP's accuracy on each concept if it leads by the sum, the product or the minimum over the two kept."""
    reference, triplets = features_of(REFERENCE), things.triplets()
    triplets = triplets[odd_one_out(reference, triplets, similarity="dot") == 2]
    right = odd_one_out(features_of("CLIP ViT-B/32"), triplets) == 2
    parts = []
    for name, rule in RULES.items():
        leading = rule(reference[triplets[:, 0]], reference[triplets[:, 1]]).argmax(axis=1)
        of_each = pd.Series(right).groupby(leading + 1).agg(triplets="size", accuracy="mean")
        parts.append(of_each.rename_axis("dimension").reset_index().assign(rule=name))
    return pd.concat(parts, ignore_index=True)[["rule", "dimension", "triplets", "accuracy"]]
