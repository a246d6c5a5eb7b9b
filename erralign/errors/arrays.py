"""What a caller hands in as an array."""

from typing import Any

import numpy as np


def as_array(
    name: str, given: Any, dtype: type | None = None, *, expected: str = "", ndim: int = 0, kinds: str = ""
) -> np.ndarray:
    """Return an array, unless something in it would be lost on the way, or it is not what is expected."""
    if isinstance(given, np.ma.MaskedArray) and (masked := np.ma.getmaskarray(given)).any():
        at = tuple(np.argwhere(masked)[0].tolist())
        raise ValueError(
            f"{name} is masked at {at if len(at) > 1 else at[0]}; leave that trial out everywhere, or write -1 where a "
            "system gave no answer"
        )
    try:
        array = np.asarray(given, dtype=dtype)
        # Text beside numbers or None would all become text.
        mixed = array.dtype.kind in "US" and not hasattr(given, "dtype")
        array = np.asarray(given, dtype=object) if mixed else array
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} is no array of numbers or names: {str(error).splitlines()[0]}") from None
    if ndim and (array.ndim != ndim or not array.size):
        raise ValueError(f"{name} has shape {array.shape}; expected {expected}")
    if kinds and array.dtype.kind not in kinds:
        raise TypeError(f"{name} holds {array.dtype}; expected {expected}")
    return array


def first_place(where: np.ndarray) -> tuple[int, ...]:
    """Return the first place of an array at which something is so."""
    return tuple(np.argwhere(where)[0].tolist())
