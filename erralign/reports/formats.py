"""A comparison as text, JSON, Markdown, and one HTML file without others; and what a paper needs of it."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from textwrap import fill
from typing import Any
from unicodedata import normalize

import altair as alt
import pandas as pd

from erralign import plot
from erralign.datasets.data_sets import record
from erralign.files import OF_CHARTS, asset, carried, for_spreadsheets
from erralign.measures import Measure
from erralign.plot.html import shown
from erralign.plot.theme import ROWS_AT_MOST
from erralign.reports.averages import GROUP, PEOPLE, YOURS, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.tables import ACCURACY, OTHERS, PANEL, meanings, tables
from erralign.reports.templates import TEMPLATES, filled
from erralign.reports.wording import heading, methods, sentences

_BIBLIOGRAPHY = carried("book/references.bib")
_WIDTH = 80  # characters of a line of prose


def as_text(comparison: Comparison) -> str:
    """Write a comparison as text for a terminal.

    Parameters
    ----------
    comparison : Comparison
        As from :func:`compare`.

    Returns
    -------
    str
        Several lines of text.
    """
    words = [fill(f"{what}: {meaning}", _WIDTH) for what, meaning in meanings(comparison)]
    blocks = [rows.to_string(index=False, max_colwidth=None) for rows in tables(comparison).values()]
    answer = [fill(paragraph, _WIDTH) for paragraph in sentences(comparison)]
    return "\n\n".join([f"{comparison.title}\n{heading(comparison)}", *answer, "\n".join(words), *blocks])


def as_json(comparison: Comparison) -> str:
    """Write a comparison as JSON for programs.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    str
        JSON with all digits of each number, and null where a value is undefined or was not computed.
    """
    kinds = comparison.responses.systems["kind"]
    systems = comparison.accuracies.assign(kind=kinds, whose=comparison.whose()).reset_index()
    content = {
        "erralign": version("erralign"),
        "title": comparison.title,
        "level": comparison.level,
        "trials": len(comparison.responses.truth),
        "classes": list(comparison.responses.classes),
        "verdict": sentences(comparison),
        "notes": list(comparison.notes),
        "systems": _records(systems),
        "pairs": _records(comparison.pairs),
        "with people": _records(comparison.with_people.reset_index()),
        "averages": _records(comparison.averages.reset_index()),
        "panel": _records(comparison.panel.rename_axis("what").reset_index()),
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)


def _records(rows: pd.DataFrame) -> list[dict]:
    return rows.astype(object).where(rows.notna(), None).to_dict("records")


def _use(comparison: Comparison, command: str = "", files: Sequence[Path] = ()) -> dict[str, str]:
    """Return what a paper needs besides the sentence on methods, by its heading."""
    latex = (rows.to_latex(index=False, escape=True, caption=caption) for caption, rows in tables(comparison).items())
    parts = {
        "Command": command,
        "Files": "\n".join(map(_fingerprint, files)),
        "References (BibTeX)": _references(comparison),
        "Tables (LaTeX)": "\n".join(latex),
        "Pairs with all digits (CSV)": for_spreadsheets(comparison.of_own()).to_csv(index=False),
    }
    return {what: text.strip() for what, text in parts.items() if text}


def _references(comparison: Comparison) -> str:
    """Return the BibTeX entries of the papers of the measures and of the data."""
    text = _BIBLIOGRAPHY.read_text(encoding="utf-8")
    entries = dict(re.findall(r"^(?=@\w+\{(\w+),)(.*?^\})", text, flags=re.M | re.S))
    wanted = [measure.about.paper for measure in comparison.measures]
    data_set = record(comparison.title.rpartition(" beside ")[2])
    if data_set is not None:
        wanted.append(_key_of(data_set.paper))
    return "\n\n".join(entries[key] for key in dict.fromkeys(wanted) if key in entries)


def _key_of(paper: str) -> str:
    """Return the key in references.bib of a paper such as Säuberli et al. 2025."""
    plain = normalize("NFKD", paper).encode("ascii", "ignore").decode().lower().split()
    return plain[0] + plain[-1] if plain else ""


def _fingerprint(file: Path) -> str:
    day = datetime.fromtimestamp(file.stat().st_mtime, UTC).date()
    return f"{file.name}, {day}, SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}"


def _escaped(text: object) -> str:
    """Write text so that Markdown shows it as it is: a name is nobody's code, link or emphasis."""
    return re.sub(r"[\\`*_{}\[\]<>#|~&$]|^[-+=]", r"\\\g<0>", str(text))


def _in_markdown(rows: pd.DataFrame) -> str:
    lines = [list(rows.columns), *rows.to_numpy(object).tolist()]
    written = [f"| {' | '.join(map(_escaped, line))} |" for line in lines]
    return "\n".join([written[0], f"| {' | '.join(['---'] * rows.shape[1])} |", *written[1:]])


