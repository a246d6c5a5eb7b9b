"""Who learns from what: pictures are cut so that what is tested shares nothing with what was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

NUMBERS = {1: (5,), 2: (4, 3)}  # into how many parts each factor is cut


class Folds(NamedTuple):
    """Which head learns from which pictures, and which one answers for a picture; -1 where none does."""

    train: np.ndarray  # (n_heads, n_pictures) bools
    test: np.ndarray  # (n_pictures,) the head that has met neither the picture nor one that shares a label with it
    seen: np.ndarray  # (n_pictures,) a head that learned from the picture


def folds(labels: Sequence[np.ndarray], truth: np.ndarray, rng: np.random.Generator, *, grouped: bool = True) -> Folds:
    """Cut pictures into parts by one or two labels: what is tested shares none with what was trained on.

    If not ``grouped``, the same parts go to pictures at random, within each true class.
    """
    numbers = NUMBERS[len(labels)]
    parts = np.stack([_spread(each, number, rng) for each, number in zip(labels, numbers, strict=True)])
    if not grouped:
        parts = parts[:, shuffled_within(truth, rng)]
    heads = np.indices(numbers).reshape(len(numbers), -1).T
    train = (parts != heads[:, :, None]).all(axis=1)
    others = (parts + 1) % np.array(numbers)[:, None]
    return Folds(train, np.ravel_multi_index(parts, numbers), np.ravel_multi_index(others, numbers))


def own_folds(given: Sequence[tuple], labels: Sequence[np.ndarray]) -> Folds:
    """Take a reader's own folds, each the places of training and of test pictures, or refuse those that leak."""
    n = len(labels[0])
    train, test = np.zeros((len(given), n), dtype=bool), np.full(n, -1)
    for fold, (learned, tested) in enumerate(given):
        train[fold, learned] = True
        leaking = np.logical_or.reduce([np.isin(each[tested], each[learned]) for each in labels])
        if leaking.any():
            raise ValueError(
                f"{leaking.sum()} of the {len(leaking)} test pictures of fold {fold} share material with a training "
                "picture; a head may know them by heart: leave out what they share, or give no folds"
            )
        if (test[tested] >= 0).any():
            raise ValueError(f"fold {fold} tests pictures that another fold tests, too; test each picture once")
        test[tested] = fold
    return Folds(train, test, np.where(train.any(axis=0), train.argmax(axis=0), -1))


def _spread(labels: np.ndarray, number: int, rng: np.random.Generator) -> np.ndarray:
    """Put each label into a part; neighbours in the alphabet, most often of one class, come into different parts."""
    names, codes = np.unique(labels, return_inverse=True)
    rounds = np.tile(np.arange(number), (-(-len(names) // number), 1))
    return rng.permuted(rounds, axis=1).ravel()[codes.ravel()]


def shuffled_within(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return an order of pictures in which each place keeps its true class."""
    order = np.empty(len(truth), dtype=int)
    order[np.argsort(truth, kind="stable")] = np.lexsort((rng.random(len(truth)), truth))
    return order


def shuffled(answers: np.ndarray, truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Give each picture people's answers to another picture of its category: the control."""
    return answers[:, shuffled_within(truth, rng)]


def shares_of(answers: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the share of people who gave each answer, from class ids of shape (n_people, n_pictures)."""
    return (answers[..., None] == np.arange(n_classes)).mean(axis=0)


def teaching(n_people: int, n_teachers: int, seed: int) -> np.ndarray:
    """Return which people teach; the others test."""
    return np.random.default_rng([seed, 1]).permutation(n_people) < n_teachers
