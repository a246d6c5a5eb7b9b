"""A term and an afternoon, from one table (book/term.yml): for the page, the handbook and the homework."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from erralign.plot.html import Table
from erralign_book.course.checking import at_home

TERM, TEMPLATE = Path("book/term.yml"), Path("book/templates/term.html")
ROOT = Path(__file__).parents[3]  # a cell of the page about teaching may run anywhere
PROJECT = 9  # the first week whose hours of homework are the project's


@dataclass(frozen=True)
class Week:
    """A week of the term."""

    number: int
    page: str
    goal: str
    questions: list[list[str]]
    in_class: str
    lab: list[str]
    homework: list[str]
    notes: str
    also: str = ""

    @property
    def name(self) -> str:
        """Name its homework."""
        return f"homework-{self.number:02d}"


@cache
def term(root: Path = Path()) -> dict[str, Any]:
    """Read the table."""
    import yaml  # comes with what builds the book, not with the package

    return dict(yaml.safe_load((root / TERM).read_text(encoding="utf-8")))


@cache
def weeks(root: Path = Path()) -> list[Week]:
    """Return the weeks, in their order."""
    return [Week(number, **its) for number, its in enumerate(term(root)["weeks"], 1)]


def plan(cut: str = "", root: Path = ROOT) -> Table:
    """Show the term, or a cut of it, as a table that links pages, slides and labs; where there is none, say so."""
    if not (root / TERM).is_file():
        there = f"This table is on the page: {TERM} comes with the repository, not with the package."
        return Table(there, there)
    every, marks = weeks(root), ", ".join(f"{what} {share} %" for what, share in term(root)["weights"].items())
    words = f"Twelve weeks, {sum(term(root)['hours'].values()):g} hours each; for the marks, {marks}"
    whole: dict[str, Any] = {"weeks": [week.number for week in every], "words": words}
    chosen = term(root)["cuts"][cut] if cut else whole
    some = [every[number - 1] for number in chosen["weeks"]]
    html = _written(root).plan(some, chosen["words"].rstrip("."), chosen.get("minutes", []))
    return Table(str(html), chosen["words"])


def handbook(root: Path = Path()) -> str:
    """Return all that a teacher has beside the pages, as one HTML page to print."""
    return str(_written(root).handbook(weeks(root)))


def setup(root: Path = Path()) -> str:
    """Return what learners do once, before the first homework."""
    return str(_written(root).setup())


@cache
def _written(root: Path) -> Any:
    """Return the template's parts, which know the term."""
    from jinja2 import Environment

    from erralign_book.building import slides  # of what builds the book, as above
    from erralign_book.building.course import titles

    environment = Environment(autoescape=True)
    environment.filters["marked"] = _marked
    known = {"term": term(root), "titles": titles(root), "decks": slides.names(root)}
    template = environment.from_string((root / TEMPLATE).read_text(encoding="utf-8"))
    return template.make_module(known | {"asks": at_home(), "project": PROJECT})


def _marked(text: str) -> Any:
    """Turn the few marks of the table into HTML."""
    from markupsafe import Markup

    text = re.sub(r"\{ref\}`([\w-]+)`", r'<a href="#\1">here</a>', escape(text, quote=False))
    return Markup(re.sub(r"`(.+?)`", r"<code>\1</code>", re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)))
