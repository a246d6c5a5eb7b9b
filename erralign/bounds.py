"""Which values are possible at all: with two accuracies, before any picture is shown, and with people's answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import check_all_answers, check_n_options, check_same_length, check_shares
from erralign.measures.matrix import count_classes, cross_table, four_cells, kappa, ratio, wrong_answers

__all__ = [
    "accuracy_bounds",
    "error_consistency_bounds",
    "error_consistency_bounds_from_overlap",
    "favourite_wrong_answers",
    "largest_mean_error_consistency",
    "overlap_bounds",
]
__dir__ = __all__.copy


def overlap_bounds(expected: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Bound observed overlap, given expected overlap.

    .. math:: 0 \le c_{obs} \le 1 - \sqrt{1 - 2 c_{exp}} \text{ if } c_{exp} \le ½, \qquad
              \sqrt{2 c_{exp} - 1} \le c_{obs} \le 1 \text{ if } c_{exp} \ge ½

    The former are reached by two systems whose accuracies add up to 1, the latter by two of equal accuracy.

    Parameters
    ----------
    expected : array_like of float
        Expected overlap, shares from 0 to 1, of any shape.

    Returns
    -------
    tuple of numpy.ndarray
        Lowest and highest observed overlap, from 0 to 1, each of that shape.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), equations 2, 3, 5 and 6, https://doi.org/10.48550/arXiv.2006.16736.

    Examples
    --------
    >>> low, high = overlap_bounds([0.42, 0.5, 0.68])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0, 0.0, 0.6], [0.6, 1.0, 1.0])
    """
    expected = check_shares("expected", expected)
    return np.sqrt(np.maximum(2 * expected - 1, 0)), 1 - np.sqrt(np.maximum(1 - 2 * expected, 0))


