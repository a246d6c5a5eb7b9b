"""Exercises whose answers are computed anew: which known answer a student's is, of functions and of numbers.

Each entry of FUNCTIONS returns the inputs, a tuple of arguments per call, and what is known of the output: the right
one and wrong ones by the key of their misconception (exercises.toml), or a judge, which returns such a key, or nothing
for what is not known. The inputs are always the same, so that a grader can judge in one process what a student's
function returned in another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour import class_level_error_similarity, error_consistency, misclassification_agreement
from erralign.behaviour import error_consistency_from_counts as kappa
from erralign_book.course.labs import LABS

Known = Mapping[str, Any]
Asked = tuple[list[tuple], Known | list[Known] | Callable[..., str]]


SINGLE = 1e-5  # as far as single precision may be off, as a share of a number


def closest(answer: ArrayLike | None, tolerance: float = 1e-6, **known: Any) -> str:
    """Return the name of the first of the known values that an answer is; a tuple holds alternatives.

    One number in brackets is that number, and what was computed in single precision is as right as what was not.
    """
    if answer is None:
        return "nothing"
    values = np.asarray(answer, dtype=float)
    for name, known_values in known.items():
        for alternative in known_values if isinstance(known_values, tuple) else (known_values,):
            one = np.size(alternative) == values.size == 1
            same_shape = one or np.shape(alternative) == values.shape
            if same_shape and np.allclose(values, alternative, rtol=SINGLE, atol=tolerance, equal_nan=True):
                return name
    return ""


# ---- labs of *Align it* ----------------------------------------------------------------------------------------------


def _lesson() -> Asked:
    rng = np.random.default_rng(1)
    answers, labels = rng.integers(3, size=(6, 60)), rng.integers(12, size=(60, 2))
    test = np.logical_and(*(labels < 3).T)
    teaches = np.arange(6) % 2 == 0
    shared = [np.isin(labels[:, k], labels[test, k]) for k in (0, 1)]
    own, every = ((answers[who][..., None] == np.arange(3)).mean(axis=0) for who in (teaches, teaches | True))
    train = ~(shared[0] | shared[1])[:, None]
    return [(answers, labels, test, teaches)], {
        "right": train * own,
        "leak": ~test[:, None] * own,
        "half": tuple(~each[:, None] * own for each in shared),
        "argmax": train * np.eye(3)[own.argmax(axis=1)],
        "people": train * every,
    }


def _equally_accurate() -> Asked:
    accuracy, ec = np.array([0.31, 0.24, 0.38]), np.array([0.15, 0.09, 0.2])
    path_accuracy, path_ec = np.array([0.4, 0.42, 0.36, 0.25, 0.15]), np.array([0.13, 0.14, 0.13, 0.08, 0.05])
    order = np.argsort(path_accuracy)
    nearest = path_ec[np.abs(path_accuracy - accuracy[:, None]).argmin(axis=1)]
    return [(accuracy, ec, path_accuracy, path_ec)], {
        "right": ec - np.interp(accuracy, path_accuracy[order], path_ec[order]),
        "trained": ec - path_ec[0],
        "unsorted": ec - np.interp(accuracy, path_accuracy, path_ec),
        "nearest": ec - nearest,
        "ratio": ec - path_ec[0] * accuracy / path_accuracy[0],
    }


# ---- measures, which a page leaves as a gap -------------------------------------------------------------------------


def _answers() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true classes and two systems' answers, in which each usual mistake gives another value."""
    rng = np.random.default_rng(5)
    truth = rng.integers(4, size=90)
    shared = rng.random(90) < 0.25
    common = np.where(shared, (truth + rng.integers(1, 4, size=90)) % 4, truth)
    a, b = (np.where(rng.random(90) < 0.15, rng.integers(4, size=90), common) for _ in range(2))
    return truth, a, np.where(rng.random(90) < 0.15, (truth + 1) % 4, b)


def _error_consistency() -> Asked:
    truth, a, b = _answers()
    right_a, right_b = a == truth, b == truth
    p_a, p_b, observed = right_a.mean(), right_b.mean(), np.mean(right_a == right_b)
    expected = p_a * p_b + (1 - p_a) * (1 - p_b)
    same = sum(np.mean(a == word) * np.mean(b == word) for word in range(4))
    return [(truth, a, b)], {
        "right": (observed - expected) / (1 - expected),
        "overlap": observed,
        "beyond": observed - expected,
        "both_right": (observed - p_a * p_b) / (1 - p_a * p_b),
        "only_right": (np.mean(right_a & right_b) - p_a * p_b) / (1 - p_a * p_b),
        "expected": expected,
        "one_half": 2 * observed - 1,
        "undivided": (observed - expected) / expected,
        "answers": (np.mean(a == b) - same) / (1 - same),
        "accuracy": (p_a, p_b, (p_a + p_b) / 2, abs(p_a - p_b)),
    }


