"""Misclassification agreement: whether two systems give the same answer where both are wrong.

Where each trial has options of its own, chance comes from their numbers, else from how often systems gave each class.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from erralign._validation import check_answers, check_counts, check_n_options
from erralign.measures.matrix import (
    EXACT,
    JointErrors,
    ResponseMatrix,
    blocks,
    count_together,
    joint_answers,
    ratio,
    wilson_interval,
    wilson_of_parts,
    wrong_answers,
)
from erralign.measures.measure import LeftOut, Measure, steadied


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
    a, b = joint_answers(*answers)
    size = 1 + int(max(a.max(initial=0), b.max(initial=0)))
    n, chance = len(a), np.bincount(a, minlength=size) @ np.bincount(b, minlength=size)
    return float(ratio(n * np.count_nonzero(a == b) - chance, n * n - chance, replace_undefined_by))


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


# Of each pair, in each condition of a mean with people: with fewer, no method that was tried contains the mean as often
# as it should.
ENOUGH_JOINT_ERRORS = 5
# From about this many joint errors on, the design effect is taken from the data rather than kept near 1.
STEADYING_ERRORS = 20


def _wilson_limits(matrix: ResponseMatrix, level: float) -> np.ndarray:
    """Return limits of MA from Wilson's interval of the share of joint errors with matching answers."""
    joint, n_options = matrix.joint, matrix.n_options
    same = (joint.a == joint.b).astype(float)
    if n_options is not None:
        by_chance = 1 / (n_options[joint.trial] - 1)
        tells = by_chance < 1  # with two options, wrong answers must agree
        joint = joint.keep(tells)
        same, by_chance = same[tells], by_chance[tells]
    n, agree = joint.total(), joint.total(same)
    with np.errstate(divide="ignore", invalid="ignore"):
        if n_options is None:
            rows, columns = (counts.astype(float) for counts in joint.answers(matrix.n_classes))
            chance = _chance_of_others(rows, columns, agree)
            ratio_ = _variance_ratio(joint, same, rows, columns)
        else:
            chance = joint.total(by_chance) / n
            ratio_ = _variance_ratio_by_options(joint, same, by_chance, chance)
        effective = n * (n + STEADYING_ERRORS) / (n * ratio_ + STEADYING_ERRORS)
        limits = (np.stack(wilson_interval(agree / n, effective, level)) - chance) / (1 - chance)
    limits[:, (n < 2) | ~(chance < 1)] = np.nan
    return limits.clip([[-1], [-np.inf]], [[np.inf], [1]])


