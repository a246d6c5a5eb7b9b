"""Intervals of odd-one-out accuracy where triplets share objects, with that taken into account and without."""

import warnings

import numpy as np
import pandas as pd
from scipy.special import ndtri

from benchmarks.coverage.worlds import held
from erralign.inference.triplets import equal_objects, odd_one_out_interval
from erralign.measures.matrix import wilson_interval
from erralign_book.cells import frozen

SETS = 2000
PER_OBJECT = 30  # triplets, each of which has three objects
MUCH = 0.2
# Objects, whether the one of rank r is drawn in proportion to 1/r, accuracy, and how much of what makes a triplet hard
# each of its objects brings.
SETTINGS = (
    (48, False, 0.6, 0.0),
    (200, False, 0.6, MUCH),
    (200, True, 0.6, MUCH),
    (200, True, 0.93, MUCH),
    (48, False, 0.6, MUCH),
    (48, True, 0.6, MUCH),
    (20, False, 0.6, MUCH),
    (12, False, 0.6, MUCH),
    (12, True, 0.6, MUCH),
)


@frozen("coverage/triplets", slow=True, settings=SETTINGS, spot=[(20, False, 0.6, MUCH), (12, True, 0.6, MUCH)])
def triplets(setting: tuple[int, bool, float, float]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals of an accuracy, where objects make their triplets hard or easy."""
    # Every data set has new objects; each object is in 30 triplets, on average.
    rng = np.random.default_rng([SETTINGS.index(setting), 17])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about few objects
        sets = [_limits(setting, rng) for _ in range(SETS)]
    worth, alone, shared = (np.array(each) for each in zip(*sets, strict=True))
    world = dict(zip(("objects", "unequal", "accuracy", "by_object"), setting, strict=True)) | {"worth": worth.mean()}
    limits = {"triplets": alone, "objects": shared}
    return pd.DataFrame([world | {"interval": name} | held(each, setting[2]) for name, each in limits.items()])


def _limits(setting: tuple[int, bool, float, float], rng: np.random.Generator) -> tuple[float, tuple, tuple]:
    n_objects, unequal, accuracy, share = setting
    drawn = _different(n_objects, unequal, rng)
    hard = np.sqrt(share) * rng.standard_normal(n_objects)[drawn].sum(axis=1)
    hard += np.sqrt(1 - 3 * share) * rng.standard_normal(len(drawn))
    right = hard < ndtri(accuracy)
    found = odd_one_out_interval(right, drawn)
    low, high = wilson_interval(found.estimate, len(right), 0.95)
    return equal_objects(drawn), (float(low), float(high)), (found.low, found.high)


def _different(n_objects: int, unequal: bool, rng: np.random.Generator) -> np.ndarray:
    """Draw triplets of different objects."""
    weights = 1 / np.arange(1, n_objects + 1) if unequal else np.ones(n_objects)
    drawn = rng.choice(n_objects, p=weights / weights.sum(), size=(4 * n_objects * PER_OBJECT, 3))
    different = (drawn != drawn[:, [1, 2, 0]]).all(axis=1)
    return drawn[different][: n_objects * PER_OBJECT // 3]
