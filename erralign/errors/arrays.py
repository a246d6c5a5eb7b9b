"""What a caller hands in as an array."""

from typing import Any

import numpy as np


def as_array(name: str, given: Any, dtype: type | None = None) -> np.ndarray:
    """Return an array, unless something in it would be lost on the way."""
    if isinstance(given, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(given)
        if masked.any():
            where = tuple(int(place) for place in np.argwhere(masked)[0])
            at = where[0] if len(where) == 1 else where
            raise ValueError(
                f"{name} is masked at {at}; leave that trial out everywhere, or write -1 where a system gave no answer"
            )
    try:
        array = np.asarray(given, dtype=dtype)
        # Text beside numbers or None would all become text.
        mixed = array.dtype.kind in "US" and not hasattr(given, "dtype")
        return np.asarray(given, dtype=object) if mixed else array
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} is no array of numbers or names: {str(error).splitlines()[0]}") from None
