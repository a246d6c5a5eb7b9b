"""Misclassification agreement within true classes, with intervals in closed form; and its blind value."""

from __future__ import annotations

from typing import Any

import numpy as np

from erralign.behaviour.counting import ratio
from erralign.behaviour.within_class import (
    WithinClasses,
    blind_misclassification_agreement,
    count_within_classes,
    observed_and_chance,
    within_class_misclassification_agreement,
)
from erralign.measures.limits import closed_form, wilson_interval
from erralign.measures.measure import ORDER_AND_NAMES, Form, Measure, pair_by_pair
from erralign.measures.misclassification_agreement import STEADYING_ERRORS
from erralign.measures.registry import register

# ---- limits ------------------------------------------------------------------------------------------------------


def within_class_limits(counts: WithinClasses, level: float) -> tuple[float, float, float]:
    r"""Return the limits of WMA, and WMA, from Wilson's intervals of both shares that it is made of.

    The distances of their limits from the shares, as they move WMA, are squared and added. For :math:`p_w` each pair of
    joint errors of one class counts as a trial. What single errors do to both is in the design effect of :math:`p_o`.
    """
    observed, chance = observed_and_chance(counts)
    if np.isnan(observed) or chance == 1:
        return np.nan, np.nan, np.nan
    n, value = len(counts.same), (observed - chance) / (1 - chance)
    low, high = wilson_interval(observed, n / _design_effect(counts, chance), level)
    fewest, most = wilson_interval(chance, n**2 / (1 / (counts.size - 1)).sum(), level)
    slope = (1 - _steady(observed, n)) / (1 - chance)
    below = np.hypot(observed - low, slope * (most - chance)) / (1 - chance)
    above = np.hypot(high - observed, slope * (chance - fewest)) / (1 - chance)
    return float(value - below), min(float(value + above), 1.0), value


def _steady(share: float, n: int) -> float:
    """Add two pseudo-errors, one that agrees and one that does not."""
    return (share * n + 1) / (n + 2)


def _design_effect(counts: WithinClasses, chance: float) -> float:
    """Compare the delta-method variance of WMA with that of a share; with few errors, by the sizes of classes alone."""
    n, of_class, size = len(counts.same), counts.of_class, counts.size
    steady, fewer = _steady(counts.same.mean(), n), size / (size - 1)
    matching = (np.bincount(of_class, counts.by_a / size) / np.bincount(of_class))[of_class]
    # Influence of one error: its agreement, less what its answers add to chance in its class.
    influence = counts.same - (1 - steady) / (1 - chance) * ((counts.by_a + counts.by_b) / size - matching)
    # In a class of n errors, deviations from its mean are too small by (n - 1) / n, and pairs share errors.
    ratio = (fewer**2 * (influence - influence.mean()) ** 2).mean() / (steady * (1 - steady))
    return float((n * ratio + STEADYING_ERRORS * fewer.mean()) / (n + STEADYING_ERRORS))


# ---- pairs of systems --------------------------------------------------------------------------------------------


def _limits(truth: np.ndarray, a: np.ndarray, b: np.ndarray, *rest: Any) -> tuple[float, float, float]:
    return within_class_limits(count_within_classes(truth, a, b), rest[-1])


# ---- the measures ------------------------------------------------------------------------------------------------


def _left_out(truth: np.ndarray, a: np.ndarray, b: np.ndarray, *_: object) -> tuple[float, np.ndarray]:
    place, of_class, size, same, by_a, by_b = count_within_classes(truth, a, b)
    agree, matching = (np.bincount(of_class, each)[of_class] for each in (same, by_a - same))
    n, observed, chance = len(place), same.sum(), ((by_a - same) / (size - 1)).sum()
    # What is left of a class of two would be alone, so it goes with the other.
    left = size > 2
    n_left, observed_left = n - np.where(left, 1, 2), observed - np.where(left, same, agree)
    matching_left = (matching - by_a - by_b + 2 * same) / np.maximum(size - 2, 1)
    chance_left = chance - matching / (size - 1) + np.where(left, matching_left, 0)
    value = float(ratio(observed - chance, n - chance))
    without = np.full(len(truth), value)
    without[place] = ratio(observed_left - chance_left, n_left - chance_left)
    return value, without


register(
    Measure(
        "within_class_misclassification_agreement",
        "WMA",
        within_class_misclassification_agreement,
        form=Form(left_out=pair_by_pair(_left_out), methods={"population": ("wilson",)}, limits=closed_form(_limits)),
        range=(-np.inf, 1.0),
        invariances=ORDER_AND_NAMES | {"correct trials", "trials without joint errors"},
        words="within-class misclassification agreement",
        meaning="where both fail, do they give the same wrong answer? 1: always; 0: no more often than their habits in "
        "each true class make likely by chance.",
        fewest_classes=3,
        own_options="refused",
        may_leave_unread=True,
        enough_joint_errors=5,
    )
)
register(
    Measure(
        "blind_misclassification_agreement",
        "MA_blind",
        blind_misclassification_agreement,
        range=(-1.0, 1.0),
        invariances=ORDER_AND_NAMES | {"correct trials", "trials without joint errors"},
        words="blind value of MA",
        meaning="the MA that two systems would have if nothing but the true class linked their wrong answers.",
        fewest_classes=3,
        own_options="refused",
        may_leave_unread=True,
    )
)
