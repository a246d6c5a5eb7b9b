"""Accuracy: not a measure of two systems, but it has means, intervals and differences too."""

import numpy as np

from erralign.measures.error_consistency import right_counts
from erralign.measures.matrix import Resampling, ResponseMatrix, drawn_values, ratio
from erralign.measures.measure import Form, Measure


def _draw(matrix: ResponseMatrix, resampling: Resampling) -> np.ndarray:
    right, n_resamples, rng = matrix.right, resampling.n_resamples, resampling.rng
    if len(right) > 2:
        return drawn_values(lambda n, a, *_: a / n, right, matrix.pairs, n_resamples, rng)
    counts = np.array([(right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum(), (right[0] == right[1]).sum()])
    # Half a count in each of four cells: two of them are "no difference".
    shares = rng.dirichlet(counts + np.array([0.5, 0.5, 1.0]), size=n_resamples)
    return shares[:, :2]


def _no_pair(*_: object) -> float:
    raise TypeError("accuracy is about one system, not two: use erralign.accuracy_intervals")


ACCURACY = Measure(
    "accuracy",
    "accuracy",
    _no_pair,
    form=Form(right_counts, lambda n, right, *_: ratio(right, n), methods={"population": ("dirichlet",)}, draw=_draw),
    range=(0.0, 1.0),
    of_one_system=True,
    keeps_bias=True,
)
