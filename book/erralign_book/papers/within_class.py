"""Error consistency within true classes: chance compares each picture with *other* pictures of its class."""

import numpy as np

from erralign.measures import Form, Measure
from erralign.measures.matrix import ResponseMatrix, ratio


def _counts(matrix: ResponseMatrix) -> tuple[np.ndarray, ...]:
    """Return what each trial adds for each pair, class by class: a trial, and whether A, B and both are wrong."""
    a, b = (~matrix.right[systems] for systems in matrix.pairs)
    of_classes = (matrix.truth == true for true in np.unique(matrix.truth))
    return tuple(here & what for here in of_classes for what in (np.ones((1, 1), bool), a, b, a & b))


def _of_counts(*counts: np.ndarray) -> np.ndarray:
    n, a, b, both = (np.stack(np.broadcast_arrays(*counts[what::4])).astype(float) for what in range(4))
    agree = n - a - b + 2 * both
    # Both right or both wrong, if B's outcome is that of another picture; a picture alone in its class has none.
    others = ratio(a * b + (n - a) * (n - b) - agree, n - 1, undefined=0)
    expected, alike = others.sum(axis=0), np.where(n > 1, agree, 0).sum(axis=0)
    return ratio(alike - expected, np.where(n > 1, n, 0).sum(axis=0) - expected)


def _of_two(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> float:
    matrix = ResponseMatrix(y_true, np.stack([y_a, y_b]), 1 + max(map(np.max, (y_true, y_a, y_b))))
    return float(_of_counts(*(each.sum(axis=-1) for each in _counts(matrix)))[0])


WITHIN_CLASSES = Measure("WEC", "WEC", _of_two, form=Form(_counts, _of_counts), words="EC within classes")
