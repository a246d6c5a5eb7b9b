"""An interval, and what all methods share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Interval:
    """An interval, and what one has to know to read it.

    Parameters
    ----------
    low, high : float
        The limits; nan where no method can say anything.
    estimate : float
        The value itself; nan where it is undefined.
    method : str
        How the limits were found.
    estimand : str
        What they are about.
    n_joint_errors : int
        Trials on which both were wrong; of a difference, the smaller of its two numbers. With fewer than five, do not
        make much of the interval.
    n_undefined : int
        Draws in which the measure was 0/0; they were left out.
    """

    low: float
    high: float
    estimate: float
    method: str
    estimand: str
    n_joint_errors: int
    n_undefined: int


def check_level(level: float) -> None:
    """Refuse a level that is no share.

    Parameters
    ----------
    level : float
        The share of experiments in which an interval should hold the true value.

    Raises
    ------
    ValueError
        Not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected a share between 0 and 1, such as 0.95")


def check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a word that is not among those allowed.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    value : str
        What came.
    allowed : sequence of str
        What was expected.

    Raises
    ------
    ValueError
        Another word.
    """
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(allowed)}")


def tails(level: float) -> tuple[float, float]:
    """Return the two shares that leave equal tails.

    Parameters
    ----------
    level : float
        The share between them.

    Returns
    -------
    tuple of float
        Such as .025 and .975 for .95, but for rounding.
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
    """Take the bias that resampling shows off the percentile limits.

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
