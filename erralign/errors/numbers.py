"""Checks of numbers: one check of a range, and what each argument must be that means the same in all functions."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors.arrays import as_array

# What a source of randomness is made from, as in SciPy.
Seed = int | np.random.Generator | np.random.SeedSequence | None
# Squared, the cells of a confusion matrix: 32,768 classes take 8 GiB.
MOST_CLASSES = 2**15


def check_range(
    name: str,
    value: Any,
    low: float,
    high: float | None = None,
    hint: str = "",
    *,
    whole: bool = False,
    ends: bool = True,
) -> Any:
    """Return a number of a range, whose ends belong to it or not, or say what is wrong with it."""
    if high is None:
        room = f"from {low:,} up" if ends else f"above {low:,}"
    else:
        room = f"from {low:,} to {high:,}" if ends else f"between {low:g} and {high:g}"
    expected = f"expected a {'whole ' * whole}number {room}{f': {hint}' * bool(hint)}"
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; {expected}")
    most = np.finfo(float).max if high is None else high
    if not (low <= value <= most if ends else low < value < most) or (whole and value != np.floor(value)):
        raise ValueError(f"{name} is {value}; {expected}")
    return int(value) if whole else value


check_whole = partial(check_range, whole=True)
check_between = partial(check_range, ends=False)
check_positive = partial(check_range, low=0, ends=False)


def check_rng(rng: Seed) -> np.random.Generator:
    """Return a source of randomness; with None another one in each call."""
    if rng is None or isinstance(rng, np.random.Generator | np.random.SeedSequence):
        return np.random.default_rng(rng)
    return np.random.default_rng(check_whole("rng", rng, 0, hint="or a SeedSequence, a Generator, or None"))


_RULES: dict[str, Callable[[str, Any], Any]] = {
    "level": partial(check_between, low=0, high=1, hint="a share, such as 0.95"),
    "alpha": check_positive,  # without smoothing an empty row has no shares
    "design_effect": partial(check_range, low=1, hint="as erralign.design_effect gives it"),
    "n_resamples": partial(check_whole, low=20, hint="limits are cut off the tails of the draws; 10,000 is usual"),
    "rng": lambda _, rng: check_rng(rng),
    **{
        name: partial(check_whole, low=9, hint=f"the smallest p-value is 1 / ({name} + 1)")
        for name in ("n_permutations", "n_samples")
    },
}


def checked(**given: Any) -> Any:
    """Return arguments as functions use them, one or several, or say what is wrong with the first that is wrong."""
    values = [_RULES[name](name, value) for name, value in given.items()]
    return values if len(values) > 1 else values[0]


def check_shares(name: str, shares: ArrayLike) -> np.ndarray:
    """Return shares as floats, or say what is wrong with them."""
    array = as_array(name, shares, kinds="iufb", expected="shares between 0 and 1")
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ValueError(f"{name} is {array[outside].flat[0]}; expected a share between 0 and 1, not a percentage")
    return array.astype(float)


def check_n_classes(n_classes: int) -> int:
    """Refuse more classes than a table of all pairs of classes can hold."""
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"the largest label is {n_classes - 1}, which makes {n_classes} classes; expected at most {MOST_CLASSES}: "
            "number the classes 0 … C-1"
        )
    return n_classes
