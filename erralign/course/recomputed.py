"""Exercises whose right and wrong answers are computed anew from small inputs: each function names what it is given.

They return "right", the key of a misconception (exercises.toml), or nothing for what is not known.
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

LEVEL = 0.05


def closest(found: ArrayLike | None, tolerance: float = 1e-6, **known: ArrayLike) -> str:
    """Return the name of the first of the known values that is found."""
    if found is None:
        return "nothing"
    found = np.asarray(found, dtype=float)
    values = {name: np.asarray(value, dtype=float) for name, value in known.items()}
    alike = (name for name, value in values.items() if value.shape == found.shape)
    return next((name for name in alike if np.allclose(found, values[name], rtol=0, atol=tolerance)), "")


# ---- numbers and tables ------------------------------------------------------------------------------------------


def _twelve() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    from erralign.sources.examples import twelve_pictures

    example = twelve_pictures()
    return example.truth.to_numpy(), {name: example.answers[name].to_numpy() for name in map(str, example.answers)}


def _luck(answer: ArrayLike) -> str:
    values = np.ravel(np.asarray(answer, dtype=float))
    joint = np.arange(4)  # of three failures each, on twelve pictures
    possible = [error_consistency_from_counts([[n, 3 - n], [3 - n, 6 + n]]) for n in joint]

    def all_among(known: ArrayLike) -> bool:
        return bool(np.isclose(values[:, None], known, atol=0.006).any(axis=1).all())  # rounded ones, too

    if len(values) < 100:
        return "few"
    if np.ptp(values) == 0:
        return "same"
    if not all_among(possible):
        return "overlap" if all_among((6 + 2 * joint) / 12) else "number"
    return "right" if abs(values.mean()) < 4 * values.std() / len(values) ** 0.5 else ""


def _one_change(answer: ArrayLike) -> str:
    truth, of = _twelve()
    given = np.asarray(answer)
    n_changed = np.sum(given != of["Twin"])
    if n_changed == 0:
        return "unchanged"
    if error_consistency(truth, of["A"], given) < 1:
        return "outcome"
    return "right" if n_changed == 1 else "several"


def _smoothing(answer: ArrayLike) -> str:
    truth, of = _twelve()
    amounts = (0.01, 0.1, 0.5, 2, 10)
    others = ("Twin", "Contrarian")
    right = np.array(
        [[class_level_error_similarity(truth, of["A"], of[name], alpha=a) for name in others] for a in amounts]
    )
    table = np.asarray(answer, dtype=float)
    if table.shape == (2, 5):
        table = table.T
    fixed = right[[amounts.index(0.5)] * 5]
    return closest(table, 5e-4, right=right, fixed=fixed, columns=right[:, ::-1], rows=right[::-1])


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


def _threshold_model(answer: ArrayLike) -> str:
    from erralign.behaviour import loevingers_h_from_counts

    def values(correlation: float) -> np.ndarray:
        tables = [_of_thresholds(correlation, accuracy) for accuracy in (0.18, 0.51)]
        return np.array([[f(t) for f in (error_consistency_from_counts, loevingers_h_from_counts)] for t in tables])

    noise = 1.45**2
    right = values(1 / (1 + noise))
    found = np.asarray(answer, dtype=float).reshape(2, 2)
    others = {"clear": values((1 + noise) ** -0.5), "unconnected": np.zeros((2, 2)), "columns": right[:, ::-1]}
    return closest(found, 0.025, right=right, **others)


def _tempted(answer: ArrayLike) -> str:
    (ec, ec_students), (ma, ma_students) = np.asarray(answer, dtype=float).reshape(2, 2)
    if min(ec_students, ma_students) < LEVEL:  # of questions that are hard alike no choice can be told
        return ""
    wrong = {"easy": ec > LEVEL, "guesses": ma < ma_students / 2, "favourite": ma > 1.5 * ma_students}
    return next((trap for trap, shown in wrong.items() if shown), "right")


def _of_thresholds(correlation: float, accuracy: float) -> np.ndarray:
    from scipy.stats import multivariate_normal, norm

    wrong = np.array([1 - 0.78, 1 - accuracy])
    both = multivariate_normal.cdf(norm.ppf(wrong), cov=[[1, correlation], [correlation, 1]])
    # A million pictures, because a table holds whole numbers.
    shares = [[both, wrong[0] - both], [wrong[1] - both, 1 - wrong.sum() + both]]
    return np.round(1e6 * np.array(shares)).astype(int)


# ---- functions -----------------------------------------------------------------------------------------------------


def _soft_ma(function: Callable) -> str:
    rng = np.random.default_rng(1)
    truth, *said = rng.integers(16, size=(3, 400))
    q, shares = (0.9 * np.eye(16)[each] + 0.1 * np.eye(16)[truth] for each in said)
    before = q.copy(), shares.copy()
    found = function(q, truth, shares)
    if not all(map(np.array_equal, (q, shares), before)):
        return "changed"
    both = before[0].T @ before[1]
    wrong = [each * (1 - np.eye(16)[truth]) for each in before]
    table = wrong[0].T @ wrong[1]
    same = np.trace(table)
    return closest(found, right=_kappa(table), kept=_kappa(both), uncorrected=same / table.sum(), total=same)


def _vote(function: Callable) -> str:
    said = np.random.default_rng(1).integers(-1, 4, size=(60, 5))
    said[0] = -1
    votes = (said[:, :, None] == np.arange(-1, 4)).sum(axis=1)
    options = votes[:, 1:]
    right = np.where(options.any(axis=1), options.argmax(axis=1), -1)
    return closest(
        function(said.copy()),
        right=right,
        gaps=votes.argmax(axis=1) - 1,
        majority=np.where(options.max(axis=1) > 2, right, -1),
        last=np.where(options.any(axis=1), 3 - options[:, ::-1].argmax(axis=1), -1),
    )


def _kappa(table: np.ndarray) -> float:
    shares = table / table.sum()
    chance = shares.sum(axis=0) @ shares.sum(axis=1)
    return float((np.trace(shares) - chance) / (1 - chance))


def _lengths(function: Callable) -> str:
    X, Y = np.random.default_rng(1).normal(size=(2, 12, 12)) + 0.5

    def by(length: Callable) -> float:
        return float(np.corrcoef(length(X), length(Y))[0, 1])

    return closest(
        function(X, Y),
        right=by(lambda Z: np.linalg.norm(Z, axis=1)),
        columns=by(lambda Z: np.linalg.norm(Z, axis=0)),
        squares=by(lambda Z: (Z**2).sum(axis=1)),
        sums=by(lambda Z: Z.sum(axis=1)),
    )


def _score(function: Callable) -> str:
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(3), size=20)
    chosen = rng.integers(3, size=20)
    picked = shares[np.arange(20), chosen]
    others = {"first": np.mean(chosen == shares.argmax(axis=1)), "block": shares[:, chosen].mean()}
    return closest(function(shares, chosen), right=picked.mean(), sum=picked.sum(), **others)


def _shuffled_within(function: Callable) -> str:
    from scipy.stats import hypergeom

    mixed = np.random.default_rng(0).permutation(24)  # else the conditions could be put together one after another
    condition = np.repeat([0, 1, 2], 8)[mixed]
    right_a = np.repeat([1, 0, 1, 0, 1, 0], [7, 1, 4, 4, 1, 7])[mixed]
    right_b = np.concatenate([np.arange(8) != 3, [1, 1, 0, 0, 1, 1, 0, 0], np.arange(8) == 4]).astype(int)[mixed]

    def reached(groups: np.ndarray) -> np.ndarray:
        """Return the distribution of the number of pictures that both have right."""
        shares = np.ones(1)
        for group in np.unique(groups):
            a, b = right_a[groups == group], right_b[groups == group]
            shares = np.convolve(shares, hypergeom(len(a), a.sum(), b.sum()).pmf(np.arange(len(a) + 1)))
        return shares

    joint = np.sum(right_a * right_b)
    within, everywhere = reached(condition), reached(0 * condition)
    known = {"right": within[joint:].sum(), "everywhere": everywhere[joint:].sum(), "above": within[joint + 1 :].sum()}
    never = np.tile([0, 1], 60)  # what no shuffle reaches
    verdict = closest(function(right_a, right_b, condition), 0.045, **known)
    return "uncounted" if verdict == "right" and function(never, never, 0 * never) == 0 else verdict


def _consistencies(function: Callable) -> str:
    rng = np.random.default_rng(1)
    labels = np.arange(120) % 4
    outputs = 2 * np.eye(4)[labels] + rng.normal(size=(3, 120, 4))
    said = outputs.argmax(axis=2)
    right = [[error_consistency(labels, a, b) for b in said] for a in said]
    same = [[np.mean(a == b) for b in said] for a in said]
    overlap = [[np.mean((a == labels) == (b == labels)) for b in said] for a in said]
    found = function([(rng.normal(size=(120, 16)), Z) for Z in outputs])
    return closest(found, right=right, same=same, overlap=overlap)


def _softer(answer: tuple[ArrayLike, ArrayLike]) -> str:
    original, copy = (np.asarray(each, dtype=float) for each in answer)

    def raised(power: float) -> np.ndarray:
        return original**power / (original**power).sum(axis=1, keepdims=True)

    known = {"right": raised(1 / 4), "sharper": raised(4), "same": original, "sum": original ** (1 / 4)}
    return closest(copy, 1e-4, **known)


def _recycled(function: Callable) -> str:
    names = ["Net", "net", "ann", "net", "red", "net", "red", "net", "net", "net"]
    wanted = ["net", "red", "net"]
    known = {
        "right": np.resize(wanted, 10) == np.array(names),
        "any": np.isin(names, wanted),
        "first": np.array(names) == wanted[0],
        "blocks": np.repeat(wanted, 4)[:10] == np.array(names),
    }
    try:
        found = np.asarray(function(names, wanted))
    except ValueError:  # lists of two lengths cannot be compared
        return "length"
    return closest(found, **known) if found.shape == (10,) else "length"


# ---- what a student makes ------------------------------------------------------------------------------------------


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
    "ec-2": _luck,
    "ma-3": _one_change,
    "cles-3": _smoothing,
    "odd-4": _score,
    "newer-4": _threshold_model,
    "students-4": _tempted,
    "models-4": _vote,
    "taught-4": _soft_ma,
    "hard-4": _shuffled_within,
    "chance-4": _level,
    "many-5": _power,
    "compare-4": _lengths,
    "notice-4": _consistencies,
    "model-3": _softer,
    "xu-1": _three_winners,
    "geirhos-1": _recycled,
    "further-geirhos-1": _pooled,
}
