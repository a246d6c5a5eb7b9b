"""How each trial moves a measure: the value without it, for all trials at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import rel_entr

from erralign.behaviour import kappa
from erralign.behaviour.counting import error_matrix, right_table, wrong_answers


def influence_of_trials(
    measure: str, truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **form: Any
) -> np.ndarray:
    r"""Return how each trial moves a measure, by the jackknife.

    :math:`\psi_i = \bar\theta_{(\cdot)} - \theta_{(i)}`, with :math:`\theta_{(i)}` for the value without trial i.

    Parameters
    ----------
    measure : str
        The name of a measure of errors.
    truth, a, b : numpy.ndarray of int, shape (n_trials,)
        True class ids, and the answers; -1 is "no answer in time".
    n_classes : int
        C.
    **form : Any
        ``variant`` and ``alpha`` of class-level error similarity; other measures have none.

    Returns
    -------
    numpy.ndarray, shape (n_trials,)
        Sums to 0; all 0 where the measure is undefined. A trial without which it would be undefined says nothing: its
        value counts as that of all trials.

    Examples
    --------
    >>> truth, a, b = np.zeros(4, dtype=int), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> influence_of_trials("error_consistency", truth, a, b, 2).tolist()
    [0.45, -0.45, -0.45, 0.45]
    """
    value, without = _WITHOUT[measure](truth, a, b, n_classes, **form)
    if np.isnan(value):
        return np.zeros(len(truth))
    without = np.where(np.isnan(without), value, without)
    return without.mean() - without


def influence_of_difference(
    measure: str,
    truth: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    c: np.ndarray | None,
    n_classes: int,
    **form: Any,
) -> np.ndarray:
    """Return how each trial moves a difference: a measure of A with C, less that of B with C; or of accuracies.

    Parameters
    ----------
    measure : str
        The name of a measure of errors, or ``accuracy``.
    truth, a, b, c : numpy.ndarray of int, shape (n_trials,)
        True class ids, and the answers; accuracy goes without C.
    n_classes : int
        C, the number of classes.
    **form : Any
        ``variant`` and ``alpha`` of class-level error similarity; other measures have none.

    Returns
    -------
    numpy.ndarray, shape (n_trials,)
        Sums to 0.
    """
    if c is None:
        gain = (a == truth).astype(float) - (b == truth)
        return gain - gain.mean()
    of_a, of_b = (influence_of_trials(measure, truth, each, c, n_classes, **form) for each in (a, b))
    return of_a - of_b


def _consistency_without(truth: np.ndarray, a: np.ndarray, b: np.ndarray, _: int, **__: Any) -> tuple:
    table = right_table(truth, a, b).ravel()
    without = kappa(*(table - np.eye(4, dtype=int)).T)
    return float(kappa(*table)), without[2 * (a == truth) + (b == truth)]


def _agreement_without(truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **_: Any) -> tuple:
    joint = wrong_answers(truth, a) & wrong_answers(truth, b)
    said_a, said_b = a[joint], b[joint]
    rows, columns = (np.bincount(said, minlength=n_classes).astype(float) for said in (said_a, said_b))
    n, same, chance = len(said_a), said_a == said_b, rows @ columns
    value = _agreement(n, float(same.sum()), chance)
    without = np.full(len(truth), value)
    without[joint] = _agreement(n - 1, same.sum() - same, chance - columns[said_a] - rows[said_b] + same)
    return float(value), without


def _agreement(n: int, agreed: np.ndarray | float, chance: np.ndarray | float) -> np.ndarray:
    room = np.asarray(n * n - chance, dtype=float)
    return np.divide(n * agreed - chance, room, out=np.full(room.shape, np.nan), where=room > 0)


def _similarity_without(
    truth: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    n_classes: int,
    variant: str = "released",
    alpha: float = 0.5,
) -> tuple:
    wrong = wrong_answers(truth, np.stack([a, b]))
    said = np.where(wrong, np.stack([a, b]), truth)  # the true class stands for "not wrong"
    matrices = np.stack([error_matrix(truth, each, n_classes) for each in (a, b)]).astype(float)
    patterns, place = np.unique(np.vstack([truth, said]), axis=1, return_inverse=True)
    rows = patterns[0]
    less, at = matrices[:, rows], np.arange(len(rows))
    for system, answers in enumerate(patterns[1:]):
        less[system, at, answers] -= answers != rows
    weight, divergence = _rows(matrices, np.arange(n_classes), variant, alpha)
    new_weight, new_divergence = _rows(less, rows, variant, alpha)
    errors = weight.sum() - weight[rows] + new_weight
    distance = weight @ divergence - weight[rows] * divergence[rows] + new_weight * new_divergence
    unnormalised = variant == "printed-unnormalised"
    value = _similarity(weight @ divergence, weight.sum(), unnormalised=unnormalised)
    return float(value), _similarity(distance, errors, unnormalised=unnormalised)[place.ravel()]


def _similarity(distance: np.ndarray, errors: np.ndarray, *, unnormalised: bool) -> np.ndarray:
    over = np.where(errors > 0, 1.0 if unnormalised else errors, np.nan)
    return 1 / (1 + distance / over)


def _rows(matrices: np.ndarray, truth: np.ndarray, variant: str, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Return errors and divergence of rows of two error matrices, shape (2, n_rows, C), of which the class is given."""
    errors = matrices + alpha
    if variant == "released":  # the cell "right" is not one of the row's
        errors[:, np.arange(len(truth)), truth] = 0
    shares = errors / errors.sum(axis=2, keepdims=True)
    middle = shares.mean(axis=0)
    if variant == "released":
        together = np.where(errors[0] > 0, errors.sum(axis=0) - alpha, 0)
        middle = together / together.sum(axis=1, keepdims=True)
    return matrices.sum(axis=(0, 2)), rel_entr(shares, middle).sum(axis=(0, 2)) / 2


_WITHOUT: dict[str, Callable[..., tuple]] = {
    "error_consistency": _consistency_without,
    "misclassification_agreement": _agreement_without,
    "class_level_error_similarity": _similarity_without,
}
