"""What all methods that find limits have in common."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from erralign.measures.matrix import Resampling, ResponseMatrix
from erralign.measures.measure import Limits


def percentile_limits(draws: np.ndarray, level: float) -> tuple[float, float, int]:
    """Cut equal tails off the draws that are defined."""
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return np.nan, np.nan, len(draws)
    low, high = np.quantile(defined, ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high), len(draws) - len(defined)


def recentred_limits(draws: np.ndarray, estimate: float, level: float) -> tuple[float, float, int]:
    """Subtract the bias that resampling shows from the percentile limits."""
    low, high, undefined = percentile_limits(draws, level)
    bias = np.nanmean(draws) - estimate if undefined < len(draws) else np.nan
    return float(low - bias), float(high - bias), undefined


def wilson_interval(share: ArrayLike, n: ArrayLike, level: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Return Wilson's interval of a share p of n trials.

    .. math:: \frac{p + z^2 / 2n \pm z \sqrt{p (1 - p) / n + z^2 / 4n^2}}{1 + z^2 / n}
    """
    share, n = np.asarray(share, dtype=float), np.asarray(n, dtype=float)
    z = ndtri((1 + level) / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return centre - half, centre + half


def limits_of_difference(a: Iterable, b: Iterable) -> tuple:
    """Return limits of a difference of two values: the distances of both's limits are squared and added."""
    (value_a, low_a, high_a), (value_b, low_b, high_b) = a, b
    middle = value_a - value_b
    return middle - np.hypot(value_a - low_a, high_b - value_b), middle + np.hypot(high_a - value_a, value_b - low_b)


def spread(
    low: ArrayLike, high: ArrayLike, value: ArrayLike, effect: ArrayLike, within: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Multiply the distance of each limit from its value by the square root of a design effect."""
    low, high, value, more = (np.asarray(each, dtype=float) for each in (low, high, value, np.sqrt(effect) - 1))
    lower = np.clip(low - more * np.maximum(value - low, 0), *within)
    higher = np.clip(high + more * np.maximum(high - value, 0), *within)
    return np.where(more > 0, lower, low), np.where(more > 0, higher, high)


def closed_form(of_pairs: Callable[..., np.ndarray]) -> Callable[..., Limits]:
    """Turn a function that gives limits of some pairs without draws, and the values they are around, into one of all.

    ``of_pairs`` takes a matrix and a level.
    """

    def of_all(matrix: ResponseMatrix, _: np.ndarray, resampling: Resampling, *_method: str) -> Limits:
        parts = [of_pairs(part, resampling.level) for part in matrix.parts()]
        low, high, centres = np.concatenate(parts, axis=1)
        return Limits(low, high, np.zeros(len(low), dtype=int), centres)

    return of_all
