"""Any callable as a classifier: of another library, or one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from erralign.models.classifier import Classifier, Forward
from erralign.models.libraries import versions


def function(name: str, logits: Callable[[list[Any]], Any], classes: tuple[str, ...] | None) -> Classifier:
    """Take a callable as a classifier."""

    def forward_to(layer: str) -> Forward:
        if layer != "logits":
            raise ValueError(f"{name} is a function, of which only the logits are known; layer is {layer!r}")
        return lambda pictures: np.asarray(logits(pictures), dtype=np.float32)

    facts = {"source": "a function", "preprocessing": "its own", "versions": versions()}
    return Classifier(name, _unchanged, forward_to, classes, facts)


def _unchanged(picture: Any) -> Any:
    return picture
