"""How much of people's choices a linear map of a system's features recovers, on objects that it has not seen."""

from __future__ import annotations

import numpy as np
import pandas as pd

from erralign.resampling.triplets import odd_one_out_interval
from erralign.triplets import Probing, cross_validate_probe, odd_one_out_accuracy
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, SYSTEMS, features_of, triplets_for

SHUFFLED = ", shuffled"
SETTINGS = (*SYSTEMS, f"VICE{SHUFFLED}")


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=2e-2, settings=SETTINGS, spot=("VICE", f"VICE{SHUFFLED}"))
def probing(system: str) -> pd.DataFrame:
    """Return accuracies of linear probes, cross-validated over objects, for each fold and penalty."""
    name, shuffled, _ = system.partition(SHUFFLED)
    features = features_of(name)
    places = np.flatnonzero(~np.isnan(features[:, 0]))
    triplets = np.searchsorted(places, triplets_for(name))
    if shuffled:
        triplets = np.random.default_rng(1).permuted(triplets, axis=1)
    found = cross_validate_probe(features[places], triplets)
    return _rows(found).assign(system=system, **_whole(found, features[places], triplets))[_COLUMNS]


_OF_ROWS = ["system", "fold", "penalty", "inside", "new", "seen", "chosen"]
_OF_ALL = ["tested", "accuracy", "low", "high", "accuracy_seen", "accuracy_chosen_on_test", "zero_shot"]
_COLUMNS = [*_OF_ROWS, *_OF_ALL]


def _rows(found: Probing) -> pd.DataFrame:
    folds, places = np.nonzero(np.isfinite(found.inner))
    table = {"fold": folds + 1, "penalty": np.array(found.penalties)[places], "inside": found.inner[folds, places]}
    table |= {"new": found.new[folds, places], "seen": found.seen[folds, places]}
    return pd.DataFrame(table | {"chosen": found.chosen[folds] == places})


def _whole(found: Probing, features: np.ndarray, triplets: np.ndarray) -> dict[str, float]:
    tested = triplets[found.tested]
    limits = odd_one_out_interval(found.right, tested)
    values = {"tested": len(tested), "accuracy": limits.estimate, "low": limits.low, "high": limits.high}
    values |= {"accuracy_seen": found.accuracy_seen, "accuracy_chosen_on_test": found.accuracy_chosen_on_test}
    return values | {"zero_shot": odd_one_out_accuracy(features, tested)}
