"""Accuracy: not a measure of two systems, but it has means, intervals and differences too."""

import numpy as np

from erralign.measures.matrix import Resampling, ResponseMatrix, drawn_values, ratio
from erralign.measures.measure import LeftOut, Measure


def _no_pair(*_: object) -> float:
    raise TypeError("accuracy is about one system, not two: use erralign.accuracy_intervals")


def _values(matrix: ResponseMatrix) -> np.ndarray:
    return ratio(matrix.right[matrix.pairs[0]].sum(axis=1), len(matrix.truth))


def _left_out(matrix: ResponseMatrix) -> LeftOut:
    right, n = matrix.right[matrix.pairs[0]].astype(int), len(matrix.truth)
    values, without = _values(matrix), ratio(right.sum(axis=1, keepdims=True) - right, n - 1)
    return LeftOut(values, without, (values, without))


def _draws(matrix: ResponseMatrix, resampling: Resampling) -> np.ndarray:
    right, n_resamples, rng = matrix.right, resampling.n_resamples, resampling.rng
    if len(right) > 2:
        return drawn_values(lambda n, a, *_: a / n, right, matrix.pairs, n_resamples, rng)
    counts = np.array([(right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum(), (right[0] == right[1]).sum()])
    # Half a count in each of four cells: two of them are "no difference".
    shares = rng.dirichlet(counts + np.array([0.5, 0.5, 1.0]), size=n_resamples)
    return shares[:, :2]


ACCURACY = Measure("accuracy", "accuracy", _no_pair, (0.0, 1.0), _values, _left_out, draws=_draws)
