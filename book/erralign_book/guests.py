"""What a page says of a reader's own systems: its measure with people, and what to set that against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from erralign.datasets import load, material
from erralign.datasets.data_sets import records
from erralign.datasets.guests import EXAMPLE, TWINS, data_set_of, files_for
from erralign.inference import ConsistencyWithPeople, consistency_with_people
from erralign.inference.people import PEOPLE
from erralign.plot import number, table, with_interval
from erralign.plot.html import Table
from erralign.responses import Responses

PICTURES = ("geirhos2020/*", "xu2024/*", "model-vs-human/*")
FEW = 3  # data sets of which each has a sentence
EQUAL = 0.05  # accuracies that differ by less are about the same
# Nobody else gives the same answer this often, on all trials and on those that either misses.
COPY, COPY_OF_ERRORS = 0.98, 0.9
CANNOT_TELL = "these answers cannot tell"
Z = float(ndtri(0.975))


def yours(guest: str, *measures: str, sets: Sequence[str] = PICTURES) -> Table | None:
    """Show a reader's systems beside people and networks: a row and a sentence for each data set and measure.

    Parameters
    ----------
    guest : str
        File or folder with their answers, as :func:`erralign.load` takes it; without one nothing is shown.
    *measures : str
        Such as ``"EC"``, or ``"accuracy"``.
    sets : sequence of str
        The data sets of which the page speaks, with ``*`` for any part of a name.

    Returns
    -------
    Table or None
        The rows of :func:`beside_people`, and under them its sentences.
    """
    if not guest:
        return None
    names = answered(guest, sets)
    if not names:
        return _written([f"This page cannot show {guest}: it has no answers to {' or '.join(sets)}."])
    if len(names) > 1 and Path(guest).is_file() and not data_set_of(Path(guest), alone=True):
        return _written([f"{guest} does not say which data set it answers. Give it a name such as {EXAMPLE}."])
    rows = pd.concat([beside_people(name, guest, measure) for name in names for measure in measures])
    pictures = rows["data_set"].str.rpartition("/")[2] + " (" + rows["n"].map("{:,}".format) + ")"
    shown = pd.DataFrame({"pictures of": pictures, "": rows["measure"]})
    shown["yours"] = [with_interval(*limits) for limits in rows[["value", "low", "high"]].to_numpy()]
    shown["people"] = rows["of_people"]
    shown["networks"] = rows["least"].map("{:.2f}".format) + " to " + rows["most"].map("{:.2f}".format)
    shown["less people"] = [with_interval(*limits) for limits in rows[["gap", "gap_low", "gap_high"]].to_numpy()]
    shown["less equals"] = [with_interval(*limits) for limits in rows[["lead", "lead_low", "lead_high"]].to_numpy()]
    written = table(shown.set_index(rows["system"]), "Your own beside people and networks, with 95 % intervals")
    sentences = list(_sentences(rows, guest))
    for name in names:
        sentences += notes(_seen(name, _files(name, guest)))
    return _written(sentences, written)


def answered(guest: str, sets: Sequence[str] = PICTURES) -> list[str]:
    """List the data sets that a reader's files answer."""
    fitting = [name for name in records() if any(fnmatch(name, part) for part in sets) and files_for(name, guest)]
    return [name for name in fitting if TWINS.get(name) not in fitting]


def beside_people(data_set: str, guest: str, measure: str) -> pd.DataFrame:
    """Return each guest's mean with people, and what to set it against: two people, networks, equally accurate ones.

    Where fewer than two people answered, the networks take their place.

    Parameters
    ----------
    data_set, guest : str
        As for :func:`erralign.load`.
    measure : str
        Its abbreviation.

    Returns
    -------
    pandas.DataFrame
        A row for each guest: ``value``, ``low`` and ``high`` are the guest's, ``of_people`` is the mean of two people,
        ``least`` and ``most`` those of networks with people, ``gap`` is the guest less people, ``lead`` the guest less
        the ``n_equal`` networks that are about as accurate, both with limits.
    """
    files = _files(data_set, guest)
    seen = _seen(data_set, files)
    rows = []
    for system in seen.guests:
        right, means = (_means(data_set, files, system, name) for name in ("accuracy", measure))
        accuracy = right.table["accuracy"].drop(PEOPLE)
        equal = (accuracy - accuracy[system]).abs() < EQUAL
        equals = list(equal.index[equal].drop(system))
        values = means.table[measure]
        others = values.drop([system, PEOPLE])
        row: dict[str, Any] = {"system": system, "data_set": data_set, "measure": measure, "n": len(seen.truth)}
        row |= dict(zip(["value", "low", "high"], means.table.loc[system, [measure, "low", "high"]], strict=True))
        row |= {"of_people": values[PEOPLE], "least": others.min(), "most": others.max(), "n_equal": len(equals)}
        row |= dict(zip(["gap", "gap_low", "gap_high"], _less(means, system, [PEOPLE]), strict=True))
        row |= dict(zip(["lead", "lead_low", "lead_high"], _less(means, system, equals), strict=True))
        rows.append(row)
    return pd.DataFrame(rows)


