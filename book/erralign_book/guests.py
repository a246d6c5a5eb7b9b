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
from erralign.inference import ConsistencyWithPeople, accuracy_intervals, consistency_with_people, reach_with_people
from erralign.inference.conditions import places_of_strata
from erralign.inference.people import PEOPLE
from erralign.measures.class_level_error_similarity import INDEPENDENT_ERRORS
from erralign.pairs import equally_accurate, pairwise
from erralign.plot import number, table, with_interval
from erralign.plot.html import Table
from erralign.reports.verdicts import (
    NEAR_CHANCE,
    OF_ERRORS,
    OTHER_ACCURACY,
    near_chance,
    why_no_verdict,
)
from erralign.responses import Responses

PICTURES = ("geirhos2020/*", "xu2024/*", "model-vs-human/*")
FEW = 3  # data sets of which each has a sentence
# Nobody else gives the same answer this often, on all trials and on those that either misses.
COPY, COPY_OF_ERRORS = 0.98, 0.9
CANNOT_TELL = "these answers cannot tell"
SHARE = "EC as a share of the largest that accuracies allow"
Z = float(ndtri(0.975))
WHY = {  # there is no verdict by CLES
    NEAR_CHANCE: "a system that guesses can have a CLES as high as theirs",
    OTHER_ACCURACY: "accuracies differ by 0.05 or more: CLES changes with the number of errors",
}


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
    shown["set against"] = rows["against"]
    ends = rows[["least", "most"]].to_numpy()
    shown["networks"] = [f"{number(least, 2)} to {number(most, 2)}" for least, most in ends]
    for heading, what in (("less people", "gap"), ("less equals", "lead")):
        limits = rows[[what, f"{what}_low", f"{what}_high"]].to_numpy()
        shown[heading] = ["" if np.isnan(value[0]) else with_interval(*value) for value in limits]
    written = table(shown.set_index(rows["system"]), "Your own beside people and networks, with 95 % intervals")
    sentences = [told for name in names for told in _near_chance(name, _files(name, guest)).values()]
    sentences += _sentences(rows, guest)
    for name in names:
        sentences += notes(_seen(name, _files(name, guest)))
    return _written(sentences, written)


