"""Which values of observed overlap and error consistency are possible at all, before any picture is shown."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour.consistency import kappa
from erralign.errors import check_shares

__all__ = ["accuracy_bounds", "error_consistency_bounds", "error_consistency_bounds_from_overlap", "overlap_bounds"]


def overlap_bounds(expected: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Bound observed overlap, given expected overlap.

    .. math:: 0 \le c_{obs} \le 1 - \sqrt{1 - 2 c_{exp}} \text{ if } c_{exp} \le ½, \qquad
              \sqrt{2 c_{exp} - 1} \le c_{obs} \le 1 \text{ if } c_{exp} \ge ½

    The former are reached by two systems whose accuracies add up to 1, the latter by two of equal accuracy.

    Parameters
    ----------
    expected : array_like of float
        Expected overlap, shares from 0 to 1, of any shape.

    Returns
    -------
    tuple of numpy.ndarray
        Lowest and highest observed overlap, from 0 to 1, each of that shape.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), equations 2, 3, 5 and 6, https://doi.org/10.48550/arXiv.2006.16736.

    Examples
    --------
    >>> low, high = overlap_bounds([0.42, 0.5, 0.68])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0, 0.0, 0.6], [0.6, 1.0, 1.0])
    """
    expected = check_shares("expected", expected)
    return np.sqrt(np.maximum(2 * expected - 1, 0)), 1 - np.sqrt(np.maximum(1 - 2 * expected, 0))


def error_consistency_bounds_from_overlap(expected: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Bound error consistency, given expected overlap.

    .. math:: \frac{\min c_{obs} - c_{exp}}{1 - c_{exp}} \le EC \le \frac{\max c_{obs} - c_{exp}}{1 - c_{exp}},

    with the limits of :func:`overlap_bounds`. If you know both accuracies, :func:`error_consistency_bounds` gives
    narrower limits.

    Parameters
    ----------
    expected
        As for :func:`overlap_bounds`.

    Returns
    -------
    tuple of numpy.ndarray
        Lowest and highest EC, from -1 to 1, each of that shape. Undefined (nan) at an expected overlap of 1.

    Examples
    --------
    >>> low, high = error_consistency_bounds_from_overlap([0.42, 0.5, 0.68])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([-0.72, -1.0, -0.25], [0.31, 1.0, 1.0])
    """
    expected = check_shares("expected", expected)
    room = np.where(expected < 1, 1 - expected, np.nan)
    low, high = overlap_bounds(expected)
    return (low - expected) / room, (high - expected) / room


def error_consistency_bounds(accuracy_a: ArrayLike, accuracy_b: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Bound error consistency, given both accuracies.

    EC grows with the share of trials on which both are right, which is at least :math:`\max(0, p_a + p_b - 1)`
    (no error in common, if that is possible) and at most :math:`\min(p_a, p_b)` (every error of the more accurate
    system is also one of the other).

    Parameters
    ----------
    accuracy_a, accuracy_b : array_like of float
        From 0 to 1, in shapes that broadcast.

    Returns
    -------
    tuple of numpy.ndarray
        Lowest and highest EC, from -1 to 1; the highest is 1 only if the accuracies are equal. If one accuracy is 0 or
        1, both limits are 0. Undefined (nan) if both accuracies are 0 or both are 1.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), appendix S.2, https://doi.org/10.48550/arXiv.2006.16736.

    Examples
    --------
    >>> low, high = error_consistency_bounds(0.9, [0.9, 0.5])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([-0.11, -0.2], [1.0, 0.2])
    """
    a, b = np.broadcast_arrays(check_shares("accuracy_a", accuracy_a), check_shares("accuracy_b", accuracy_b))
    # Both wrong, only B right, only A right, both right; written so that a perfect system gives exactly 0.
    apart = np.maximum(0, 1 - a - b), np.minimum(b, 1 - a), np.minimum(a, 1 - b), np.maximum(0, a + b - 1)
    together = np.minimum(1 - a, 1 - b), np.maximum(0, b - a), np.maximum(0, a - b), np.minimum(a, b)
    return kappa(*apart)[()], kappa(*together)[()]  # numbers for numbers, arrays for arrays


def accuracy_bounds(ec: ArrayLike, accuracy: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Bound the accuracy of a system whose error consistency with another is known.

    .. math:: p_{low} = \frac{k\,a}{2(1 - a) - k(1 - 2a)}, \qquad p_{high} = \frac{a(2 - k)}{k(1 - 2a) + 2a}

    At these accuracies the upper limit of :func:`error_consistency_bounds` is k.

    Parameters
    ----------
    ec : array_like of float
        Error consistency k, from 0 to 1.
    accuracy : array_like of float
        Accuracy a of the other system, from 0 to 1, in a shape that broadcasts with that of ``ec``.

    Returns
    -------
    tuple of numpy.ndarray
        Lowest and highest accuracy, from 0 to 1. At an error consistency of 0 the lowest is undefined (nan) if a is 1,
        and the highest if a is 0.

    References
    ----------
    Klein et al. (2025), who choose an accuracy within these bounds.

    Examples
    --------
    >>> low, high = accuracy_bounds([0.0, 0.3, 1.0], [0.8, 0.8, 0.75])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0, 0.41, 0.75], [1.0, 0.96, 0.75])
    """
    ec, accuracy = check_shares("ec", ec), check_shares("accuracy", accuracy)
    with np.errstate(invalid="ignore"):  # 0 / 0 is nan
        low = ec * accuracy / (2 * (1 - accuracy) - ec * (1 - 2 * accuracy))
        return low, accuracy * (2 - ec) / (ec * (1 - 2 * accuracy) + 2 * accuracy)


def __dir__() -> list[str]:
    return __all__
