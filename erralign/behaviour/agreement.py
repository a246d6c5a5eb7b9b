"""Misclassification agreement: whether two systems give the same answer where both are wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour.counting import count_classes, cross_table, joint_answers, ratio, wrong_answers
from erralign.errors import check_answers, check_counts, check_n_options


def misclassification_agreement(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    *,
    n_options: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Measure how often two systems that are both wrong give the same wrong answer, beyond chance.

    This is Cohen's kappa of the answers on joint errors. Let :math:`\tilde p_o` be the share of joint errors on which
    both gave the same answer, and :math:`\hat p_i^{(A)}` the share on which A answered i. With chance agreement
    :math:`\tilde p_e = \sum_i \hat p_i^{(A)} \hat p_i^{(B)}`,

    .. math:: MA = \frac{\tilde p_o - \tilde p_e}{1 - \tilde p_e}.

    If each trial offers options of its own, their places (A, B, C, …) mean nothing across trials. With ``n_options``
    chance agreement is then :math:`\tilde p_e = \overline{1 / (k_i - 1)}`, the mean over joint errors, where trial i
    offers :math:`k_i` options: all wrong options of a trial are taken to tempt alike.

    Parameters
    ----------
    y_true, y_a, y_b, replace_undefined_by
        As for :func:`erralign.error_consistency`. Only joint errors in which both answered count.
    n_options : int or array_like of int, shape (n_trials,), optional
        How many options each trial offers. Default: all trials have the same classes.

    Returns
    -------
    float
        From -1 to 1. Since both avoid the true class, chance lies above 0, far above with few classes:
        :func:`blind_misclassification_agreement`. With ``n_options`` 0 is chance. With two classes the value is 1 or
        undefined, and says nothing. Undefined if there is no joint error, if both systems gave the same single class on
        all of them, or if all of them offer two options.

    References
    ----------
    Xu et al. (2024), section "Misclassification Agreement" and appendix 1, https://doi.org/10.48550/arXiv.2409.13919;
    with options Kim et al. (2025), https://doi.org/10.48550/arXiv.2506.07962.

    Examples
    --------
    >>> misclassification_agreement(y_true=[0, 0, 0, 0], y_a=[1, 1, 2, 0], y_b=[1, 2, 2, 1])
    0.4
    >>> round(misclassification_agreement([0, 0, 0, 0], [1, 1, 2, 0], [1, 2, 2, 1], n_options=[3, 4, 4, 3]), 2)
    0.45
    """
    answers = check_answers(y_true, y_a, y_b)
    options = check_n_options(n_options, y_true, dict(zip(("y_true", "y_a", "y_b"), answers, strict=True)))
    if options is not None:
        both = wrong_answers(*answers[:2]) & wrong_answers(answers[0], answers[2])
        same, chance = (answers[1] == answers[2])[both], 1 / (options[both] - 1)
        return float(ratio((same - chance).sum(), (1 - chance).sum(), replace_undefined_by))
    agreement = cross_table(*joint_answers(*answers), count_classes(*answers))
    return misclassification_agreement_from_counts(agreement, replace_undefined_by=replace_undefined_by)


def misclassification_agreement_from_counts(agreement: ArrayLike, *, replace_undefined_by: float = np.nan) -> float:
    """Measure misclassification agreement from the error agreement matrix, whose Cohen's kappa it is.

    Parameters
    ----------
    agreement : array_like of int, shape (C, C)
        ``agreement[i][j]`` is the number of joint errors that A called class i and B called class j. The diagonal
        counts joint errors on which both gave the same wrong class.
    replace_undefined_by
        As for :func:`error_consistency_from_counts`.

    Returns
    -------
    float
        From -1 to 1. Undefined without joint errors, and if all of them are in one cell of the diagonal.

    Examples
    --------
    >>> misclassification_agreement_from_counts([[0, 0, 0], [0, 1, 1], [0, 0, 1]])
    0.4
    """
    counts = check_counts("agreement", agreement).astype(float)
    total = counts.sum()
    chance = counts.sum(axis=1) @ counts.sum(axis=0)
    return float(ratio(total * np.trace(counts) - chance, total * total - chance, replace_undefined_by))
