"""How each trial moves a measure: the value without it, for all trials at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import rel_entr

from erralign.behaviour import kappa
from erralign.behaviour.counting import error_matrix, right_table, wrong_answers
from erralign.pairs import ALPHA


def influence_of_trials(measure: str, truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int) -> np.ndarray:
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
    value, without = _WITHOUT[measure](truth, a, b, n_classes)
    if np.isnan(value):
        return np.zeros(len(truth))
    without = np.where(np.isnan(without), value, without)
    return without.mean() - without


def influence_of_difference(
    measure: str, truth: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray | None, n_classes: int
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

    Returns
    -------
    numpy.ndarray, shape (n_trials,)
        Sums to 0.
    """
    if c is None:
        gain = (a == truth).astype(float) - (b == truth)
        return gain - gain.mean()
    of_a, of_b = (influence_of_trials(measure, truth, each, c, n_classes) for each in (a, b))
    return of_a - of_b


def _consistency_without(truth: np.ndarray, a: np.ndarray, b: np.ndarray, _: int) -> tuple:
    table = right_table(truth, a, b).ravel()
    without = kappa(*(table - np.eye(4, dtype=int)).T)
    return float(kappa(*table)), without[2 * (a == truth) + (b == truth)]


def _agreement_without(truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int) -> tuple:
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


def _similarity_without(truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int) -> tuple:
    wrong = wrong_answers(truth, np.stack([a, b]))
    said = np.where(wrong, np.stack([a, b]), n_classes)  # C stands for "not wrong"
    matrices = np.stack([_with_empty_column(error_matrix(truth, each, n_classes)) for each in (a, b)])
    patterns, place = np.unique(np.vstack([truth, said]), axis=1, return_inverse=True)
    weight, divergence = _rows(matrices, n_classes)
    total, whole = weight.sum(), weight @ divergence
    less, at = matrices[:, patterns[0]], np.arange(patterns.shape[1])
    for system, answers in enumerate(patterns[1:]):
        less[system, at, answers] -= answers < n_classes
    new_weight, new_divergence = _rows(less, n_classes)
    old = patterns[0]
    errors = total - weight[old] + new_weight
    distance = whole - weight[old] * divergence[old] + new_weight * new_divergence
    without = np.divide(distance, errors, out=np.full(len(errors), np.nan), where=errors > 0)
    value = 1 / (1 + whole / total) if total else np.nan
    return value, 1 / (1 + without)[place.ravel()]


def _with_empty_column(matrix: np.ndarray) -> np.ndarray:
    return np.pad(matrix, ((0, 0), (0, 1))).astype(float)


def _rows(matrices: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return errors and divergence of each row of two error matrices, shape (2, n_rows, C + 1)."""
    errors = matrices[..., :-1]
    n = errors.sum(axis=2, keepdims=True)
    # The cell "right" has no errors in either row: smoothed with the others, it would add a share; it is taken out.
    smoothing = max(n_classes - 1, 1) * ALPHA
    shares = (errors + ALPHA) / (n + smoothing)
    pooled = (errors.sum(axis=0) + ALPHA) / (n.sum(axis=0) + smoothing)
    divergence = rel_entr(shares, pooled).sum(axis=2) - _of_right(n, smoothing)
    return n.sum(axis=(0, 2)), divergence.sum(axis=0) / 2


def _of_right(n: np.ndarray, smoothing: float) -> np.ndarray:
    right = ALPHA / (n + smoothing)
    return rel_entr(right, ALPHA / (n.sum(axis=0) + smoothing))[..., 0]


_WITHOUT: dict[str, Callable[..., tuple]] = {
    "error_consistency": _consistency_without,
    "misclassification_agreement": _agreement_without,
    "class_level_error_similarity": _similarity_without,
}
