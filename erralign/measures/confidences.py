"""Do two systems doubt alike? Similarity of confidence on all trials (SOC), on joint errors (SOCE), and CAPA."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from erralign._validation import (
    as_array,
    check_answers,
    check_confidences_of_two,
    check_n_options,
    check_truth_of_confidences,
)
from erralign.measures.matrix import count_classes, ratio

_NAMES = ("y_true", "p_a", "p_b")


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
    p_a, p_b
        As for :func:`erralign.confidence_similarity`.
    replace_undefined_by : float
        Returned where there is no joint error.

    Returns
    -------
    float
        From 1 / (1 + log 2) to 1; undefined without joint errors.

    References
    ----------
    Xu et al. (2024), section "Dataset and Metrics", https://doi.org/10.48550/arXiv.2409.13919.

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


def capa(
    y_true: ArrayLike,
    p_a: ArrayLike,
    p_b: ArrayLike,
    *,
    n_options: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Measure the chance-adjusted probabilistic agreement of two systems (CAPA).

    If system A draws its answer to trial i, which offers :math:`k_i` options, with the probabilities :math:`a_{io}`,
    and B draws its own, they agree with probability :math:`\sum_o a_{io} b_{io}`. With the mean probabilities
    :math:`p_a` and :math:`p_b` of the right option, and means over trials,

    .. math:: c_{obs} &= \overline{\sum_o a_{io} b_{io}}, \qquad
              CAPA = \frac{c_{obs} - c_{exp}}{1 - c_{exp}}, \\
              c_{exp} &= p_a p_b + (1 - p_a)(1 - p_b)\, \overline{1 / (k_i - 1)}.

    From answers instead of probabilities, :math:`c_{obs}` is the share of equal answers, and :math:`p_a`, :math:`p_b`
    are accuracies. With two options this is error consistency. With k options on all trials and :math:`c = 1 / (k - 1)`
    it adds up what EC and MA (chance from the number of options) keep apart: if both are right on the share
    :math:`p_{11}` of trials, and both wrong on :math:`p_{00}`,

    .. math:: CAPA\, (1 - c_{exp}) = (1 + c)(p_{11} - p_a p_b) + (1 - c)\, p_{00}\, MA.

    Parameters
    ----------
    y_true : array_like, shape (n_trials,)
        The right option of each trial, by its place 0, 1, …; where probabilities are frames, names of their columns.
    p_a, p_b : array_like of float, shape (n_trials, C), or of answers, shape (n_trials,)
        Probabilities of the options, 0 where a trial has no such option, or the options chosen. Trials on which either
        system gave no answer (-1) are left out.
    n_options : int or array_like of int, shape (n_trials,), optional
        How many options each trial offers. Default: C, or as many as the largest label allows.
    replace_undefined_by : float
        The value to return where the measure is 0/0.

    Returns
    -------
    float
        From -1 to 1; 0 on average if systems err on different trials as often as chance has it, and take each wrong
        option equally often. Undefined if both are certain and right on all trials, or always wrong with two options.

    References
    ----------
    Goel et al. (2025), https://doi.org/10.48550/arXiv.2502.04313.

    Examples
    --------
    >>> round(capa([0, 1], [[0.8, 0.1, 0.1], [0.5, 0.3, 0.2]], [[0.6, 0.2, 0.2], [0.7, 0.2, 0.1]]), 3)
    0.186
    >>> round(capa([0, 1, 2, 0], [0, 1, 1, 1], [0, 1, 1, 0], n_options=[3, 3, 4, 4]), 3)
    0.564
    """
    if as_array("p_a", p_a).ndim == 1:
        truth, a, b = check_answers(y_true, p_a, p_b)
        agreement, right_a, right_b = a == b, a == truth, b == truth
        options, n_classes = (truth, a, b), count_classes(truth, a, b)
    else:
        truth, a, b = check_truth_of_confidences(y_true, p_a, p_b)
        trials, n_classes = np.arange(len(a)), a.shape[1]
        agreement, right_a, right_b = (a * b).sum(axis=1), a[trials, truth], b[trials, truth]
        last = (n_classes - 1 - (p[:, ::-1] > 0).argmax(axis=1) for p in (a, b))  # that may be chosen
        options = (truth, *last)
    if n_options is None:
        n_options = n_classes
    offered = check_n_options(n_options, y_true, dict(zip(_NAMES, options, strict=True)))
    read = np.min(options, axis=0) >= 0
    if not read.any():
        return float(replace_undefined_by)
    columns = np.stack([agreement, right_a, right_b, 1 / (np.asarray(offered) - 1)])
    observed, accuracy_a, accuracy_b, share = columns[:, read].mean(axis=1)
    expected = accuracy_a * accuracy_b + (1 - accuracy_a) * (1 - accuracy_b) * share
    return float(ratio(observed - expected, 1 - expected, replace_undefined_by))


def confidence_divergences(p_a: ArrayLike, p_b: ArrayLike) -> np.ndarray:
    """Return, trial by trial, the Jensen-Shannon divergence of which SOC and SOCE take the mean."""
    return _jensen_shannon(*check_confidences_of_two(p_a, p_b))


def _jensen_shannon(p_a: np.ndarray, p_b: np.ndarray) -> np.ndarray:
    middle = (p_a + p_b) / 2
    return (rel_entr(p_a, middle) + rel_entr(p_b, middle)).sum(axis=1) / 2