def error_consistency_bounds_from_overlap(expected: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Bound error consistency, given expected overlap.

    .. math:: \frac{\min c_{obs} - c_{exp}}{1 - c_{exp}} \le EC \le \frac{\max c_{obs} - c_{exp}}{1 - c_{exp}},

    with the limits of :func:`overlap_bounds`. If you know both accuracies, :func:`error_consistency_bounds` gives
    narrower limits.

    Parameters
    ----------
    expected
        As for :func:`overlap_bounds`.

    Returns
    -------
    tuple of numpy.ndarray
        Lowest and highest EC, from -1 to 1, each of that shape. Undefined (nan) at an expected overlap of 1.

    Examples
    --------
    >>> low, high = error_consistency_bounds_from_overlap([0.42, 0.5, 0.68])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([-0.72, -1.0, -0.25], [0.31, 1.0, 1.0])
    """
    expected = check_shares("expected", expected)
    room = np.where(expected < 1, 1 - expected, np.nan)
    low, high = overlap_bounds(expected)
    return (low - expected) / room, (high - expected) / room


def error_consistency_bounds(accuracy_a: ArrayLike, accuracy_b: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Bound error consistency, given both accuracies.

    EC grows with the share of trials on which both are right, which is at least :math:`\max(0, p_a + p_b - 1)`
    (no error in common, if that is possible) and at most :math:`\min(p_a, p_b)` (every error of the more accurate
    system is also one of the other).

    Parameters
    ----------
    accuracy_a, accuracy_b : array_like of float
        From 0 to 1, in shapes that broadcast.

    Returns
    -------
    tuple of numpy.ndarray
        Lowest and highest EC, from -1 to 1; the highest is 1 only if the accuracies are equal. If one accuracy is 0 or
        1, both limits are 0. Undefined (nan) if both accuracies are 0 or both are 1.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), appendix S.2, https://doi.org/10.48550/arXiv.2006.16736.

    Examples
    --------
    >>> low, high = error_consistency_bounds(0.9, [0.9, 0.5])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([-0.11, -0.2], [1.0, 0.2])
    """
    a, b = np.broadcast_arrays(check_shares("accuracy_a", accuracy_a), check_shares("accuracy_b", accuracy_b))
    # Both wrong, only B right, only A right, both right; written so that a perfect system gives exactly 0.
    apart = np.maximum(0, 1 - a - b), np.minimum(b, 1 - a), np.minimum(a, 1 - b), np.maximum(0, a + b - 1)
    together = np.minimum(1 - a, 1 - b), np.maximum(0, b - a), np.maximum(0, a - b), np.minimum(a, b)
    return kappa(*apart)[()], kappa(*together)[()]  # numbers for numbers, arrays for arrays


def accuracy_bounds(ec: ArrayLike, accuracy: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Bound the accuracy of a system whose error consistency with another is known.

    .. math:: p_{low} = \frac{k\,a}{2(1 - a) - k(1 - 2a)}, \qquad p_{high} = \frac{a(2 - k)}{k(1 - 2a) + 2a}

    At these accuracies the upper limit of :func:`error_consistency_bounds` is k.

    Parameters
    ----------
    ec : array_like of float
        Error consistency k, from 0 to 1.
    accuracy : array_like of float
        Accuracy a of the other system, from 0 to 1, in a shape that broadcasts with that of ``ec``.

    Returns
    -------
    tuple of numpy.ndarray
        Lowest and highest accuracy, from 0 to 1. At an error consistency of 0 the lowest is undefined (nan) if a is 1,
        and the highest if a is 0.

    References
    ----------
    Klein et al. (2025), who choose an accuracy within these bounds.

    Examples
    --------
    >>> low, high = accuracy_bounds([0.0, 0.3, 1.0], [0.8, 0.8, 0.75])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0, 0.41, 0.75], [1.0, 0.96, 0.75])
    """
    ec, accuracy = check_shares("ec", ec), check_shares("accuracy", accuracy)
    low = ratio(ec * accuracy, 2 * (1 - accuracy) - ec * (1 - 2 * accuracy))
    return low, ratio(accuracy * (2 - ec), ec * (1 - 2 * accuracy) + 2 * accuracy)


def largest_mean_error_consistency(right: ArrayLike, accuracy: float, *, known: ArrayLike | None = None) -> float:
    r"""Return the largest mean EC with some people that answers of a given accuracy can have.

    With an accuracy of p, EC with person h, who is right on a share :math:`q_h` of the trials, grows in proportion to
    the trials on which both are right, divided by :math:`1 - p_{exp} = p + q_h - 2 p q_h`. So the mean over people is
    largest if one is right on those trials i for which

    .. math:: s_i = \sum_h \frac{x_{hi}}{p + q_h - 2 p q_h}

    is largest, where :math:`x_{hi}` is 1 if person h is right, else 0. If only some of the trials with an equal
    :math:`s_i` can be right, each is right by the same part.

    Parameters
    ----------
    right : array_like of bool or of shares, shape (n_people, n_trials)
        Which trials each person is right on. A single row of shares is a crowd of which a member is drawn for each
        trial.
    accuracy : float
        The accuracy p.
    known : array_like, shape (n_others, n_trials), optional
        The same for other people, by whom trials are chosen: what somebody reaches who knows the answers of these, and
        is compared with those of ``right``. Default: those of ``right``, and no other answers have a larger mean EC.

    Returns
    -------
    float
        From 0 to 1, with other people from -1. Undefined (nan) where EC with each person is 0/0; other people count.

    Examples
    --------
    >>> ann, ben, cem = [1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0], [1, 0, 1, 0, 1, 0]
    >>> round(largest_mean_error_consistency([ann, ben], 0.5), 2)
    0.67
    >>> round(largest_mean_error_consistency([ann, ben], 0.5, known=[cem]), 2)
    0.0
    """
    right = np.atleast_2d(check_shares("right", right))
    known = right if known is None else np.atleast_2d(check_shares("known", known))
    check_same_length(right=right[0], known=known[0])
    return mean_error_consistency(right, surely_right(known, float(check_shares("accuracy", accuracy))))


def surely_right(known: np.ndarray, accuracy: float) -> np.ndarray:
    """Return how sure to be right on each trial, for the largest mean EC with people: 1 or 0, and between for ties."""
    q = known.mean(axis=1, keepdims=True)
    by_chance = accuracy + q - 2 * accuracy * q
    score = (known / np.where(by_chance > 0, by_chance, 1)).sum(axis=0)
    _, place, n = np.unique(-score, return_inverse=True, return_counts=True)
    return np.clip((accuracy * len(score) - (np.cumsum(n) - n)) / n, 0, 1)[place]


def mean_error_consistency(right: np.ndarray, sure: np.ndarray) -> float:
    """Return the mean EC of people with somebody who is right on each trial with some probability."""
    cells = four_cells(len(sure), sure.sum(), right.sum(axis=1), right @ sure)
    return mean_of_defined(kappa(*cells))


def mean_of_defined(values: np.ndarray) -> float:
    """Return the mean of what is not nan."""
    return float(np.mean(values, where=~np.isnan(values))) if not np.isnan(values).all() else np.nan


def favourite_wrong_answers(
    y_true: ArrayLike, people: ArrayLike, answers: ArrayLike, *, n_options: ArrayLike | None = None
) -> np.ndarray:
    r"""Return a system's answers with each wrong one replaced by people's favourite wrong answer to that trial.

    These are the answers, wrong on the same trials, with the largest mean MA with these people where chance comes from
    the number of options. Else they come within 0.01 of it on the data sets of the book, where chance changes with the
    answers. Let :math:`n_h` be the number of trials that both person h and the system answered wrongly. The favourite
    of trial i is the wrong class c with the largest

    .. math:: \sum_{h:\, y_{hi} = c} \frac{1}{n_h}.

    Where several are equal, the one counts that people gave most often to other trials of the same true class.

    Parameters
    ----------
    y_true : array_like of int, shape (n_trials,)
        True class ids.
    people : array_like of int, shape (n_people, n_trials)
        What each person answered.
    answers : array_like of int, shape (n_trials,)
        What the system answered.
    n_options : int or array_like of int, shape (n_trials,), optional
        As for :func:`erralign.misclassification_agreement`.

    Returns
    -------
    numpy.ndarray of int, shape (n_trials,)
        Right answers, and -1, stay.

    Examples
    --------
    >>> people = [[1, 2, 0], [1, 2, 1], [2, 0, 1]]
    >>> favourite_wrong_answers([0, 0, 0], people, [2, 1, 0]).tolist()
    [1, 2, 0]
    """
    named = {"answers": answers} | {f"person {place}": person for place, person in enumerate(np.asarray(people))}
    truth, system, *persons = arrays = check_all_answers(y_true=y_true, **named)
    offered = check_n_options(n_options, y_true, dict(zip(("y_true", *named), arrays, strict=True)))
    return favourites(truth, np.stack(persons), system, offered)


def favourites(
    truth: np.ndarray, people: np.ndarray, system: np.ndarray, n_options: np.ndarray | None = None
) -> np.ndarray:
    """Return a system's answers with people's favourite wrong ones in the place of its own."""
    classes = np.arange(count_classes(truth, people, system))
    missed, wrong = wrong_answers(truth, system), wrong_answers(truth, people)
    person, trial = wrong.nonzero()
    answered, n_joint = people[person, trial], np.maximum((wrong & missed).sum(axis=1), 1)
    votes = np.bincount(trial * len(classes) + answered, 1 / n_joint[person], truth.size * len(classes))
    votes = votes.astype(float).reshape(-1, len(classes))  # of no votes at all, NumPy counts whole numbers
    if n_options is None:  # else a place means nothing on other trials
        votes += cross_table(truth[trial], answered, len(classes))[truth] / (1e9 * people.size)
    votes[classes == truth[:, None]] = -1  # of no votes the first class wins, which each trial offers
    return np.where(missed, votes.argmax(axis=1), system)