Files = tuple[tuple[str, int], ...]  # with the time of their last change: what was computed of others is forgotten


def _files(data_set: str, guest: str) -> Files:
    return tuple((str(file), file.stat().st_mtime_ns) for file in files_for(data_set, guest))


@cache
def _seen(data_set: str, files: Files) -> Responses:
    return load(data_set, guest=[file for file, _ in files])


def _people(seen: Responses) -> list[str]:
    """List with whom guests are compared: the people of a data set or, of fewer than two, all its models."""
    kinds = seen.systems["kind"].drop(seen.guests)
    people = list(kinds.index[kinds == "human"])
    return people if len(people) > 1 else list(kinds.index)


@cache
def _means(data_set: str, files: Files, system: str, measure: str) -> ConsistencyWithPeople:
    """Return the means with people of a guest and of networks; a guest is none of these people, be it a person."""
    seen = _seen(data_set, files)
    kind = pd.Series("model", seen.systems.index).mask(seen.systems.index.isin(_people(seen)), "human")
    both = replace(seen, systems=seen.systems.assign(kind=kind))
    both = both.select(systems=[str(name) for name in seen.answers if name == system or name not in seen.guests])
    return consistency_with_people(both, measure, clusters=material(seen))


def _less(means: ConsistencyWithPeople, system: str, others: list[str]) -> tuple[float, float, float]:
    """Return a row of means less the mean of others, with its interval, for the same people and pictures."""
    if not others:
        return np.nan, np.nan, np.nan
    rows = [system, *others]
    weights = np.array([1.0, *[-1 / len(others)] * len(others)])
    value, bias = weights @ means.table.loc[rows, [means.measure, "bias"]].to_numpy()
    variance = weights @ means.covariance.loc[rows, rows].to_numpy() @ weights
    half = Z * np.sqrt(max(variance, 0.0))
    return value, value - bias - half, value - bias + half


def _sentences(rows: pd.DataFrame, guest: str) -> Iterator[str]:
    """Say what rows say, and no more than their intervals allow; of many data sets only the numbers."""
    for (system, measure), of in rows.groupby(["system", "measure"], sort=False):
        if len(of) > FEW:
            counts = of.apply(_direction, axis=1).value_counts()
            parts = [f"{way} on {counts[way]}" for way in ("higher", "lower") if way in counts]
            if CANNOT_TELL in counts:
                parts.append(f"on {counts[CANNOT_TELL]} {CANNOT_TELL}")
            yield f"{measure} of {system} on {len(of)} data sets, beside people: {', '.join(parts)}."
            continue
        for _, row in of.iterrows():
            on, way = row["data_set"].rpartition("/")[2], _direction(row)
            seen = _seen(row["data_set"], _files(row["data_set"], guest))
            people = _people(seen)
            whom = f"{len(people)} {'people' if seen.systems.loc[people[0], 'kind'] == 'human' else 'models'}"
            value, theirs = with_interval(row["value"], row["low"], row["high"]), number(row["of_people"], 2)
            if measure == "accuracy":
                said = f"On {on}, accuracy of {system} is {value}; that of {whom} is {theirs}"
            else:
                said = f"On {on}, {measure} of {system} with {whom} is {value}; that of two of them is {theirs}"
            if np.isnan(row["value"]):
                yield f"On {on}, {measure} of {system} with {whom} is undefined: they have too few errors in common."
            elif way == CANNOT_TELL:
                yield f"{said}, and {way} which is higher."
            else:
                yield f"{said}, so it is {way}."


def _direction(row: pd.Series) -> str:
    if np.isnan(row["gap_low"]) or row["gap_low"] <= 0 <= row["gap_high"]:
        return CANNOT_TELL
    return "higher" if row["gap_low"] > 0 else "lower"


def notes(seen: Responses) -> Iterator[str]:
    """Say what a reader should know of guests: copies, true classes, guesses, fewer pictures."""
    every = records()[seen.name].trials
    for system in seen.guests:
        mine, others = seen.answers[system], seen.answers.drop(columns=seen.guests)
        same, wrong = others.eq(mine, axis=0), others.ne(seen.truth, axis=0) | mine.ne(seen.truth).to_numpy()[:, None]
        alike = same.mean().where(same[wrong].mean() >= COPY_OF_ERRORS, 0)
        if alike.max() >= COPY:
            yield f"{system} gives {100 * alike.max():.1f} % of the answers of {alike.idxmax()}: is it a copy?"
        if mine.eq(seen.truth).all():
            yield f"{system} is right on all {len(mine):,}: are these the true classes?"
        if len(seen.truth) < every:
            yield f"{system} answered {len(seen.truth):,} of {every:,}: all are compared on these."


def _written(sentences: Sequence[str], shown: Table | None = None) -> Table:
    paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    html, text = (shown.html, shown.text) if shown else ("", "")
    return Table(f'{html}<div class="guest">{paragraphs}</div>', "\n".join([text, *sentences]))
