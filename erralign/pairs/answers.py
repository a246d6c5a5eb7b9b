"""What the measures of all pairs share: the answers, which of them are right, and blocks to work in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from erralign.responses import Responses

# Systems compared in one step.
BLOCK = 64
# Words of 64 trials compared in one step: few enough for the processor's cache, enough to be worth a call.
WORDS = 2**15


@dataclass(frozen=True)
class Answers:
    """The answers of all systems, and on how many trials two systems are right.

    Parameters
    ----------
    n_classes : int
        How many classes there are.
    truth : numpy.ndarray of int, shape (n_trials,)
        True classes.
    answers, right : numpy.ndarray, shape (n_systems, n_trials)
        Class ids (-1: no answer), and whether they are the true ones.
    both_right : numpy.ndarray of int, shape (n_systems, n_systems)
        In the upper triangle, on how many trials both systems are right; on the diagonal, on how many one system is.
    first, second : numpy.ndarray of int, shape (n_pairs,)
        The systems of each pair.
    variant : str
        The form of class-level error similarity.
    alpha : float
        The smoothing of class-level error similarity.
    """

    n_classes: int
    truth: np.ndarray
    answers: np.ndarray
    right: np.ndarray
    both_right: np.ndarray
    first: np.ndarray
    second: np.ndarray
    variant: str
    alpha: float


def answers_of(responses: Responses, with_: Sequence[str] | None, variant: str, alpha: float) -> Answers:
    """Bring answers into the form in which all pairs are compared."""
    small = np.int16 if len(responses.classes) < 2**15 else np.int32
    truth = responses.truth.to_numpy(np.int64)
    answers = np.ascontiguousarray(responses.answers.to_numpy(dtype=small).T)
    right = answers == truth.astype(small)
    pairs = pairs_of(len(answers), None if with_ is None else responses.answers.columns.isin(with_))
    return Answers(len(responses.classes), truth, answers, right, count_both_right(right), *pairs, variant, alpha)


def pairs_of(n_systems: int, wanted: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the systems of each unordered pair, in the order of :func:`erralign.pairwise`."""
    above = np.tri(n_systems, k=-1, dtype=bool).T
    first, second = (above if wanted is None else above & (wanted | wanted[:, None])).nonzero()
    return first, second


def count_both_right(right: np.ndarray) -> np.ndarray:
    """Count the trials on which two systems are right, 64 trials at a time."""
    packed = np.packbits(right, axis=1)
    bits = np.zeros((len(right), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    bits[:, : packed.shape[1]] = packed
    words = bits.view(np.uint64)
    both = np.zeros((len(right),) * 2, dtype=np.int64)
    for rows in blocks(len(right), size=max(1, WORDS // words.size)):
        shared = words[rows, None] & words[rows.start :]
        both[rows, rows.start :] = np.bitwise_count(shared).sum(axis=2, dtype=np.int32)
    return both


def blocks(n: int, start: int = 0, size: int | None = None) -> Iterator[slice]:
    """Cut a range into slices."""
    size = size or BLOCK
    return (slice(i, min(i + size, n)) for i in range(start, n, size))


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Divide two arrays, with nan where the denominator is 0."""
    return np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator != 0)
