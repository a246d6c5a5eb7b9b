"""How much measured error consistency varies, by a formula for many trials."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_shares


def standard_error(ec: ArrayLike, accuracy: ArrayLike) -> np.ndarray:
    r"""Return the standard error of EC times the root of the number of trials, for two equally accurate systems.

    For many trials N the standard error se follows from

    .. math:: \sqrt{N}\, se = \sqrt{(1 - k) \left[(1 - k)(1 - 2k) + \frac{k(2 - k)}{2 p (1 - p)}\right]}.

    The right side, which this function returns, does not depend on N; divide it by :math:`\sqrt{N}`. It is largest at
    k = 0 if p is one half, and near :math:`k = 1 - 1 / \sqrt 3 \approx 0.42` if p is close to 0 or 1.

    Parameters
    ----------
    ec : array_like of float
        k, the true error consistency, from 0 to 1.
    accuracy : array_like of float
        p, the accuracy of both systems, from 0 to 1, in a shape that broadcasts with that of ``ec``.

    Returns
    -------
    numpy.ndarray
        :math:`\sqrt{N}\, se`, not below 0. Undefined (nan) at accuracies of 0 and 1.

    References
    ----------
    Fleiss, Cohen & Everitt (1969), for any two systems, https://doi.org/10.1037/h0028106; here for equal
    accuracies.

    Examples
    --------
    >>> float(standard_error(0.0, 0.5))
    1.0

    The standard error with 400 trials, and the width of a 95 % interval, which is 2 times 1.96 standard errors:

    >>> error = float(standard_error(0.5, 0.95)) / 400 ** 0.5
    >>> round(error, 2), round(2 * 1.96 * error, 2)
    (0.1, 0.39)
    """
    ec, accuracy = check_shares("ec", ec), check_shares("accuracy", accuracy)
    apart = np.where((accuracy > 0) & (accuracy < 1), 2 * accuracy * (1 - accuracy), np.nan)
    spread = (1 - ec) * (1 - 2 * ec) + ec * (2 - ec) / apart
    return np.sqrt((1 - ec) * spread)


def widest_at(accuracy: float) -> float:
    """Return the true error consistency at which measured values vary most, for two equally accurate systems.

    Parameters
    ----------
    accuracy : float
        The accuracy of both systems, between 0 and 1.

    Returns
    -------
    float
        From 0 to 0.42, to a thousandth.

    Examples
    --------
    >>> widest_at(0.5), widest_at(0.95)
    (0.0, 0.396)
    """
    grid = np.linspace(0, 1, 1001)
    return float(grid[np.argmax(standard_error(grid, accuracy))])
