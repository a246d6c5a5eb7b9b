"""Checks of labels: true classes and answers, and how many options each trial offers, where classes are positions."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import (
    NO_ANSWER,
    as_array,
    check_common,
    check_labels,
    check_spelling,
    check_whole,
    in_one_order,
    read_class,
    shown,
)


def check_same_length(**arrays: np.ndarray) -> None:
    """Raise unless all arrays hold the same number of trials."""
    (first, reference), *others = arrays.items()
    for name, array in others:
        if len(array) != len(reference):
            raise ValueError(
                f"{name} has {len(array)} answers, {first} has {len(reference)}: "
                "every system must answer every trial, in the same order"
            )


def check_answers(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, n_classes: int | None = None, *, right_or_wrong: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true classes and the answers of two systems as integer arrays of one length."""
    y_true, y_a, y_b = check_all_answers(n_classes, right_or_wrong, y_true=y_true, y_a=y_a, y_b=y_b)
    return y_true, y_a, y_b


def check_all_answers(
    n_classes: int | None = None, right_or_wrong: bool = False, **given: ArrayLike
) -> tuple[np.ndarray, ...]:
    """Return true classes and the answers of systems as integer arrays of one length and order.

    With ``right_or_wrong`` bools are taken for what they say: 1 where a system was right, and a truth of ones.
    """
    if n_classes is not None:
        n_classes = check_whole("n_classes", n_classes, 1)
    # Plain arrays, which is what our own loops hand in, take the short way.
    if not all(map(_is_plain, given.values())):
        arrays = {name: as_array(name, each) for name, each in in_one_order(given).items()}
        bools = [name for name, each in arrays.items() if each.dtype == bool]
        if bools and not right_or_wrong:
            raise TypeError(
                f"{bools[0]} holds bool, right or wrong, from which error consistency can be computed, not what is "
                "asked: give the classes that were answered"
            )
        given = {**(as_right_or_wrong(arrays, "y_true") if bools else _numbered(arrays, n_classes))}
    arrays = {
        name: check_labels(name, each, n_classes=n_classes, may_time_out=name != "y_true")
        for name, each in given.items()
    }
    check_same_length(**arrays)
    return tuple(arrays.values())


def as_right_or_wrong(given: Mapping[str, np.ndarray], truth: str) -> dict[str, np.ndarray]:
    """Return 1 for right and 0 for wrong; a truth beside it is always right."""
    odd = [name for name, each in given.items() if each.dtype != bool]
    if odd or not given[truth].all():
        raise TypeError(
            f"some answers are bool (right or wrong), and {odd[0] if odd else truth} "
            f"{'is not' if odd else 'is not always True'}: give bool for all systems, and a truth of True on all trials"
        )
    return {name: each.astype(np.int64) for name, each in given.items()}


def _is_plain(given: object) -> bool:
    return type(given) is np.ndarray and given.dtype.kind in "iu"


def _numbered(arrays: Mapping[str, np.ndarray], n_classes: int | None) -> dict[str, Any]:
    """Put numbers in the place of text, and leave alone arrays that hold none."""
    words = {name: array for name, array in arrays.items() if array.dtype.kind in "OUST" and array.ndim == 1}
    if not words:
        return dict(arrays)
    read = {name: _read(name, array) for name, array in words.items()}
    kinds = {type(label): (name, label) for name, labels in read.items() for label in labels if label is not None}
    if set(kinds) == {int} or not kinds:
        return dict(arrays) | {name: _whole(name, labels, words[name]) for name, labels in read.items()}
    numbers = [name for name in arrays if name not in words] + ([kinds[int][0]] if int in kinds else [])
    if numbers:
        name, label = kinds[str]
        raise TypeError(f"{name} holds text ({label!r}), {numbers[0]} numbers: write all classes in one way")
    return _ids(read, n_classes)


def _read(name: str, array: np.ndarray) -> list[str | int | None]:
    try:
        return [read_class(label) for label in array.tolist()]
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} holds {error}") from None


def _whole(name: str, labels: list, written: np.ndarray) -> np.ndarray:
    for place, label in enumerate(written.tolist()):
        if isinstance(label, int | float) and label == NO_ANSWER:
            labels[place] = NO_ANSWER
    if None in labels:
        at = labels.index(None)
        raise ValueError(f"{name} holds no class at trial {at}; write -1 where a system gave no answer")
    return np.array(labels, dtype=np.int64)


def _ids(read: Mapping[str, list], n_classes: int | None) -> dict[str, np.ndarray]:
    classes = sorted({label for label in chain.from_iterable(read.values()) if label is not None})
    check_spelling(f"{', '.join(read)}", classes)
    if n_classes is not None and len(classes) > n_classes:
        raise ValueError(f"{', '.join(read)} hold {len(classes)} classes, but n_classes is {n_classes}")
    places = {label: place for place, label in enumerate(classes)} | {None: NO_ANSWER}
    ids = {name: np.array([places[label] for label in labels], dtype=np.int64) for name, labels in read.items()}
    true = ids.get("y_true")
    if true is not None:
        if (true < 0).any():
            raise ValueError(f"y_true holds no class at trial {int((true < 0).argmax())}; every trial needs one")
        check_common(true, {name: each for name, each in ids.items() if name != "y_true"})
    return ids


# ---- options ---------------------------------------------------------------------------------------------------------


FEWEST = 2


def check_n_options(n_options: Any, y_true: Any, given: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return how many options each trial offers, in the order of ``y_true``, unless a system names one it lacks."""
    if n_options is None:
        return None
    ordered = in_one_order({"y_true": y_true, "n_options": n_options}) if hasattr(y_true, "reindex") else {}
    n_trials = len(next(iter(given.values())))
    counts = check_counts_of_options("n_options", ordered.get("n_options", n_options), n_trials)
    for name, answers in given.items():
        check_offered(name, answers, counts, range(n_trials))
    return counts


def check_counts_of_options(name: str, given: Any, n_trials: int) -> np.ndarray:
    """Return one whole number from 2 up per trial, from one for all or one for each."""
    counts = as_array(name, given, kinds="iuf", expected="how many options each trial offers, such as 4")
    if counts.ndim > 1 or (counts.ndim == 1 and len(counts) != n_trials):
        raise ValueError(f"{name} has shape {counts.shape} for {n_trials} trials; give one number, or one per trial")
    wrong = ~((counts >= FEWEST) & np.isfinite(counts) & (counts == np.floor(counts)))
    if wrong.any():
        raise ValueError(
            f"{name} holds {counts[wrong][0]}; expected whole numbers from {FEWEST} up, one per trial (with one option "
            "nobody errs: leave that trial out)"
        )
    return np.broadcast_to(counts.astype(np.int64), n_trials)


def check_offered(
    name: str, answers: np.ndarray, counts: np.ndarray, trials: Any, classes: Sequence[str] | None = None
) -> None:
    """Refuse an answer that names an option which its trial lacks."""
    lacking = answers >= counts
    if lacking.any():
        first = int(lacking.argmax())
        option, has = int(answers[first]), int(counts[first])
        names = (classes[option], classes[0], classes[has - 1]) if classes else (option, 0, has - 1)
        raise ValueError(
            f"{name} names option {names[0]} on trial {shown(trials[first])}, which has only {has} options, "
            f"{names[1]} to {names[2]}; write -1 where no answer could be read, or correct the number of options"
        )
