"""Aligning answers with trials by the names of the trials, in any order."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from erralign.errors import check_once, expected, in_one_order, places_in, shown


def align(truth: Any, answers: Any) -> tuple[pd.Series, dict[str, pd.Series]]:
    """Align the answers of all systems with the trials of the truth, by name where trials have names."""
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
    return true.rename("truth"), {name: on_trials(name, column, true.index) for name, column in columns.items()}


def on_trials(system: str, given: pd.Series | np.ndarray, index: pd.Index) -> pd.Series:
    """Align the answers of one system with given trials."""
    if not isinstance(given, pd.Series):
        return _on_places(f"the answers of {system}", given, index)
    trials = as_named_in(given.index, index, system)
    unknown = trials[index.get_indexer(trials) < 0]
    if len(unknown):
        raise ValueError(f"{system} has answers on trial {shown(unknown[0])}, which the truth does not know")
    places = places_in(system, trials, index, "; write None where a system gave no answer")
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
    if isinstance(answers, pd.DataFrame):
        pairs = [(str(name), answers.iloc[:, place]) for place, name in enumerate(answers.columns)]
    elif isinstance(answers, Mapping):
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
