"""Intervals of odd-one-out accuracy where triplets share objects, with that taken into account and without."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
from scipy.special import ndtri

from erralign.measures.limits import wilson_interval
from erralign.resampling.triplets import odd_one_out_interval
from erralign_book.papers.frozen import frozen
from erralign_book.simulations.coverage.worlds import held

SETS = 400
ACCURACY = 0.6
PER_OBJECT = 30  # triplets, each of which has three objects
# How much of what makes a triplet hard each of its objects brings.
BY_OBJECT = {"nothing": 0.0, "little": 0.03, "more": 0.1, "much": 0.2}
SETTINGS = tuple(product(BY_OBJECT, (40, 150, 600)))


@frozen(inputs=[], slow=True, settings=SETTINGS, spot=[("nothing", 40), ("much", 40)])
def triplets(setting: tuple[str, int]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals of an accuracy of .6, where objects make their triplets hard or easy.

    Every data set has new objects; each object is in 30 triplets, on average.
    """
    by_object, n_objects = setting
    rng = np.random.default_rng([len(by_object), n_objects, 17])
    estimates, alone, shared = (
        np.array(each) for each in zip(*[_limits(setting, rng) for _ in range(SETS)], strict=True)
    )
    suggested = (alone[:, 1] - alone[:, 0]).mean() / (2 * ndtri(0.975))
    world = {"by_object": by_object, "objects": n_objects, "triplets": n_objects * PER_OBJECT // 3}
    world["inflation"] = float(estimates.std() / suggested)
    limits = {"triplets": alone, "objects": shared}
    return pd.DataFrame([world | {"interval": name} | held(each, ACCURACY) for name, each in limits.items()])


def _limits(setting: tuple[str, int], rng: np.random.Generator) -> tuple[float, tuple, tuple]:
    share, n_objects = BY_OBJECT[setting[0]], setting[1]
    drawn = rng.integers(n_objects, size=(n_objects * PER_OBJECT, 3))
    different = (drawn != drawn[:, [1, 2, 0]]).all(axis=1)
    drawn = drawn[different][: n_objects * PER_OBJECT // 3]
    hard = np.sqrt(share) * rng.standard_normal(n_objects)[drawn].sum(axis=1)
    hard += np.sqrt(1 - 3 * share) * rng.standard_normal(len(drawn))
    right = hard < ndtri(ACCURACY)
    found = odd_one_out_interval(right, drawn)
    low, high = wilson_interval(found.estimate, len(right), 0.95)
    return found.estimate, (float(low), float(high)), (found.low, found.high)
