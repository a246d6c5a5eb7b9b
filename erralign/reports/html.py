"""A comparison as one HTML file, without other files or the network, as Markdown, and what a paper needs of it."""

import hashlib
import platform
import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from pathlib import Path
from string import Template
from unicodedata import normalize

import altair as alt
import numpy as np
import pandas as pd

from erralign import plot
from erralign.errors import ROWS_AT_MOST
from erralign.plot.assets import OF_CHARTS, PACKAGE, asset
from erralign.plot.html import figure, numbered
from erralign.reports.averages import NETWORKS, PEOPLE, YOURS, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.words import ACCURACY, FEW, MANY, ONE, PANEL, heading, meanings, tables, verdict
from erralign.sources.data_sets import records

# The entries of references.bib in which measures were proposed, or on which they build.
PAPERS = dict.fromkeys(("MA", "CLES", "WMA", "MA_blind"), "xu2024") | {"EC": "geirhos2020", "H": "warrens2008"}
CARRIED = PACKAGE / "_data" / "references.bib"  # an installed package has it there
BIBLIOGRAPHY = CARRIED if CARRIED.is_file() else PACKAGE.parent / "book" / "references.bib"
DRAWN = {"dirichlet", "dirichlet-by-pair", "recentred"}  # ways that make limits of draws


def use(comparison: Comparison, command: str = "", files: Sequence[Path] = ()) -> dict[str, str]:
    """Return what a paper needs, by its heading: the first is a sentence, all else is to be copied as it is."""
    latex = (rows.to_latex(index=False, escape=True, caption=caption) for caption, rows in tables(comparison).items())
    found = {
        "Methods": methods(comparison),
        "Command": command,
        "Files": "\n".join(map(_fingerprint, files)),
        "References (BibTeX)": references(comparison),
        "Tables (LaTeX)": "\n".join(latex),
        "Pairs with all digits (CSV)": comparison.of_own().to_csv(index=False),
    }
    return {what: text.strip() for what, text in found.items() if text}


def methods(comparison: Comparison) -> str:
    """Say in a sentence or two what was compared, by what, and by which intervals."""
    responses, counts = comparison.responses, comparison.whose().drop(list(comparison.own)).value_counts()
    others = " and ".join(
        f"{n} {(ONE if n == 1 else MANY)[str(whose)]}" for whose, n in counts.items() if whose != YOURS
    )
    beside = f" with {others}" if others else ""
    measures = ", ".join(f"{each.words} ({each.short})" for each in comparison.measures)
    ways = comparison.pairs.attrs.get("methods", {})
    draws = f", {comparison.pairs.attrs.get('draws', 0):,} draws"
    named = {each.short: ways[each.name] for each in comparison.measures if each.name in ways}
    by = "; ".join(f"{short}: {way}{draws * (way in DRAWN)}" for short, way in named.items())
    means = " Means with people are taken condition by condition." if PEOPLE in comparison.with_people.index else ""
    return (
        f"We compared {', '.join(comparison.own)}{beside} on {len(responses.truth):,} trials ({comparison.title}) by "
        f"{measures}, with {100 * comparison.level:g} % intervals ({by}).{means} Computed with erralign "
        f"{version('erralign')}, NumPy {version('numpy')} and SciPy {version('scipy')}."
    )


def references(comparison: Comparison) -> str:
    """Return the BibTeX entries of the papers of the measures and of the data."""
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    entries = dict(re.findall(r"^(?=@\w+\{(\w+),)(.*?^\})", text, flags=re.M | re.S))
    known = records().get(comparison.title.rpartition(" beside ")[2])
    wanted = [*(PAPERS.get(each.short, "") for each in comparison.measures), key_of(known.paper if known else "")]
    return "\n\n".join(entries[key] for key in dict.fromkeys(wanted) if key in entries)


def key_of(paper: str) -> str:
    """Return the key in references.bib of a paper such as Säuberli et al. 2025."""
    plain = normalize("NFKD", paper).encode("ascii", "ignore").decode().lower().split()
    return plain[0] + plain[-1] if plain else ""


def _fingerprint(file: Path) -> str:
    day = datetime.fromtimestamp(file.stat().st_mtime, UTC).date()
    return f"{file.name}, {day}, SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}"


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
    parts = [f"# {comparison.title}", *verdict(comparison), f"{heading(comparison)}."]
    parts += [f"> {note}" for note in comparison.notes]
    parts += [f"## {caption}\n\n{_in_markdown(rows)}" for caption, rows in tables(comparison).items()]
    parts += ["## How to read this", *(f"**{what}:** {meaning}" for what, meaning in meanings(comparison)), "## Use it"]
    sentence, *others = use(comparison, command, files).items()
    parts += [sentence[1], *(f"### {what}\n\n```\n{text}\n```" for what, text in others)]
    return "\n\n".join(parts) + "\n"


def _in_markdown(rows: pd.DataFrame) -> str:
    lines = [list(rows.columns), ["---"] * rows.shape[1], *rows.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


TEMPLATE = Path(__file__).with_name("page.html")
NEAREST = 30  # people, and networks, of which the first chart has a row each
ON_PAPER = ("Command", "Files", "References (BibTeX)")  # the rest is for copying
LIBRARIES = ("erralign", "numpy", "scipy", "pandas", "altair")


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
    sections = (_opening, _panel, _accuracy, _alike, _every_pair, _reading)
    body = [section(comparison) for section in sections]
    sentence, *others = use(comparison, command, files).items()
    body += ["<h2>Use it</h2>", _paragraph(sentence[1]), *(_to_copy(*each) for each in others), _made_with()]
    scripts = "</script>\n<script>".join(map(asset, (*OF_CHARTS, "print.js", "page.js", "scrolling.js")))
    style = "\n".join(map(asset, ("style.css", "tables.css", "access.css", "print.css")))
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(comparison.title),
        style=style,
        body=numbered("\n".join(body), Counter()),
        scripts=f"<script>{scripts}</script>",
    )


