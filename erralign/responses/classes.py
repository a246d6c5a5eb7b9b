"""Class ids for classes that are given as text or numbers."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER, check_common, check_spelling, expected, read_class, shown

# From a system and a place among its trials: where that is, for messages.
Where = Callable[[str, int], str]


def number(
    columns: Mapping[str, pd.Series],
    classes: Iterable[Any] | None = None,
    where: Where | None = None,
    *,
    true: Collection[str] = ("truth",),
    n_positions: int | None = None,
) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    """Turn classes into class ids, by their places among the classes: those declared, else those that occur.

    With ``n_positions`` classes are that many positions, A, B, C, … or numbers, whether they occur or not.
    """
    where = where or (lambda name, place: f"{name}, trial {shown(columns[name].index[place])},")
    declared = None if classes is None else _declared(classes)
    read = {name: _read(name, column, declared or (), where) for name, column in columns.items()}
    if declared is None and n_positions is not None:
        declared = _positions([*map(str, _found(columns, read, where))], n_positions)
    known = declared if declared is not None else _found(columns, read, where)
    ids = {name: _ids(name, *each, known, where) for name, each in read.items()}
    _check_truth({name: ids[name] for name in true if name in ids}, where)
    if declared is None:
        check_common(
            np.concatenate([ids[name] for name in true if name in ids]),
            {name: given for name, given in ids.items() if name not in true},
        )
    return ids, tuple(map(str, known))


def _positions(found: Sequence[str], most: int) -> list[Any]:
    """Return all positions in order, where answers name some of them by letters or numbers."""
    if all(name.isdigit() for name in found):
        start = int("1" in found and "0" not in found)
        return list(range(start, max(start + most, max(map(int, found)) + 1)))
    for letters in (ascii_uppercase, ascii_lowercase):
        if set(found) <= set(letters):
            return list(letters[: max(most, letters.index(max(found)) + 1)])
    odd = next(name for name in found if name not in list(ascii_uppercase))
    raise ValueError(
        f"with options, classes are positions, such as A, B, C; {odd!r} is none: name all positions in order by classes"
    )


def _declared(classes: Iterable[Any]) -> list[str | int]:
    if isinstance(classes, str | bytes) or not isinstance(classes, Iterable):
        raise TypeError(f"classes is {classes!r}; expected a list of all classes, such as ['cat', 'dog'] or range(16)")
    names = [each if isinstance(each, str) else read_class(each) for each in classes]
    doubled = pd.Index(map(str, names))[pd.Index(map(str, names)).duplicated()]
    known = [each for each in names if each is not None]
    if not names or len(known) < len(names) or len(doubled):
        wrong = f"holds {doubled[0]!r} twice" if len(doubled) else "is empty" if not names else "holds no name"
        raise ValueError(f"classes {wrong}; expected each class once")
    check_spelling("classes", map(str, known))
    return known


def _read(name: str, column: pd.Series, declared, where: Where) -> tuple[np.ndarray, list[str | int | None]]:
    """Return, for each trial, the place of its class among those of the column (-1: none), and these classes."""
    codes, distinct = pd.factorize(column)
    labels = []
    for code, label in enumerate(distinct):
        try:
            labels.append(read_class(label, declared))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{where(name, _first(codes, code))} holds {error}") from None
    return codes, labels


def _first(codes: np.ndarray, code: int) -> int:
    return int((codes == code).argmax())


def _found(columns: Mapping[str, pd.Series], read, where: Where) -> list[Any]:
    """Collect the classes that occur, or that categoricals declare; text and numbers do not mix."""
    first: dict[type, str] = {}
    found: set[Any] = set()
    for name, (codes, labels) in read.items():
        for code, label in enumerate(labels):
            if label is not None:
                found.add(label)
                if type(label) not in first:
                    first[type(label)] = f"{where(name, _first(codes, code))} holds {label!r}"
        categories = getattr(columns[name].dtype, "categories", ())
        found.update(label for label in map(read_class, categories) if label is not None)
    if len(first) == 2:
        raise TypeError(f"{first[str]}; {first[int]}: write all classes as text or all as numbers, or give classes")
    if int in first:
        return sorted(found)
    check_spelling("the answers", found)
    return sorted(found)


def _ids(name: str, codes: np.ndarray, labels: list[str | int | None], known, where: Where) -> np.ndarray:
    ids = {label: place for place, label in enumerate(known)}
    by_place = not any(isinstance(label, int) for label in known)
    if by_place:  # numbers are ids where the classes have names
        ids |= {place: place for place in range(len(known))}
    of_labels = np.full(len(labels) + 1, NO_ANSWER, dtype=np.int64)  # one more, for the code -1
    for code, label in enumerate(labels):
        if label is not None and label not in ids:
            hint = f"numbers lie in 0 … {len(known) - 1}" if isinstance(label, int) else expected(label, known)
            raise ValueError(f"{where(name, _first(codes, code))} holds {label!r}, which is no class; {hint}")
        of_labels[code] = NO_ANSWER if label is None else ids[label]
    return of_labels[codes]


def _check_truth(true: Mapping[str, np.ndarray], where: Where) -> None:
    for name, ids in true.items():
        if (ids < 0).any():
            raise ValueError(f"{where(name, int((ids < 0).argmax()))} holds no class; every trial needs its true class")
