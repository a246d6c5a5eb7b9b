"""Five of the six tests on sentences: 28 measures, small transformer encoders trained from scratch on SST-2.

How these encoders differ from the MultiBERTs of the paper: :mod:`erralign_book.training.language`.
"""

from itertools import product

import numpy as np

from erralign_book.datasets.sst2 import SST2
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klabunde2024 import scored
from erralign_book.papers.klabunde2024.scored import BOTH_CORRELATIONS, Setting, World
from erralign_book.training import Trained, language

NETWORK = "encoder"
SEED_SETS = (0, 1)
NEEDS = ("torch",)
GROUPS = {
    BOTH_CORRELATIONS: ("0%",),
    "random labels": tuple(language.LABELS),
    "layers": ("0%",),
    "shortcuts": tuple(language.SHORTCUTS),
}
SETTINGS = tuple(Setting(NETWORK, *each) for each in product(SEED_SETS, GROUPS))
WORLD = World("language", "SST2", SETTINGS, GROUPS)
SPOT = (Setting(NETWORK, 0, "layers"), Setting(NETWORK, 0, BOTH_CORRELATIONS))


@frozen(inputs=[SST2], needs=NEEDS, slow=True, rtol=1e-2, settings=SETTINGS, spot=SPOT)
def language_pairs(setting: Setting) -> dict[str, np.ndarray]:
    """Return what the measures say of all pairs of networks trained on SST-2, test by test."""
    return scored.compared(WORLD, setting, scored.trained(WORLD, setting, _one))


def _one(_network: str, seed: int, part: str, group: str) -> Trained:
    """Train one network; those on phrases as they are serve three tests."""
    if part == "shortcuts":
        return language.shortcuts(seed, group)
    if group == GROUPS[part][0]:
        return language.standard(seed)
    return language.random_labels(seed, group)
