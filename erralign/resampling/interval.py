"""What all methods that find limits have in common."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri


def tails(level: float) -> tuple[float, float]:
    """Return the two shares of a distribution below its limits, if both tails are equal.

    Parameters
    ----------
    level : float
        The share between the limits.

    Returns
    -------
    tuple of float
        For 0.95 they are 0.025 and 0.975, up to rounding.
    """
    return (1 - level) / 2, (1 + level) / 2


def percentile_limits(draws: np.ndarray, level: float) -> tuple[float, float, int]:
    """Cut equal tails off the draws that are defined.

    Parameters
    ----------
    draws : numpy.ndarray of float, shape (n_resamples,)
        nan where a draw is undefined.
    level : float
        The share between the limits.

    Returns
    -------
    tuple
        Low, high (nan if no draw is defined), and the number of undefined draws.

    Examples
    --------
    >>> percentile_limits(np.array([0.0, 1.0, 2.0, np.nan]), 0.5)
    (0.5, 1.5, 1)
    """
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return np.nan, np.nan, len(draws)
    low, high = np.quantile(defined, tails(level))
    return float(low), float(high), len(draws) - len(defined)


def recentred_limits(draws: np.ndarray, estimate: float, level: float) -> tuple[float, float, int]:
    """Subtract the bias that resampling shows from the percentile limits.

    Parameters
    ----------
    draws : numpy.ndarray of float, shape (n_resamples,)
        Resampled values; nan where undefined.
    estimate : float
        The value itself.
    level : float
        The share between the limits.

    Returns
    -------
    tuple
        Low, high, and the number of undefined draws.

    Examples
    --------
    >>> recentred_limits(np.array([0.25, 0.5, 0.75]), 0.25, 0.5)
    (0.125, 0.375, 0)
    """
    low, high, undefined = percentile_limits(draws, level)
    bias = np.nanmean(draws) - estimate if undefined < len(draws) else np.nan
    return float(low - bias), float(high - bias), undefined


def wilson_interval(share: ArrayLike, n: ArrayLike, level: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Return Wilson's interval of a share p of n trials.

    .. math:: \frac{p + z^2 / 2n \pm z \sqrt{p (1 - p) / n + z^2 / 4n^2}}{1 + z^2 / n}

    Parameters
    ----------
    share : array_like of float
        p, from 0 to 1.
    n : array_like of float
        Number of trials. It need not be whole, since it may have been divided by a design effect.
    level : float
        The share of experiments in which the interval should contain the true share.

    Returns
    -------
    tuple of numpy.ndarray
        Low and high, from 0 to 1.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> [round(float(end), 3) for end in wilson_interval(0.75, 12, 0.95)]
    [0.468, 0.911]
    """
    share, n = np.asarray(share, dtype=float), np.asarray(n, dtype=float)
    z = ndtri((1 + level) / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return centre - half, centre + half


def limits_of_difference(a: tuple, b: tuple) -> tuple:
    """Return limits of a difference of two values from the limits of both.

    The distances of the limits from their values are squared and added.

    Parameters
    ----------
    a, b : tuple of float or array
        Value, low, high. The two values are taken as independent; if they rise and fall together, the limits are too
        wide.

    Returns
    -------
    tuple
        Low and high of a minus b.

    References
    ----------
    Zou & Donner (2008), https://doi.org/10.1002/sim.3095.

    Examples
    --------
    >>> [round(float(end), 3) for end in limits_of_difference((0.5, 0.2, 0.9), (0.1, -0.2, 0.5))]
    [-0.1, 0.9]
    """
    (value_a, low_a, high_a), (value_b, low_b, high_b) = a, b
    middle = value_a - value_b
    return middle - np.hypot(value_a - low_a, high_b - value_b), middle + np.hypot(high_a - value_a, value_b - low_b)
