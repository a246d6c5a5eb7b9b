"""A chapter's part about guests: how it is entered, asked for and shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from html import escape
from typing import Any, NamedTuple

from erralign.plot.html import Table
from erralign_book.papers.guests.reading import Guest, guests, others_on
from erralign_book.papers.guests.tables import people_of

PAGE = "your-model-through-the-book"  # the first page of a book about guests
Answers = list[tuple[Guest, str]]  # guests with the data sets that they answered
Shown = tuple[list[Any], list[str]]  # charts and tables, and sentences
Make = Callable[[Answers], Shown]


class Part(NamedTuple):
    """What a chapter shows of guests: charts and tables, and sentences under them."""

    shown: Sequence[Any]
    words: Sequence[str]

    def display(self) -> None:
        """Show all of it, as outputs of a cell."""
        from IPython.display import display

        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.words)
        said = [Table(f'<div class="guest">{paragraphs}</div>', "\n".join(self.words))] if self.words else []
        for each in (*self.shown, *said):
            display(each)


# Chapter -> answers to which data sets it needs, whether people must have seen them, and its function.
PARTS: dict[str, tuple[tuple[str, ...], bool, Make]] = {}


def enter(chapter: str, make: Make, *needs: str, people: bool = True) -> None:
    """Make a function the part of a chapter."""
    PARTS[chapter] = needs, people, make


def answered(chapter: str, guest: Guest) -> list[str]:
    """List the data sets of a guest that a chapter can show."""
    needs, people, _ = PARTS[chapter]
    seen = [name for name, both in guest.sets.items() if not people or len(people_of(both, guest)) > 1]
    return [name for name in seen if any(fnmatch(name, need) for need in needs)]


def show(chapter: str, path: str) -> None:
    """Show what a chapter has of the guests of a path; of none nothing."""
    if everybody := guests(path):
        parts_of(chapter, everybody).display()


def parts_of(chapter: str, everybody: Sequence[Guest]) -> Part:
    """Return what a chapter shows of guests, and say of whom it can't."""
    needs, _, make = PARTS[chapter]
    here = [(guest, name) for guest in everybody for name in answered(chapter, guest)]
    absent = [guest.name for guest in everybody if not answered(chapter, guest)]
    why = [f"This page cannot show {name}: there are no answers to {' or '.join(needs)}." for name in absent]
    shown, words = make(here) if here else ([], [])
    return Part(shown, [*words, *notes_on(here), *why])


def notes_on(answers: Answers) -> Iterator[str]:
    """Say which guests answered only a part, and which repeat a stored system."""
    for guest, name in answers:
        n, every = len(guest.sets[name].truth), len(others_on(name).truth)
        if n < every:
            yield (
                f"{guest.name} answered {n:,} of the {every:,} pictures of {short(name)}: sentences compare it on "
                "these, and what comes from the book, such as a rank, is from all of them."
            )
    copies: dict[tuple[str, str], list[str]] = {}
    for guest, name in answers:
        if copy := guest.copies.get(name):
            copies.setdefault((guest.name, copy.system), []).append(f"{100 * copy.share:.1f} % of {short(name)}")
    yield from (
        f"{name} is a copy: it gives the answers of {of} to {', '.join(on)}." for (name, of), on in copies.items()
    )


def short(data_set: str) -> str:
    """Return how prose calls a data set."""
    return data_set.rpartition("/")[2]


def named(answers: Answers) -> str:
    """Name guests in a title."""
    names = list(dict.fromkeys(guest.name for guest, _ in answers))
    return " and ".join(names) if len(names) < 4 else f"{len(names)} guests"
