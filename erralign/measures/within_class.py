"""Misclassification agreement within true classes, with intervals in closed form; and its blind value."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import check_answers
from erralign.measures import misclassification_agreement as ma
from erralign.measures.matrix import ResponseMatrix, count_classes, ratio, wilson_interval, wilson_of_parts
from erralign.measures.measure import LeftOut, Measure
from erralign.measures.registry import register


def within_class_misclassification_agreement(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    r"""Measure how often two systems that are both wrong give the same answer, beyond chance within each true class.

    Misclassification agreement takes chance from all joint errors, on which both systems avoid the true class and may
    have habits in it; so its zero is not chance. Here chance compares A's answer to one joint error with B's answer to
    *another one of the same true class*. Let J joint errors lie in classes with at least two of them, :math:`n_i` in
    the class of i. Of these J, let :math:`p_o` be the share with equal answers, and

    .. math:: p_w = \frac{1}{J} \sum_i \frac{1}{n_i - 1} \sum_{j \ne i,\, c_j = c_i} [a_j = b_i], \qquad
              WMA = \frac{p_o - p_w}{1 - p_w}.

    Joint errors that are alone in their class say nothing about chance and are left out. If there are none, WMA is
    (MA - blind) / (1 - blind), with :func:`blind_misclassification_agreement`. Use MA to compare with printed values,
    and WMA to ask whether the single picture misled both, with any number of classes above two.

    Parameters
    ----------
    y_true, y_a, y_b, replace_undefined_by
        As for :func:`erralign.misclassification_agreement`.

    Returns
    -------
    float
        At most 1. 0 is what systems give on average whose answers are independent within each true class, whatever
        their habits. Undefined if no class has two joint errors, and if all answers in a class agree; so always with
        two classes.

    References
    ----------
    The form is ours, of a measure of Xu et al. (2024), https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> truth, a = [0] * 4 + [1] * 4 + [2] * 4, [1, 1, 2, 2, 0, 0, 2, 2, 0, 0, 1, 1]
    >>> within_class_misclassification_agreement(truth, a, [1, 2, 1, 2, 0, 2, 0, 2, 0, 1, 0, 1])
    0.0
    """
    return _of_two(_agreements, replace_undefined_by, *check_answers(y_true, y_a, y_b))


def blind_misclassification_agreement(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    r"""Compute the misclassification agreement that two systems would have if nothing but the true class linked them.

    They give the same wrong answers as often in each true class as here, but which answer belongs to which joint error
    is left to chance. With the chance agreement :math:`p_w` within true classes of
    :func:`within_class_misclassification_agreement`, and :math:`\tilde p_e` of all joint errors together,

    .. math:: MA_{blind} = \frac{p_w - \tilde p_e}{1 - \tilde p_e}.

    For systems that choose among C equally frequent classes at random it is about :math:`1 / (C - 1)^2`.

    Parameters
    ----------
    y_true, y_a, y_b, replace_undefined_by
        As for :func:`erralign.misclassification_agreement`.

    Returns
    -------
    float
        At most 1, and 1 with two classes. Undefined where misclassification agreement is, and if no class has two joint
        errors.

    Examples
    --------
    >>> truth, a = [0] * 4 + [1] * 4 + [2] * 4, [1, 1, 2, 2, 0, 0, 2, 2, 0, 0, 1, 1]
    >>> blind_misclassification_agreement(truth, a, [1, 2, 1, 2, 0, 2, 0, 2, 0, 1, 0, 1])
    0.25
    """
    return _of_two(ma.blind_agreements, replace_undefined_by, *check_answers(y_true, y_a, y_b))


def _of_two(of_pairs: Callable[[ResponseMatrix], np.ndarray], undefined: float, *answers: np.ndarray) -> float:
    (value,) = of_pairs(ResponseMatrix(answers[0], np.stack(answers[1:]), count_classes(*answers)))
    return float(undefined if np.isnan(value) else value)


# ---- limits ------------------------------------------------------------------------------------------------------


def _limits(matrix: ResponseMatrix, level: float) -> np.ndarray:
    r"""Return the limits of WMA from Wilson's intervals of both shares that it is made of.

    The distances of their limits from the shares, as they move WMA, are squared and added. For :math:`p_w` each pair of
    joint errors of one class counts as a trial. What single errors do to both is in the design effect of :math:`p_o`.
    """
    shares = ma.shares_within(matrix)
    joint, counts, n, observed, chance = shares
    with np.errstate(divide="ignore", invalid="ignore"):
        # With two pseudo-errors, one that agrees and one that does not.
        steady, room = (observed * n + 1) / (n + 2), np.where(chance == 1, np.nan, 1 - chance)
        low, high = wilson_interval(observed, n / _design_effect(shares, steady), level)
        fewest, most = wilson_interval(chance, n**2 / joint.total(1 / (counts.size - 1)), level)
        value, slope = (observed - chance) / room, (1 - steady) / room
        below = np.hypot(observed - low, slope * (most - chance)) / room
        above = np.hypot(high - observed, slope * (chance - fewest)) / room
    return np.stack([value - below, np.minimum(value + above, 1.0)])


def _design_effect(shares: ma.SharesWithin, steady: np.ndarray) -> np.ndarray:
    """Compare the delta-method variance of WMA with that of a share; with few errors, by the sizes of classes alone."""
    joint, counts, n, _, chance = shares
    size, of_class, fewer = counts.size, counts.of_class, counts.size / (counts.size - 1)
    matching = (np.bincount(of_class, counts.by_a / size) / np.bincount(of_class))[of_class]
    # Influence of one error: its agreement, less what its answers add to chance in its class.
    slope = ((1 - steady) / (1 - chance))[joint.pair]
    influence = counts.same - slope * ((counts.by_a + counts.by_b) / size - matching)
    # In a class of n errors, deviations from its mean are too small by (n - 1) / n, and pairs share errors.
    deviations = influence - shares.mean(influence)[joint.pair]
    quotient = shares.mean(fewer**2 * deviations**2) / (steady * (1 - steady))
    return (n * quotient + ma.STEADYING_ERRORS * shares.mean(fewer)) / (n + ma.STEADYING_ERRORS)


# ---- values ------------------------------------------------------------------------------------------------------


def _of_parts(of_pairs: Callable[[ResponseMatrix], np.ndarray], matrix: ResponseMatrix) -> np.ndarray:
    """Compute values of pairs, a few at a time."""
    return np.concatenate([np.empty(0), *map(of_pairs, matrix.parts())])


def _agreements(matrix: ResponseMatrix) -> np.ndarray:
    shares = ma.shares_within(matrix)
    return ratio(shares.observed - shares.chance, 1 - shares.chance)


def _left_out(matrix: ResponseMatrix) -> LeftOut:
    joint, (_, of_class, size, same, by_a, by_b), n, _, _ = ma.shares_within(matrix)
    pair, alone = joint.pair, (by_a - same) / (size - 1)
    agree, matching = (np.bincount(of_class, counts)[of_class] for counts in (same, by_a - same))
    observed, chance = joint.total(same), joint.total(alone)
    # What is left of a class of two would be alone, so it goes with the other.
    left = size > 2
    n_left, observed_left = n[pair] - np.where(left, 1, 2), observed[pair] - np.where(left, same, agree)
    matching_left = (matching - by_a - by_b + 2 * same) / np.maximum(size - 2, 1)
    chance_left = chance[pair] - matching / (size - 1) + np.where(left, matching_left, 0)
    values = ratio(observed - chance, n - chance)
    without = np.repeat(values[:, None], len(matrix.truth), axis=1)
    without[pair, joint.trial] = ratio(observed_left - chance_left, n_left - chance_left)
    return LeftOut(values, without, enough=matrix.tables[:, 0] >= ma.ENOUGH_JOINT_ERRORS)


register(
    Measure(
        "within_class_misclassification_agreement",
        "WMA",
        within_class_misclassification_agreement,
        (-np.inf, 1.0),
        partial(_of_parts, _agreements),
        _left_out,
        partial(wilson_of_parts, _limits),
    )
)
register(
    Measure(
        "blind_misclassification_agreement",
        "MA_blind",
        blind_misclassification_agreement,
        (-1.0, 1.0),
        partial(_of_parts, ma.blind_agreements),
    )
)
