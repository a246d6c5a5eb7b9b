"""Misclassification agreement, from the answers on joint errors: all pairs, without each trial, and intervals.

Where each trial has options of its own, chance comes from their numbers, else from how often systems gave each class.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.sparse import csc_array

from erralign.behaviour import misclassification_agreement
from erralign.behaviour.agreement import same_and_chance
from erralign.behaviour.counting import joint_answers, ratio, wrong_answers
from erralign.measures.limits import closed_form, wilson_interval
from erralign.measures.matrix import ResponseMatrix, blocks
from erralign.measures.measure import ORDER_AND_NAMES, Form, Measure, left_out_of_sums, pair_by_pair

# From about this many joint errors on, the design effect is taken from the data rather than kept near 1.
STEADYING_ERRORS = 20


def wilson_limits(said_a: np.ndarray, said_b: np.ndarray, n_classes: int, level: float) -> tuple[float, float, float]:
    """Return the limits of MA that follow from Wilson's interval of the share of joint errors with matching answers."""
    n = len(said_a)
    if n < 2:
        return np.nan, np.nan, np.nan
    given = (said.astype(np.intp, copy=False) for said in (said_a, said_b))
    rows, columns = (np.bincount(said, minlength=n_classes).astype(float) for said in given)
    agree = float(np.count_nonzero(said_a == said_b))
    chance = float(_chance_of_others(rows, columns, agree))
    if chance >= 1:
        return np.nan, np.nan, np.nan
    effective = n / _design_effect(said_a, said_b, rows, columns, agree)
    return _beyond_chance(agree / n, effective, chance, level)


def _beyond_chance(share: float, n: float, chance: float, level: float) -> tuple[float, float, float]:
    limits = *wilson_interval(share, n, level), share
    low, high, value = ((p - chance) / (1 - chance) for p in limits)
    return float(max(low, -1.0)), float(min(high, 1.0)), float(value)


def _design_effect(said_a, said_b, rows, columns, agree) -> float:
    """Compare the delta-method variance of MA with that of a proportion; with few errors the quotient is near 1."""
    n = len(said_a)
    overlap = rows * columns
    other = n * n - overlap.sum()
    if other == 0:
        return 1.0  # both gave the same single class throughout, so chance agreement does not vary
    agreeing = overlap / overlap.sum() if overlap.sum() > 0 else (rows + columns) / (2 * n)
    total = n + 2.0
    # One pseudo-error agrees, one does not; their labels follow the margins.
    p_a = (rows + agreeing + (rows * n - overlap) / other) / total
    p_b = (columns + agreeing + (columns * n - overlap) / other) / total
    observed, expected = (agree + 1) / total, p_a @ p_b
    # Influence of one error on kappa, up to a constant: its agreement minus what its labels add to chance.
    slope = (1 - observed) / (1 - expected)
    influence = (said_a == said_b) - slope * (p_b[said_a] + p_a[said_b])
    # Sums over the cells i, j off the diagonal, each with the weight rows[i] columns[j] / other, from their margins.
    both, (of_a, of_b) = p_a + p_b, (rows @ p_b, columns @ p_a)
    spread = (n * (of_a + of_b) - overlap @ both) / other
    squares = (n * (rows @ p_b**2 + columns @ p_a**2) + 2 * of_a * of_b - overlap @ both**2) / other
    first = influence.sum() + agreeing @ (1 - slope * both) - slope * spread
    second = influence @ influence + agreeing @ (1 - slope * both) ** 2 + slope**2 * squares
    variance = second / total - (first / total) ** 2
    ratio = variance / (observed * (1 - observed))
    return (n * ratio + STEADYING_ERRORS) / (n + STEADYING_ERRORS)


# ---- where each trial has options of its own ---------------------------------------------------------------------


