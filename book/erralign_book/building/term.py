"""The course in eight weeks, its longer form and an afternoon, from one table (book/term.yml).

The page about teaching, the handbook and the homework are made of it.
"""

from __future__ import annotations

import re
import runpy
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from erralign.plot.html import Table
from erralign_book.course.checking import at_home

TERM, TEMPLATE, EXAM = Path("book/term.yml"), Path("book/templates/term.html"), Path("book/exam.py")
ROOT = Path(__file__).parents[3]  # a cell of the page about teaching may run anywhere


@dataclass(frozen=True)
class Week:
    """A week of the course: its number in the longer form, and among the eight weeks, where it is one of them."""

    number: int
    of_eight: int
    half: str
    page: str
    goal: str
    questions: list[list[str]]
    in_class: str
    lab: list[str]
    homework: list[str]
    notes: str
    also: str = ""
    papers: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    longer: bool = False

    @property
    def name(self) -> str:
        """Name its homework."""
        return f"homework-{self.page}"

    @property
    def pages(self) -> list[str]:
        """List what is read."""
        return [*self.beside, self.page]


@cache
def term(root: Path = Path()) -> dict[str, Any]:
    """Read the table."""
    import yaml  # comes with what builds the book, not with the package

    return dict(yaml.safe_load((root / TERM).read_text(encoding="utf-8")))


@cache
def weeks(root: Path = Path()) -> list[Week]:
    """Return the weeks of the longer form, in their order."""
    every: list[Week] = []
    eight = 0
    for number, its in enumerate(term(root)["weeks"], 1):
        is_of_eight = not its.get("longer", False)
        eight += is_of_eight
        every.append(Week(number, eight if is_of_eight else 0, **its))
    return every


def plan(which: str = "", root: Path = ROOT) -> Table:
    """Show the eight weeks, the others of the longer form, or a cut, as cards; where there is no table, say so."""
    if not (root / TERM).is_file():
        there = f"This plan is on the page: {TERM} comes with the repository, not with the package."
        return Table(there, there)
    every = weeks(root)
    if which in term(root)["cuts"]:
        cut = term(root)["cuts"][which]
        by_page = {week.page: week for week in every}
        html = _written(root).afternoon([by_page[page] for page in cut["pages"]], cut["minutes"], cut["words"])
    elif which == "longer":
        html = _written(root).cards([week for week in every if week.longer])
    else:
        html = _written(root).plan([week for week in every if not week.longer])
    return Table(str(html), f"The plan is on the page: {which or 'eight weeks'}.")


def handbook(root: Path = Path()) -> str:
    """Return all that a teacher has beside the pages, as one HTML page to print."""
    return str(_written(root).handbook(weeks(root)))


def exam(secret: str, root: Path = Path()) -> str:
    """Return the exam's questions with the numbers that a secret draws, and their answers, as a page to print."""
    templates = runpy.run_path(str(root / EXAM))
    questions = []
    for half in ("behaviour", "alignment"):
        for template in templates[half.upper()]:
            word = f"{secret} {template.__name__}".encode()
            rng = np.random.default_rng(int.from_bytes(blake2b(word, digest_size=8).digest()))
            questions.append((half, *template(rng)))
    return str(_written(root).exam(questions))


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
    return template.make_module(known | {"asks": at_home()})


def _marked(text: str) -> Any:
    """Turn the few marks of the table into HTML."""
    from markupsafe import Markup

    text = re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(text, quote=False))
    return Markup(re.sub(r"`(.+?)`", r"<code>\1</code>", text))
