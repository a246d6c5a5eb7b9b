"""Accuracy: not a measure of two systems, but it has means, intervals and differences too."""

import numpy as np

from erralign.behaviour.counting import ratio
from erralign.measures.limits import LimitsOfDifference, differences_of_draws, percentile_limits
from erralign.measures.measure import Measure
from erralign.measures.trials import Draws, Intervals, LeftOut, Trials, patterns_of
from erralign.measures.worlds import drawn_accuracies


def _left_out(truth: np.ndarray, answers: np.ndarray, first: np.ndarray, *_: object) -> LeftOut:
    n, right = len(truth), (answers == truth).astype(np.int32)
    patterns, place = patterns_of(right)
    n_right = right.sum(axis=1)[first]
    return LeftOut(n_right / n, ratio(n_right[:, None] - patterns[first], n - 1), place)


def _of_differences(trials: Trials, draws: Draws) -> tuple[np.ndarray, LimitsOfDifference]:
    if len(trials.answers) == 2:
        return trials.right.mean(axis=1), lambda *_: _limits_of_two(trials.right, draws)
    drawn = drawn_accuracies(trials.right, draws.n_resamples, draws.rng)
    return differences_of_draws(trials.right.mean(axis=1), drawn, draws.level)


def _limits_of_two(right: np.ndarray, draws: Draws) -> tuple[float, float, int]:
    right_a, right_b = right
    counts = np.array([(right_a & ~right_b).sum(), (right_b & ~right_a).sum(), (right_a == right_b).sum()])
    # Half a count in each of four cells: two of them are "no difference".
    shares = draws.rng.dirichlet(counts + np.array([0.5, 0.5, 1.0]), size=draws.n_resamples)
    return percentile_limits(shares[:, 0] - shares[:, 1], draws.level)


def _no_pair(*_: object) -> tuple:
    raise TypeError("accuracy is about one system, not two: use erralign.accuracy_intervals")


ACCURACY = Measure(
    "accuracy",
    "accuracy",
    _no_pair,  # type: ignore[arg-type]
    left_out=_left_out,
    intervals=Intervals({"population": ("dirichlet",)}, _no_pair, _no_pair, _of_differences),
    range=(0.0, 1.0),
    keeps_bias=True,
)
