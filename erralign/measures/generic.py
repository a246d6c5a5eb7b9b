"""What serves a measure that brings nothing but a function of two systems: a loop, the jackknife.

The function is only asked to give the same value for trials in another order.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtri

from erralign.measures.limits import LimitsOfDifference, limits_of_difference
from erralign.measures.trials import Draws, Intervals, LeftOut, Trials, pair_by_pair

Value = Callable[..., float]
# How a result says that no method of the measure's own was at work.
JACKKNIFE = "generic jackknife"


def all_pairs(value: Value) -> Callable[..., np.ndarray]:
    """Return a function that computes a measure for one pair after another."""

    def of_all(trials: Trials, **options: Any) -> np.ndarray:
        return _values(value, trials, trials.pairs, options)

    return of_all


def _values(value: Value, trials: Trials, pairs: tuple[np.ndarray, np.ndarray], options: dict[str, Any]) -> np.ndarray:
    found = [value(*trials.of_pair(a, b), trials.n_classes, **options) for a, b in zip(*pairs, strict=True)]
    return np.array(found, dtype=float)


def left_out(value: Value) -> Callable[..., LeftOut]:
    """Return a function that computes a measure of pairs, and again without each trial, once for equal trials."""

    def of_pair(truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **options: Any) -> tuple:
        _, at, place = np.unique(np.stack([truth, a, b]), axis=1, return_index=True, return_inverse=True)
        kept = [np.arange(len(truth)) != trial for trial in (at if len(truth) > 1 else ())]
        without = [value(truth[rest], a[rest], b[rest], n_classes, **options) for rest in kept] or [np.nan]
        return value(truth, a, b, n_classes, **options), np.array(without)[place.ravel()]

    return pair_by_pair(of_pair)


def intervals(of_left_out: Callable[..., LeftOut], within: tuple[float, float]) -> Intervals:
    """Return how limits of a measure are found by the jackknife."""

    def of_pair(trials: Trials, _: str, draws: Draws, **options: Any) -> tuple[float, float, float, int]:
        values, errors = _errors(of_left_out, trials, trials.pairs, options)
        return *_limits(values[0], errors[:, :1], draws, within), float(values[0]), 0

    def of_all_pairs(trials: Trials, values: np.ndarray, draws: Draws, **options: Any) -> tuple:
        _, moved = _errors(of_left_out, trials, trials.pairs, options)
        limits = [_limits(each, moved[:, [place]], draws, within) for place, each in enumerate(values)]
        low, high = np.array(limits).reshape(-1, 2).T
        return low, high, np.zeros(len(values), dtype=int)

    def of_differences(trials: Trials, draws: Draws, **options: Any) -> tuple[np.ndarray, LimitsOfDifference]:
        values, moved = _errors(of_left_out, trials, trials.with_last, options)
        widest = within[1] - within[0]

        def of_difference(a: int, b: int) -> tuple[float, float, int]:
            apart = moved[:, [a]] - moved[:, [b]]
            return *_limits(values[a] - values[b], apart, draws, (-widest, widest)), 0

        return values, of_difference

    return Intervals({"population": (JACKKNIFE,)}, of_pair, of_all_pairs, of_differences)


def closed_form(
    value: Callable[[Trials, int, int], float],
    limits: Callable[[Trials, int, int, float], tuple[float, float, float]],
) -> Intervals:
    """Return how limits are found without draws, from functions of two systems: the value; its limits at a level.

    The limits come with the value that they are around.
    """

    def of_pair(trials: Trials, _: str, draws: Draws) -> tuple[float, float, float, int]:
        return *limits(trials, 0, 1, draws.level)[:2], value(trials, 0, 1), 0

    def of_all_pairs(trials: Trials, values: np.ndarray, draws: Draws) -> tuple:
        found = [limits(trials, a, b, draws.level)[:2] for a, b in zip(*trials.pairs, strict=True)]
        low, high = np.array(found).reshape(-1, 2).T
        return low, high, np.zeros(len(values), dtype=int)

    def of_differences(trials: Trials, draws: Draws) -> tuple[np.ndarray, LimitsOfDifference]:
        pairs = list(zip(*trials.with_last, strict=True))
        found = [limits(trials, *pair, draws.level) for pair in pairs]

        def of_difference(a: int, b: int) -> tuple[float, float, int]:
            low, high = limits_of_difference(*((value, low, high) for low, high, value in (found[a], found[b])))
            return float(low), float(high), 0

        return np.array([value(trials, *pair) for pair in pairs]), of_difference

    return Intervals({"population": ("wilson",)}, of_pair, of_all_pairs, of_differences)


def _errors(
    of_left_out: Callable[..., LeftOut], trials: Trials, pairs: tuple[np.ndarray, np.ndarray], options: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Return values of pairs, and how far each is from its mean without each trial: (n_trials, n_pairs)."""
    found = of_left_out(trials.truth, trials.answers, *pairs, trials.n_classes, **options)
    without = np.where(np.isnan(found.without), found.values[:, None], found.without)[:, found.place].T
    return found.values, without - without.mean(axis=0)


def _limits(value: float, moved: np.ndarray, draws: Draws, within: tuple[float, float]) -> tuple[float, float]:
    """Return the value ± z standard errors by the jackknife, within the range of the measure."""
    n = len(moved)
    half = ndtri((1 + draws.level) / 2) * np.sqrt((n - 1) / n * float((moved**2).sum()))
    low, high = np.clip([value - half, value + half], *within)
    return float(low), float(high)