def summary(guest: str) -> Table:
    """Sum up in a sentence for each of a reader's systems what its EC with people is, beside that of two people."""
    names = answered(guest, ["*"])
    rows = pd.concat([beside_people(name, guest, "EC") for name in names])
    sentences = []
    for system, of in rows.groupby("system", sort=False):
        if len(of) > 1:
            said = f"{system} answered {len(of)} data sets. Its EC with people, beside that of two people: {_ways(of)}."
        else:
            way, value = _direction(of.iloc[0]), number(of["value"].iloc[0], 2)
            than = f"and {CANNOT_TELL} whether it is lower" if way == CANNOT_TELL else f"{way}"
            said = (
                f"{system} answered {of['data_set'].iloc[0]}. Its EC with people is {value}, {than} than that of two."
            )
        near = [name for name in of["data_set"] if system in _near_chance(name, _files(name, guest))]
        if near:
            said += f" It is near chance on {', '.join(near)}, where no value of EC says much."
        sentences.append(said)
    return _written(sentences)


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
        the ``n_equal`` networks that are about as accurate, both with limits. ``against`` is what to set the value
        against, in words, and ``reach`` or ``independent`` the number in it: the largest EC that the accuracy allows
        with these people, or the CLES of independent errors. With EC stand ``H`` and ``H_gap`` with limits.
        ``no_verdict`` says why there is no gap by CLES: the guest is near chance, or accuracies differ by .05 or more.
    """
    files = _files(data_set, guest)
    seen = _seen(data_set, files)
    rows = []
    for system in seen.guests:
        means = _means(data_set, files, system, measure)
        accuracy, people = seen.answers.eq(seen.truth, axis=0).mean(), _people(seen)
        values = means.table[measure]
        others = values.drop([system, PEOPLE])
        equals = [name for name in others.index if equally_accurate(accuracy[system], accuracy[name])]
        row: dict[str, Any] = {"system": system, "data_set": data_set, "measure": measure, "n": len(seen.truth)}
        row |= dict(zip(["value", "low", "high"], means.table.loc[system, [measure, "low", "high"]], strict=True))
        row |= {"of_people": values[PEOPLE], "least": others.min(), "most": others.max(), "n_equal": len(equals)}
        row["no_verdict"] = ""
        if measure == OF_ERRORS:
            row["no_verdict"] = why_no_verdict(seen, system, people, system in _near_chance(data_set, files))
        above = [PEOPLE] if not row["no_verdict"] else []
        equals = equals if row["no_verdict"] != NEAR_CHANCE else []
        row |= dict(zip(["gap", "gap_low", "gap_high"], _less(means, system, above), strict=True))
        row |= dict(zip(["lead", "lead_low", "lead_high"], _less(means, system, equals), strict=True))
        row |= _against(data_set, files, system, measure)
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
    both = _beside(seen, [str(name) for name in seen.answers if name == system or name not in seen.guests], system)
    return consistency_with_people(both, measure, clusters=material(seen))


@cache
def _near_chance(data_set: str, files: Files) -> dict[str, str]:
    """Say of each guest that is near chance, or gives one answer throughout, that it does."""
    seen = _seen(data_set, files)
    mine = accuracy_intervals(seen, clusters=material(seen)).loc[seen.guests]
    on = data_set.rpartition("/")[2]
    return {system: f"On {on}, {told}" for system, told in near_chance(seen, mine).items()}


def _against(data_set: str, files: Files, system: str, measure: str) -> dict[str, Any]:
    """Return what to set a value against: of EC what could be reached and H, of CLES that of independent errors."""
    seen = _seen(data_set, files)
    people = [name for name in _people(seen) if name != system]
    if measure == "EC":
        both = _beside(seen, [*people, system], system)
        (reach,) = reach_with_people(both, clusters=material(seen))["reach"]
        share = consistency_with_people(both, "H", clusters=material(seen))
        gap = dict(zip(["H_gap", "H_gap_low", "H_gap_high"], _less(share, system, [PEOPLE]), strict=True))
        of_both = {"H": share.table["H"][system], "H_people": share.table["H"][PEOPLE]}
        return {"reach": reach, "against": f"{number(reach, 2)} at most"} | of_both | gap
    if measure == OF_ERRORS:
        parts = [seen.select(trials=seen.truth.index[here]) for here in places_of_strata(seen.truth.index)]
        values = []
        for part in parts:
            pairs = pairwise(part.select(systems=[*people, system]), INDEPENDENT_ERRORS, with_=system)
            values.append(pairs[INDEPENDENT_ERRORS.short].mean())
        independent = float(pd.Series(values).mean())
        return {"independent": independent, "against": f"{number(independent, 2)} if independent"}
    return {"against": ""}


def _beside(seen: Responses, systems: list[str], system: str) -> Responses:
    """Return some systems, of which those with whom guests are compared are people, and the guest is none of them."""
    kind = pd.Series("model", seen.systems.index).mask(seen.systems.index.isin(_people(seen)), "human")
    kind[system] = "model"
    both = replace(seen, systems=seen.systems.assign(kind=kind))
    return both.select(systems=[str(name) for name in seen.answers if name in systems])


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
            yield _counted(of, str(system), str(measure))
            continue
        for _, row in of.iterrows():
            on = row["data_set"].rpartition("/")[2]
            seen = _seen(row["data_set"], _files(row["data_set"], guest))
            people = _people(seen)
            whom = f"{len(people)} {'people' if seen.systems.loc[people[0], 'kind'] == 'human' else 'models'}"
            value, theirs = with_interval(row["value"], row["low"], row["high"]), number(row["of_people"], 2)
            if np.isnan(row["value"]):
                yield f"On {on}, {measure} of {system} with {whom} is undefined: they have too few errors in common."
            elif measure == "accuracy":
                yield f"On {on}, accuracy of {system} is {value}; that of {whom} is {theirs}{_verdict(row)}."
            elif measure == OF_ERRORS:
                against = f"independent errors with the same frequencies would give {number(row['independent'], 2)}"
                said = f"On {on}, {measure} of {system} with {whom} is {value}; {against}"
                if why := WHY.get(row["no_verdict"]):
                    yield f"{said}. It is not set against that of two of them, since {why}."
                else:
                    yield f"{said}. That of two of them is {theirs}{_verdict(row)}."
            else:
                said = f"On {on}, {measure} of {system} with {whom} is {value}; that of two of them is {theirs}"
                yield f"{said}{_verdict(row)}{_reach(row) if measure == 'EC' else ''}."


def _verdict(row: pd.Series) -> str:
    way = _direction(row)
    return f", and {way} which is higher" if way == CANNOT_TELL else f", so it is {way}"


def _reach(row: pd.Series) -> str:
    """Say what EC could be at this accuracy, and the verdict of H where that is another."""
    most, way, by_share = number(row["reach"], 2), _direction(row), _direction(row, "H_gap")
    said = f". At its accuracy {most} could be reached"
    if way == "lower" and row["reach"] < row["of_people"]:
        said = f", as it must be: at its accuracy {most} is the most that could be reached"
    if by_share == way or np.isnan(row["H"]):  # of a system that is always right, or never, H is 0/0
        return said
    both = f"{number(row['H'], 2)} and {number(row['H_people'], 2)}"
    told = f"{by_share} which is higher" if by_share == CANNOT_TELL else f"it is {by_share}"
    return f"{said}. By Loevinger's H, {SHARE}, {told}: {both}"


def _counted(of: pd.DataFrame, system: str, measure: str) -> str:
    """Say on how many of many data sets a value is higher, or lower, than people's."""
    told, rest = of[of["no_verdict"] == ""], of[of["no_verdict"] != ""]
    parts = [_ways(told)] if len(told) else []
    if len(rest):
        why = " or ".join(WHY[reason] for reason in rest["no_verdict"].unique())
        parts.append(f"on {len(rest)} it is not set against theirs, since {why}")
    said = f"{measure} of {system} on {len(of)} data sets, beside people: {'; '.join(parts)}"
    if measure == "EC":
        beyond = (of.apply(_direction, axis=1) == "lower") & (of["reach"] < of["of_people"])
        said = f"{said}. On {beyond.sum()} of these its accuracy allows no value as high as theirs"
        said = f"{said}. By Loevinger's H, {SHARE}: {_ways(of, 'H_gap')}"
    return f"{said}."


def _ways(of: pd.DataFrame, gap: str = "gap") -> str:
    counts = of.apply(_direction, axis=1, gap=gap).value_counts()
    parts = [f"{way} on {counts[way]}" for way in ("higher", "lower") if way in counts]
    if CANNOT_TELL in counts:
        parts.append(f"on {counts[CANNOT_TELL]} {CANNOT_TELL}")
    return ", ".join(parts)


def _direction(row: pd.Series, gap: str = "gap") -> str:
    low, high = row[f"{gap}_low"], row[f"{gap}_high"]
    if np.isnan(low) or low <= 0 <= high:
        return CANNOT_TELL
    return "higher" if low > 0 else "lower"


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
            on = seen.name.rpartition("/")[2]
            yield f"On {on}, {system} answered {len(seen.truth):,} of {every:,}: all are compared on these."


def _written(sentences: Sequence[str], shown: Table | None = None) -> Table:
    paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    html, text = (shown.html, shown.text) if shown else ("", "")
    return Table(f'{html}<div class="guest">{paragraphs}</div>', "\n".join([text, *sentences]))
