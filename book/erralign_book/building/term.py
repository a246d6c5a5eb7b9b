"""A term, a half-term and an afternoon, from one table (book/term.yml): for the page, the handbook and the homework."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from erralign.course.checking import at_home
from erralign.plot.tables import Table

TERM = Path("book/term.yml")
ROOT = Path(__file__).parents[3]  # a cell of the page about teaching may run anywhere
PROJECT = 9  # the first week whose hours of homework are the project's


@dataclass(frozen=True)
class Week:
    """A week of the term."""

    number: int
    page: str
    title: str
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
    every, names = term(root)["weeks"], _titles(root)
    return [Week(number, title=names.get(each["page"], each["page"]), **each) for number, each in enumerate(every, 1)]


def plan(cut: str = "", root: Path = ROOT) -> Table:
    """Show the term, or a cut of it, as a table that links pages, slides and labs; where there is none, say so."""
    if not (root / TERM).is_file():
        there = f"This table is on the page: {TERM} comes with the repository, not with the package."
        return Table(there, there)
    whole: dict[str, Any] = {"weeks": [week.number for week in weeks(root)], "words": ""}
    chosen: dict[str, Any] = term(root)["cuts"][cut] if cut else whole
    minutes = chosen.get("minutes", [])
    rows = []
    for place, number in enumerate(chosen["weeks"]):
        week = weeks(root)[number - 1]
        first = f"{minutes[place]} min" if minutes else str(place + 1)
        cells = [first, _links(week, root), _html(week.goal), _html(week.in_class)]
        rows.append(cells if minutes else [*cells, _lab(week, root), _homework(week)])
    head = ["time" if minutes else "week", "page", "afterwards, students can", "fifteen minutes in class"]
    head += [] if minutes else ["lab", "homework"]
    words = chosen["words"] or f"A term of twelve weeks, {sum(term(root)['hours'].values()):g} hours each"
    return Table(_table(head, rows, words.rstrip(".")), words)


def _titles(root: Path) -> dict[str, str]:
    from erralign_book.building.course import titles  # of what builds the book, as above

    return titles(root)


def _links(week: Week, root: Path) -> str:
    link = f'<a href="{week.page}.html">{escape(week.title)}</a>'
    has_deck = (root / TERM.parent / "slides" / f"{week.page}.md").is_file()
    return link + (f', <a href="slides-{week.page}.html">slides</a>' if has_deck else "")


def _lab(week: Week, root: Path) -> str:
    links = [f'<a href="{name}.html">{escape(_titles(root).get(name, name))}</a>' for name in week.lab]
    return "its notebook" if week.lab == [week.page] else ", ".join(links)


def _homework(week: Week) -> str:
    coded = ", ".join(f"<code>{name}</code>" for name in week.homework)
    names = coded or ("the project" if week.number >= PROJECT else "")
    return "; ".join(filter(None, (names, _html(week.also))))


def _html(text: str) -> str:
    """Turn the few marks of the table into HTML."""
    text = re.sub(r"\{ref\}`([\w-]+)`", r'<a href="#\1">here</a>', text)
    return re.sub(r"`(.+?)`", r"<code>\1</code>", re.sub(r"\*(.+?)\*", r"<em>\1</em>", text))


def _table(head: list[str], rows: list[list[str]], caption: str) -> str:
    top = "".join(f"<th>{name}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td class=words>{cell}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<figure class="table"><figcaption>{escape(caption)}</figcaption>{table}</figure>'


# ---- the handbook ---------------------------------------------------------------------------------------------------


def handbook(root: Path = Path()) -> str:
    """Return all that a teacher has beside the pages, as one HTML page to print."""
    known = term(root)
    hours = ", ".join(f"{name} {each:g}" for name, each in known["hours"].items())
    weights = ", ".join(f"{name} {each} %" for name, each in known["weights"].items())
    parts = [
        f"<h1>A course with the book: the teacher's handbook</h1><p>Hours per week: {hours}.</p>",
        f"<h2>Marks</h2><p>{weights}. {known['rules']}</p>",
        "<h2>Setup, for learners</h2><p>In students/setup.html.</p>",
        "<h2>Reading list</h2>" + _list(known["reading"]),
        *map(_week, weeks(root)),
        "<h2>Exam</h2><p>Five of eight, forty-five minutes.</p>" + "".join(map(_exam, known["exam"])),
        "<h2>Two marked projects</h2>" + "".join(map(_project, known["projects"])),
        f"<h2>The audit, answered</h2><p>{escape(known['audit']['claim'])}</p>"
        + _list(known["audit"]["answers"], "ol"),
    ]
    return _page("Handbook", parts)


def setup(root: Path = Path()) -> str:
    """Return what learners do once, before the first homework."""
    return _page("Setup", ["<h1>Before the first homework</h1>", _list(term(root)["setup"], "ol")])


def _page(title: str, parts: list[str]) -> str:
    style = "body{font:16px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    head = f'<meta charset="utf-8"><title>{title}</title><style>{style}</style>'
    page = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{page}\n</body></html>\n'


def _list(items: list[str], kind: str = "ul") -> str:
    rows = "".join(f"<li>{_html(escape(each, quote=False))}</li>" for each in items)
    return f"<{kind}>{rows}</{kind}>"


def _week(week: Week) -> str:
    questions = "".join(f"<li>{escape(asked)} <em>{escape(answer)}</em></li>" for asked, answer in week.questions)
    homework = [f"{name}: {at_home()[name]['asks']}" for name in week.homework]
    parts = [
        f"<h2>Week {week.number}. {escape(week.title)}</h2>",
        f"<p>Afterwards, students can {_html(week.goal)}.</p>",
        f"<h3>Questions on the reading</h3><ol>{questions}</ol>",
        f"<h3>In class</h3><p>{_html(week.in_class)}.</p>",
        f"<h3>Lab</h3><p>{', '.join(week.lab)}, as a notebook.</p>",
        "<h3>Homework</h3>" + (_list(homework) if homework else "") + (f"<p>{week.also}.</p>" if week.also else ""),
        f"<h3>What goes wrong</h3><p>{escape(week.notes)}</p>",
    ]
    return "".join(parts)


def _exam(each: dict[str, Any]) -> str:
    answer = f"<em>{escape(each['answer'])}</em>"
    return f"<p><b>{each['marks']} marks.</b> {escape(each['question'])}<br>{answer}</p>"


def _project(each: dict[str, str]) -> str:
    return f"<h3>{escape(each['title'])}</h3><p>{escape(each['report'])}</p><p>{escape(each['marks'])}.</p>"
