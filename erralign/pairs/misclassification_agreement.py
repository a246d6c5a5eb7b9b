"""Misclassification agreement of all pairs: the wrong answers of one system where another is wrong, by products."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array

from erralign.pairs.answers import Answers, blocks, ratio


def misclassification_agreements(shared: Answers) -> np.ndarray:
    """Compute misclassification agreement."""
    pairs = shared.first, shared.second
    joint, chance = (matrix[pairs] for matrix in _joint_errors_and_chance(shared))
    same = _count_same_answers(shared.answers)[pairs] - shared.both_right[pairs]
    return ratio(joint * same - chance, joint * joint - chance)


def _joint_errors_and_chance(shared: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Count joint errors (both answered), and the products of two systems' answers on them, in the upper triangle."""
    answers, wrong = shared.answers, ~shared.right & (shared.answers >= 0)
    joint, chance = (np.empty((len(answers),) * 2) for _ in range(2))
    for rows in blocks(len(answers)):
        for columns in blocks(len(answers), rows.start):
            a_given_b = b_given_a = _wrong_answers(answers[rows], wrong[rows], wrong[columns], shared.n_classes)
            if rows != columns:
                b_given_a = _wrong_answers(answers[columns], wrong[columns], wrong[rows], shared.n_classes)
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
