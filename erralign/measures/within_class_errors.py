"""Error consistency within true classes: EC whose chance knows which objects are hard, without bias.

By chance, the outcome of one system on a picture is set beside the other's on another picture of the same class.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import check_answers
from erralign.measures.error_consistency import ERROR_CONSISTENCY, drawn_kappas
from erralign.measures.matrix import Limits, Resampling, ResponseMatrix, count_classes, count_together, ratio
from erralign.measures.measure import LeftOut, Measure, jackknife_error, moves_of
from erralign.measures.registry import register


def within_class_error_consistency(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    r"""Measure whether two systems err on the same trials, beyond chance within each true class.

    Some classes are hard for everybody, which alone gives any two systems a high error consistency. Here chance
    compares A's outcome on one trial with B's on *another one of the same true class*. Let N trials lie in classes with
    at least two of them, :math:`n_i` in the class of i, and let :math:`a_i` be 1 where A is right on trial i and 0
    where it is wrong, and :math:`b_i` the same of B. Of these N, let :math:`p_o` be the share with :math:`a_i = b_i`,
    and

    .. math:: p_w = \frac{1}{N} \sum_i \frac{1}{n_i - 1} \sum_{j \ne i,\, c_j = c_i} [a_i = b_j], \qquad
              WEC = \frac{p_o - p_w}{1 - p_w}.

    Trials that are alone in their class say nothing about chance and are left out. With one class this is about EC.

    Chance from the accuracies in each class, :math:`p_a p_b + (1 - p_a)(1 - p_b)`, would set each trial beside itself,
    too. With n trials in each class it would turn a true value k into about :math:`k (n - 1) / (n - k)`: 0.3 into 0.18
    with two trials per class, and into 0.28 with ten. So values on sets with other numbers of trials could not be
    compared.

    Parameters
    ----------
    y_true, y_a, y_b, replace_undefined_by
        As for :func:`erralign.error_consistency`.

    Returns
    -------
    float
        At most 1. 0 is what systems give on average whose outcomes are independent within each true class. Undefined if
        no class has two trials, and if in each class all outcomes of both systems are the same.

    References
    ----------
    The form is ours, of error consistency by Geirhos, Meding & Wichmann (2020),
    https://doi.org/10.48550/arXiv.2006.16736.

    Examples
    --------
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0, 1, 0, 0, 1, 1]
    >>> round(within_class_error_consistency(truth, a, b), 2)
    0.77
    """
    truth, *systems = check_answers(y_true, y_a, y_b)
    (value,) = _values(ResponseMatrix(truth, np.stack(systems), count_classes(truth, *systems)))
    return float(replace_undefined_by if np.isnan(value) else value)


# ---- values ------------------------------------------------------------------------------------------------------


class _Classes(NamedTuple):
    """Trials of one true class after the other, of classes with two trials or more."""

    trial: np.ndarray  # which trial
    of_class: np.ndarray  # which class it is of: 0, 1, …
    size: np.ndarray  # (n_classes,)

    def sums(self, trials: np.ndarray) -> np.ndarray:
        """Sum rows over the trials of each class."""
        if not len(self.size):
            return np.zeros((len(trials), 0), dtype=np.int64)
        starts = np.cumsum(self.size) - self.size
        return np.add.reduceat(trials[:, self.trial], starts, axis=1, dtype=np.int64)


def _classes(truth: np.ndarray) -> _Classes:
    _, of_class, size = np.unique(truth, return_inverse=True, return_counts=True)
    order = np.argsort(of_class, kind="stable")
    trial = order[size[of_class[order]] > 1]
    size = size[size > 1]
    return _Classes(trial, np.repeat(np.arange(len(size)), size), size)


def _values(matrix: ResponseMatrix) -> np.ndarray:
    classes, (first, second) = _classes(matrix.truth), matrix.pairs
    right = classes.sums(matrix.right)
    agree, chance = np.zeros((2, len(first)))
    # Classes of one size together, so that counts stay whole numbers, and 0/0 is seen.
    for size in np.unique(classes.size):
        here = classes.size == size
        trials = classes.trial[here[classes.of_class]]
        both = count_together(matrix.right[:, trials], matrix.right[:, trials])
        alone, counts = both.diagonal(), right[:, here].astype(float)
        alike = len(trials) - alone[first] - alone[second] + 2 * both[first, second]
        missed = size - counts
        agree += alike
        chance += ((counts @ counts.T + missed @ missed.T)[first, second] - alike) / (size - 1)
    return _beyond(len(classes.trial), agree, chance)


def _beyond(n: Any, agree: np.ndarray, chance: np.ndarray) -> np.ndarray:
    room = n - chance
    # Above 0 it is at least one part in as many as a class has trials.
    return ratio(agree - chance, np.where(room > 1e-9, room, 0))


def _left_out(matrix: ResponseMatrix) -> LeftOut:
    classes, (first, second) = _classes(matrix.truth), matrix.pairs
    right = matrix.right
    size, both = classes.size, classes.sums(right[first] & right[second])
    alone = classes.sums(right)
    tables = np.stack([size - alone[first] - alone[second] + both, alone[second] - both, alone[first] - both, both])
    agree, chance = _of_classes(tables)
    n, agree_of_all, chance_of_all = size.sum(), agree.sum(axis=1), chance.sum(axis=1)
    values = _beyond(n, agree_of_all, chance_of_all)
    without = np.repeat(values[:, None], len(matrix.truth), axis=1)
    # What is left of a class of two would be alone, so both go.
    gone = np.where(size > 2, 1, 2)
    of_cells = np.empty((4, *agree.shape))
    for cell, one in enumerate(np.eye(4)):
        agree_left, chance_left = _of_classes(tables - one[:, None, None])
        agree_left = agree_of_all[:, None] - agree + agree_left
        chance_left = chance_of_all[:, None] - chance + chance_left
        of_cells[cell] = _beyond(n - gone, agree_left, chance_left)
    cells = (2 * right[first].astype(np.intp) + right[second])[:, classes.trial]
    without[:, classes.trial] = np.take_along_axis(of_cells[:, :, classes.of_class], cells[None], axis=0)[0]
    return LeftOut(values, without, enough=ERROR_CONSISTENCY.leave_one_out(matrix).enough)


def _of_classes(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Count agreement in each class, and agreement with another trial of it; nothing in classes of one trial."""
    both_wrong, only_b, only_a, both_right = tables
    n, agree = tables.sum(axis=0), both_wrong + both_right
    crossed = (both_right + only_a) * (both_right + only_b) + (both_wrong + only_a) * (both_wrong + only_b)
    counted = n > 1
    return np.where(counted, agree, 0), np.where(counted, (crossed - agree) / np.maximum(n - 1, 1), 0)


