"""Checks of single numbers: shares, levels, widths, how many."""

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors.arrays import as_array

# What a source of randomness is made from, as in SciPy.
Seed = int | np.random.Generator | np.random.SeedSequence | None
# Squared, the cells of a confusion matrix: 32,768 classes take 8 GiB.
MOST_CLASSES = 2**15


def check_shares(name: str, shares: ArrayLike) -> np.ndarray:
    """Return shares as floats, or say what is wrong with them."""
    array = as_array(name, shares)
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{name} holds {array.dtype}; expected shares between 0 and 1")
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ValueError(f"{name} is {array[outside].flat[0]}; expected a share between 0 and 1, not a percentage")
    return array.astype(float)


def check_level(level: float) -> None:
    """Refuse a level that is no share."""
    check_between("level", level, 0, 1, "a share, such as 0.95")


def check_range(name: str, value: float, lowest: float, highest: float, *, whole: bool = False) -> None:
    """Refuse what is not a number of a range."""
    kind = "whole number" if whole else "number"
    expected = f"expected a {kind} from {lowest:,} to {highest:,}"
    if not _is_number(value):
        raise TypeError(f"{name} is {value!r}; {expected}")
    if not lowest <= value <= highest or (whole and value != int(value)):
        raise ValueError(f"{name} is {value}; {expected}")


def check_design_effect(design_effect: float) -> None:
    """Refuse a design effect that would make limits narrower."""
    if not _is_number(design_effect) or not 1 <= design_effect < float("inf"):
        raise ValueError(
            f"design_effect is {design_effect}; expected a number from 1 up, as erralign.design_effect gives it"
        )


def check_alpha(alpha: float) -> None:
    """Refuse a smoothing that is not above 0."""
    check_positive("alpha", alpha)  # without smoothing an empty row has no shares


def check_n_classes(n_classes: int) -> int:
    """Refuse more classes than a table of all pairs of classes can hold."""
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"the largest label is {n_classes - 1}, which makes {n_classes} classes; expected at most {MOST_CLASSES}: "
            "number the classes 0 … C-1"
        )
    return n_classes


def check_whole(name: str, number: float, lowest: int, hint: str = "") -> int:
    """Return a whole number, such as a number of draws, or say what is wrong with it."""
    why = f": {hint}" if hint else ""
    if not _is_number(number):
        raise TypeError(f"{name} is {number!r}; expected a whole number from {lowest} up{why}")
    if not number >= lowest or number != np.floor(number) or np.isinf(number):
        raise ValueError(f"{name} is {number}; expected a whole number from {lowest} up{why}")
    return int(number)


def check_resamples(n_resamples: int) -> int:
    """Return a number of resamples, unless it is too small for limits."""
    return check_whole("n_resamples", n_resamples, 20, "limits are cut off the tails of the draws; 10,000 is usual")


def check_shuffles(name: str, n_shuffles: int) -> int:
    """Return a number of shuffles or simulated tables, unless it is too small for a p-value."""
    return check_whole(name, n_shuffles, 9, f"the smallest p-value is 1 / ({name} + 1)")


def check_rng(rng: Seed) -> np.random.Generator:
    """Return a source of randomness; with None another one in each call."""
    if rng is None or isinstance(rng, np.random.Generator | np.random.SeedSequence):
        return np.random.default_rng(rng)
    if not _is_number(rng) or isinstance(rng, float | np.floating):
        raise TypeError(f"rng is {rng!r}; expected a whole number from 0 up, a SeedSequence, a Generator, or None")
    return np.random.default_rng(check_whole("rng", rng, 0))


def check_positive(name: str, number: float) -> None:
    """Refuse what is no number above 0."""
    if not _is_number(number) or not 0 < number < np.inf:
        raise ValueError(f"{name} is {number!r}; expected a number above 0")


def check_between(name: str, number: float, low: float, high: float, hint: str) -> None:
    """Refuse a number that does not lie between two others."""
    if not _is_number(number) or not low < number < high:
        raise ValueError(f"{name} is {number!r}; expected a number between {low:g} and {high:g}: {hint}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
