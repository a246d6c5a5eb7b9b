"""How much a mean over triplets varies with the objects: triplets that share one vary together."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_same_length, check_triplets

MANY = 10**6  # sums; beyond, those that are 0 are left out at the price of sorting


def object_variance(values: ArrayLike, triplets: ArrayLike) -> float:
    r"""Return the variance of a mean over triplets when other objects could have been drawn.

    Two triplets with an object in common vary together. With residuals :math:`e_s = v_s - \bar v` of the n triplets,

    .. math:: V = \frac{1}{n^2} \max\Big( T, \; \sum_s e_s^2 \Big),

    .. math:: T = \sum_i e_{(i)}^2 - \sum_{i < j} e_{(ij)}^2 + \sum_{i<j<k} e_{(ijk)}^2, \qquad
        e_{(\cdot)} = \frac{1}{1 - h} \sum_{s \text{ contains } (\cdot)} e_s,

    where :math:`e_{(ij)}` is about the triplets that contain both i and j, and so on, so that a pair of triplets with
    two or three objects in common counts once. These triplets are a share h of all: :math:`e_{(\cdot)} / n` is by how
    much leaving them out changes the mean. An object that is in all triplets changes nothing.

    Parameters
    ----------
    values : array_like of float, shape (n_triplets,)
        What is averaged, such as 1 where a choice was right and 0 where not.
    triplets : array_like of int, shape (n_triplets, 3)
        Objects, in any order.

    Returns
    -------
    float
        V, at least the variance that there would be if no two triplets had an object in common, as in the second
        example, where T is 0.

    References
    ----------
    Cameron, Gelbach & Miller (2011), several ways of clustering, https://doi.org/10.1198/jbes.2010.07136; Aronow,
    Samii & Assenova (2015), the same for pairs, https://doi.org/10.1093/pan/mpv018

    Examples
    --------
    >>> apart = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    >>> round(object_variance([1, 0, 1, 0], apart), 4), round(object_variance([1, 0, 1, 0], [[0, 1, 2]] * 4), 4)
    (0.1111, 0.0625)
    """
    values = np.asarray(values, dtype=float)
    triplets = np.sort(check_triplets("triplets", triplets, np.iinfo(np.int32).max), axis=1)
    check_same_length(triplets=triplets, values=values)
    numbers, places = np.unique(triplets, return_inverse=True)
    m, residuals = len(numbers), values - values.mean()
    together = sum(
        (-1) ** (size + 1) * _sum_of_squares(places.reshape(-1, 3)[:, columns], residuals, m)
        for size in (1, 2, 3)
        for columns in [list(map(list, combinations(range(3), size)))]
    )
    return float(max(together, residuals @ residuals) / len(values) ** 2)


def _sum_of_squares(groups: np.ndarray, residuals: np.ndarray, m: int) -> float:
    """Sum the squares of what leaving out each object, pair or triplet changes; groups of (n, which, how many)."""
    codes = (groups @ m ** np.arange(groups.shape[2])).ravel()
    if m ** groups.shape[2] > MANY:
        codes = np.unique(codes, return_inverse=True)[1]
    sums, left = np.bincount(codes, np.repeat(residuals, groups.shape[1])), len(groups) - np.bincount(codes)
    changes = np.divide(len(groups) * sums, left, out=np.zeros(len(sums)), where=left > 0)
    return float(changes @ changes)
