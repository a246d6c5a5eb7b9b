"""What a model is here: a name, how a picture is prepared for it, and what comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Forward = Callable[[Any], np.ndarray]
"""From prepared pictures, stacked, to their outputs, a row each."""


@dataclass(frozen=True)
class Classifier:
    """A model that is ready to run.

    Parameters
    ----------
    name : str
        What its column in a table of answers is called.
    prepare : callable
        From a picture (``PIL.Image.Image``, RGB) to what the model takes: a tensor, all of one shape.
    forward_to : callable
        From the name of a layer to what computes its outputs.
    classes : tuple of str or None
        What the outputs mean; None for the 1,000 classes of ImageNet.
    facts : dict of str to str
        All on which the outputs depend: ``source``, ``revision``, ``weights`` (a SHA-256), ``preprocessing``,
        ``precision``, ``versions``. Without weights that can be hashed nothing is kept between two runs.
    device : str
        Where it runs.
    """

    name: str
    prepare: Callable[[Any], Any]
    forward_to: Callable[[str], Forward]
    classes: tuple[str, ...] | None
    facts: dict[str, str]
    device: str = "cpu"
