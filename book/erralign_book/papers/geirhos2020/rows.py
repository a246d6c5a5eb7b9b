"""Error consistency from part of the trials, as the authors' comparison of columns kept them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from erralign.sources import geirhos2020 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import (
    ANSWERS,
    SIXTEEN,
    answers_on,
    error_consistencies,
    spread_of_pairs,
)
from erralign_book.papers.tables import each_data_set

# The paper's Figure 1 shows four of the networks, Figures SF.9 to SF.11 the fourteen that have Brain-Scores.
FOUR = ("alexnet", "vgg16-bn", "inception-v3", "resnet50")
FOURTEEN = tuple(network for network in SIXTEEN if network not in ("vgg11-bn", "vgg13-bn"))


@frozen(inputs=ANSWERS)
def parts_of_the_trials() -> pd.DataFrame:
    """Return the networks' error consistency from all trials and from part of them, in the order of the files.

    Where a table of trials is compared with a list of four words, R repeats the list along the rows: row 1 meets the
    first word, row 4 the fourth, row 5 the first again.
    """
    return each_data_set(_parts, source.DATA_SETS)


_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth"}


def _parts(data_set: str) -> pd.DataFrame:
    halves = {f"{_ORDINALS[a]} and {_ORDINALS[b]} of four": (a, b) for a, b in combinations(_ORDINALS, 2)}
    quarters = {f"{name} of four": (place,) for place, name in _ORDINALS.items()}
    every = {"all": tuple(_ORDINALS)}
    many = {"sixteen": SIXTEEN, "fourteen": FOURTEEN}
    rows = [(*group, *choice) for group in many.items() for choice in (every | halves).items()]
    rows += [("four", FOUR, *choice) for choice in (every | quarters).items()]
    return pd.DataFrame([_part(data_set, *row) for row in rows])


def _part(data_set: str, label: str, networks: tuple[str, ...], rows: str, places: tuple[int, ...]) -> dict:
    every = answers_on(data_set)
    kept = np.isin(np.arange(len(every.truth)) % 4 + 1, places)
    pairs = error_consistencies(every.select(systems=networks, trials=kept))
    both = pairs.query("system_a == 'densenet121' and system_b == 'resnet18'")["EC"]
    spread = spread_of_pairs(pairs)
    del spread["n_pairs"], spread["n_joint_errors"]
    part = {"networks": label, "rows": rows, "n_trials": int(kept.sum())} | spread
    return part | {"densenet121 with resnet18": both.item() if len(both) else np.nan}
