"""Exercises that ask for a function: the inputs that it is given, and what its outputs say of it.

Each entry returns the inputs, a tuple of arguments per call, and a judge of the outputs, which returns "right", the key
of a misconception (exercises.toml), or nothing for what is not known. The inputs are always the same, so that a grader
can judge in one process what a student's function returned in another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from erralign.behaviour import error_consistency
from erralign.course.judging import closest
from erralign.course.labs import LABS


def _soft_ma() -> tuple[list[tuple], Callable[..., str]]:
    rng = np.random.default_rng(1)
    truth = rng.integers(16, size=400)
    q = rng.dirichlet(np.full(16, 0.3), size=400)  # nearly sure of some pictures, of others not at all
    shares = rng.multinomial(5, rng.dirichlet(np.full(16, 0.3), size=400)) / 5
    wrong, said = 1 - np.eye(16)[truth], np.eye(16)
    table = (wrong * q).T @ (wrong * shares)
    hard = [wrong * said[each.argmax(axis=1)] for each in (q, shares)]
    hardest = [said[(wrong * each).argmax(axis=1)] for each in (q, shares)]
    half = [(hard[0], wrong * shares), (wrong * q, hard[1])]
    same = np.trace(table)
    known = {
        "right": _kappa(table),
        "kept": _kappa(q.T @ shares),
        "uncorrected": same / table.sum(),
        "total": same,
        "argmax": tuple(_kappa(a.T @ b) for a, b in (hard, hardest, *half)),
    }
    return [(q, truth, shares)], lambda found: closest(found, **known)


def _kappa(table: np.ndarray) -> float:
    shares = table / table.sum()
    chance = shares.sum(axis=0) @ shares.sum(axis=1)
    return float((np.trace(shares) - chance) / (1 - chance))


def _vote() -> tuple[list[tuple], Callable[..., str]]:
    said = np.random.default_rng(1).integers(-1, 4, size=(60, 5))
    said[0] = -1
    votes = (said[:, :, None] == np.arange(-1, 4)).sum(axis=1)
    options = votes[:, 1:]
    right = np.where(options.any(axis=1), options.argmax(axis=1), -1)
    known = {
        "right": right,
        "gaps": votes.argmax(axis=1) - 1,
        "majority": np.where(options.max(axis=1) > 2, right, -1),
        "last": np.where(options.any(axis=1), 3 - options[:, ::-1].argmax(axis=1), -1),
        "empty": options.argmax(axis=1),
    }
    return [(said,)], lambda found: closest(found, **known)


def _lengths() -> tuple[list[tuple], Callable[..., str]]:
    X, Y = np.random.default_rng(1).normal(size=(2, 12, 12)) + 0.5

    def by(length: Callable) -> float:
        return float(np.corrcoef(length(X), length(Y))[0, 1])

    known = {
        "right": by(lambda Z: np.linalg.norm(Z, axis=1)),
        "columns": by(lambda Z: np.linalg.norm(Z, axis=0)),
        "squares": by(lambda Z: (Z**2).sum(axis=1)),
        "sums": by(lambda Z: Z.sum(axis=1)),
        "centred": by(lambda Z: np.linalg.norm(Z - Z.mean(axis=0), axis=1)),
    }
    return [(X, Y)], lambda found: closest(found, **known)


def _score() -> tuple[list[tuple], Callable[..., str]]:
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(3), size=20)
    chosen = rng.integers(3, size=20)
    picked = shares[np.arange(20), chosen]
    known = {
        "right": picked.mean(),
        "sum": picked.sum(),
        "first": np.mean(chosen == shares.argmax(axis=1)),
        "block": shares[:, chosen].mean(),
        "each": picked,
    }
    return [(shares, chosen)], lambda found: closest(found, **known)


def _shuffled_within() -> tuple[list[tuple], Callable[..., str]]:
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


def _consistencies() -> tuple[list[tuple], Callable[..., str]]:
    rng = np.random.default_rng(1)
    labels = np.arange(120) % 4
    outputs = 2 * np.eye(4)[labels] + rng.normal(size=(3, 120, 4))
    said = outputs.argmax(axis=2)
    known: dict[str, Any] = {
        "right": [[error_consistency(labels, a, b) for b in said] for a in said],
        "same": [[np.mean(a == b) for b in said] for a in said],
        "overlap": [[np.mean((a == labels) == (b == labels)) for b in said] for a in said],
    }
    return [([(rng.normal(size=(120, 16)), Z) for Z in outputs],)], lambda found: closest(found, **known)


def _recycled() -> tuple[list[tuple], Callable[..., str]]:
    names = ["Net", "net", "ann", "net", "red", "net", "red", "net", "net", "net"]
    wanted = ["net", "red", "net"]
    known = {
        "right": np.resize(wanted, 10) == np.array(names),
        "any": np.isin(names, wanted),
        "first": np.array(names) == wanted[0],
        "blocks": np.repeat(wanted, 4)[:10] == np.array(names),
    }
    return [(names, wanted)], lambda found: closest(found, **known) if np.shape(found) == (10,) else "length"


FUNCTIONS: dict[str, Callable[[], tuple[list[tuple], Callable[..., str]]]] = {
    "odd-4": _score,
    "models-4": _vote,
    "taught-4": _soft_ma,
    "hard-4": _shuffled_within,
    "compare-4": _lengths,
    "notice-4": _consistencies,
    "geirhos-1": _recycled,
    **LABS,
}
