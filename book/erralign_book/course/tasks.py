"""Homework with numbers of one's own: what a student's word draws, and the right and wrong answers that follow.

A task has choices for each of its numbers; where the page has the same exercise, its numbers are the first of each.
From the numbers chosen come the answers by name ("right", or the key of a misconception in exercises.toml) or a judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from erralign.behaviour import class_level_error_similarity, error_consistency, misclassification_agreement
from erralign.behaviour import error_consistency_from_counts as kappa
from erralign.behaviour import misclassification_agreement_from_counts as ma_from_counts
from erralign.bounds import error_consistency_bounds
from erralign_book.course.functions import RECOMPUTED, closest

SEEDS = range(1, 1000)
ALPHAS = (0.01, 0.1, 0.5, 2, 10)


class Task(NamedTuple):
    """What can be drawn, what follows from it, and how far an answer may be off."""

    choices: Mapping[str, Sequence[Any]] = MappingProxyType({})
    known: Callable[..., Mapping[str, Any]] | None = None
    judge: Callable[..., str] | None = None
    tables: Callable[..., Mapping[str, np.ndarray]] | None = None
    tolerance: float = 0.006
    page: bool = True  # whether the first choices are the page's


def given(exercise: str, student: str | None) -> dict[str, Any]:
    """Return numbers and tables that a student is given; without a student's word those of the page."""
    return dict(_drawn(exercise, student)[0])


def answers(exercise: str, student: str | None) -> Mapping[str, Any]:
    """Return the right answer and the known wrong ones, by name; nothing where a judge knows them."""
    return _drawn(exercise, student)[1]


def judged(exercise: str, answer: Any, student: str | None) -> str:
    """Return "right", the key of a misconception, or nothing for what is not known."""
    task = TASKS[exercise]
    if task.judge:
        return task.judge(answer, **given(exercise, student))
    return closest(np.squeeze(answer), task.tolerance, **answers(exercise, student))  # a row of a table is a list


@cache
def _drawn(exercise: str, student: str | None) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Draw numbers, never the page's, and such that no mistake leads to another answer that is known."""
    task = TASKS[exercise]
    first = {name: choices[0] for name, choices in task.choices.items()}
    if student is None:
        return _with_answers(task, first)
    word = f"{exercise} {str(student).strip().lower()}".encode()  # it may be a number
    rng = np.random.default_rng(int.from_bytes(blake2b(word, digest_size=8).digest()))
    while True:
        drawn = {name: choices[int(rng.integers(len(choices)))] for name, choices in task.choices.items()}
        numbers, known = _with_answers(task, drawn)
        if drawn != first and _are_apart(known, 2 * task.tolerance):
            return numbers, known