def limits_by_options(same: np.ndarray, chance: np.ndarray, level: float) -> tuple[float, float, float]:
    """Return the limits of MA by options from Wilson's interval of the share of joint errors with equal answers."""
    same, chance = same[chance < 1].astype(float), chance[chance < 1]  # with two options, wrong answers must agree
    n = len(same)
    if n < 2:
        return np.nan, np.nan, np.nan
    share, by_chance = same.mean(), chance.mean()
    steady = (same.sum() + 1) / (n + 2)
    # Influence of one error on MA: its agreement, less what it adds to chance. Two pseudo-errors have the mean chance.
    influence = same - 1 + (1 - steady) * (1 - chance) / (1 - by_chance)
    squares = (influence @ influence + (1 - steady) ** 2 + steady**2) / (n + 2)
    effect = (n * squares / (steady * (1 - steady)) + STEADYING_ERRORS) / (n + STEADYING_ERRORS)
    return _beyond_chance(share, n / effect, by_chance, level)


# ---- pairs of systems --------------------------------------------------------------------------------------------


def _limits(
    truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, n_options: np.ndarray | None, level: float
) -> tuple[float, float, float]:
    if n_options is not None:
        return limits_by_options(*same_and_chance(truth, a, b, n_options), level)
    return wilson_limits(*joint_answers(truth, a, b), n_classes, level)


# ---- all pairs ---------------------------------------------------------------------------------------------------


def misclassification_agreements(matrix: ResponseMatrix) -> np.ndarray:
    """Compute misclassification agreement."""
    pairs = matrix.pairs
    same = _count_same_answers(matrix.answers)[pairs] - matrix.both_right[pairs]
    if matrix.n_options is not None:
        wrong = (~matrix.right & (matrix.answers >= 0)).astype(float)
        joint, chance = (wrong @ wrong.T)[pairs], ((wrong / (matrix.n_options - 1)) @ wrong.T)[pairs]
        return ratio(same - chance, joint - chance)
    joint, chance = (matrix[pairs] for matrix in _joint_errors_and_chance(matrix))
    return ratio(joint * same - chance, joint * joint - chance)


