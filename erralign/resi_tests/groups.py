"""Tests 3 to 5: does a measure tell groups apart that differ in labels, shortcuts or augmentation?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import as_array, check_square

_Lists = tuple[np.ndarray, np.ndarray]
_NO_DISTANCE: Final = 5e-5  # what the release divides by where all distances of a group are 0


class Chance(NamedTuple):
    """The scores of two measures that know nothing of the groups.

    Parameters
    ----------
    random : float
        The expected score of a measure that knows nothing.
    constant : float
        The score of a measure that is the same for all pairs.
    """

    random: float
    constant: float


def group_precision(similarity: ArrayLike, groups: ArrayLike, *, larger_is_more_similar: bool = True) -> float:
    """Return how well a measure finds the pairs of one group: the area under the precision-recall curve (AUPRC).

    Pairs are ordered by similarity, equal values together. Those whose two systems are in one group are to be found. As
    released, there is one AUPRC per group, over all pairs with a member in that group, and their mean; distances are
    subtracted from the largest, and rounding can make very small ones equal.

    Parameters
    ----------
    similarity : array_like of float, shape (n_systems, n_systems)
        The measure's values.
    groups : array_like, shape (n_systems,)
        Which group each system belongs to.
    larger_is_more_similar : bool
        Whether the measure is a similarity.

    Returns
    -------
    float
        Above 0, at most 1; by chance :func:`precision_by_chance`. Pairs with nan are left out. Undefined, and nan, when
        one group has no pair within it or none across groups left.

    Examples
    --------
    >>> similarity = [[1, 0.9, 0.2, 0.5], [0.9, 1, 0.3, 0.1], [0.2, 0.3, 1, 0.4], [0.5, 0.1, 0.4, 1]]
    >>> group_precision(similarity, ["a", "a", "b", "b"])
    0.75
    """
    turned = None if larger_is_more_similar else _relative_to_max
    return _mean_over_groups(_average_precision, _by_group(similarity, groups), turned)


def precision_of_each(
    similarity: ArrayLike, groups: ArrayLike, *, larger_is_more_similar: bool = True
) -> dict[Any, float]:
    """Return how well a measure finds the pairs of each group among the pairs with one of its systems: AUPRC.

    Parameters
    ----------
    similarity, groups, larger_is_more_similar
        As for :func:`group_precision`.

    Returns
    -------
    dict of object to float
        By group; nan where a group has no pair within it or none with others. Their mean is what
        :func:`group_precision` returns, except for distances that become equal only by rounding.

    Examples
    --------
    >>> similarity = [[1, 0.9, 0.2, 0.5], [0.9, 1, 0.3, 0.1], [0.2, 0.3, 1, 0.4], [0.5, 0.1, 0.4, 1]]
    >>> precision_of_each(similarity, ["a", "a", "b", "b"])
    {'a': 1.0, 'b': 0.5}
    """
    sign = 1 if larger_is_more_similar else -1
    lists = _by_group(similarity, groups)
    return {group: _average_precision(sign * inside, sign * across) for group, (inside, across) in lists.items()}


def group_conformity(similarity: ArrayLike, groups: ArrayLike, *, larger_is_more_similar: bool = True) -> float:
    """Return the share of comparisons in which a pair of one group is more similar than a pair across groups.

    Two equal values do not conform. As released, each pair within a group is compared with each pair of a member and a
    system outside the group; the share is computed per group, and averaged over groups.

    Parameters
    ----------
    similarity, groups, larger_is_more_similar
        As for :func:`group_precision`.

    Returns
    -------
    float
        From 0 to 1; by chance 0.5, and 0 for a constant measure. Undefined, and nan, when one group has nothing to
        compare.

    Examples
    --------
    >>> similarity = [[1, 0.9, 0.2, 0.5], [0.9, 1, 0.3, 0.1], [0.2, 0.3, 1, 0.4], [0.5, 0.1, 0.4, 1]]
    >>> group_conformity(similarity, ["a", "a", "b", "b"])
    0.875
    """
    turned = None if larger_is_more_similar else _below_max
    return _mean_over_groups(_conforming_share, _by_group(similarity, groups), turned)


def precision_by_chance(groups: ArrayLike) -> Chance:
    r"""Return the AUPRC of a measure that knows nothing, and of a constant one.

    Suppose that P of N pairs are to be found. With the harmonic number :math:`H_N = 1 + 1/2 + … + 1/N`, a random order
    gives on average

    .. math:: \frac1N \Big( H_N + \frac{P - 1}{N - 1} (N - H_N) \Big),

    and a constant measure gives P/N. As released, both are averaged over groups.

    Parameters
    ----------
    groups
        As for :func:`group_precision`.

    Returns
    -------
    Chance
        Both are nan when of one group no pair can be found, or every pair is to be found.

    Examples
    --------
    >>> chance = precision_by_chance([0] * 5 + [1] * 5 + [2] * 5)
    >>> round(chance.random, 4), round(chance.constant, 4)
    (0.2186, 0.1667)
    """
    _, sizes = np.unique(as_array("groups", groups), return_counts=True)
    insides, across = sizes * (sizes - 1) // 2, sizes * (sizes.sum() - sizes)
    counts = list(zip(insides.tolist(), (insides + across).tolist(), strict=True))
    if any(n_inside == 0 or n_inside == n for n_inside, n in counts):
        return Chance(float("nan"), float("nan"))
    harmonic = {n: (1 / np.arange(1, n + 1)).sum() for _, n in counts}
    expected = [(harmonic[n] + (inside - 1) / (n - 1) * (n - harmonic[n])) / n for inside, n in counts]
    return Chance(float(np.mean(expected)), float(np.mean([inside / n for inside, n in counts])))


def _by_group(similarity: ArrayLike, groups: ArrayLike) -> dict[Any, _Lists]:
    """Return for each group its values inside (each pair once) and across, without nan."""
    values, members = check_square("similarity", similarity), as_array("groups", groups)
    if members.shape != values.shape[:1]:
        raise ValueError(f"groups has shape {members.shape}, similarity {values.shape}: give one group per system")
    lists = {}
    for group in dict.fromkeys(members.tolist()):
        inside = members == group
        within, across = values[np.ix_(inside, inside)], values[np.ix_(inside, ~inside)]
        within = within[np.triu_indices(len(within), 1)]
        lists[group] = within[~np.isnan(within)], across[~np.isnan(across)]
    return lists


def _mean_over_groups(score: Callable, lists: dict[Any, _Lists], turned: Callable | None) -> float:
    if not all(len(inside) and len(across) for inside, across in lists.values()):
        return float("nan")
    return float(np.mean([score(*(turned(*each) if turned else each)) for each in lists.values()]))


def _below_max(inside: np.ndarray, across: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    largest = max(inside.max(), across.max())
    return largest - inside, largest - across


def _relative_to_max(inside: np.ndarray, across: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    divisor = max(inside.max(), across.max()) or _NO_DISTANCE
    below = _below_max(inside, across)
    return below[0] / divisor, below[1] / divisor


def _average_precision(inside: np.ndarray, across: np.ndarray) -> float:
    if not len(inside) or not len(across):
        return float("nan")
    values = np.concatenate([inside, across])
    thresholds, place = np.unique(-values, return_inverse=True)
    n_inside = np.bincount(place[: len(inside)], minlength=len(thresholds))
    n_pairs = np.bincount(place, minlength=len(thresholds))
    return float((n_inside / len(inside) * n_inside.cumsum() / n_pairs.cumsum()).sum())


def _conforming_share(inside: np.ndarray, across: np.ndarray) -> float:
    return 1 - float((~(inside[:, None] > across)).mean())
