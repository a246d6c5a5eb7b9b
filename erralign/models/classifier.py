"""What a model is here: a name, how a picture is prepared for it, and what comes out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from erralign.models.libraries import versions

Forward = Callable[[Any], np.ndarray]
"""From prepared pictures, stacked, to their outputs, one row per picture."""


@dataclass(frozen=True)
class Classifier:
    """A model that is ready to run.

    Parameters
    ----------
    name : str
        The name of the model's column in a table of answers.
    prepare : callable
        A function from a picture (``PIL.Image.Image``, RGB) to what the model takes: a tensor, of one shape for all
        pictures.
    forward_to : callable
        A function from the name of a layer to a function that computes the outputs of this layer.
    classes : tuple of str or None
        What the outputs mean; None for the 1,000 classes of ImageNet.
    facts : dict of str to str
        Everything on which the outputs depend: ``source``, ``revision``, ``weights`` (a SHA-256), ``preprocessing``,
        ``precision``, ``versions``. If there is no hash of weights, nothing is kept between two runs.
    device : str
        Where the model runs.
    """

    name: str
    prepare: Callable[[Any], Any]
    forward_to: Callable[[str], Forward]
    classes: tuple[str, ...] | None
    facts: dict[str, str]
    device: str = "cpu"


def function(name: str, answer: Callable[[list[Any]], Any], classes: tuple[str, ...] | None) -> Classifier:
    """Take a callable as a classifier."""

    def forward(pictures: list[Any]) -> np.ndarray:
        rows = np.asarray(answer(pictures), dtype=np.float32)
        if rows.shape[:1] != (len(pictures),) or rows.ndim != 2:
            raise ValueError(
                f"{name} gave numbers of shape {rows.shape} for {len(pictures)} pictures; expected one row per picture "
                "and one column per class"
            )
        return rows

    def forward_to(layer: str) -> Forward:
        if layer != "logits":
            raise ValueError(f"{name} is a function, of which only the logits are known; layer is {layer!r}")
        return forward

    facts = {"source": "a function", "preprocessing": "its own", "versions": versions()}
    return Classifier(name, _unchanged, forward_to, classes, facts)


def _unchanged(picture: Any) -> Any:
    return picture
