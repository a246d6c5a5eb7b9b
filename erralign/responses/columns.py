"""From what somebody hands in to columns of class ids: aligned by the names of trials, numbered, and read-only."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from erralign._validation import (
    NO_ANSWER,
    NOT_SHOWN,
    check_common,
    check_counts_of_options,
    check_number_of_options,
    check_offered,
    check_once,
    classes_among,
    expected,
    ids_of_labels,
    in_one_order,
    missing_words,
    places_in,
    read_labels,
    shown,
)


def number(
    columns: Mapping[str, pd.Series],
    classes: Iterable[Any] | None = None,
    *,
    hidden: Collection[str] = (),
    n_positions: int | None = None,
) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    """Turn columns of labels, one of them ``truth``, into class ids: places among the classes declared, or that occur.

    With ``n_positions`` classes are that many positions, A, B, C, … or numbers, whether they occur or not. Where a
    ``hidden`` word stands, a system was not shown the trial.
    """
    codes, labels = {}, {}
    for name, column in columns.items():
        codes[name], distinct = pd.factorize(column)
        labels[name] = [*distinct, None]  # which is what the code -1, of a missing value, finds

    def where(label: Any) -> str:
        name = next(name for name in columns if label in labels[name])
        trial = columns[name].index[int((codes[name] == labels[name].index(label)).argmax())]
        return f"{name}, trial {shown(trial)},"

    declared = None if classes is None else declared_classes(classes)
    every = [label for of_column in labels.values() for label in of_column]
    meanings = read_labels(every, missing=missing_words(declared or (), declared or ()), hidden=hidden, where=where)
    known = declared
    if known is None:
        categories = [name for column in columns.values() for name in getattr(column.dtype, "categories", ())]
        known = classes_among(meanings | read_labels(categories, where=lambda _: "a list of categories"), where)
        if n_positions is not None:
            known = positions([*map(str, known)], n_positions)
    places = ids_of_labels(meanings, known, where)
    ids = {name: np.array([places[label] for label in labels[name]])[codes[name]] for name in columns}
    if (unknown := ids["truth"] < 0).any():
        trial = columns["truth"].index[int(unknown.argmax())]
        raise ValueError(f"truth, trial {shown(trial)}, holds no class; every trial needs its true class")
    if declared is None and n_positions is None:
        check_common("truth", ids)
    return ids, tuple(map(str, known))


def positions(names: Sequence[str], most: int) -> list[Any]:
    """Return all positions in order, where answers name some of them by letters or numbers."""
    if all(name.isdecimal() for name in names):
        start = int("1" in names and "0" not in names)
        last = max(start + most, max(map(int, names)) + 1)
        check_number_of_options("a trial", last - start)
        return list(range(start, last))
    for letters in (ascii_uppercase, ascii_lowercase):
        if set(names) <= set(letters):
            return list(letters[: max(most, letters.index(max(names)) + 1)])
    odd = next(name for name in names if name not in list(ascii_uppercase))
    raise ValueError(
        f"with options, classes are positions, such as A, B, C; {odd!r} is none: name all positions in order by classes"
    )


def declared_classes(classes: Iterable[Any]) -> list[Any]:
    """Return all classes as they were listed, each once: words that look alike are different classes then."""
    if isinstance(classes, str | bytes) or not isinstance(classes, Iterable):
        raise TypeError(f"classes is {classes!r}; expected a list of all classes, such as ['cat', 'dog'] or range(16)")
    names = list(classes)
    meanings = read_labels(names, missing=(), where=lambda _: "classes")
    written = pd.Index([str(meanings[name]) for name in names])
    if not names:
        raise ValueError("classes is empty; expected each class once")
    if not written.is_unique:
        raise ValueError(f"classes holds {written[written.duplicated()][0]!r} twice; expected each class once")
    if NO_ANSWER in meanings.values():
        raise ValueError("classes holds no name; expected each class once")
    return [meanings[name] for name in names]


def as_answers(ids: np.ndarray) -> Any:
    """Return class ids as a column of answers: nullable and missing where a trial was not shown, if any was not."""
    hidden = ids == NOT_SHOWN
    if not hidden.any():
        return ids
    return pd.arrays.IntegerArray(np.where(hidden, NO_ANSWER, ids).astype(np.int64), hidden)


LACKING = "\0"  # which no cell says: a trial that a system lacks


# ---- by the names of trials ------------------------------------------------------------------------------------------


def align(truth: Any, answers: Any, *, may_lack: bool = False) -> tuple[pd.Series, dict[str, pd.Series]]:
    """Align the answers of all systems with the trials of the truth, by name where trials have names.

    Trials that a system lacks are refused, or ``LACKING`` takes their place.
    """
    columns = {name: _as_column(f"the answers of {name}", labels) for name, labels in _columns(answers).items()}
    true = _as_column("truth", truth)
    named = {name: column for name, column in columns.items() if isinstance(column, pd.Series)}
    _check_all_or_none_named({"truth": true} | columns)
    if not isinstance(true, pd.Series):
        in_one_order({"truth": true} | columns)
        index = next((column.index for column in named.values()), pd.RangeIndex(len(true), name="trial"))
        true = _on_places("truth", true, index)
    if not len(true):
        raise ValueError("truth is empty: at least one trial is needed")
    check_once("truth", true.index)
    return true.rename("truth"), {
        name: on_trials(name, column, true.index, may_lack=may_lack) for name, column in columns.items()
    }


def _check_all_or_none_named(columns: Mapping[str, pd.Series | np.ndarray]) -> None:
    """Refuse a list beside a Series whose labels are not numbers in order: which of its places is which label's?"""
    lists = [name for name, column in columns.items() if not isinstance(column, pd.Series)]
    for name, column in columns.items():
        alike = lists and len(columns[lists[0]]) == len(column)  # else their lengths are refused
        if alike and isinstance(column, pd.Series) and not _is_range(column.index):
            raise ValueError(
                f"{name} names its trials, {shown(column.index[0])} and so on, and {lists[0]} is a list without names; "
                f"if their order is the same, give it names, too:  pd.Series(its_labels, index={name}.index)"
            )


