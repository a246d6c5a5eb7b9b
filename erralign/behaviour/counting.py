"""What the measures of errors count: who was wrong on what, and with which answer."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_n_classes


def count_classes(*labels: np.ndarray) -> int:
    """Return the smallest number of classes that the labels allow."""
    return 1 + int(max(each.max() for each in labels))


def joint_errors(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> np.ndarray:
    """Return on which trials two systems are both wrong, where no answer in time counts as wrong."""
    return (y_a != y_true) & (y_b != y_true)


def wrong_answers(y_true: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Return on which trials systems gave an answer that is wrong."""
    return (answers != y_true) & (answers >= 0)


def joint_answers(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the answers of both systems on the trials on which both answered and both were wrong."""
    both = wrong_answers(y_true, y_a) & wrong_answers(y_true, y_b)
    return y_a[both], y_b[both]


def right_table(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> np.ndarray:
    """Count on how many trials both, one or none of two systems are right."""
    return np.bincount(2 * (y_a == y_true) + (y_b == y_true), minlength=4).reshape(2, 2)


def error_matrix(y_true: np.ndarray, answers: np.ndarray, n_classes: int) -> np.ndarray:
    """Count a system's errors by true class and answer."""
    wrong = wrong_answers(y_true, answers)
    return cross_table(y_true[wrong], answers[wrong], n_classes)


def cross_table(rows: np.ndarray, columns: np.ndarray, size: int) -> np.ndarray:
    """Count how often each two labels occur together."""
    check_n_classes(size)
    cells = (rows * size + columns).astype(np.intp, copy=False)  # Python of 32 bits counts nothing wider
    return np.bincount(cells, minlength=size * size).reshape(size, size)


def off_diagonal(counts: np.ndarray) -> np.ndarray:
    """Return the counts with 0 on the diagonal."""
    return counts - np.diag(np.diag(counts))


def as_floats(values: ArrayLike) -> np.ndarray:
    """Return an array of floats, in single precision if it came in single precision; complex numbers as they are."""
    array = np.asarray(values)
    return array if array.dtype.kind in "fc" else array.astype(float)


def four_cells(n: Any, right_a: Any, right_b: Any, both: Any) -> tuple:
    """Return on how many of n trials both are wrong, only B, only A and both are right."""
    return n - right_a - right_b + both, right_b - both, right_a - both, both


def ratio(above: ArrayLike, below: ArrayLike, undefined: float = np.nan) -> np.ndarray:
    """Divide numbers or arrays, with another value where the second is 0."""
    above, below = as_floats(above), as_floats(below)
    out = np.full(np.broadcast(above, below).shape, undefined, dtype=above.dtype)
    return np.divide(above, below, out=out, where=below != 0)
