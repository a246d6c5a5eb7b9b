"""The cells of a table that two accuracies and an error consistency imply."""

import math

import numpy as np

from erralign.bounds import error_consistency_bounds
from erralign.errors import check_number


def expected_table(ec: float, accuracy_a: float, accuracy_b: float) -> np.ndarray:
    """Return the shares of trials on which both, one or none of two systems are right, from EC and accuracies.

    Parameters
    ----------
    ec : float
        Error consistency.
    accuracy_a, accuracy_b : float
        From 0 to 1.

    Returns
    -------
    numpy.ndarray of float, shape (2, 2)
        ``table[a right][b right]``, adding up to 1; ``table[0, 0]`` is the share of joint errors.

    Raises
    ------
    ValueError
        The accuracies do not allow the EC, or are outside 0 to 1.

    Examples
    --------
    >>> expected_table(0.3, 0.75, 0.6).round(4).tolist()
    [[0.1675, 0.0825], [0.2325, 0.5175]]
    """
    check_possible(ec, accuracy_a, accuracy_b)
    different = accuracy_a * (1 - accuracy_b) + accuracy_b * (1 - accuracy_a)
    both = accuracy_a * accuracy_b + ec * different / 2
    table = np.array([[1 - accuracy_a - accuracy_b + both, accuracy_b - both], [accuracy_a - both, both]])
    return np.maximum(table, 0) / np.maximum(table, 0).sum()


def check_possible(ec: float, accuracy_a: float, accuracy_b: float) -> None:
    """Raise an error if two accuracies do not allow an error consistency."""
    check_number("ec", ec)
    low, high = (float(bound) for bound in error_consistency_bounds(accuracy_a, accuracy_b))
    if np.isnan(low):
        raise ValueError(
            f"both accuracies are {accuracy_a}: EC is undefined where nobody ever fails, or everybody always"
        )
    if not low - 1e-9 <= ec <= high + 1e-9:
        allowed = f"{-rounded_down(-low)} to {rounded_down(high)}"
        accuracies = f"{accuracy_a} and {accuracy_b}"
        raise ValueError(f"ec is {ec}; expected {allowed}, which is all that accuracies of {accuracies} allow")


def rounded_down(value: float) -> float:
    """Round a limit towards what is allowed, so that the printed limit is itself allowed."""
    return math.floor(value * 1000 + 1e-6) / 1000
