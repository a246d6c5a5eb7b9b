"""From what somebody hands in to columns of class ids: aligned by the names of trials, numbered, and read-only."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NoReturn
from unicodedata import normalize

import numpy as np
import pandas as pd

from erralign._validation import (
    NO_ANSWER,
    check_common,
    check_counts_of_options,
    check_offered,
    check_once,
    expected,
    in_one_order,
    places_in,
    read_class,
    shown,
)

# From a system and a place among its trials: where that is, for messages.
Where = Callable[[str, int], str]


def number(
    columns: Mapping[str, pd.Series],
    classes: Iterable[Any] | None = None,
    where: Where | None = None,
    *,
    n_positions: int | None = None,
) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    """Turn columns of classes, one of them ``truth``, into class ids: places among those declared, or that occur.

    With ``n_positions`` classes are that many positions, A, B, C, … or numbers, whether they occur or not.
    """
    where = where or (lambda name, place: f"{name}, trial {shown(columns[name].index[place])},")
    declared = None if classes is None else declared_classes(classes)
    read = {name: _read(name, column, declared or (), where) for name, column in columns.items()}
    if declared is None and n_positions is not None:
        declared = positions([*map(str, _found(columns, read, where))], n_positions)
    known = declared if declared is not None else _found(columns, read, where)
    ids = {name: _ids(name, *each, known, where) for name, each in read.items()}
    if (unknown := ids["truth"] < 0).any():
        raise ValueError(f"{where('truth', int(unknown.argmax()))} holds no class; every trial needs its true class")
    if declared is None:
        check_common(ids["truth"], {name: given for name, given in ids.items() if name != "truth"})
    return ids, tuple(map(str, known))


def positions(found: Sequence[str], most: int) -> list[Any]:
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


def declared_classes(classes: Iterable[Any]) -> list[Any]:
    """Return all classes as they were listed, each once: words that look alike are different classes then."""
    if isinstance(classes, str | bytes) or not isinstance(classes, Iterable):
        raise TypeError(f"classes is {classes!r}; expected a list of all classes, such as ['cat', 'dog'] or range(16)")
    names = [each if isinstance(each, str) else read_class(each) for each in classes]
    written = pd.Index(map(str, names))
    doubled = written[written.duplicated()]
    known = [each for each in names if each is not None]
    if not names or len(known) < len(names) or len(doubled):
        wrong = f"holds {doubled[0]!r} twice" if len(doubled) else "is empty" if not names else "holds no name"
        raise ValueError(f"classes {wrong}; expected each class once")
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
    check_alike("the answers", found)
    return sorted(found)


def check_alike(name: str, words: Iterable[str]) -> None:
    """Refuse words that differ only in capitals, zeros, hyphens, blanks or underscores, unless they are declared."""
    known: dict[str, str] = {}
    for word in sorted(words):
        form = normalize("NFKC", word).casefold()
        number = re.fullmatch(r"(-?)0*(\d+?)([.,](0{1,2}|0{4,}))?", form)  # 1,000 may be a thousand, and 1.000 too
        form = number[1] + number[2] if number else re.sub(r"[\s_-]", "", form) or form
        if form in known:
            raise ValueError(
                f"{name}: {known[form]!r} and {word!r} look alike; write each class in one way, or if they are "
                "different classes, list all with --classes (classes=[...])"
            )
        known[form] = word


def _ids(name: str, codes: np.ndarray, labels: list[str | int | None], known, where: Where) -> np.ndarray:
    ids = {label: place for place, label in enumerate(known)}
    if not any(isinstance(label, int) for label in known):  # numbers are ids where the classes have names
        ids |= {place: place for place in range(len(known))}
    of_labels = np.full(len(labels) + 1, NO_ANSWER, dtype=np.int64)  # one more, for the code -1
    for code, label in enumerate(labels):
        if label is not None and label not in ids:
            hint = f"numbers lie in 0 … {len(known) - 1}" if isinstance(label, int) else expected(label, known)
            raise ValueError(f"{where(name, _first(codes, code))} holds {label!r}, which is no class; {hint}")
        of_labels[code] = NO_ANSWER if label is None else ids[label]
    return of_labels[codes]


ABSENT = "absent"  # says of each trial that a system lacks that the system was not shown it
NOT_SHOWN = NO_ANSWER - 1  # in the place of a class id, until it is a missing value


def as_answers(ids: np.ndarray) -> Any:
    """Return class ids as a column of answers: nullable and missing where a trial was not shown, if any was not."""
    hidden = ids == NOT_SHOWN
    if not hidden.any():
        return ids
    return pd.arrays.IntegerArray(np.where(hidden, NO_ANSWER, ids).astype(np.int64), hidden)


# ---- by the names of trials ------------------------------------------------------------------------------------------


def align(truth: Any, answers: Any, may_lack: str | None = None) -> tuple[pd.Series, dict[str, pd.Series]]:
    """Align the answers of all systems with the trials of the truth, by name where trials have names.

    Trials that a system lacks are refused, unless a word is given that takes their place.
    """
    columns = {name: _as_column(f"the answers of {name}", given) for name, given in _columns(answers).items()}
    true = _as_column("truth", truth)
    named = {name: column for name, column in columns.items() if isinstance(column, pd.Series)}
    if not isinstance(true, pd.Series):
        in_one_order({"truth": true} | columns)
        index = next((column.index for column in named.values()), pd.RangeIndex(len(true), name="trial"))
        true = _on_places("truth", true, index)
    if not len(true):
        raise ValueError("truth is empty: at least one trial is needed")
    check_once("truth", true.index)
    return true.rename("truth"), {
        name: on_trials(name, column, true.index, may_lack) for name, column in columns.items()
    }


def on_trials(system: str, given: pd.Series | np.ndarray, index: pd.Index, may_lack: str | None = None) -> pd.Series:
    """Align the answers of one system with given trials."""
    if not isinstance(given, pd.Series):
        return _on_places(f"the answers of {system}", given, index)
    trials = as_named_in(given.index, index, system)
    unknown = trials[index.get_indexer(trials) < 0]
    if len(unknown):
        raise ValueError(f"{system} has answers on trial {shown(unknown[0])}, which the truth does not know")
    if may_lack is not None:
        check_once(system, trials)
        return given.astype(object).set_axis(trials).reindex(index, fill_value=may_lack)
    hint = "; write None where a system gave no answer, or say not_shown='absent' if it was not shown the trial"
    places = places_in(system, trials, index, hint)
    return pd.Series(given.array[places], index=index)


def as_named_in(trials: pd.Index, wanted: pd.Index, system: str) -> pd.Index:
    """Return trials with the same names as in another index: the same parts, order of parts and types."""
    shared = [str(part) for part in wanted.names if part in trials.names and part is not None]
    if list(trials.names) != list(wanted.names) and shared:
        trials = pd.MultiIndex.from_arrays([trials.get_level_values(part) for part in shared], names=shared)
        trials = trials if len(shared) > 1 else trials.get_level_values(0)
    if trials.nlevels == wanted.nlevels:
        return _of_one_type(trials, wanted)
    parts = wanted
    if shared and isinstance(wanted, pd.MultiIndex):
        parts = wanted.droplevel([place for place, part in enumerate(wanted.names) if part not in shared])
    if trials.nlevels != parts.nlevels or not parts.is_unique:
        names = [", ".join(map(str, each.names)) for each in (trials, wanted)]
        raise ValueError(f"{system} names its trials by {names[0]}; the truth names them by {names[1]}: use the same")
    places = parts.get_indexer(_of_one_type(trials, parts))
    if (places < 0).any():
        raise ValueError(f"{system} has answers on trial {shown(trials[places < 0][0])}, which the truth does not know")
    return wanted.take(places)


def describe_systems(names: list[str], **columns: str | Mapping[str, str]) -> pd.DataFrame:
    """Return the table of facts about systems, from one word for all or a word for each."""
    table = {}
    for column, given in columns.items():
        words = given if isinstance(given, Mapping) else dict.fromkeys(names, given)
        unknown = [name for name in words if name not in names]
        lacking = [name for name in names if name not in words]
        if unknown:
            raise ValueError(f"{column} names the system {unknown[0]!r}; {expected(unknown[0], names)}")
        if lacking:
            raise ValueError(f"{column} says nothing about {lacking[0]!r}; give one word, or a word for each system")
        table[column] = [words[name] for name in names]
    return pd.DataFrame(table, index=pd.Index(names, name="system"))


def _columns(answers: Any) -> dict[str, Any]:
    if isinstance(answers, pd.DataFrame | Mapping):
        pairs = [(str(name), given) for name, given in answers.items()]
    elif names := getattr(answers, "column_names", None) or getattr(answers, "columns", None):  # PyArrow, Polars
        pairs = [(name, answers[name]) for name in names]
    else:
        raise TypeError(
            f"answers is of type {type(answers).__name__}; expected a DataFrame with a column per system, or a mapping "
            "of system to answers, such as {'net': [...]}"
        )
    if not pairs:
        raise ValueError("answers is empty: at least one system is needed")
    check_once("answers", pd.Index([name for name, _ in pairs]), "system")
    return dict(pairs)


def _as_column(name: str, given: Any) -> pd.Series | np.ndarray:
    if isinstance(given, pd.Series):
        return given
    if isinstance(given, Mapping):
        return pd.Series(given)
    if isinstance(given, str | bytes) or not hasattr(given, "__len__"):
        raise TypeError(f"{name} is {given!r}; expected one class per trial, as a Series or a list")
    values = np.ma.asarray(given, dtype=object).filled(None) if np.ma.isMaskedArray(given) else given
    values = values.to_pylist() if hasattr(values, "to_pylist") else values  # else PyArrow gives scalars of its own
    if np.ndim(values) != 1:
        raise ValueError(f"{name} has shape {np.shape(values)}; expected one class per trial")
    # Text beside None or numbers would all become text in an array of NumPy's choice.
    column = np.empty(len(values), dtype=object)
    column[:] = list(values)
    return column


def _on_places(name: str, given: np.ndarray, index: pd.Index) -> pd.Series:
    if len(given) != len(index):
        raise ValueError(f"{name}: {len(given)} classes for {len(index)} trials; give one per trial, in their order")
    return pd.Series(given, index=index, dtype=object)


def _of_one_type(trials: pd.Index, wanted: pd.Index) -> pd.Index:
    if isinstance(trials, pd.MultiIndex):
        levels = range(trials.nlevels)
        retyped = [_of_one_type(trials.get_level_values(i), wanted.get_level_values(i)) for i in levels]
        return pd.MultiIndex.from_arrays(retyped, names=wanted.names)
    as_numbers = wanted.inferred_type == "integer" and trials.inferred_type == "string"
    if as_numbers and trials.str.fullmatch(r"-?\d+").all():
        return trials.astype(wanted.dtype).rename(wanted.name)
    as_text = wanted.inferred_type == "string" and trials.inferred_type == "integer"
    return (trials.astype(str) if as_text else trials).rename(wanted.name)


# ---- options ---------------------------------------------------------------------------------------------------------


def options_on(given: Any, trials: pd.Index) -> pd.Series:
    """Return how many options each trial offers, from one number for all, or from one for each, by name or in order."""
    if isinstance(given, Mapping):
        given = pd.Series(given)
    if isinstance(given, pd.Series):
        named = as_named_in(given.index, trials, "options")
        given = given.array[places_in("options", named, trials, "; give one number per trial")]
    return pd.Series(check_counts_of_options("options", given, len(trials)), index=trials, name="options")


def check_options(name: str, options: Any, given: Mapping[Any, pd.Series], classes: Sequence[str]) -> None:
    """Refuse numbers of options that are not one per trial, and answers that name an option which their trial lacks."""
    if options is None:
        return
    trials = given["truth"].index
    if not isinstance(options, pd.Series) or not options.index.equals(trials):
        raise TypeError(f"{name}: options is no Series with the index of truth; Responses.from_table makes one")
    counts = check_counts_of_options(f"options of {name}", options.to_numpy(), len(trials))
    for system, answers in given.items():
        given_ids = answers.fillna(NO_ANSWER).to_numpy(np.int64)
        check_offered(f"{name}, {system},", given_ids, counts, trials, classes)


# ---- tables that cannot be written to --------------------------------------------------------------------------------


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError(
        "Responses cannot be changed in place, since they were checked when they were made; change a copy "
        "(answers = responses.answers.copy()) and make new ones: dataclasses.replace(responses, answers=answers)"
    )


def _refusing(name: str) -> property:
    indexer = type(getattr(pd.Series(dtype=float), name))
    return property(lambda table: type(name, (indexer,), {"__setitem__": _refuse})(name, table))


class _ReadOnly:
    loc, iloc, at, iat = map(_refusing, ("loc", "iloc", "at", "iat"))
    __setitem__ = __delitem__ = insert = pop = update = _update_inplace = _refuse


class Series(_ReadOnly, pd.Series):  # type: ignore[misc]  # pandas marks what it means not to be overridden
    """A Series that cannot be written to."""

    _constructor = pd.Series
    _constructor_expanddim = pd.DataFrame


class DataFrame(_ReadOnly, pd.DataFrame):  # type: ignore[misc]
    """A frame that cannot be written to."""

    _set_axis = _refuse  # of a Series, pandas calls it to make one
    _constructor = pd.DataFrame
    _constructor_sliced = pd.Series


def read_only(table: Any, *, copy: bool = True) -> Any:
    """Return a table that cannot be written to: itself if it cannot, else one over a copy of its whole numbers."""
    if isinstance(table, _ReadOnly):
        return table
    is_series = isinstance(table, pd.Series)
    array = table.to_numpy(copy=copy)
    if array.dtype.kind not in "iu":  # words, which no measure reads
        return Series(table) if is_series else DataFrame(table)
    array.flags.writeable = False
    if is_series:
        return Series(array, index=table.index, name=table.name, copy=False)
    return DataFrame(array, index=table.index, columns=table.columns, copy=False)
