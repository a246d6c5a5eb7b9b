"""Class-level error similarity: values without each trial, intervals, and what it is called."""

from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtri

from erralign.behaviour import class_level_error_similarity
from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.errors import check_choice, check_positive
from erralign.measures.class_level_pairs import class_level_error_similarities
from erralign.measures.class_level_resampling import (
    drawn_similarities,
    similarities_at_infinite_errors,
    similarities_without_each,
    standard_errors,
)
from erralign.measures.limits import percentile_limits, recentred_limits
from erralign.measures.matrix import MANY_TRIALS, Resampling, ResponseMatrix
from erralign.measures.measure import ORDER_AND_NAMES, Form, LeftOut, Limits, Measure

# The first of each is the default.
RECENTRED, LEFT_OUT = "recentred", "leave-one-out"
METHODS = {"at-these-counts": (RECENTRED, "percentile", LEFT_OUT), "infinite": ("jackknife",)}


def _draw(matrix: ResponseMatrix, resampling: Resampling, **form: Any) -> np.ndarray:
    n, rng = len(matrix.truth), resampling.rng
    if form.get("variant", "released") == "released":
        given = matrix.truth, matrix.answers, *matrix.pairs, matrix.n_classes
        return drawn_similarities(*given, resampling.n_resamples, rng, form.get("alpha", 0.5))
    resamples = (matrix.keep(rng.integers(n, size=n)) for _ in range(resampling.n_resamples))
    return np.array([class_level_error_similarities(each, **form) for each in resamples])


def _limits(
    matrix: ResponseMatrix,
    values: np.ndarray,
    resampling: Resampling,
    method: str,
    *,
    variant: str = "released",
    alpha: float = 0.5,
) -> Limits:
    level, none = resampling.level, np.zeros(len(values), dtype=int)
    if method in (LEFT_OUT, "jackknife"):
        # Only this form has a limit that depends on nothing but the errors; no smoothing is left in it.
        check_choice("variant", variant, ("released",))
    if method == "jackknife":
        low, high, centres = similarities_at_infinite_errors(matrix, level)
        return Limits(low, high, none, centres)
    if method == LEFT_OUT:
        half = ndtri((1 + level) / 2) * standard_errors(matrix, alpha)
        return Limits((values - half).clip(min=0), (values + half).clip(max=1), none, values)
    drawn = _draw(matrix, resampling, variant=variant, alpha=alpha).T
    cut = recentred_limits if method == RECENTRED else lambda draws, _, level: percentile_limits(draws, level)
    low, high, undefined = np.array([cut(*each, level) for each in zip(drawn, values.tolist(), strict=True)]).T
    return Limits(low.clip(min=0), high.clip(max=1), undefined.astype(int), values)


def _choose(matrix: ResponseMatrix, resampling: Resampling, *, variant: str = "released", **_: Any) -> str:
    many = len(matrix.truth) > MANY_TRIALS
    return LEFT_OUT if many and not resampling.asked and variant == "released" else RECENTRED


def _left_out(matrix: ResponseMatrix, *, variant: str = "released", alpha: float = 0.5) -> LeftOut | None:
    return similarities_without_each(matrix, alpha=alpha) if variant == "released" else None


CLASS_LEVEL_ERROR_SIMILARITY = Measure(
    "class_level_error_similarity",
    "CLES",
    class_level_error_similarity,
    # A function of C² sums for each system, of which nearly all are 0, and a trial is in one of them. So pairs, draws
    # and values without a trial look at the cells that hold errors; with 200 classes a trial would have 80,000 columns.
    form=Form(
        all_pairs=class_level_error_similarities,
        left_out=_left_out,
        methods=METHODS,
        limits=_limits,
        choose=_choose,
        draw=_draw,
        recentred=True,
    ),
    needs_classes=True,
    range=(0.0, 1.0),
    invariances=ORDER_AND_NAMES | {"pairing of trials", "correct trials"},
    variants={variant: partial(class_level_error_similarity, variant=variant) for variant in CLES_VARIANTS},
    options={
        "variant": lambda variant: check_choice("variant", variant, CLES_VARIANTS),
        "alpha": partial(check_positive, "alpha"),
    },
    meaning="do they confuse the same classes, whatever the trial? 1: the same confusions. It has no zero: systems "
    "without any habits come close to 1 too, so compare the values with each other.",
    keeps_bias=True,
    fewest_classes=3,
    own_options="refused",
    may_leave_unread=True,
)
