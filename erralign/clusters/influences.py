"""How each trial moves a measure: the value without it, for all trials at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from erralign.pairs.left_out import leave_one_out


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
    found = leave_one_out(measure, truth, np.stack([a, b]), np.array([0]), np.array([1]), n_classes, **form)
    if np.isnan(found.values[0]):
        return np.zeros(len(truth))
    without = found.without[0, found.place]
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
