"""Which of the known answers a student's is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def closest(found: ArrayLike | None, tolerance: float = 1e-6, **known: Any) -> str:
    """Return the name of the first of the known values that is found; a tuple holds alternatives."""
    if found is None:
        return "nothing"
    answer = np.asarray(found, dtype=float)
    for name, value in known.items():
        for each in value if isinstance(value, tuple) else (value,):
            if np.shape(each) == answer.shape and np.allclose(each, answer, rtol=0, atol=tolerance):
                return name
    return ""
