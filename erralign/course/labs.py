"""The functions that students write in the labs of *Align it*, judged as those of functions.py are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from erralign.course.judging import closest


def _lesson() -> tuple[list[tuple], Callable[..., str]]:
    rng = np.random.default_rng(1)
    answers, labels = rng.integers(3, size=(6, 60)), rng.integers(12, size=(60, 2))
    test = np.logical_and(*(labels < 3).T)
    teaches = np.arange(6) % 2 == 0
    shared = [np.isin(labels[:, k], labels[test, k]) for k in (0, 1)]
    own, every = ((answers[who][..., None] == np.arange(3)).mean(axis=0) for who in (teaches, teaches | True))
    train = ~(shared[0] | shared[1])[:, None]
    known = {
        "right": train * own,
        "leak": ~test[:, None] * own,
        "half": tuple(~each[:, None] * own for each in shared),
        "argmax": train * np.eye(3)[own.argmax(axis=1)],
        "people": train * every,
    }
    return [(answers, labels, test, teaches)], lambda found: closest(found, **known)


def _equally_accurate() -> tuple[list[tuple], Callable[..., str]]:
    accuracy, ec = np.array([0.31, 0.24, 0.38]), np.array([0.15, 0.09, 0.2])
    path_accuracy, path_ec = np.array([0.4, 0.42, 0.36, 0.25, 0.15]), np.array([0.13, 0.14, 0.13, 0.08, 0.05])
    order = np.argsort(path_accuracy)
    nearest = path_ec[np.abs(path_accuracy - accuracy[:, None]).argmin(axis=1)]
    known = {
        "right": ec - np.interp(accuracy, path_accuracy[order], path_ec[order]),
        "trained": ec - path_ec[0],
        "unsorted": ec - np.interp(accuracy, path_accuracy, path_ec),
        "nearest": ec - nearest,
        "ratio": ec - path_ec[0] * accuracy / path_accuracy[0],
    }
    return [(accuracy, ec, path_accuracy, path_ec)], lambda found: closest(found, **known)


def _favourite() -> tuple[list[tuple], Callable[..., str]]:
    rng = np.random.default_rng(1)
    logits, shares, right = rng.normal(size=(80, 4)), rng.dirichlet(np.ones(4), size=80), rng.integers(4, size=80)
    wrong = np.arange(4) != right[:, None]
    of_head, of_students = (np.where(wrong, each, -np.inf).argmax(axis=1) for each in (logits, shares))
    known = {
        "right": (of_head == of_students).mean(),
        "kept": (logits.argmax(axis=1) == shares.argmax(axis=1)).mean(),
        "head": (logits.argmax(axis=1) == of_students).mean(),
        "students": (of_head == shares.argmax(axis=1)).mean(),
        "share": shares[np.arange(80), of_head].mean(),
    }
    return [(logits, shares, right)], lambda found: closest(found, **known)


def _places() -> tuple[list[tuple], Callable[..., str]]:
    gain = np.array([0.02, 0.09, 0.055, 0.0, 0.07])
    below, above = np.array([[0.03, 0.03, 0.015, 0.01, 0.04], [0.02, 0.03, 0.015, 0.01, 0.04]])
    low, high = gain - below, gain + above

    def behind(clear: Callable[[int], np.ndarray]) -> np.ndarray:
        return np.array([1 + clear(k).sum() for k in range(5)])

    known: dict[str, Any] = {
        "right": behind(lambda k: low > high[k]),
        "rank": behind(lambda k: gain > gain[k]),
        "best": np.where(high >= low[gain.argmax()], 1, 2),
        "value": behind(lambda k: low > gain[k]),
        "reversed": behind(lambda k: high < low[k]),
    }
    return [(gain, low, high)], lambda found: closest(found, **known)


LABS: dict[str, Callable[[], tuple[list[tuple], Callable[..., str]]]] = {
    "align-1": _lesson,
    "align-2": _equally_accurate,
    "align-4": _favourite,
    "align-5": _places,
}