def _misclassification_agreement() -> Asked:
    truth, a, b = _answers()
    wrong = (a != truth) & (b != truth)

    def kappa_of(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
        observed = float(np.mean(a == b))
        expected = float(sum(np.mean(a == word) * np.mean(b == word) for word in range(4)))
        return observed, (observed - expected) / (1 - expected)

    share, right = kappa_of(a[wrong], b[wrong])
    expected = sum(np.mean(a[wrong] == word) * np.mean(b[wrong] == word) for word in range(4))
    either = (a != truth) | (b != truth)
    apart = sum(np.mean(a[a != truth] == word) * np.mean(b[b != truth] == word) for word in range(4))
    return [(truth, a, b)], {
        "right": right,
        "share": share,
        "of_all": np.mean(wrong & (a == b)),
        "all_trials": kappa_of(a, b)[1],
        "either": kappa_of(a[either], b[either])[1],
        "beyond": share - expected,
        "apart": (share - apart) / (1 - apart),
        "evenly": (share - 1 / 3) / (1 - 1 / 3),
        "classes": (share - 1 / 4) / (1 - 1 / 4),
        "outcome": error_consistency(truth, a, b),
    }


def _class_level_error_similarity() -> Asked:
    truth, a, b = _answers()
    right = class_level_error_similarity(truth, a, b)
    return [(truth, a, b, 4)], {
        "right": right,
        "distance": 1 / right - 1,
        "complement": 1 - right,
        "unsmoothed": class_level_error_similarity(truth, a, b, alpha=1e-9),
        "one_each": class_level_error_similarity(truth, a, b, alpha=1),
        "twin": class_level_error_similarity(truth, a, a),
    }


# ---- bounds and draws, the gaps of two lessons ---------------------------------------------------------------------


def _ec_bounds() -> Asked:
    p_a, p_b = np.array([0.95, 0.95, 0.6, 0.3, 0.8]), np.array([0.5, 0.8, 0.6, 0.2, 0.9])
    expected = p_a * p_b + (1 - p_a) * (1 - p_b)
    overlap = np.abs(p_a + p_b - 1), 1 - np.abs(p_a - p_b)

    def ec(smallest: np.ndarray, largest: np.ndarray) -> list[np.ndarray]:
        return [(each - expected) / (1 - expected) for each in (smallest, largest)]

    return [(p_a, p_b)], {
        "right": ec(*overlap),
        "order": ec(*overlap[::-1]),
        "overlap": list(overlap),
        "beyond": [each - expected for each in overlap],
        "only_right": ec(np.maximum(p_a + p_b - 1, 0), np.minimum(p_a, p_b)),
        "signed": ec(p_a + p_b - 1, overlap[1]),
        "one": ec(overlap[0], np.ones(5)),
    }


def _bootstrap() -> Asked:
    rng = np.random.default_rng(2)
    a = (rng.random(200) < 0.7).astype(int)
    b = np.where(rng.random(200) < 0.6, a, rng.random(200) < 0.7).astype(int)
    truth, spread = np.ones(200, int), 0.066  # the standard deviation of many draws
    counted = error_consistency(truth, a, b)

    def judge(values: Any) -> str:
        drawn = np.asarray(values, dtype=float)
        if drawn.shape != (2000,):
            return "one" if drawn.ndim == 0 else "length"
        if drawn.std() < spread / 10:
            return "put_back"
        if abs(drawn.mean()) < spread:
            return "apart"
        near = abs(drawn.mean() - counted) < spread / 4 and abs(drawn.std() / spread - 1) < 0.15
        return "right" if near else ""

    return [(truth, a, b, 2000, np.random.default_rng(0))], judge


def _cka() -> Asked:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(12, 5)) + rng.normal(size=5)
    Y = X[:, ::-1] + rng.normal(size=(12, 5))

    def of(X: np.ndarray, Y: np.ndarray, power: float = 0.5) -> float:
        K, L = X @ X.T, Y @ Y.T
        return float((K * L).sum() / ((K * K).sum() * (L * L).sum()) ** power)

    centred = [Z - Z.mean(axis=0) for Z in (X, Y)]
    right = of(*centred)
    return [(X, Y)], {
        "right": right,
        "uncentred": of(X, Y),
        "rows": of(*(Z - Z.mean(axis=1, keepdims=True) for Z in (X, Y))),
        "columns": of(*(Z.T for Z in centred)),
        "root": of(centred[0], centred[1], power=1),
        "undivided": of(centred[0], centred[1], power=0),
        "distance": 1 - right,
    }


def _odd_one_out() -> Asked:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(20, 3)) * rng.uniform(0.3, 3, size=(20, 1)) + 0.5
    triplets = np.array([rng.permutation(20)[:3] for _ in range(40)])

    def left(similarities: np.ndarray) -> np.ndarray:
        return np.stack([similarities[triplets[:, i], triplets[:, j]] for i, j in ((1, 2), (0, 2), (0, 1))], axis=1)

    def cosines(X: np.ndarray) -> np.ndarray:
        unit = X / np.linalg.norm(X, axis=1, keepdims=True)
        return left(unit @ unit.T)

    right = cosines(X).argmax(axis=1)
    return [(X, triplets)], {
        "right": right,
        "least": cosines(X).argmin(axis=1),
        "order": 2 - right,
        "dot": left(X @ X.T).argmax(axis=1),
        "distance": left(-np.linalg.norm(X[:, None] - X, axis=2)).argmax(axis=1),
        "centred": cosines(X - X.mean(axis=1, keepdims=True)).argmax(axis=1),
        "one": right + 1,
    }


