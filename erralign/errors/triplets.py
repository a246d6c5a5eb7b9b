"""Checks of triplets: which three of the objects."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors.arrays import as_array


def check_triplets(name: str, triplets: ArrayLike, n_objects: int) -> np.ndarray:
    """Return triplets as whole numbers, or say what is wrong with them."""
    array = as_array(name, triplets)
    if array.ndim != 2 or array.shape[1] != 3 or not len(array):
        raise ValueError(f"{name} has shape {array.shape}; expected a row per triplet, with three objects each")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} holds {array.dtype}; expected numbers of objects, the rows of the features")
    outside = (array < 0) | (array >= n_objects)
    if outside.any():
        raise ValueError(f"{name} holds object {array[outside][0]}; expected 0 to {n_objects - 1}, the rows of X")
    twice = (array[:, 0] == array[:, 1]) | (array[:, 0] == array[:, 2]) | (array[:, 1] == array[:, 2])
    if twice.any():
        raise ValueError(f"{name} has an object twice in row {twice.argmax()}; each triplet is of three objects")
    return array.astype(np.int64)