def _opening(comparison: Comparison) -> str:
    said = [f'<p class="answer">{escape(sentence)}</p>' for sentence in verdict(comparison)]
    notes = [f'<p class="note">{escape(note)}</p>' for note in comparison.notes]
    numbers = _paragraph(f"{heading(comparison)}.")
    chart = [_figure(_answer(comparison))] if comparison.panel.empty else []
    answer = [*said, *chart, numbers, *notes]
    return "\n".join([f"<h1>{escape(comparison.title)}</h1>", *answer])


def _panel(comparison: Comparison) -> str:
    worth = _tables(comparison, PANEL)
    return "\n".join(["<h2>What are they worth together?</h2>", *worth]) if worth else ""


def _accuracy(comparison: Comparison) -> str:
    scores = _own_first(comparison.accuracies.assign(family=comparison.whose()))
    chart = plot.ranking(scores, "How often each system is right")
    return "\n".join(["<h2>How often are they right?</h2>", *_tables(comparison, ACCURACY), _figure(chart)])


def _alike(comparison: Comparison) -> str:
    means = _tables(comparison, *[caption for caption in tables(comparison) if caption not in (PANEL, ACCURACY)])
    pairs = [means.pop()] if comparison.panel.empty else []
    chart = [] if comparison.with_people.empty else [_figure(_beside(comparison))]
    shown = [*means, *chart, *pairs]
    return "\n".join(["<h2>Do they make the same mistakes?</h2>", *shown]) if shown else ""


def _tables(comparison: Comparison, *captions: str) -> list[str]:
    """Return those of the tables that have one of some captions."""
    return [plot.table(rows, caption).html for caption, rows in tables(comparison).items() if caption in captions]


def _answer(comparison: Comparison) -> alt.TopLevelMixin:
    """Draw the one chart that answers: all beside people, or without people one's own beside each other."""
    of_people, measure, whose = comparison.with_people, comparison.measures[0], comparison.whose()
    if of_people.empty:
        return _beside(comparison)
    short, low, high = columns_of(measure.short)
    scores = of_people[[short, low, high]].set_axis([short, "low", "high"], axis=1).assign(family=whose)
    mine = scores.loc[scores["family"] == YOURS, short].to_numpy()
    scores["gap"] = np.abs(scores[[short]].to_numpy() - mine).min(axis=1) if len(mine) else 0.0
    near = scores.groupby("family")["gap"].rank(method="first") <= NEAREST
    kept = near | scores["family"].isin([YOURS]) | (scores.index == PEOPLE)
    title = f"{measure.words[0].upper()}{measure.words[1:]} with people"
    if not kept.all():
        shown, every = (each.drop(PEOPLE)["family"].value_counts() for each in (scores[kept], scores))
        of_whom = [f"{shown[who]} of {every[who]} {who}" for who in (PEOPLE, NETWORKS) if who in every]
        title += f": the nearest to yours, {' and '.join(of_whom)}"
    scores = scores[kept].drop(columns="gap").sort_values(short, ascending=False, kind="stable")
    return plot.ranking(scores.rename_axis("system"), title)


def _beside(comparison: Comparison) -> alt.TopLevelMixin:
    return plot.beside(comparison.of_own(), comparison.own, _short(comparison))


def _every_pair(comparison: Comparison) -> str:
    if len(comparison.pairs) > ROWS_AT_MOST:
        return _paragraph(f"A heatmap of {len(comparison.pairs):,} pairs would be too large for this page.")
    names = map(str, comparison.responses.answers)
    order = [*comparison.own, *(name for name in names if name not in comparison.own)]
    return f"<h2>Every pair</h2>\n{_figure(plot.heatmap(comparison.pairs, _short(comparison), order=order))}"


def _short(comparison: Comparison) -> list[str]:
    return [measure.short for measure in comparison.measures]


def _own_first(scores: pd.DataFrame) -> pd.DataFrame:
    """Sort systems by their first column, the highest first, with your own above all others."""
    ordered = scores.sort_values(scores.columns[0], ascending=False, kind="stable")
    return ordered.sort_values("family", key=lambda whose: whose != YOURS, kind="stable")


def _reading(comparison: Comparison) -> str:
    texts = [f"<p><strong>{escape(what)}:</strong> {escape(meaning)}</p>" for what, meaning in meanings(comparison)]
    intervals = (
        "An interval says how far a value would move with other trials of the same kind; other people or networks may "
        f"move it more. With fewer than {FEW} trials on which both are wrong, do not make much of it. Values of two "
        "pairs that share trials move together: they differ if their intervals have no common value; where intervals "
        "overlap, ask erralign.pairwise_differences. Mixed pairs are a person and a model."
    )
    return "\n".join(["<h2>How to read this</h2>", *texts, _paragraph(intervals)])


def _to_copy(what: str, text: str) -> str:
    paper = " on-paper" if what in ON_PAPER else ""
    return f'<details class="to-copy{paper}"><summary>{escape(what)}</summary><pre>{escape(text)}</pre></details>'


def _made_with() -> str:
    libraries = ", ".join(f"{library} {version(library)}" for library in LIBRARIES)
    return f'<p class="made-with">Made with Python {platform.python_version()}, {libraries}.</p>'


def _figure(chart: alt.TopLevelMixin) -> str:
    return figure(chart.to_dict(), "report")


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
