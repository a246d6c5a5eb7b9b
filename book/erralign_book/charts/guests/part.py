"""A chapter's part about guests, and the one chart that most of them have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from html import escape
from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import MAGENTA
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import KINDS, WHOSE, Look
from erralign_book.papers.guests.reading import Guest, guests, others_on
from erralign_book.papers.guests.tables import NETWORKS, PEOPLE

YOURS, PAGE = "yours", "your-model-through-the-book"  # and the first page of a book about guests
# Of means with people: whose they are.
TWO_PEOPLE, MIXED = "two people", "a person and a network"
Made = tuple[list[Any], list[str]]  # charts and tables, and sentences


@dataclass(frozen=True)
class Part:
    """What a chapter shows of guests: charts and tables, and sentences under them."""

    shown: Sequence[Any]
    words: Sequence[str]

    def display(self) -> None:
        """Show all of it, as outputs of a cell."""
        from IPython.display import display

        for each in self.shown:
            display(each)
        if not self.words:
            return
        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.words)
        display(Table(f'<div class="guest">{paragraphs}</div>', "\n".join(self.words)))


@dataclass(frozen=True)
class Parts:
    """How a chapter's part is made, and of answers to which data sets."""

    make: Callable[[Sequence[Guest], list[str]], Made]
    needs: tuple[str, ...]


PARTS: dict[str, Parts] = {}  # chapter -> its part


def part(chapter: str, *needs: str) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Make a function the part of a chapter: it gets the guests that answered one of these data sets, and the sets."""

    def enter(make: Callable[..., Made]) -> Callable[..., Made]:
        PARTS[chapter] = Parts(make, needs)
        return make

    return enter


def answered(chapter: str, guest: Guest) -> list[str]:
    """List the data sets of a guest that a chapter can show."""
    return [name for name in guest.sets if any(fnmatch(name, need) for need in PARTS[chapter].needs)]


def show(chapter: str, path: str) -> None:
    """Show what a chapter has of the guests of a path; of none nothing."""
    if everybody := guests(path):
        parts_of(chapter, everybody).display()


def parts_of(chapter: str, everybody: Sequence[Guest]) -> Part:
    """Return what a chapter shows of guests, and say of whom it can't."""
    here = [guest for guest in everybody if answered(chapter, guest)]
    absent = [guest.name for guest in everybody if guest not in here]
    needs = " or ".join(PARTS[chapter].needs)
    why = [f"This page cannot show {name}: there are no answers to {needs}." for name in absent]
    if not here:
        return Part([], why)
    sets = list(dict.fromkeys(name for guest in here for name in answered(chapter, guest)))
    shown, words = PARTS[chapter].make(here, sets)
    return Part(shown, [*words, *notes_on(here, sets), *why])


def notes_on(everybody: Sequence[Guest], sets: Sequence[str]) -> Iterator[str]:
    """Say which guests answered only a part, and which repeat a stored system."""
    for guest in everybody:
        shares: dict[str, list[str]] = {}
        for data_set, (system, share) in guest.copies.items():
            if data_set in sets:
                shares.setdefault(system, []).append(f"{100 * share:.1f} % of {short(data_set)}")
        few = [(name, len(guest.sets[name].truth), len(others_on(name).truth)) for name in sets if name in guest.sets]
        for name, n, every in (each for each in few if each[1] < each[2]):
            yield (
                f"{guest.name} answered {n:,} of the {every:,} pictures of {short(name)}: sentences compare it on these, "
                "and what charts take from the book, such as a rank, is from all of them."
            )
        for system, of in shares.items():
            yield f"{guest.name} is a copy: it gives the answers of {system} to {', '.join(of)}."


def short(data_set: str) -> str:
    """Return how prose calls a data set."""
    return data_set.rpartition("/")[2]


def named(everybody: Sequence[Guest]) -> str:
    """Name guests in a title."""
    return " and ".join(guest.name for guest in everybody) if len(everybody) < 4 else f"{len(everybody)} guests"


def marks(rows: pd.DataFrame, title: str, axis: str, *, looks: tuple[Look, Look] | None = None) -> alt.LayerChart:
    """Draw guests beside people and networks, a row for each data set and guest: magenta, with interval and name.

    ``rows`` has ``data_set``, ``guest``, ``whose`` ("yours", "people", "networks"), ``value``, ``low`` and ``high``.
    """
    several = rows["guest"].nunique() > 1
    label = rows["data_set"].map(short) + (": " + rows["guest"] if several else "")
    words = dict(zip((PEOPLE, NETWORKS), (TWO_PEOPLE, MIXED) if looks is None else (PEOPLE, NETWORKS), strict=True))
    shown = rows.assign(row=label, who=rows["whose"].map(words).fillna(rows["guest"]))
    of_others = (KINDS["human-human"], KINDS["model-human"]) if looks is None else looks
    every = dict(zip(words.values(), of_others, strict=True))
    every |= dict.fromkeys(rows["guest"].unique(), WHOSE[YOURS])
    order = list(dict.fromkeys(label))
    axes = numbers("value", axis, scale={"padding": 12}), names("row", order, labelExpr="split(datum.label, ': ')")
    columns = [name for name in ("row", "who", "system", "value", "low", "high") if name in shown]
    plot = Plot(shown[columns], *axes, look=("who", every), hover=columns[1:], columns=2)
    mine, others = shown["whose"] == YOURS, shown["whose"] == NETWORKS
    crowd = (
        plot.base(shown.loc[others, columns])
        .mark_tick(thickness=1.5, size=14)
        .encode(**plot.colour, tooltip=plot.hover)
    )
    plot.draw(crowd).spans(data=shown.loc[~others, columns], strokeWidth=2.5)
    plot.points(90, shown.loc[~others, columns])
    plot.words("who", shown.loc[mine, columns], dy=-13, color=MAGENTA, fontWeight="bold")
    about = f"{axis} of {rows['guest'].nunique()} guests beside people and networks, with 95 % intervals."
    return plot.done(title, about, alt.Step(46), "lines: 95 % intervals; small ticks: networks, one each")


def leads_chart(rows: pd.DataFrame, title: str, axis: str) -> alt.LayerChart:
    """Draw differences between guests and others, with their intervals: ``finding``, ``value``, ``low``, ``high``."""
    x, y = numbers("value", axis, scale={"padding": 12}), names("finding", list(rows["finding"]), labelLimit=220)
    plot = Plot(rows, x, y, hover=["finding", "value", "low", "high"]).level(0)
    plot.spans(strokeWidth=3, color=MAGENTA).points(90, shape=WHOSE[YOURS].shape, color=MAGENTA)
    about = f"{axis}, with 95 % intervals: {'; '.join(rows['finding'])}."
    return plot.done(title, about, alt.Step(36), "lines: 95 % intervals; at 0: no difference")
