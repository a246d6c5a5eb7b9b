"""What misclassification agreement owes to the true classes: its blind value, and a form of it whose zero is chance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from erralign.behaviour.counting import count_classes, joint_answers, ratio, wrong_answers
from erralign.errors import check_answers


def within_class_misclassification_agreement(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    r"""Measure how often two systems that are both wrong give the same answer, beyond chance within each true class.

    Misclassification agreement takes chance from all joint errors, on which both systems avoid the true class and may
    have habits in it; so its zero is not chance. Here chance compares A's answer to one joint error with B's answer to
    *another one of the same true class*. Let J joint errors lie in classes with at least two of them, :math:`n_i` in
    the class of i. Of these J, let :math:`p_o` be the share with equal answers, and

    .. math:: p_w = \frac{1}{J} \sum_i \frac{1}{n_i - 1} \sum_{j \ne i,\, c_j = c_i} [a_j = b_i], \qquad
              WMA = \frac{p_o - p_w}{1 - p_w}.

    Joint errors that are alone in their class say nothing about chance and are left out. If there are none, WMA is
    (MA - blind) / (1 - blind), with :func:`blind_misclassification_agreement`. Use MA to compare with printed values,
    and WMA to ask whether the single picture misled both, with any number of classes above two.

    Parameters
    ----------
    y_true, y_a, y_b, replace_undefined_by
        As for :func:`erralign.misclassification_agreement`.

    Returns
    -------
    float
        At most 1. 0 is what systems give on average whose answers are independent within each true class, whatever
        their habits. Undefined if no class has two joint errors, and if all answers in a class agree; so always with
        two classes.

    References
    ----------
    The form is ours, of a measure of Xu et al. (2024), https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> truth, a = [0] * 4 + [1] * 4 + [2] * 4, [1, 1, 2, 2, 0, 0, 2, 2, 0, 0, 1, 1]
    >>> within_class_misclassification_agreement(truth, a, [1, 2, 1, 2, 0, 2, 0, 2, 0, 1, 0, 1])
    0.0
    """
    observed, chance = _observed_and_chance(*check_answers(y_true, y_a, y_b))
    return _beyond(chance, observed, replace_undefined_by)


def blind_misclassification_agreement(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, *, replace_undefined_by: float = np.nan
) -> float:
    r"""Compute the misclassification agreement that two systems would have if nothing but the true class linked them.

    They give the same wrong answers as often in each true class as here, but which answer belongs to which joint error
    is left to chance. With the chance agreement :math:`p_w` within true classes of
    :func:`within_class_misclassification_agreement`, and :math:`\tilde p_e` of all joint errors together,

    .. math:: MA_{blind} = \frac{p_w - \tilde p_e}{1 - \tilde p_e}.

    For systems that choose among C equally frequent classes at random it is about :math:`1 / (C - 1)^2`.

    Parameters
    ----------
    y_true, y_a, y_b, replace_undefined_by
        As for :func:`erralign.misclassification_agreement`.

    Returns
    -------
    float
        At most 1, and 1 with two classes. Undefined where misclassification agreement is, and if no class has two joint
        errors.

    Examples
    --------
    >>> truth, a = [0] * 4 + [1] * 4 + [2] * 4, [1, 1, 2, 2, 0, 0, 2, 2, 0, 0, 1, 1]
    >>> blind_misclassification_agreement(truth, a, [1, 2, 1, 2, 0, 2, 0, 2, 0, 1, 0, 1])
    0.25
    """
    answers = check_answers(y_true, y_a, y_b)
    said_a, said_b = (np.bincount(said, minlength=count_classes(*answers)) for said in joint_answers(*answers))
    overall = said_a @ said_b / max(said_a.sum(), 1) ** 2
    _, within = _observed_and_chance(*answers)
    return _beyond(overall, within, replace_undefined_by)


def _beyond(chance: float, share: float, replace_undefined_by: float) -> float:
    below = 0 if np.isnan(share) else 1 - chance
    return float(ratio(share - chance, below, replace_undefined_by))


class WithinClasses(NamedTuple):
    """Joint errors that have another one of the same true class, each beside these; arrays of one length."""

    place: np.ndarray  # among all joint errors
    of_class: np.ndarray  # which class, numbered from 0
    size: np.ndarray  # how many joint errors the class has
    same: np.ndarray  # 1 where both gave the same answer, else 0
    by_a: np.ndarray  # how many of the class A called what B called this one
    by_b: np.ndarray  # how many of the class B called what A called this one


def count_within_classes(truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> WithinClasses:
    """Count, for each joint error, those of the same true class to which the other system gave the same answer."""
    _, codes, sizes = np.unique(truth, return_inverse=True, return_counts=True)
    place = np.flatnonzero(sizes[codes] > 1)
    _, of_class = np.unique(codes[place], return_inverse=True)
    a, b = (each[place].astype(np.int64) for each in (a, b))
    width = 1 + max(a.max(initial=0), b.max(initial=0))
    _, cells = np.unique(np.concatenate([of_class * width + a, of_class * width + b]), return_inverse=True)
    of_a, of_b = cells.reshape(2, -1)
    by_a, by_b = (np.bincount(said, minlength=2 * len(place)) for said in (of_a, of_b))
    return WithinClasses(place, of_class, sizes[codes[place]], (a == b).astype(int), by_a[of_b], by_b[of_a])


def _observed_and_chance(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> tuple[float, float]:
    """Return the share of equal answers, and that to two joint errors of one true class; nan without any."""
    both = wrong_answers(y_true, y_a) & wrong_answers(y_true, y_b)
    counts = count_within_classes(y_true[both], y_a[both], y_b[both])
    if not len(counts.same):
        return np.nan, np.nan
    return float(counts.same.mean()), float(((counts.by_a - counts.same) / (counts.size - 1)).mean())
