"""Do two systems doubt alike? Similarity of confidence on all trials (SOC) and on joint errors (SOCE)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from erralign.errors import check_confidences_of_two, check_truth_of_confidences


def confidence_similarity(p_a: ArrayLike, p_b: ArrayLike) -> float:
    r"""Measure how alike two systems spread their confidence over the classes (SOC).

    With the Jensen-Shannon divergence of trial n against the midpoint :math:`P_m = (P_a + P_b) / 2`, in natural
    logarithms, averaged over trials,

    .. math:: d = \frac{1}{N} \sum_n \left[ ½ KL(P_a ‖ P_m) + ½ KL(P_b ‖ P_m) \right], \qquad SOC = \frac{1}{1 + d}.

    Parameters
    ----------
    p_a, p_b : array_like of float, shape (n_trials, C)
        Confidences, one probability distribution per trial. Frames are aligned by the names of their rows and columns.
        Rows that rounding keeps from adding up to 1 are divided by their sum, with a warning.

    Returns
    -------
    float
        From 1 / (1 + log 2), about .59, for confidences that never overlap, to 1 for equal ones. Always defined.

    References
    ----------
    Xu et al. (2024), equations 8, 9 and 11, https://doi.org/10.48550/arXiv.2409.13919. Equation 10 prints half the
    Jeffreys divergence; the midpoint of equation 9 has a use only in the form above.

    Examples
    --------
    >>> round(confidence_similarity([[1.0, 0.0]], [[0.5, 0.5]]), 4)
    0.8225
    """
    p_a, p_b = check_confidences_of_two(p_a, p_b)
    return float(1 / (1 + _jensen_shannon(p_a, p_b).mean()))


def error_confidence_similarity(
    y_true: ArrayLike, p_a: ArrayLike, p_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    r"""Measure how alike two systems spread their confidence where both are wrong (SOCE).

    :math:`SOCE = 1 / (1 + d)` with d the mean Jensen-Shannon divergence over joint errors; a system's answer is
    the class of its largest confidence (the first at a tie).

    Parameters
    ----------
    y_true : array_like, shape (n_trials,)
        True class ids, 0 … C - 1; where confidences are frames, names of their columns.
    p_a, p_b : array_like of float, shape (n_trials, C)
        Confidences, one probability distribution per trial. Frames are aligned by the names of their rows and columns.
        Rows that rounding keeps from adding up to 1 are divided by their sum, with a warning.
    replace_undefined_by : float
        Returned where there is no joint error.

    Returns
    -------
    float
        From 1 / (1 + log 2) to 1; undefined without joint errors.

    References
    ----------
    Xu et al. (2024), section "Dataset and Metrics" and equations 8 to 11, https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> round(error_confidence_similarity([0, 1], [[0, 1.0], [0, 1]], [[0.25, 0.75], [1, 0]]), 4)
    0.9127
    """
    y_true, p_a, p_b = check_truth_of_confidences(y_true, p_a, p_b)
    joint = (p_a.argmax(axis=1) != y_true) & (p_b.argmax(axis=1) != y_true)
    if not joint.any():
        return float(replace_undefined_by)
    return float(1 / (1 + _jensen_shannon(p_a[joint], p_b[joint]).mean()))


def confidence_divergences(p_a: ArrayLike, p_b: ArrayLike) -> np.ndarray:
    """Return, trial by trial, the Jensen-Shannon divergence of which SOC and SOCE take the mean."""
    return _jensen_shannon(*check_confidences_of_two(p_a, p_b))


def _jensen_shannon(p_a: np.ndarray, p_b: np.ndarray) -> np.ndarray:
    middle = (p_a + p_b) / 2
    return (rel_entr(p_a, middle) + rel_entr(p_b, middle)).sum(axis=1) / 2
