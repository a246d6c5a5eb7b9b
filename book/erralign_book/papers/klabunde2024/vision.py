"""The six tests on pictures: 28 measures, networks trained on scikit-learn's digits."""

from dataclasses import replace
from itertools import product

import numpy as np

from erralign_book.papers.frozen import frozen
from erralign_book.papers.klabunde2024 import scored
from erralign_book.papers.klabunde2024.scored import BOTH_CORRELATIONS, PARTS, Setting, World
from erralign_book.training import Trained, vision

FAMILIES = ("plain", "ResNet", "ViT", "Mixer")  # of those in erralign_book.training.families
SEED_SETS = (0, 1)
NEEDS = ("torch", "timm", "sklearn")
WORLD = World(
    "vision",
    "digits",
    tuple(Setting(*each) for each in product(FAMILIES, SEED_SETS, PARTS)),
    {
        BOTH_CORRELATIONS: ("0%",),
        "random labels": tuple(vision.LABELS),
        "shortcuts": tuple(vision.SHORTCUTS),
        "augmentation": tuple(vision.AUGMENTATION),
        "layers": ("0%",),
    },
)
SPOT = (Setting("plain", 0, "layers"), Setting("ViT", 0, "layers"))


@frozen(inputs=[], needs=NEEDS, slow=True, rtol=1e-2, settings=WORLD.settings, spot=SPOT)
def vision_pairs(setting: Setting) -> dict[str, np.ndarray]:
    """Return what the measures say of all pairs of networks trained on digits, test by test."""
    return scored.compared(WORLD, setting, scored.trained(WORLD, setting, _one))


def _one(network: str, seed: int, part: str, group: str) -> Trained:
    """Train one network; those on the pictures as they are serve three tests."""
    if part == "augmentation":
        return vision.augmentation(network, seed, group)
    if part == "shortcuts":
        return vision.shortcuts(network, seed, group)
    if group == WORLD.groups[part][0]:
        return replace(vision.standard(network, seed), group=group)
    return vision.random_labels(network, seed, group)
