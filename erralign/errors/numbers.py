"""Checks of single numbers: shares, levels, widths, smoothing."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

# Squared, the cells of a confusion matrix: 32,768 classes take 8 GiB.
MOST_CLASSES = 2**15


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


def check_design_effect(design_effect: float) -> None:
    """Refuse a design effect that would make limits narrower.

    Parameters
    ----------
    design_effect : float
        By what factor the variance grows where trials share material, at least 1.
    """
    if not 1 <= design_effect < float("inf"):
        raise ValueError(
            f"design_effect is {design_effect}; expected a number from 1 up, as erralign.design_effect gives it"
        )


def check_alpha(alpha: float) -> None:
    """Refuse a smoothing that is not above 0.

    Parameters
    ----------
    alpha : float
        What is added to every cell.
    """
    if not alpha > 0:
        raise ValueError(f"alpha is {alpha}; expected a number above 0: without smoothing an empty row has no shares")


def check_n_classes(n_classes: int) -> int:
    """Refuse more classes than a table of all pairs of classes can hold.

    Parameters
    ----------
    n_classes : int
        C.

    Returns
    -------
    int
        The same.
    """
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"the largest label is {n_classes - 1}, which makes {n_classes} classes; expected at most {MOST_CLASSES}: "
            "number the classes 0 … C-1"
        )
    return n_classes
