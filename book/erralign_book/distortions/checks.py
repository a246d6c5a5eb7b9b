"""What is a picture: light from 0 to 1, grey or in colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors.arrays import as_array

COLOURS = 3


def check_picture(name: str, picture: ArrayLike, *, in_colour: bool = False) -> np.ndarray:
    """Return a picture as floats, or say what is wrong with it."""
    array = as_array(name, picture)
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{name} holds {array.dtype}; expected light from 0 to 1")
    in_three = array.ndim == COLOURS and array.shape[2] == COLOURS
    if array.size == 0 or not (in_three or (array.ndim == 2 and not in_colour)):
        shapes = "(height, width, 3)" if in_colour else "(height, width) or (height, width, 3)"
        raise ValueError(f"{name} has shape {array.shape}; expected {shapes}: one picture, colours last")
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ValueError(f"{name} holds {array[outside].flat[0]}; expected light from 0 to 1: divide bytes by 255")
    return array.astype(float)
