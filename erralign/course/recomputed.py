"""Exercises whose right and wrong answers are computed anew, and which no student has with numbers of their own.

Each function returns "right", the key of a misconception (exercises.toml), or nothing for what is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour import (
    class_level_error_similarity,
    error_consistency,
    error_consistency_from_counts,
    misclassification_agreement,
)
from erralign.course.judging import closest

LEVEL = 0.05


def _level(answer: ArrayLike) -> str:
    right = np.array([LEVEL, 0])
    return closest(answer, 0.04, right=right, above=1 - right)


def _power(answer: ArrayLike) -> str:
    from scipy.stats import ncx2

    from erralign.planning import copy_probability

    number, wrong_a, wrong_b = np.array([160, 400, 1280]), 0.25, 0.4
    # EC if a tenth is copied: by the copy model it is proportional to the share of copies.
    copied = 0.1 * 0.1 / copy_probability(0.1, 0.75, 0.6)

    def power(ec: float) -> np.ndarray:
        expected = (1 - wrong_a) * (1 - wrong_b) + wrong_a * wrong_b
        covariance = ec * (1 - expected) / 2
        phi = covariance / (wrong_a * (1 - wrong_a) * wrong_b * (1 - wrong_b)) ** 0.5
        return 1 - ncx2.cdf(1.96**2, 1, number * phi**2)

    right = power(0.1)
    return closest(answer, 0.12, right=right, copied=power(copied), missed=1 - right, independent=3 * [LEVEL])


def _tempted(answer: ArrayLike) -> str:
    (ec, ec_students), (ma, ma_students) = np.asarray(answer, dtype=float).reshape(2, 2)
    if min(ec_students, ma_students) < LEVEL:  # of questions that are hard alike no choice can be told
        return ""
    wrong = {"easy": ec > LEVEL, "guesses": ma < ma_students / 2, "favourite": ma > 1.5 * ma_students}
    return next((trap for trap, shown in wrong.items() if shown), "right")


def _softer(answer: tuple[ArrayLike, ArrayLike]) -> str:
    original, copy = (np.asarray(each, dtype=float) for each in answer)

    def raised(power: float) -> np.ndarray:
        return original**power / (original**power).sum(axis=1, keepdims=True)

    known = {"right": raised(1 / 4), "sharper": raised(4), "same": original, "sum": original ** (1 / 4)}
    return closest(copy, 1e-4, **known)


def _three_winners(answer: ArrayLike) -> str:
    truth, a, *others = np.asarray(answer)
    if len(truth) != 18 or len(others) != 3:
        return "shape"
    measures = (error_consistency, misclassification_agreement, class_level_error_similarity)
    values = [[measure(truth, a, other) for other in others] for measure in measures]
    first = {int(np.nanargmax(row)) for row in values}
    return "right" if len(first) == 3 else "two" if len(first) == 2 else "agree"


def _pooled(answer: ArrayLike) -> str:
    tables = np.asarray(answer).reshape(2, 2, 2)
    of_each = [error_consistency_from_counts(table) for table in tables]
    if error_consistency_from_counts(tables.sum(axis=0)) >= 0:
        return "together"
    return "right" if min(of_each) >= 0.1 else "within"


RECOMPUTED: dict[str, Callable[[Any], str]] = {
    "students-4": _tempted,
    "chance-4": _level,
    "many-5": _power,
    "model-3": _softer,
    "xu-1": _three_winners,
    "further-geirhos-1": _pooled,
}
