"""Values of pairs when one trial after the other is left out, which show how much each trial matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import rel_entr

from erralign.behaviour.consistency import kappa
from erralign.behaviour.counting import joint_errors, wrong_answers
from erralign.measures import ACCURACY, short_name


class LeftOut(NamedTuple):
    """Values of pairs, and the same values without one trial.

    Parameters
    ----------
    values : numpy.ndarray, shape (n_pairs,)
        nan where undefined.
    without : numpy.ndarray, shape (n_pairs, n_patterns)
        A value that would become 0/0 stays as it was, since the last error does not show how the value would move.
    place : numpy.ndarray of int, shape (n_trials,)
        The pattern of each trial: without any of the trials that have the same answers, the values are the same.
    """

    values: np.ndarray
    without: np.ndarray
    place: np.ndarray


def leave_one_out(
    measure: str,
    truth: np.ndarray,
    answers: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    n_classes: int,
    **options: Any,
) -> LeftOut:
    """Compute a measure of pairs, and again without each trial in turn."""
    found = _MEASURES[short_name(measure)](truth, answers, first, second, n_classes, **options)
    without = np.where(np.isnan(found.without), found.values[:, None], found.without)
    return LeftOut(found.values, without, found.place)


def _error_consistency(truth, answers, first, second, *_, **__) -> LeftOut:
    n, right = len(truth), (answers == truth).astype(np.int32)
    alone, both = right.sum(axis=1), np.einsum("pt,pt->p", right[first], right[second])
    patterns, place = _patterns(right)
    a, b = patterns[first], patterns[second]
    values = _kappa(n, alone[first], alone[second], both)
    without = _kappa(n - 1, alone[first, None] - a, alone[second, None] - b, both[:, None] - a * b)
    return LeftOut(values, without, place)


def _patterns(right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct columns in order, and each column's place among them."""
    if len(right) > 62:
        patterns, place = np.unique(right, axis=1, return_inverse=True)
        return patterns, place.ravel()
    # Much faster: a column is a whole number, whose highest bit is the first system.
    _, at, place = np.unique(2 ** np.arange(len(right))[::-1] @ right, return_index=True, return_inverse=True)
    return right[:, at], place


def _kappa(n: int, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
    return kappa(n - a - b + both, b - both, a - both, both)


def _accuracy(truth, answers, first, *_, **__) -> LeftOut:
    n, right = len(truth), (answers == truth).astype(np.int32)
    patterns, place = _patterns(right)
    n_right = right.sum(axis=1)[first]
    with np.errstate(invalid="ignore"):  # without its only trial an accuracy is 0/0
        without = np.divide(n_right[:, None] - patterns[first], n - 1)
    return LeftOut(n_right / n, without, place)


def _by_pair(of_pair: Callable[..., tuple[float, np.ndarray]]) -> Callable[..., LeftOut]:
    def of_pairs(truth, answers, first, second, n_classes, **options) -> LeftOut:
        found = [
            of_pair(truth, answers[a], answers[b], n_classes, **options) for a, b in zip(first, second, strict=True)
        ]
        values, without = zip(*found, strict=True)
        return LeftOut(np.array(values), np.stack(without), np.arange(len(truth)))

    return of_pairs


def _misclassification_agreement(truth, a, b, n_classes, *, self_pairs=True, **_) -> tuple[float, np.ndarray]:
    joint = joint_errors(truth, a, b) & (a >= 0) & (b >= 0)
    said_a, said_b = a[joint], b[joint]
    rows, columns = (np.bincount(said, minlength=n_classes) for said in (said_a, said_b))
    n, same = len(said_a), said_a == said_b
    agree, chance = np.count_nonzero(same), rows @ columns
    agreement = _agreement if self_pairs else _agreement_without_self_pairs
    value = agreement(n, agree, chance)
    without = np.full(len(truth), value)
    without[joint] = agreement(n - 1, agree - same, chance - columns[said_a] - rows[said_b] + same)
    return float(value), without


def _agreement(n, agree, chance) -> np.ndarray:
    return _ratio(n * agree - chance, n * n - chance)


def _agreement_without_self_pairs(n, agree, chance) -> np.ndarray:
    """Take chance agreement from different errors only, so that the value is not too low if errors are few."""
    return _ratio(n * agree - chance, n * (n - 1) - chance + agree)


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    above, below = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)


def _class_level_error_similarity(truth, a, b, n_classes, *, variant="released", alpha=0.5) -> tuple[float, np.ndarray]:
    # The order of the wrong classes in a row plays no part: those after the true one, going round; then "no error".
    wrong = [wrong_answers(truth, each) for each in (a, b)]
    said = [
        np.where(is_wrong, (each - truth) % n_classes - 1, n_classes - 1)
        for is_wrong, each in zip(wrong, (a, b), strict=True)
    ]
    counts = np.zeros((2, n_classes, n_classes), dtype=np.int64)
    for of_system, answers in zip(counts, said, strict=True):
        np.add.at(of_system, (truth, answers), 1)
    errors, divergence = _rows(counts, variant, alpha)
    total, distance = errors.sum(), errors @ divergence
    patterns, place = np.unique(np.stack([truth, *said]), axis=1, return_inverse=True)
    row, less, at = patterns[0], counts[:, patterns[0]], np.arange(patterns.shape[1])
    less[0, at, patterns[1]] -= 1
    less[1, at, patterns[2]] -= 1
    fewer, other = _rows(less, variant, alpha)
    distances = distance - errors[row] * divergence[row] + fewer * other
    without = _similarity(distances, total - errors[row] + fewer, variant)
    return float(_similarity(distance, total, variant)), without[place.ravel()]


def _similarity(distance: np.ndarray, errors: np.ndarray, variant: str) -> np.ndarray:
    distance, errors = np.asarray(distance, dtype=float), np.asarray(errors, dtype=float)
    weight = np.ones_like(errors) if variant == "printed-unnormalised" else errors
    return 1 / (1 + np.divide(distance, weight, out=np.full(errors.shape, np.nan), where=errors > 0))


def _rows(counts: np.ndarray, variant: str, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Return errors and divergence of each row; shape (2, n_rows, C), the last column no error."""
    errors = counts[..., :-1]
    if variant == "released":
        smoothed, pooled = errors + alpha, errors.sum(axis=0) + alpha
        shares, pooled = (each / each.sum(axis=-1, keepdims=True) for each in (smoothed, pooled))
    else:
        smoothed = np.concatenate([errors, np.zeros_like(errors[..., :1])], axis=-1) + alpha
        shares = smoothed / smoothed.sum(axis=-1, keepdims=True)
        pooled = shares.mean(axis=0)
    return errors.sum(axis=(0, 2)), rel_entr(shares, pooled).sum(axis=(0, 2)) / 2


_MEASURES: dict[str, Callable[..., LeftOut]] = {
    "EC": _error_consistency,
    "MA": _by_pair(_misclassification_agreement),
    "CLES": _by_pair(_class_level_error_similarity),
    ACCURACY: _accuracy,
}