def _variance_ratio(joint: JointErrors, same: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Compare the delta-method variance of MA with that of a proportion."""
    pair, n, agree = joint.pair, joint.total()[:, None], joint.total(same)[:, None]
    overlap = rows * columns
    same_class = overlap.sum(axis=1, keepdims=True)
    other = n * n - same_class
    agreeing = np.where(same_class > 0, overlap / same_class, (rows + columns) / (2 * n))
    total = n + 2.0
    # One pseudo-error agrees, one does not; their labels follow the margins.
    p_a = (rows + agreeing + (rows * n - overlap) / other) / total
    p_b = (columns + agreeing + (columns * n - overlap) / other) / total
    observed, expected = (agree + 1) / total, _sum(p_a * p_b)
    # Influence of one error on kappa, up to a constant: its agreement minus what its labels add to chance.
    slope = (1 - observed) / (1 - expected)
    influence = same - slope[pair, 0] * (p_b[pair, joint.a] + p_a[pair, joint.b])
    # Sums over the cells i, j off the diagonal, each with the weight rows[i] columns[j] / other, from their margins.
    both, of_a, of_b = p_a + p_b, _sum(rows * p_b), _sum(columns * p_a)
    spread = (n * (of_a + of_b) - _sum(overlap * both)) / other
    squares = (n * _sum(rows * p_b**2 + columns * p_a**2) + 2 * of_a * of_b - _sum(overlap * both**2)) / other
    first = joint.total(influence)[:, None] + _sum(agreeing * (1 - slope * both)) - slope * spread
    second = joint.total(influence**2)[:, None] + _sum(agreeing * (1 - slope * both) ** 2) + slope**2 * squares
    variance = second / total - (first / total) ** 2
    # Where both gave the same single class throughout, chance agreement does not vary.
    return np.where(other == 0, 1.0, variance / (observed * (1 - observed)))[:, 0]


def _sum(cells: np.ndarray) -> np.ndarray:
    return cells.sum(axis=1, keepdims=True)


def _variance_ratio_by_options(
    joint: JointErrors, same: np.ndarray, by_chance: np.ndarray, chance: np.ndarray
) -> np.ndarray:
    """Compare in the same way where each trial has options of its own."""
    n = joint.total()
    steady = (joint.total(same) + 1) / (n + 2)
    # Influence of one error on MA: its agreement, less what it adds to chance. Two pseudo-errors have the mean chance.
    influence = same - 1 + ((1 - steady) / (1 - chance))[joint.pair] * (1 - by_chance)
    squares = (joint.total(influence**2) + (1 - steady) ** 2 + steady**2) / (n + 2)
    return squares / (steady * (1 - steady))


# ---- all pairs ---------------------------------------------------------------------------------------------------


# Counts that are held at once.
_COUNTS = 2**20


def _misclassification_agreements(matrix: ResponseMatrix) -> np.ndarray:
    """Compute misclassification agreement."""
    pairs, answers = matrix.pairs, matrix.answers
    wrong = wrong_answers(matrix.truth.astype(answers.dtype), answers)
    same = np.zeros((len(answers),) * 2)  # in the upper triangle
    for system, later in enumerate(range(1, len(answers))):
        agreeing = (answers[system] == answers[later:]) & wrong[system]
        same[system, later:] = agreeing.sum(axis=1, dtype=np.int32)
    if matrix.n_options is None:
        joint, chance = _joint_errors_and_chance(answers, wrong, matrix.n_classes)
        return ratio(joint * same - chance, joint * joint - chance)[pairs]
    joint = count_together(wrong, wrong)
    chance = (wrong / (matrix.n_options - 1)) @ wrong.T
    return ratio(same - chance, joint - chance)[pairs]


def _joint_errors_and_chance(answers: np.ndarray, wrong: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Count joint errors (both answered), and the products of two systems' answers on them, summed over classes."""
    n_systems, n_trials = wrong.shape
    system, trial = wrong.nonzero()
    rows = answers[system, trial].astype(np.intp) * n_systems + system
    short = np.float32 if n_trials < EXACT else np.float64
    # Where each system gave each class wrongly, class after class.
    one_hot: Any = csr_array((np.ones(len(rows), short), (rows, trial)), shape=(n_classes * n_systems, n_trials))
    partners = np.ascontiguousarray(wrong.T, dtype=short)
    joint, chance = np.zeros((2, n_systems, n_systems))
    for classes in blocks(n_classes, max(1, _COUNTS // n_systems**2)):
        # How often A gave the class wrongly where B was wrong too: (class, A, B).
        counts = one_hot[classes.start * n_systems : classes.stop * n_systems] @ partners
        counts = counts.reshape(-1, n_systems, n_systems).astype(float)
        joint += counts.sum(axis=0)
        chance += np.einsum("cab,cba->ab", counts, counts)
    return joint, chance


# ---- the measure -------------------------------------------------------------------------------------------------


def _left_out(matrix: ResponseMatrix) -> LeftOut:
    # Trials without an answer are no joint errors here, but of all that both missed there must be enough.
    values, without = _without_each(matrix, self_pairs=True)
    fair, fair_without = _without_each(matrix, self_pairs=False)
    enough = matrix.tables[:, 0] >= ENOUGH_JOINT_ERRORS
    return LeftOut(values, without, (fair, steadied(fair, fair_without)), _unseen(matrix), enough)


def _without_each(matrix: ResponseMatrix, *, self_pairs: bool) -> tuple[np.ndarray, np.ndarray]:
    """Compute MA of pairs, and again without each trial: what that changes is looked up in sums over joint errors."""
    joint, same = matrix.joint, matrix.joint.a == matrix.joint.b
    pair, agree, n = joint.pair, joint.total(same), joint.total()
    if matrix.n_options is None:
        rows, columns = joint.answers(matrix.n_classes)
        chance = (rows * columns).sum(axis=1)
        fewer = chance[pair] - columns[pair, joint.a] - rows[pair, joint.b] + same
        values = _kappa(n, agree, chance, self_pairs)
        each_left = _kappa(n[pair] - 1, agree[pair] - same, fewer, self_pairs)
    else:
        by_chance = 1 / (matrix.n_options[joint.trial] - 1)
        above, below = joint.total(same - by_chance), joint.total(1 - by_chance)
        values, each_left = ratio(above, below), ratio(above[pair] - (same - by_chance), below[pair] - (1 - by_chance))
    without = np.repeat(values[:, None], len(matrix.truth), axis=1)
    without[pair, joint.trial] = each_left
    return values, without


def _kappa(n: np.ndarray, agree: np.ndarray, chance: np.ndarray, self_pairs: bool) -> np.ndarray:
    """Without pairs of an error with itself, chance agreement is not too high where errors are few."""
    most = n * n if self_pairs else n * (n - 1) + agree
    return ratio(n * agree - chance, most - chance)


def _unseen(matrix: ResponseMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Add two joint errors, which all pairs share, one with the same answer and one without; chance stays as it is."""
    joint, n_trials = matrix.joint, len(matrix.truth)
    n, same = joint.total(), joint.a == joint.b
    agree = joint.total(same)
    if matrix.n_options is None:
        chance = _chance_of_others(*joint.answers(matrix.n_classes), agree)
    else:
        chance = ratio(joint.total(1 / (matrix.n_options[joint.trial] - 1)), n)
    share, below = (agree + 1) / (n + 2), (n + 2) * (1 - chance)
    moves = np.zeros((joint.n_pairs, n_trials + 2))
    moves[joint.pair, joint.trial] = ratio(same - share[joint.pair], below[joint.pair])
    moves[:, n_trials:] = ratio(np.stack([1 - share, -share], axis=1), below[:, None])
    return moves, np.ones(n_trials + 2)


def _chance_of_others(rows: np.ndarray, columns: np.ndarray, agree: np.ndarray) -> np.ndarray:
    """Return how often the answers to two different joint errors are the same."""
    n = rows.sum(axis=1)
    return ratio((rows * columns).sum(axis=1) - agree, n * (n - 1))


# ---- within true classes ---------------------------------------------------------------------------------------------


class _WithinClasses(NamedTuple):
    """Joint errors that have another one of the same true class, each beside these; arrays of one length."""

    place: np.ndarray  # among all joint errors
    of_class: np.ndarray  # which class
    size: np.ndarray  # how many joint errors the class has
    same: np.ndarray  # 1 where both gave the same answer, else 0
    by_a: np.ndarray  # how many of the class A called what B called this one
    by_b: np.ndarray  # how many of the class B called what A called this one


def _count_within_classes(truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> _WithinClasses:
    """Count, for each joint error, those of the same true class to which the other system gave the same answer."""
    classes = _countable(truth)
    sizes = np.bincount(classes)[classes]
    place = np.flatnonzero(sizes > 1)
    of_class, a, b = (labels[place].astype(np.int64) for labels in (classes, a, b))
    width = 1 + max(a.max(initial=0), b.max(initial=0))
    of_a, of_b = _countable(np.concatenate([of_class * width + a, of_class * width + b])).reshape(2, -1)
    size = 1 + max(of_a.max(initial=0), of_b.max(initial=0))
    by_a, by_b = np.bincount(of_a, minlength=size), np.bincount(of_b, minlength=size)
    return _WithinClasses(place, of_class, sizes[place], (a == b).astype(int), by_a[of_b], by_b[of_a])


def _countable(labels: np.ndarray) -> np.ndarray:
    """Return labels that are counted without a table of millions: as they are, or else numbered, which sorts them."""
    if labels.max(initial=0) < 2**22:
        return labels
    return np.unique(labels, return_inverse=True)[1].ravel()


class SharesWithin(NamedTuple):
    """What WMA of pairs is made of, from joint errors that are not alone in their class."""

    joint: JointErrors
    counts: _WithinClasses
    n: np.ndarray  # of each pair
    observed: np.ndarray  # share of equal answers
    chance: np.ndarray

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Return the mean over the joint errors of each pair."""
        return ratio(self.joint.total(values), self.n)


def shares_within(matrix: ResponseMatrix) -> SharesWithin:
    """Return what WMA of all pairs is made of."""
    every = matrix.joint
    counts = _count_within_classes(every.pair * matrix.n_classes + matrix.truth[every.trial], every.a, every.b)
    joint = every.keep(counts.place)
    n, chance = joint.total(), (counts.by_a - counts.same) / (counts.size - 1)
    return SharesWithin(joint, counts, n, ratio(joint.total(counts.same), n), ratio(joint.total(chance), n))


def blind_agreements(matrix: ResponseMatrix) -> np.ndarray:
    """Compute the blind value of MA of all pairs."""
    rows, columns = matrix.joint.answers(matrix.n_classes)
    overall = (rows * columns).sum(axis=1) / np.maximum(rows.sum(axis=1), 1) ** 2
    return ratio(shares_within(matrix).chance - overall, 1 - overall)


MISCLASSIFICATION_AGREEMENT = Measure(
    "misclassification_agreement",
    "MA",
    misclassification_agreement,
    (-1.0, 1.0),
    _misclassification_agreements,
    _left_out,
    partial(wilson_of_parts, _wilson_limits),
)