def _is_range(trials: pd.Index) -> bool:
    return trials.inferred_type == "integer" and bool((np.diff(trials.to_numpy()) == 1).all())


def on_trials(system: str, answers: pd.Series | np.ndarray, index: pd.Index, *, may_lack: bool = False) -> pd.Series:
    """Align the answers of one system with given trials."""
    if not isinstance(answers, pd.Series):
        return _on_places(f"the answers of {system}", answers, index)
    trials = as_named_in(answers.index, index, system)
    unknown = trials[index.get_indexer(trials) < 0]
    if len(unknown):
        raise ValueError(f"{system} has answers on trial {shown(unknown[0])}, which the truth does not know")
    if may_lack:
        check_once(system, trials)
        return answers.astype(object).set_axis(trials).reindex(index, fill_value=LACKING)
    hint = "; write None where a system gave no answer, or say absent_not_shown=True if it was not shown the trial"
    places = places_in(system, trials, index, hint)
    return pd.Series(answers.array[places], index=index)


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
        names = [", ".join(map(str, index.names)) for index in (trials, wanted)]
        raise ValueError(f"{system} names its trials by {names[0]}; the truth names them by {names[1]}: use the same")
    places = parts.get_indexer(_of_one_type(trials, parts))
    if (places < 0).any():
        raise ValueError(f"{system} has answers on trial {shown(trials[places < 0][0])}, which the truth does not know")
    return wanted.take(places)


