"""Checks of how many options each trial offers, where classes are positions: A, B, C, …."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from erralign.errors.arrays import as_array
from erralign.errors.order import in_one_order, shown

FEWEST = 2


def check_n_options(n_options: Any, y_true: Any, given: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return how many options each trial offers, in the order of ``y_true``, unless a system names one it lacks."""
    if n_options is None:
        return None
    ordered = in_one_order({"y_true": y_true, "n_options": n_options}) if hasattr(y_true, "reindex") else {}
    n_trials = len(next(iter(given.values())))
    counts = check_counts_of_options("n_options", ordered.get("n_options", n_options), n_trials)
    for name, answers in given.items():
        check_offered(name, answers, counts, range(n_trials))
    return counts


def check_counts_of_options(name: str, given: Any, n_trials: int) -> np.ndarray:
    """Return one whole number from 2 up per trial, from one for all or one for each."""
    counts = as_array(name, given, kinds="iuf", expected="how many options each trial offers, such as 4")
    if counts.ndim > 1 or (counts.ndim == 1 and len(counts) != n_trials):
        raise ValueError(f"{name} has shape {counts.shape} for {n_trials} trials; give one number, or one per trial")
    wrong = ~((counts >= FEWEST) & np.isfinite(counts) & (counts == np.floor(counts)))
    if wrong.any():
        raise ValueError(
            f"{name} holds {counts[wrong][0]}; expected whole numbers from {FEWEST} up, one per trial (with one option "
            "nobody errs: leave that trial out)"
        )
    return np.broadcast_to(counts.astype(np.int64), n_trials)


def check_offered(
    name: str, answers: np.ndarray, counts: np.ndarray, trials: Any, classes: Sequence[str] | None = None
) -> None:
    """Refuse an answer that names an option which its trial lacks."""
    lacking = answers >= counts
    if lacking.any():
        first = int(lacking.argmax())
        option, has = int(answers[first]), int(counts[first])
        names = (classes[option], classes[0], classes[has - 1]) if classes else (option, 0, has - 1)
        raise ValueError(
            f"{name} names option {names[0]} on trial {shown(trials[first])}, which has only {has} options, "
            f"{names[1]} to {names[2]}; write -1 where no answer could be read, or correct the number of options"
        )