def _joint_errors_and_chance(matrix: ResponseMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Count joint errors (both answered), and the products of two systems' answers on them, in the upper triangle."""
    answers, wrong = matrix.answers, ~matrix.right & (matrix.answers >= 0)
    joint, chance = (np.empty((len(answers),) * 2) for _ in range(2))
    for rows in blocks(len(answers)):
        for columns in blocks(len(answers), rows.start):
            a_given_b = b_given_a = _wrong_answers(answers[rows], wrong[rows], wrong[columns], matrix.n_classes)
            if rows != columns:
                b_given_a = _wrong_answers(answers[columns], wrong[columns], wrong[rows], matrix.n_classes)
            joint[rows, columns] = a_given_b.sum(axis=1)
            chance[rows, columns] = np.einsum("aib,bia->ab", a_given_b, b_given_a)
    return joint, chance


def _wrong_answers(answers: np.ndarray, wrong: np.ndarray, wrong_partner: np.ndarray, n_classes: int) -> np.ndarray:
    """Count, for systems a and partners b, each class that a wrongly answered where b was wrong too: (a, class, b)."""
    n_trials = wrong.shape[1]
    short = np.dtype(np.float32 if n_trials < 2**24 else np.float64)  # both hold all counts that occur
    partners = np.ascontiguousarray(wrong_partner.T, dtype=short)
    ones, starts = np.ones(n_trials, dtype=short), np.zeros(n_trials + 1, dtype=np.int32)
    given = np.empty((len(answers), n_classes, len(wrong_partner)))
    for system, (own, is_wrong) in enumerate(zip(answers, wrong, strict=True)):
        np.cumsum(is_wrong, out=starts[1:])
        cells = own[is_wrong]
        given[system] = csc_array((ones[: len(cells)], cells, starts), shape=(n_classes, n_trials)) @ partners
    return given


def _count_same_answers(answers: np.ndarray) -> np.ndarray:
    same = np.zeros((len(answers),) * 2)
    # Partners get another code for "no answer" (-2), so that two missing answers are not the same answer.
    partners = answers - (answers < 0)
    for i in range(len(answers)):
        same[i, i + 1 :] = (answers[i] == partners[i + 1 :]).sum(axis=1, dtype=np.int32)
    return same


# ---- the measure -------------------------------------------------------------------------------------------------


def _left_out(truth, a, b, n_classes, n_options, *, self_pairs=True) -> tuple[float, np.ndarray]:
    joint = wrong_answers(truth, a) & wrong_answers(truth, b)
    if n_options is None:
        value, fewer = _without_each(a[joint], b[joint], n_classes, self_pairs)
    else:
        same, chance = same_and_chance(truth, a, b, n_options)
        (value,), (fewer,) = left_out_of_sums(ratio, ((same - chance)[None], (1 - chance)[None]))
    without = np.full(len(truth), value)
    without[joint] = fewer
    return float(value), without


def _without_each(said_a, said_b, n_classes, self_pairs) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = (np.bincount(said, minlength=n_classes) for said in (said_a, said_b))
    n, same = len(said_a), said_a == said_b
    agree, chance = np.count_nonzero(same), rows @ columns
    chance_without = chance - columns[said_a] - rows[said_b] + same
    return _kappa(n, agree, chance, self_pairs), _kappa(n - 1, agree - same, chance_without, self_pairs)


def _kappa(n, agree, chance, self_pairs) -> np.ndarray:
    """Without pairs of an error with itself, chance agreement is not too high where errors are few."""
    most = n * n if self_pairs else n * (n - 1) + agree
    return ratio(n * agree - chance, most - chance)


def _half_counts(matrix: ResponseMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Add two joint errors, which all pairs share, one with the same answer and one without; chance stays as it is."""
    n_options, moves = matrix.n_options, np.zeros((len(matrix.pairs[0]), len(matrix.truth) + 2))
    for influence, (truth, a, b) in zip(moves, matrix.each(), strict=True):
        joint = wrong_answers(truth, a) & wrong_answers(truth, b)
        same, n = (a == b)[joint], joint.sum()
        if n_options is None:
            rows, columns = (np.bincount(said[joint], minlength=matrix.n_classes) for said in (a, b))
            chance = _chance_of_others(rows, columns, same.sum())
        else:
            chance = ratio((1 / (n_options[joint] - 1)).sum(), n)
        deviations = np.append(same, [1, 0]) - (same.sum() + 1) / (n + 2)
        influence[np.append(joint, [True, True])] = ratio(deviations, (n + 2) * (1 - chance))
    return moves, np.ones(len(matrix.truth) + 2)


def _chance_of_others(rows: np.ndarray, columns: np.ndarray, agree: float) -> np.ndarray:
    """Return how often the answers to two different joint errors are the same."""
    n = rows.sum()
    return ratio(rows @ columns - agree, n * (n - 1))


MISCLASSIFICATION_AGREEMENT = Measure(
    "misclassification_agreement",
    "MA",
    misclassification_agreement,
    # Chance comes from how often each system gave each answer, so a trial has 2 C columns, of which two are not 0. What
    # leaving it out changes is looked up in their sums: two numbers a trial in place of 2 C.
    form=Form(
        all_pairs=misclassification_agreements,
        left_out=pair_by_pair(_left_out),
        unbiased=pair_by_pair(partial(_left_out, self_pairs=False)),
        half_counts=_half_counts,
        methods={"population": ("wilson",)},
        limits=closed_form(_limits),
    ),
    range=(-1.0, 1.0),
    invariances=ORDER_AND_NAMES | {"correct trials", "trials without joint errors"},
    meaning="where both fail, do they give the same wrong answer? 1: always. Chance is not at 0 but at MA blind, "
    "because both avoid the true class and may have habits in it.",
    # With fewer, no method that was tried contains the mean as often as it should.
    enough_joint_errors=5,
    fewest_classes=3,
    own_options="used",
    may_leave_unread=True,
)