# ---- functions -------------------------------------------------------------------------------------------------------


def _vote() -> Asked:
    answers = np.random.default_rng(1).integers(-1, 4, size=(60, 5))
    answers[0] = -1
    votes = (answers[:, :, None] == np.arange(-1, 4)).sum(axis=1)
    options = votes[:, 1:]
    right = np.where(options.any(axis=1), options.argmax(axis=1), -1)
    return [(answers,)], {
        "right": right,
        "gaps": votes.argmax(axis=1) - 1,
        "majority": np.where(options.max(axis=1) > 2, right, -1),
        "last": np.where(options.any(axis=1), 3 - options[:, ::-1].argmax(axis=1), -1),
        "empty": options.argmax(axis=1),
    }


def _lengths() -> Asked:
    X, Y = np.random.default_rng(1).normal(size=(2, 12, 12)) + 0.5

    def by(length: Callable) -> float:
        return float(np.corrcoef(length(X), length(Y))[0, 1])

    return [(X, Y)], {
        "right": by(lambda Z: np.linalg.norm(Z, axis=1)),
        "columns": by(lambda Z: np.linalg.norm(Z, axis=0)),
        "squares": by(lambda Z: (Z**2).sum(axis=1)),
        "sums": by(lambda Z: Z.sum(axis=1)),
        "centred": by(lambda Z: np.linalg.norm(Z - Z.mean(axis=0), axis=1)),
    }


def _score() -> Asked:
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(3), size=20)
    chosen = rng.integers(3, size=20)
    picked = shares[np.arange(20), chosen]
    return [(shares, chosen)], {
        "right": picked.mean(),
        "sum": picked.sum(),
        "first": np.mean(chosen == shares.argmax(axis=1)),
        "block": shares[:, chosen].mean(),
        "each": picked,
    }


def _shuffled_within() -> Asked:
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

    def judge(p: Any, p_never: Any) -> str:
        verdict = closest(p, 0.045, **known)
        return "uncounted" if verdict == "right" and p_never == 0 else verdict

    return [(right_a, right_b, condition), (never, never, 0 * never)], judge


def _consistencies() -> Asked:
    rng = np.random.default_rng(1)
    labels = np.arange(120) % 4
    outputs = 2 * np.eye(4)[labels] + rng.normal(size=(3, 120, 4))
    answers = outputs.argmax(axis=2)
    return [([(rng.normal(size=(120, 16)), Z) for Z in outputs],)], {
        "right": [[error_consistency(labels, a, b) for b in answers] for a in answers],
        "same": [[np.mean(a == b) for b in answers] for a in answers],
        "overlap": [[np.mean((a == labels) == (b == labels)) for b in answers] for a in answers],
    }


def _recycled() -> Asked:
    names = ["Net", "net", "ann", "net", "red", "net", "red", "net", "net", "net"]
    wanted = ["net", "red", "net"]
    known = {
        "right": np.resize(wanted, 10) == np.array(names),
        "any": np.isin(names, wanted),
        "first": np.array(names) == wanted[0],
        "blocks": np.repeat(wanted, 4)[:10] == np.array(names),
    }

    def judge(kept: Any) -> str:
        return closest(kept, **known) if np.shape(kept) == (10,) else "length"

    return [(names, wanted)], judge


FUNCTIONS: dict[str, Callable[[], Asked]] = {
    "error_consistency": _error_consistency,
    "misclassification_agreement": _misclassification_agreement,
    "class_level_error_similarity": _class_level_error_similarity,
    "ec_bounds": _ec_bounds,
    "bootstrap": _bootstrap,
    "cka": _cka,
    "odd_one_out": _odd_one_out,
    "odd-4": _score,
    "models-4": _vote,
    "hard-4": _shuffled_within,
    "compare-4": _lengths,
    "notice-4": _consistencies,
    "geirhos-1": _recycled,
    "align-1": _lesson,
    "align-2": _equally_accurate,
    **LABS,
}


# ---- numbers ---------------------------------------------------------------------------------------------------------


LEVEL = 0.05


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
    of_each = [kappa(table) for table in tables]
    if kappa(tables.sum(axis=0)) >= 0:
        return "together"
    return "right" if min(of_each) >= 0.1 else "within"


RECOMPUTED: dict[str, Callable[[Any], str]] = {
    "students-4": _tempted,
    "many-5": _power,
    "model-3": _softer,
    "xu-1": _three_winners,
    "further-geirhos-1": _pooled,
}