def _with_answers(task: Task, numbers: dict[str, Any]) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return what a student is given, tables in place of their seed, and the answers that follow."""
    if task.tables:
        numbers = dict(numbers)
        numbers |= task.tables(numbers.pop("seed"))
    return numbers, task.known(**numbers) if task.known else {}


def _are_apart(known: Mapping[str, Any], least: float) -> bool:
    values = []
    for name, known_values in known.items():
        alternatives = known_values if isinstance(known_values, tuple) else (known_values,)
        values += [(name, np.ravel(alternative)) for alternative in alternatives]
    pairs = ((a, b) for (one, a), (other, b) in combinations(values, 2) if one != other)
    return all(np.abs(a - b).max() > least for a, b in pairs)


# ---- accuracies and counts -----------------------------------------------------------------------------------------


def _contrasts(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    levels = np.array([1, 0.5, 0.3, 0.15, 0.1, 0.05, 0.03, 0.01])
    half, slope = rng.uniform(0.055, 0.09), rng.uniform(1.5, 2.5)
    share = 1 / (1 + (half / levels) ** slope)
    return {"levels": levels, "accuracy": np.round(1 / 16 + 0.88 * share, 3)}


def _half(levels: np.ndarray, accuracy: np.ndarray) -> Mapping[str, Any]:
    logs, rising = np.log(levels), np.sort(accuracy)
    return {
        "right": 100 * np.exp(np.interp(0.5, rising, logs[::-1])),
        "linear": 100 * np.interp(0.5, rising, levels[::-1]),
        "unsorted": 100 * np.exp(np.interp(0.5, accuracy, logs)),
        "order": 100 * np.exp(np.interp(0.5, rising, logs)),
        "share": np.exp(np.interp(0.5, rising, logs[::-1])),
    }


def _two_pairs(p: int, q: int) -> Mapping[str, Any]:
    overlap, chance = (1 - 2 * each / 100 * (1 - each / 100) for each in (p, q))
    above = overlap - chance
    others = {"ratio": overlap / chance - 1, "half": 2 * overlap - 1, "both": (p / 100) ** 2, "differ": 1 - overlap}
    return {"right": above / (1 - chance), "overlap": overlap, "above": above, "ann": 0, **others}


def _judge_luck(answer: ArrayLike, n: int, wrong: int) -> str:
    values = np.ravel(np.asarray(answer, dtype=float))
    joint = np.arange(wrong + 1)
    possible = [kappa([[j, wrong - j], [wrong - j, n - 2 * wrong + j]]) for j in joint]

    def all_among(known: ArrayLike) -> bool:
        return bool(np.isclose(values[:, None], known, atol=0.006).any(axis=1).all())  # rounded ones, too

    if len(values) < 100:
        return "few"
    if np.ptp(values) == 0:
        return "same"
    if not all_among(possible):
        return "overlap" if all_among((n - 2 * wrong + 2 * joint) / n) else "number"
    return "right" if abs(values.mean()) < 4 * values.std() / len(values) ** 0.5 else ""


def _easy(both: int, a: int, b: int, wrong: int, easy: int) -> Mapping[str, Any]:
    values = [kappa([[wrong, b], [a, both + more]]) for more in (0, easy)]
    overlaps = [(wrong + both + more) / (wrong + both + a + b + more) for more in (0, easy)]
    same = tuple([each, each] for each in values)
    return {"right": values, "order": values[::-1], "overlap": overlaps, "same": same}


def _most(people: int, first: int, second: int) -> Mapping[str, Any]:
    nets = [first / 100, second / 100]
    limits = np.array([error_consistency_bounds(people / 100, net) for net in nets]).T
    overlap = [1 - people / 100 + net for net in nets]
    return {"right": limits[1], "order": limits[1][::-1], "smallest": limits[0], "overlap": overlap, "same": [1, 1]}


def _noisy(noise: int, mistaken: int) -> Mapping[str, Any]:
    n, m = noise / 100, mistaken / 100
    values = [(1 - 2 * n) ** 2, (1 - 2 * n) * (1 - 2 * m)]
    return {
        "right": values,
        "order": values[::-1],
        "overlap": [1 - 2 * n * (1 - n), 1 - n - m + 2 * n * m],
        "noiseless": ([(1 - 2 * n) ** 2, 1 - 2 * m], [1 - 2 * n, 1 - 2 * m]),
        "once": [1 - 2 * n, (1 - 2 * n) * (1 - 2 * m)],
    }


# ---- intervals ------------------------------------------------------------------------------------------------------


def _difference(reach: int, r: float) -> Mapping[str, Any]:
    half = reach / 100
    right = half * (2 - 2 * r) ** 0.5
    others = {"unconnected": half * 2**0.5, "plus": half * (2 + 2 * r) ** 0.5, "width": 2 * right, "added": 2 * half}
    return {"right": right, **others, "one": half, "error": right / 1.96, "variance": right**2}


# ---- which wrong answer ---------------------------------------------------------------------------------------------


def _judge_lowest(answer: Any, less: int) -> str:
    counts = np.asarray(answer, dtype=float)
    if counts.ndim != 2 or len(set(counts.shape)) > 1 or counts.sum() < 1:
        return "shape"
    if np.trace(counts):
        return "alike"
    return "right" if abs(ma_from_counts(counts.astype(int)) + 1 / less) < 0.01 else "chance"


def _judge_both(answer: Any, ec: float, ma: float) -> str:
    table, matrix = (np.asarray(part, dtype=float) for part in answer)
    if table.shape != (2, 2) or matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        return "shape"
    if matrix.sum() != table[0, 0]:
        return "joint"
    ec_is_near = abs(kappa(table.astype(int)) - ec) < 0.05
    ma_is_near = abs(ma_from_counts(matrix.astype(int)) - ma) < 0.05
    if ec_is_near and ma_is_near:
        return "right"
    if ec_is_near:
        return "ma"
    return "ec" if ma_is_near else ""


def _animals(seed: int) -> dict[str, np.ndarray]:
    if seed == 0:
        from erralign.datasets.examples import twelve_pictures

        example = twelve_pictures()
        columns = {"a": "A", "twin": "Twin", "other": "Contrarian"}.items()
        return {"truth": example.truth.to_numpy()} | {key: example.answers[name].to_numpy() for key, name in columns}
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], 5)
    wrong = 5 * np.arange(3) + rng.integers(5, size=3)  # one picture of each animal
    a, other = truth.copy(), truth.copy()
    a[wrong], other[wrong] = (truth[wrong] + 1) % 3, (truth[wrong] + 2) % 3
    return {"truth": truth, "a": a, "twin": a.copy(), "other": other}


def _judge_change(answer: Any, truth: np.ndarray, a: np.ndarray, twin: np.ndarray, **_: np.ndarray) -> str:
    changed = np.asarray(answer, dtype=int)
    n_changed = np.sum(changed != twin)
    if n_changed == 0:
        return "unchanged"
    if error_consistency(truth, a, changed) < 1:
        return "outcome"
    same = misclassification_agreement(truth, a, changed) == misclassification_agreement(truth, a, twin)
    return "" if same else "right" if n_changed == 1 else "several"


def _rows(n: int, m: int) -> Mapping[str, Any]:
    rows = np.array([[n, 0], [0, n], [m, n - m]]) / n
    apart = [[rel_entr(each, (rows[0] + other) / 2).sum() for each in (rows[0], other)] for other in rows[1:]]
    value = np.array([1 / (1 + np.mean(two)) for two in apart])
    return {
        "right": value,
        "order": value[::-1],
        "distance": np.mean(apart, axis=1),
        "bits": [1 / (1 + np.mean(two) / np.log(2)) for two in apart],
        "added": [1 / (1 + np.sum(two)) for two in apart],
        "one": tuple([1 / (1 + two[side]) for two in apart] for side in (0, 1)),
    }


def _judge_smoothing(answer: Any, truth: np.ndarray, a: np.ndarray, twin: np.ndarray, other: np.ndarray) -> str:
    values = [[class_level_error_similarity(truth, a, b, alpha=alpha) for b in (twin, other)] for alpha in ALPHAS]
    right, table = np.array(values), np.asarray(answer, dtype=float)
    table = table.T if table.shape == (2, 5) else table
    fixed = tuple(right[[row] * 5] for row in range(5))
    return closest(table, 0.006, right=right, fixed=fixed, columns=right[:, ::-1], rows=right[::-1])


# ---- difficulty -----------------------------------------------------------------------------------------------------


def _clear(wrong: int, a: int, b: int, right: int) -> Mapping[str, Any]:
    dark, limit = kappa([[wrong, b], [a, right]]), 2 * wrong / (2 * wrong + a + b)
    of_one = tuple([dark, wrong / (wrong + each)] for each in (a, b))
    return {"right": [dark, limit], "order": [limit, dark], "same": [dark, dark], "one": [dark, 1], "given": of_one}


def _levels(seed: int) -> dict[str, np.ndarray]:
    if seed == 0:
        return {"accuracies": np.array([0.98, 0.95, 0.88, 0.70, 0.45, 0.20, 0.08])}
    rng = np.random.default_rng(seed)
    return {"accuracies": np.sort(np.round(rng.uniform(0.05, 0.99, size=7), 2))[::-1]}


def _by_level(accuracies: np.ndarray) -> Mapping[str, Any]:
    p = accuracies.mean()
    most = p * (1 - p)
    spread = {"variance": accuracies.var(), "sd": accuracies.std(), "sample": accuracies.var(ddof=1) / most, "mean": p}
    return {"right": accuracies.var() / most, **spread, "chance": 1 - 2 * most}


# ---- odd ones out, and training -------------------------------------------------------------------------------------


def _things(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {"features": rng.normal(size=(8, 4)), "triplets": np.array([rng.permutation(8)[:3] for _ in range(40)])}


def _moved(plus: int, features: np.ndarray, triplets: np.ndarray) -> Mapping[str, Any]:
    from erralign.triplets import odd_one_out

    def changed(how: str, now: np.ndarray) -> int:
        chosen = [odd_one_out(each, triplets, similarity=how) for each in (features, now)]
        return int((chosen[0] != chosen[1]).sum())

    right = [changed(how, features + plus) for how in ("cosine", "dot")]
    one = [changed("cosine", features + plus), 0]
    kept = [len(triplets) - each for each in right]
    return {"right": right, "order": right[::-1], "times": ([0, 0], one), "kept": kept}


def _choices(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shares = np.round(rng.dirichlet(np.full(3, 1.5), size=12), 2)
    shares[:, 2] = 1 - shares[:, :2].sum(axis=1)
    first = shares.argmax(axis=1)
    return {"shares": shares, "chosen": np.where(rng.random(12) < 0.6, first, rng.integers(3, size=12))}


def _way(shares: np.ndarray, chosen: np.ndarray) -> Mapping[str, Any]:
    score, ceiling = shares[np.arange(12), chosen].mean(), shares.max(axis=1).mean()
    others = {"zero": score / ceiling, "score": score, "one": (score - 1 / 3) / (1 - 1 / 3)}
    first = np.mean(chosen == shares.argmax(axis=1))
    return {"right": (score - 1 / 3) / (ceiling - 1 / 3), **others, "first": first}


def _doctors(p: int, second: float) -> Mapping[str, Any]:
    wrong = 1 - p / 100
    chance = 1 - 2 * wrong * (1 - wrong)
    overlaps = np.array([1, chance + second * (1 - chance)])
    right = (overlaps + 1 - 2 * p / 100) / 2
    others = {"overlap": overlaps, "times": [wrong, second * wrong], "chance": [wrong, wrong**2]}
    return {"right": right, "order": right[::-1], **others}


# In the order of the pages; of those that draw nothing there is no homework.
TASKS: dict[str, Task] = {
    "saw-3": Task({"seed": SEEDS}, known=_half, tables=_contrasts, tolerance=0.06, page=False),
    "ec-1": Task({"p": (80, *range(70, 93)), "q": (50, *range(38, 63, 2))}, known=_two_pairs),
    "ec-2": Task({"n": (12, 15, 18, 20), "wrong": (3, 4, 5)}, judge=_judge_luck, page=False),
    "ec-3": Task(
        {
            "both": (110, 120, 100),
            "a": (50, 45, 60),
            "b": (20, 25, 30),
            "wrong": (20, 25, 35),
            "easy": (1000, 800, 1500),
        },
        known=_easy,
        page=False,
    ),
    "against-1": Task(
        {"people": (95, *range(84, 97)), "first": (60, *range(50, 66)), "second": (80, *range(68, 83))}, known=_most
    ),
    "against-2": Task({"noise": range(8, 31, 2), "mistaken": range(3, 16)}, known=_noisy, page=False),
    "sure-1": Task({"reach": (6, 5, 7, 8, 9), "r": (0.7, 0.2, 0.3, 0.65, 0.8)}, known=_difference, tolerance=0.0006),
    "ma-1": Task({"less": (2, 3, 4, 5)}, judge=_judge_lowest, page=False),
    "ma-2": Task({"ec": (0.1, 0.2, 0.3), "ma": (0.9, 0.8, 0.7)}, judge=_judge_both),
    "ma-3": Task({"seed": (0, *SEEDS)}, judge=_judge_change, tables=_animals),
    "cles-1": Task({"n": range(6, 21), "m": range(1, 5)}, known=_rows, page=False),
    "cles-3": Task({"seed": (0, *SEEDS)}, judge=_judge_smoothing, tables=_animals),
    "hard-1": Task({"wrong": (2, 3, 4), "a": (2, 3, 5), "b": (1, 4, 6), "right": (2, 5, 6)}, known=_clear, page=False),
    "hard-2": Task({"seed": (0, *SEEDS)}, known=_by_level, tables=_levels),
    "odd-3": Task({"seed": SEEDS, "plus": (3, 5, 7)}, known=_moved, tables=_things, tolerance=0.4, page=False),
    "odd-4": Task({"seed": SEEDS}, known=_way, tables=_choices, page=False),
    "taught-2": Task({"p": range(66, 92), "second": (0.2, 0.3, 0.4, 0.5, 0.6)}, known=_doctors, page=False),
    **{name: Task(judge=judge) for name, judge in RECOMPUTED.items()},
}