def describe_systems(names: list[str], **columns: str | Mapping[str, str]) -> pd.DataFrame:
    """Return the table of facts about systems, from one word for all or a word for each."""
    table = {}
    for column, facts in columns.items():
        words = facts if isinstance(facts, Mapping) else dict.fromkeys(names, facts)
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
        pairs = [(str(name), column) for name, column in answers.items()]
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


def _as_column(name: str, labels: Any) -> pd.Series | np.ndarray:
    if isinstance(labels, pd.Series):
        return labels
    if isinstance(labels, Mapping):
        return pd.Series(labels)
    if isinstance(labels, str | bytes) or not hasattr(labels, "__len__"):
        raise TypeError(f"{name} is {labels!r}; expected one class per trial, as a Series or a list")
    values = np.ma.asarray(labels, dtype=object).filled(None) if np.ma.isMaskedArray(labels) else labels
    values = values.to_pylist() if hasattr(values, "to_pylist") else values  # else PyArrow gives scalars of its own
    if np.ndim(values) != 1:
        raise ValueError(f"{name} has shape {np.shape(values)}; expected one class per trial")
    # Text beside None or numbers would all become text in an array of NumPy's choice.
    column = np.empty(len(values), dtype=object)
    column[:] = list(values)
    return column


def _on_places(name: str, labels: np.ndarray, index: pd.Index) -> pd.Series:
    if len(labels) != len(index):
        raise ValueError(f"{name}: {len(labels)} classes for {len(index)} trials; give one per trial, in their order")
    return pd.Series(labels, index=index, dtype=object)


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


def options_on(n_options: Any, trials: pd.Index) -> pd.Series:
    """Return how many options each trial offers, from one number for all, or from one for each, by name or in order."""
    if isinstance(n_options, Mapping):
        n_options = pd.Series(n_options)
    if isinstance(n_options, pd.Series):
        named = as_named_in(n_options.index, trials, "options")
        n_options = n_options.array[places_in("options", named, trials, "; give one number per trial")]
    return pd.Series(check_counts_of_options("options", n_options, len(trials)), index=trials, name="options")


def check_options(name: str, options: Any, columns: Mapping[Any, pd.Series], classes: Sequence[str]) -> None:
    """Refuse numbers of options that are not one per trial, and answers that name an option which their trial lacks."""
    if options is None:
        return
    trials = columns["truth"].index
    if not isinstance(options, pd.Series) or not options.index.equals(trials):
        raise TypeError(f"{name}: options is no Series with the index of truth; Responses.from_table makes one")
    counts = check_counts_of_options(f"options of {name}", options.to_numpy(), len(trials))
    for system, answers in columns.items():
        ids = answers.fillna(NO_ANSWER).to_numpy(np.int64)
        check_offered(f"{name}, {system},", ids, counts, trials, classes)


def check_times(name: str, times: Any, answers: pd.DataFrame) -> None:
    """Refuse times that are not seconds above 0 of some of the systems, each trial by its name."""
    if times is None:
        return
    if not isinstance(times, pd.DataFrame) or not times.index.equals(answers.index):
        raise TypeError(
            f"{name}: times is no DataFrame with the index of truth and a column per system; times.reindex(truth.index)"
            " gives it that index, times=None leaves times out"
        )
    check_once("times", times.columns, "system")
    if len(unknown := times.columns.difference(answers.columns)):
        raise ValueError(f"{name}: times has a column {unknown[0]!r}; {expected(str(unknown[0]), answers)}")
    for system, column in times.items():
        if not is_numeric_dtype(column) or is_bool_dtype(column):
            raise TypeError(f"{name}: times of {system} are of type {column.dtype}; expected seconds, or missing")
        seconds = column.to_numpy(float, na_value=np.nan)
        if (wrong := (seconds <= 0) | np.isinf(seconds)).any():
            first = int(wrong.argmax())
            raise ValueError(
                f"{name}: {system} has the time {seconds[first]} on trial {shown(times.index[first])}; expected "
                "seconds above 0, or missing where no time is known"
            )


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
