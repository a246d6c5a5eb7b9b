"""p-values where trials share material: the normal deviate is divided by the square root of the design effect."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtri_exp


@overload
def less_extreme(p: float, effect: float) -> float: ...
@overload
def less_extreme(p: np.ndarray, effect: ArrayLike) -> np.ndarray: ...
def less_extreme(p: float | np.ndarray, effect: ArrayLike) -> float | np.ndarray:
    r"""Return two-sided p-values for trials that share material, out of those for independent trials.

    With the normal deviate z of p, :math:`p = 2 \Phi(-z)`, it is :math:`2 \Phi(-z / \sqrt{d})`, by logarithms, so
    that a tiny p does not vanish.

    Parameters
    ----------
    p : float or numpy.ndarray
        Above 0, at most 1; nan stays.
    effect : float or array_like of float
        The design effect d, at least 1; 1 leaves p bit by bit as it is.

    Returns
    -------
    float or numpy.ndarray
        At least p.

    Examples
    --------
    >>> round(less_extreme(0.01, 1.4), 3), less_extreme(0.01, 1.0), f"{less_extreme(1e-200, 4.0):.0e}"
    (0.029, 0.01, '1e-51')
    """
    deviate = ndtri_exp(np.log(p) - np.log(2))
    changed = np.minimum(2 * np.exp(log_ndtr(deviate / np.sqrt(effect))), 1)
    found = np.where(np.asarray(effect) > 1, changed, p)
    return found if isinstance(p, np.ndarray) else float(found)
