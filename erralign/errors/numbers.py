"""Checks of single numbers and words: shares, choices, levels, widths."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike


def check_shares(name: str, shares: ArrayLike) -> np.ndarray:
    """Return shares as floats, or say what is wrong with them.

    Parameters
    ----------
    name : str
        What the caller calls the argument.
    shares : array_like of float
        From 0 to 1, of any shape.

    Returns
    -------
    numpy.ndarray
        float64, of that shape.

    Raises
    ------
    ValueError
        Outside 0 to 1, or NaN.
    TypeError
        Things that are not numbers.

    Examples
    --------
    >>> check_shares("accuracy_a", [0.5, 1])
    array([0.5, 1. ])
    """
    array = np.asarray(shares)
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{name} holds {array.dtype}; expected shares between 0 and 1")
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ValueError(f"{name} is {array[outside].flat[0]}; expected a share between 0 and 1, not a percentage")
    return array.astype(float)


def check_choice(name: str, value: Hashable, allowed: Sequence[Hashable]) -> None:
    """Refuse a word, or a number, that is not among those allowed.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    value : str or number
        What came.
    allowed : sequence of str or number
        What was expected.

    Raises
    ------
    ValueError
        It is none of them.

    Examples
    --------
    >>> check_choice("partner", "Twin", ["Twin", "Stranger"])
    """
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(map(str, allowed))}")


def check_level(level: float) -> None:
    """Refuse a level that is no share.

    Parameters
    ----------
    level : float
        The share of experiments in which an interval should contain the true value, between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected a share between 0 and 1, such as 0.95")


def check_width(width: float, widest: float) -> None:
    """Refuse a width that no interval can have.

    Parameters
    ----------
    width : float
        High minus low of an interval.
    widest : float
        The whole range of the measure; every other width is below it.
    """
    if not 0 < width < widest:
        raise ValueError(f"width is {width}; expected a number above 0 and below {widest:g}, such as 0.1")


def check_number(name: str, value: float, lowest: float, highest: float, *, whole: bool = False) -> None:
    """Refuse what is not a number of a range.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    value : float
        What came.
    lowest, highest : float
        The ends of the range; both belong to it.
    whole : bool
        Whether only whole numbers will do.

    Raises
    ------
    TypeError
        It is no number.
    ValueError
        It is out of range or, where ``whole``, a fraction.

    Examples
    --------
    >>> check_number("draws", 100, 20, 1000, whole=True)
    """
    kind = "whole number" if whole else "number"
    expected = f"expected a {kind} from {lowest:,} to {highest:,}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}; {expected}")
    if not lowest <= value <= highest or (whole and value != int(value)):
        raise ValueError(f"{name} is {value}; {expected}")
