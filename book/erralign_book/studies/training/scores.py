"""Who learns from what, and how alike trained heads and people err: pictures, people, seeds are left out in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from erralign.bounds import surely_right
from erralign.inference.clusters import Clusters
from erralign.measures import MEASURES_OF_ERRORS, ResponseMatrix, measure_of
from erralign.measures.matrix import Ends, ratio


def answers_knowing(known: np.ndarray, truth: np.ndarray, n_right: int, ties: np.ndarray, n_classes: int) -> np.ndarray:
    """Return answers of which ``n_right`` are right, those with the largest mean EC with people who are known.

    ``known`` says whether each person was right, shape (n_people, n_pictures). Of pictures that they named alike, those
    with the lowest ``ties`` come first.
    """
    sure = surely_right(known.astype(float), n_right / len(truth))
    best = np.lexsort((ties, -sure))[:n_right]
    answers = (truth + 1) % n_classes
    answers[best] = truth[best]
    return answers


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
    parts = np.stack([_spread(of_label, number, rng) for of_label, number in zip(labels, numbers, strict=True)])
    if not grouped:
        parts = parts[:, shuffled_within(truth, rng)]
    heads = np.indices(numbers).reshape(len(numbers), -1).T
    train = (parts != heads[:, :, None]).all(axis=1)
    others = (parts + 1) % np.array(numbers)[:, None]
    return Folds(train, np.ravel_multi_index(parts, numbers), np.ravel_multi_index(others, numbers))


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


def teaching(n_people: int, seed: int) -> np.ndarray:
    """Return which half of the people teach; the others test."""
    return np.random.default_rng([seed, 1]).permutation(n_people) < n_people // 2


SHORT = tuple(measure_of(name).short for name in MEASURES_OF_ERRORS)
COLUMNS = ("accuracy", *SHORT)
# From values of arms and measures, shape (..., n_arms, 4), to one number of each, shape (...).
Statistic = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Scores:
    """Accuracy and three measures of several arms, and how each picture, person and seed moves them.

    The squares of what each kind moves sum to a variance; of pictures, if they shared no material.
    """

    values: np.ndarray  # (n_arms, 4)
    by_picture: np.ndarray  # (n_pictures, n_arms, 4)
    by_person: np.ndarray
    by_seed: np.ndarray
    clusters: Clusters | None

    def limits(self, statistic: Statistic, level: float = 0.95) -> dict[str, float]:
        """Return a number that follows from the values, its limits, and the p-value of 0.

        The variances over pictures (with the material that they share), over people and over seeds are added. Student's
        t has one degree of freedom less than there are people, or clusters if these are fewer.
        """
        value = statistic(self.values)
        pictures, people, seeds = (
            statistic(self.values + moves) - value for moves in (self.by_picture, self.by_person, self.by_seed)
        )
        alone, fewest = pictures @ pictures, len(people)
        if self.clusters is not None:
            alone = max(self.clusters.variances(pictures[:, None])[0, 0], alone)
            fewest = min(fewest, *(codes.max() + 1 for codes in self.clusters.factors))
        error = np.sqrt(alone + people @ people + seeds @ seeds)
        half = stdtrit(fewest - 1, (1 + level) / 2) * error
        p = 2 * stdtr(fewest - 1, -abs(value) / error) if error > 0 else 1.0
        return {"value": float(value), "low": float(value - half), "high": float(value + half), "p": float(p)}


def scores(
    truth: np.ndarray,
    answers: np.ndarray,
    people: np.ndarray,
    testers: np.ndarray,
    n_classes: int,
    clusters: Clusters | None,
) -> Scores:
    """Compare answers, shape (n_seeds, n_arms, n_pictures), with those people who test in each seed.

    ``people`` has the shape (n_people, n_pictures), ``testers`` (n_seeds, n_people).
    """
    n_seeds, n_arms, n = answers.shape
    by_pair = np.full((n_seeds, len(people), n_arms, 4), np.nan)
    by_picture = np.zeros((n, n_arms, 4))
    for seed in range(n_seeds):
        tests = np.flatnonzero(testers[seed])
        systems = np.vstack([answers[seed], people[tests]]).astype(np.int64)
        pairs = np.divmod(np.arange(n_arms * len(tests)), len(tests))
        values, influences = _of_pairs(truth, systems, pairs[0], n_arms + pairs[1], n_classes)
        by_pair[seed, tests] = values.reshape(n_arms, len(tests), 4).swapaxes(0, 1)
        by_picture += influences.reshape(n, n_arms, len(tests), 4).mean(axis=2) / n_seeds
    of_seeds = _mean(by_pair, axis=1)
    without = [_mean(np.delete(by_pair, person, axis=1), axis=1).mean(axis=0) for person in range(len(people))]
    by_seed = (of_seeds - of_seeds.mean(axis=0)) / np.sqrt(n_seeds * max(n_seeds - 1, 1))
    return Scores(of_seeds.mean(axis=0), by_picture, _left_out(without), by_seed, clusters)


def scores_of_people(truth: np.ndarray, people: np.ndarray, n_classes: int, clusters: Clusters | None) -> Scores:
    """Compare each person with each other one: one arm, in which each person's accuracy counts alike."""
    first, second = np.array(list(permutations(range(len(people)), 2))).T
    values, influences = _of_pairs(truth, people.astype(np.int64), first, second, n_classes)
    without = [_mean(values[(first != person) & (second != person)], axis=0) for person in range(len(people))]
    value = _mean(values, axis=0)[None]
    return Scores(value, influences.mean(axis=1)[:, None], _left_out(without)[:, None], np.zeros((1, 1, 4)), clusters)


