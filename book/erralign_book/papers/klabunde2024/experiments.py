"""What two choices of the benchmark do to its tests on Cora: equal seeds across groups, hints outside the split."""

from itertools import product

import numpy as np
import pandas as pd

from erralign_book.papers.frozen import frozen
from erralign_book.papers.klabunde2024 import scored
from erralign_book.papers.klabunde2024.graphs import NEEDS, SEED_SETS, WORLD, one
from erralign_book.papers.klabunde2024.scored import IN_A_GROUP, SEEDS_APART, Setting
from erralign_book.papers.klabunde2024.worlds import scores
from erralign_book.sources.planetoid import PLANETOID
from erralign_book.training import Trained, graphs

NETWORK = "GCN"
OTHER_SEEDS, WRONG_OUTSIDE = f"{NETWORK}, other seeds", f"{NETWORK}, wrong outside"
OF_GROUPS = ("random labels", "shortcuts", "augmentation")
EXPERIMENTS = WORLD._replace(
    settings=tuple(
        Setting(experiment, seeds, part)
        for experiment, parts in ((OTHER_SEEDS, OF_GROUPS), (WRONG_OUTSIDE, ("shortcuts",)))
        for seeds, part in product(range(SEED_SETS[NETWORK]), parts)
    )
)
SPOT = (EXPERIMENTS.settings[2], EXPERIMENTS.settings[-1])


@frozen(inputs=[PLANETOID], needs=NEEDS, slow=True, rtol=1e-2, settings=EXPERIMENTS.settings, spot=SPOT)
def experiment_pairs(setting: Setting) -> dict[str, np.ndarray]:
    """Return what the measures say of pairs of networks that were made otherwise than the benchmark makes them."""
    made = _of_other_seeds if setting.network == OTHER_SEEDS else _with_wrong_hints_outside
    return scored.compared(EXPERIMENTS, setting, made(setting))


def seed_sharing() -> pd.DataFrame:
    """Set scores of tests of groups with equal seeds in all groups, as released, beside other seeds in each."""
    return _beside("equal", "disjoint", OTHER_SEEDS)


def nodes_outside() -> pd.DataFrame:
    """Set scores of the test of shortcuts with true hints outside the split, as released, beside wrong ones."""
    return _beside("true", "wrong", WRONG_OUTSIDE)


def _of_other_seeds(setting: Setting) -> list[Trained]:
    """Give the groups the second half of a set of seeds, its first half, and the first half of the next set."""
    first, other = (seeds * SEEDS_APART for seeds in (setting.seed_set, (setting.seed_set + 1) % SEED_SETS[NETWORK]))
    return [
        one(NETWORK, seed, setting.part, group)
        for group, start in zip(WORLD.groups[setting.part], (first + IN_A_GROUP, first, other), strict=True)
        for seed in range(start, start + IN_A_GROUP)
    ]


def _with_wrong_hints_outside(setting: Setting) -> list[Trained]:
    first = setting.seed_set * SEEDS_APART
    return [
        graphs.shortcuts(NETWORK, seed, group, outside="wrong")
        for group in graphs.SHORTCUTS
        for seed in range(first, first + IN_A_GROUP)
    ]


def _beside(name: str, other: str, experiment: str) -> pd.DataFrame:
    changed = scored.scores(EXPERIMENTS, experiment_pairs())
    changed = changed[changed["network"] == experiment]
    released = scores("graphs").query("network == @NETWORK")
    released = released[released["test"].isin(changed["test"])]
    columns = []
    for what, table in ((name, released), (other, changed)):
        values = table.groupby(["test", "score", "measure"], sort=False)["value"]
        columns += [values.mean().rename(what), values.std().rename(f"{what}_sd")]
    return pd.concat(columns, axis=1)[[name, other, f"{name}_sd", f"{other}_sd"]].reset_index()
