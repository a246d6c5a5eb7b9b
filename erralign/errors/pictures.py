"""Checks of pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors.arrays import as_array

COLOURS = 3


def check_picture(name: str, picture: ArrayLike, *, in_colour: bool = False) -> np.ndarray:
    """Return a picture as floats, or say what is wrong with it.

    Parameters
    ----------
    name : str
        What the caller calls the argument.
    picture : array_like of float, shape (height, width) or (height, width, 3)
        Light from 0 to 1: grey, or red, green and blue.
    in_colour : bool
        Whether a grey picture is refused.

    Returns
    -------
    numpy.ndarray
        float64, of that shape.

    Raises
    ------
    ValueError
        Another shape, or values outside 0 to 1, as of a picture with whole numbers up to 255.
    TypeError
        Things that are not numbers.

    Examples
    --------
    >>> check_picture("picture", [[0, 1], [0.5, 0.5]]).shape
    (2, 2)
    """
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