def _mean(values: np.ndarray, axis: int) -> np.ndarray:
    """Return the mean of what is not nan; nan, without a warning, where nothing is."""
    return ratio(np.nansum(values, axis=axis), (~np.isnan(values)).sum(axis=axis))


def _left_out(without: list[np.ndarray]) -> np.ndarray:
    n = len(without)
    return np.sqrt((n - 1) / n) * (np.stack(without) - np.mean(without, axis=0))


def _of_pairs(truth: np.ndarray, systems: np.ndarray, first: np.ndarray, second: np.ndarray, n_classes: int) -> Ends:
    """Return accuracy of the first and the measures of each pair, and how each picture moves them (jackknife)."""
    right = (systems == truth)[first].astype(float)
    values, moves = [right.mean(axis=1)], [(right - right.mean(axis=1, keepdims=True)) / (len(truth) - 1)]
    for name in MEASURES_OF_ERRORS:
        value, left_out, *_ = measure_of(name).leave_one_out(ResponseMatrix(truth, systems, n_classes, (first, second)))
        without = np.nan_to_num(left_out)
        values.append(value)
        moves.append(without.mean(axis=1, keepdims=True) - without)
    return np.stack(values, axis=-1), np.stack(moves, axis=-1).swapaxes(0, 1)


def at(arm: int, measure: str) -> Statistic:
    """Return the statistic that is one value."""
    column = COLUMNS.index(measure)
    return lambda values: values[..., arm, column]


def minus(arm: int, other: int, measure: str) -> Statistic:
    """Return the difference of two arms."""
    of_arm, of_other = at(arm, measure), at(other, measure)
    return lambda values: of_arm(values) - of_other(values)


def minus_at_equal_accuracy(arm: int, path: slice, measure: str) -> Statistic:
    """Return an arm minus what a path of arms has at the same accuracy, on straight lines between them.

    Beyond either end of the path, its end counts.
    """
    column = COLUMNS.index(measure)

    def difference(values: np.ndarray) -> np.ndarray:
        order = np.argsort(values[..., path, 0], axis=-1)
        x, y = (np.take_along_axis(values[..., path, place], order, axis=-1) for place in (0, column))
        wanted = np.clip(values[..., arm, :1], x[..., :1], x[..., -1:])
        after = np.clip((x < wanted).sum(axis=-1, keepdims=True), 1, x.shape[-1] - 1)
        (x0, y0), (x1, y1) = (
            [np.take_along_axis(values_of_path, place, -1) for values_of_path in (x, y)] for place in (after - 1, after)
        )
        along = y0 + (y1 - y0) * (wanted - x0) / np.where(x1 > x0, x1 - x0, 1)
        return values[..., arm, column] - along[..., 0]

    return difference