def _fenced(text: str) -> str:
    """Put text between fences that are longer than any of its own."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


TEMPLATES.filters |= {"escaped": _escaped, "fenced": _fenced, "in_markdown": _in_markdown}
TEMPLATES.globals |= {
    "version": version,
    "python": python_version(),
    "PANEL": PANEL,
    "ACCURACY": ACCURACY,
    "OTHERS": OTHERS,
}


def _rendered(name: str, comparison: Comparison, command: str, files: Sequence[Path], **more: Any) -> str:
    return filled(
        name,
        comparison=comparison,
        sentences=sentences(comparison),
        heading=heading(comparison),
        meanings=meanings(comparison),
        methods=methods(comparison),
        use=_use(comparison, command, files),
        **more,
    )


def as_markdown(comparison: Comparison, *, command: str = "", files: Sequence[Path] = ()) -> str:
    """Write a comparison as Markdown.

    Parameters
    ----------
    comparison : Comparison
        As from :func:`compare`.
    command : str
        What was typed.
    files : sequence of path
        The files that were read, of which date and SHA-256 are given.

    Returns
    -------
    str
        The sentences and tables of the page, without its charts, and what a paper needs.
    """
    return _rendered("report.md.jinja", comparison, command, files, tables=tables(comparison))


def page(comparison: Comparison, *, command: str = "", files: Sequence[Path] = ()) -> str:
    """Write a comparison as an HTML page.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    command : str
        What was typed.
    files : sequence of path
        The files that were read, of which date and SHA-256 are given.

    Returns
    -------
    str
        HTML that works offline, in light and dark mode, and on a phone. The same comparison gives the same page.
    """
    on_page = dict(tables(comparison))
    if OTHERS in on_page:  # as an index, a name stands once
        on_page[OTHERS] = on_page[OTHERS].set_index(GROUP)
    drawn = shown(_charts(comparison), on_page, "report")
    style = "\n".join(map(asset, ("style.css", "tables.css", "access.css", "print.css")))
    scripts = [*map(asset, (*OF_CHARTS, "print.js", "page.js", "scrolling.js"))]
    return _rendered("page.html", comparison, command, files, drawn=drawn, style=style, scripts=scripts)


# ---- charts of the page ----------------------------------------------------------------------------------------------


_NEAREST = 30  # people, and networks, of which the first chart has a row each


def _charts(comparison: Comparison) -> dict[str, Callable[[], alt.TopLevelMixin]]:
    """Return what draws each chart, by its name."""
    short, names = [measure.short for measure in comparison.measures], map(str, comparison.responses.answers)
    scores = comparison.accuracies.assign(family=comparison.whose())
    scores = scores.sort_values("accuracy", ascending=False, kind="stable")
    scores = scores.sort_values("family", key=lambda whose: whose != YOURS, kind="stable")  # one's own above all others
    charts: dict[str, Callable[[], alt.TopLevelMixin]] = {}
    if len(comparison.with_people):
        rows, title = _nearest(comparison, comparison.measures[0])
        charts["people"] = partial(plot.intervals, rows, title=title)
    charts["accuracy"] = partial(plot.intervals, scores, title="How often each system is right")
    if comparison.panel.empty:
        charts["beside"] = partial(plot.beside, comparison.of_own(), comparison.own, short)
    if len(comparison.pairs) <= ROWS_AT_MOST:
        order = [*comparison.own, *(name for name in names if name not in comparison.own)]
        charts["pairs"] = partial(plot.heatmap, comparison.pairs, short, order=order)
    return charts


def _nearest(comparison: Comparison, measure: Measure) -> tuple[pd.DataFrame, str]:
    """Return how like people all are, one's own and those nearest to them, and a title that says so."""
    short = measure.short
    rows = comparison.with_people[columns_of(short)].set_axis([short, "low", "high"], axis=1)
    rows = rows.assign(family=comparison.whose()).dropna(subset=[short])
    mine = rows.loc[rows["family"] == YOURS, short]
    gaps = rows[short].map(lambda value: (mine - value).abs().min()).fillna(0)
    near = gaps.groupby(rows["family"]).rank(method="first") <= _NEAREST
    nearest = rows[near | (rows["family"] == YOURS) | (rows.index == PEOPLE)]
    title = f"{measure.words[0].upper()}{measure.words[1:]} with people"
    if len(nearest) < len(rows):
        title += f": the {len(nearest) - 1} nearest to yours of {len(rows) - 1}"
    return nearest.sort_values(short, ascending=False, kind="stable").rename_axis("system"), title
