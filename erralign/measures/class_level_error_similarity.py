"""Class-level error similarity: values without each trial, intervals, and what it is called."""

from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtri

from erralign.behaviour import class_level_error_similarity
from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.errors import check_alpha, check_choice
from erralign.measures import generic
from erralign.measures.class_level_pairs import class_level_error_similarities
from erralign.measures.class_level_resampling import (
    drawn_similarities,
    similarity_at_infinite_errors,
    similarity_without_each,
    standard_errors,
)
from erralign.measures.limits import percentile_limits, recentred_limits
from erralign.measures.measure import ORDER_AND_NAMES, Measure
from erralign.measures.trials import MANY_TRIALS, Draws, Intervals, LeftOut, LimitsOfDifference, Trials, pair_by_pair

# ---- pairs of systems --------------------------------------------------------------------------------------------


def _drawn(trials: Trials, pairs: tuple[np.ndarray, np.ndarray], draws: Draws, form: dict[str, Any]) -> np.ndarray:
    n = len(trials.truth)
    if form.get("variant", "released") == "released":
        given = trials.truth, trials.answers, *pairs, trials.n_classes
        return drawn_similarities(*given, draws.n_resamples, draws.rng, form.get("alpha", 0.5))
    drawn = (trials.keep(draws.rng.integers(n, size=n)) for _ in range(draws.n_resamples))
    return np.array([_values(each, pairs, form) for each in drawn])


def _values(trials: Trials, pairs: tuple[np.ndarray, np.ndarray], form: dict[str, Any]) -> np.ndarray:
    return np.array([_value(*trials.of_pair(a, b), trials.n_classes, **form) for a, b in zip(*pairs, strict=True)])


def _value(truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **form: Any) -> float:
    return class_level_error_similarity(truth, a, b, n_classes=n_classes, **form)


def _of_pair(trials: Trials, method: str, draws: Draws, **form: Any) -> tuple[float, float, float, int]:
    if method == "jackknife":
        # Only this form has a limit that depends on nothing but the errors; no smoothing is left in it.
        check_choice("variant", form.get("variant", "released"), ("released",))
        return *similarity_at_infinite_errors(*trials.of_pair(0, 1), trials.n_classes, draws.level), 0
    value = _value(*trials.of_pair(0, 1), trials.n_classes, **form)
    if method == LEFT_OUT:
        (low,), (high,) = _without_draws(trials, np.array([value]), draws.level, **form)
        return float(low), float(high), value, 0
    drawn = _drawn(trials, trials.pairs, draws, form)[:, 0]
    limits = (
        recentred_limits(drawn, value, draws.level) if method == RECENTRED else percentile_limits(drawn, draws.level)
    )
    low, high, undefined = limits
    return max(low, 0.0), min(high, 1.0), value, undefined


def _of_all_pairs(trials: Trials, values: np.ndarray, draws: Draws, **form: Any) -> tuple:
    if _choose(len(trials.truth), draws, **form) == LEFT_OUT:
        return *_without_draws(trials, values, draws.level, **form), np.zeros(len(values), dtype=int)
    drawn = _drawn(trials, trials.pairs, draws, form).T
    limits = [recentred_limits(*each, draws.level) for each in zip(drawn, values.tolist(), strict=True)]
    low, high, undefined = np.array(limits).T
    return low.clip(min=0), high.clip(max=1), undefined.astype(int)


def _choose(n_trials: int, draws: Draws, *, variant: str = "released", **_: Any) -> str:
    return LEFT_OUT if n_trials > MANY_TRIALS and not draws.asked and variant == "released" else RECENTRED


def _without_draws(
    trials: Trials, values: np.ndarray, level: float, *, variant: str = "released", alpha: float = 0.5
) -> tuple[np.ndarray, np.ndarray]:
    check_choice("variant", variant, ("released",))
    found = standard_errors(trials.truth, trials.answers, *trials.pairs, trials.n_classes, alpha)
    half = ndtri((1 + level) / 2) * found
    return (values - half).clip(min=0), (values + half).clip(max=1)


def _of_differences(trials: Trials, draws: Draws, **form: Any) -> tuple[np.ndarray, LimitsOfDifference]:
    values, drawn = _values(trials, trials.with_last, form), _drawn(trials, trials.with_last, draws, form)
    return values, lambda a, b: recentred_limits(drawn[:, a] - drawn[:, b], values[a] - values[b], draws.level)


# The first of each is the default.
RECENTRED, LEFT_OUT = "recentred", "leave-one-out"
METHODS = {"at-these-counts": (RECENTRED, "percentile", LEFT_OUT), "infinite": ("jackknife",)}


# ---- the measure -------------------------------------------------------------------------------------------------


def _left_out(*given: Any, variant: str = "released", **form: Any) -> LeftOut:
    if variant == "released":
        return pair_by_pair(similarity_without_each)(*given, **form)
    return generic.left_out(_value)(*given, variant=variant, **form)


CLASS_LEVEL_ERROR_SIMILARITY = Measure(
    "class_level_error_similarity",
    "CLES",
    class_level_error_similarity,
    all_pairs=class_level_error_similarities,
    left_out=_left_out,
    intervals=Intervals(METHODS, _of_pair, _of_all_pairs, _of_differences, _choose),
    needs_classes=True,
    range=(0.0, 1.0),
    invariances=ORDER_AND_NAMES | {"pairing of trials", "correct trials"},
    variants={variant: partial(class_level_error_similarity, variant=variant) for variant in CLES_VARIANTS},
    options={"variant": lambda variant: check_choice("variant", variant, CLES_VARIANTS), "alpha": check_alpha},
    meaning="do they confuse the same classes, whatever the trial? 1: the same confusions. It has no zero: systems "
    "without any habits come close to 1 too, so compare the values with each other.",
    keeps_bias=True,
    fewest_classes=3,
    own_options="refused",
    may_leave_unread=True,
)
