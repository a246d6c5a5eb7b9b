"""Read guests: from a CSV file, or from a folder with one for each data set; what cannot be right is refused."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from erralign.datasets import load
from erralign.datasets.data_sets import TWINS
from erralign.datasets.guests import ALONE, CONFIDENCES, facts_beside, files_in, read_guests
from erralign.datasets.guests import data_set_of as named_data_set
from erralign.responses import Responses
from erralign_book.papers import board, efficientnets
from erralign_book.papers.guests.paths import check_guest

USUAL = "geirhos2020/cue-conflict"  # of a single file whose name says nothing else
P_OF_CHANCE = 0.01  # guesses are as often right by luck
# No two stored systems with answers of their own say the same on so many pictures, and on so many of which either is
# wrong. Within classes all stored systems fail where others do, from this many pictures on, by more than this many
# standard errors of answers that are shuffled within classes.
MOST_ALIKE, MOST_ERRORS_ALIKE = 0.98, 0.9
ENOUGH, LEAST_Z = 500, 2.33


class Copy(NamedTuple):
    """The stored system whose answers a guest repeats, and the share of equal answers."""

    system: str
    share: float


@dataclass(frozen=True, eq=False)
class Guest:
    """A system that a reader brings.

    Parameters
    ----------
    name, kind : str
        What to call it, and ``model`` or ``human``.
    sets : mapping of str to Responses
        Data set to all that answered it: people and networks, and the guest as one more model, the last one, on the
        pictures that it answered.
    copies : mapping of str to Copy
        The data sets on which it repeats a stored system.
    facts : mapping of str to str
        What the run says about it: source, preprocessing, mapping, weights.
    confidences : mapping of str to Path
        Where its confidences are.
    """

    name: str
    kind: str
    sets: Mapping[str, Responses]
    copies: Mapping[str, Copy] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    confidences: Mapping[str, Path] = field(default_factory=dict)


@cache
def guests(path: str) -> tuple[Guest, ...]:
    """Read the guests of a file or a folder (of an empty path there are none), or say what cannot be right."""
    check_guest("guest", path)
    if not path:
        return ()
    found: dict[str, list[tuple[str, Responses, Path]]] = {}
    for file in files_in(Path(path)):
        data_set = data_set_of(file, alone=Path(path).is_file())
        for name, both in _systems(file, data_set).items():
            found.setdefault(name, []).append((data_set, both, file))
    return tuple(_guest(name, parts) for name, parts in found.items())


def data_set_of(file: Path, *, alone: bool) -> str:
    """Return the data set that the name of a file ends with, or the usual one."""
    return named_data_set(file, alone=alone) or USUAL


@cache
def others_on(data_set: str) -> Responses:
    """Return the people and networks of a data set."""
    return load(data_set)


def _systems(file: Path, data_set: str) -> dict[str, Responses]:
    """Return the systems of a file, each the last of those that answered the set."""
    theirs = others_on(data_set)
    with warnings.catch_warnings(action="ignore"):  # on names without folders and endings; a page is no place for them
        mine = read_guests(file, theirs)
    theirs = theirs.select(trials=mine.truth.index) if len(mine.truth) < len(theirs.truth) else theirs
    found = {}
    for system in map(str, mine.answers):
        name = system.removesuffix(ALONE)
        found[name] = theirs.join(mine.select(systems=[system]))
        _check(file, name, found[name])
    return found


def _check(file: Path, name: str, both: Responses) -> None:
    """Refuse answers that guessing gives, the true classes, and answers in another order."""
    given, n = both.answers.iloc[:, -1], len(both.truth)
    right, chance = int((given == both.truth).sum()), 1 / len(both.classes)
    who = f"{file}: {name} is right on {right:,} of {n:,}"
    if right == n:
        raise ValueError(f"{who}: these are the true classes; expected a system's own answers")
    if binomtest(right, n, min(chance, 1), alternative="greater").pvalue > P_OF_CHANCE:
        raise ValueError(
            f"{who}, which guessing gives, too ({chance:.0%}); expected more: are the answers in another order, or "
            "shifted, or to other pictures?"
        )
    if n >= ENOUGH and _beyond_classes(both) < LEAST_Z:
        raise ValueError(
            f"{who}, but within the classes fails no more often where others fail than by chance; expected answers in "
            "the order of the pictures: are they shuffled or shifted?"
        )


def _beyond_classes(both: Responses) -> float:
    """Return how many standard errors a guest's right answers go with others', within classes, beyond shuffled ones."""
    right = both.answers.eq(both.truth, axis=0).astype(float)
    mine, others = right.iloc[:, -1], right.iloc[:, :-1].mean(axis=1)
    mine, others = (each - each.groupby(both.truth).transform("mean") for each in (mine, others))
    squares = [(each**2).groupby(both.truth).sum() for each in (mine, others)]
    variance = (squares[0] * squares[1] / (both.truth.value_counts() - 1).clip(lower=1)).sum()
    return float((mine * others).sum() / np.sqrt(variance)) if variance > 0 else 0.0


def _on_the_board() -> Responses:
    """Return the people, and all models from archives and from the board's own files."""
    entries = [board.read_entry(file, board.folder()) for file in board.files(board.folder())]
    return reduce(Responses.join, [each for each in entries if each.name == USUAL], board.stored(USUAL))


@cache
def _known(data_set: str) -> pd.DataFrame:
    """Return the answers of all systems that the book knows, whether or not its charts show them."""
    both = _on_the_board() if data_set == USUAL else others_on(data_set)
    if data_set in TWINS.values() and data_set != USUAL:
        both = both.join(efficientnets.answers(data_set.partition("/")[2]))
    return both.answers


def _copy(data_set: str, both: Responses) -> Copy | None:
    """Return the system whose answers a guest repeats."""
    mine, others = both.answers.iloc[:, -1], _known(data_set).loc[both.truth.index]
    same = others.eq(mine, axis=0)
    wrong = others.ne(both.truth, axis=0) | mine.ne(both.truth).to_numpy()[:, None]
    alike = same.mean().where(same[wrong].mean() >= MOST_ERRORS_ALIKE, 0)
    return Copy(str(alike.idxmax()), float(alike.max())) if alike.max() >= MOST_ALIKE else None


def _guest(name: str, parts: list[tuple[str, Responses, Path]]) -> Guest:
    sets: dict[str, Responses] = {}
    copies: dict[str, Copy] = {}
    facts: dict[str, str] = {}
    confidences: dict[str, Path] = {}
    kind = parts[0][1].systems["kind"].iloc[-1]
    for data_set, both, file in parts:
        if data_set in sets:
            raise ValueError(f"{file} and another file have answers of {name} to {data_set}; expected one")
        sets[data_set] = both
        if copy := _copy(data_set, both):
            copies[data_set] = copy
        if name in (table := facts_beside(file)).index:
            facts |= {str(key): value for key, value in table.loc[name].items() if value}
        if file.with_suffix(CONFIDENCES).is_file():
            confidences[data_set] = file.with_suffix(CONFIDENCES)
    return Guest(str(parts[0][1].answers.columns[-1]), str(kind), sets, copies, facts, confidences)