# ---- limits ------------------------------------------------------------------------------------------------------

# From about this many errors on, the design effect is taken from the data rather than kept near 1.
_STEADYING_ERRORS = 20


def _limits(matrix: ResponseMatrix, resampling: Resampling) -> Limits:
    """Return the limits of EC, with chance within classes in the place of its own chance.

    What chance varies is in a design effect, the variance of WEC over that which EC would then have, both by leaving
    out each trial.
    """
    counted = matrix.keep(np.sort(_classes(matrix.truth).trial))
    if not len(counted.truth):
        nothing = np.full(len(matrix.pairs[0]), np.nan)
        return Limits(nothing, nothing, np.zeros(len(nothing), dtype=int), "dirichlet")
    values, ec, wider = _beside_ec(counted)
    low, high, n_undefined, method = ERROR_CONSISTENCY.limits_of(counted, ec, resampling)
    low, high = values - wider * (ec - low), np.minimum(values + wider * (high - ec), 1)
    return Limits(low, high, n_undefined, method)


def _draws(matrix: ResponseMatrix, resampling: Resampling) -> np.ndarray:
    """Draw EC of pairs, with the same trials for all, and move it in the same way."""
    counted = matrix.keep(np.sort(_classes(matrix.truth).trial))
    if not len(counted.truth):
        return np.full((resampling.n_resamples, len(matrix.pairs[0])), np.nan)
    values, ec, wider = _beside_ec(counted)
    return values + wider * (drawn_kappas(counted.right, counted.pairs, resampling.n_resamples, resampling.rng) - ec)


def _beside_ec(counted: ResponseMatrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return WEC of pairs, EC, and how far WEC moves where EC moves by 1."""
    ends = [np.empty((2, 0)), *(_variances(part) for part in counted.parts())]
    own, of_ec = np.concatenate(ends, axis=1)
    values, ec = _values(counted), ERROR_CONSISTENCY.of_all_pairs(counted)
    # 1 - EC and 1 - WEC are the disagreement over that by chance.
    slope = np.where(ec < 1, ratio(1 - values, 1 - ec), 1)
    errors = counted.tables.sum(axis=1) - np.maximum(counted.tables[:, 0], counted.tables[:, 3])
    effect = ratio(own, slope**2 * of_ec, 1)
    return values, ec, slope * np.sqrt((errors * effect + _STEADYING_ERRORS) / (errors + _STEADYING_ERRORS))


def _variances(matrix: ResponseMatrix) -> np.ndarray:
    every = (_left_out(matrix), ERROR_CONSISTENCY.leave_one_out(matrix))
    return np.stack([jackknife_error(moves_of(np.nan_to_num(each.without))) ** 2 for each in every])


register(
    Measure(
        "within_class_error_consistency",
        "WEC",
        within_class_error_consistency,
        (-np.inf, 1.0),
        _values,
        _left_out,
        _limits,
        _draws,
    )
)
