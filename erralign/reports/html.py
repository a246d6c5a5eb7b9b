"""A comparison as one HTML file, without other files or the network, as Markdown, and what a paper needs of it."""

import hashlib
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from html import escape
from importlib.metadata import version
from pathlib import Path
from string import Template
from unicodedata import normalize

import altair as alt
import numpy as np
import pandas as pd

from erralign import plot
from erralign.measures import Measure
from erralign.plot.assets import OF_CHARTS, PACKAGE, asset
from erralign.plot.html import shown
from erralign.plot.theme import ROWS_AT_MOST
from erralign.reports.averages import NETWORKS, PEOPLE, YOURS, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.words import ACCURACY, FEW, MANY, ONE, PANEL, TEXTS, heading, meanings, tables, verdict
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
    others = " and ".join(f"{n} {(ONE if n == 1 else MANY)[str(whose)]}" for whose, n in counts.items())
    beside = f" with {others}" if others else ""
    measures = ", ".join(f"{each.words} ({each.short})" for each in comparison.measures)
    ways = comparison.pairs.attrs.get("methods", {})
    draws = f", {comparison.pairs.attrs.get('draws', 0):,} draws"
    named = {each.short: ways[each.name] for each in comparison.measures if each.name in ways}
    by = "; ".join(f"{short}: {way}{draws * (way in DRAWN)}" for short, way in named.items())
    shared = comparison.pairs.attrs.get("clusters")
    clustered = f", clustered by {shared}" if shared else ""
    parts = ", taken condition by condition," if "condition" in responses.truth.index.names else ""
    means = f" Means with people{parts} and differences of means have intervals by the jackknife{clustered}."
    means *= PEOPLE in comparison.with_people.index
    return (
        f"We compared {', '.join(comparison.own)}{beside} on {len(responses.truth):,} trials ({comparison.title}) by "
        f"{measures}, with {100 * comparison.level:g} % intervals ({by}){clustered}.{means} Computed with erralign "
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


# ---- the page --------------------------------------------------------------------------------------------------------


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
    charts, rows = _charts(comparison), tables(comparison)
    scripts = "</script>\n<script>".join(map(asset, (*OF_CHARTS, "print.js", "page.js", "scrolling.js")))
    style = "\n".join(map(asset, ("style.css", "tables.css", "access.css", "print.css")))
    drawn = shown(charts, rows, "report")
    body = [*_opening(comparison, drawn), *_sections(comparison, drawn), "<h2>How to read this</h2>"]
    body += [f"<p><strong>{escape(what)}:</strong> {escape(meaning)}</p>" for what, meaning in meanings(comparison)]
    sentence, *others = use(comparison, command, files).items()
    libraries = ", ".join(f"{library} {version(library)}" for library in LIBRARIES)
    made_with = f'<p class="made-with">Made with Python {platform.python_version()}, {libraries}.</p>'
    body += [_paragraph(TEXTS["intervals"].format(FEW)), "<h2>Use it</h2>", _paragraph(sentence[1])]
    body += [*(_to_copy(*each) for each in others), made_with]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(comparison.title), style=style, body="\n".join(body), scripts=f"<script>{scripts}</script>"
    )


def _opening(comparison: Comparison, drawn: Mapping[str, str]) -> list[str]:
    said = [f'<p class="answer">{escape(sentence)}</p>' for sentence in verdict(comparison)]
    notes = [f'<p class="note">{escape(note)}</p>' for note in comparison.notes]
    charts = [drawn[name] for name in ("answer", "second answer") if name in drawn]
    return [f"<h1>{escape(comparison.title)}</h1>", *said, *charts, _paragraph(f"{heading(comparison)}."), *notes]


def _sections(comparison: Comparison, drawn: Mapping[str, str]) -> Iterator[str]:
    """Put what was drawn under headings; what the comparison lacks has none."""
    means = [drawn[caption] for caption in tables(comparison) if caption not in (PANEL, ACCURACY)]
    pairs = [means.pop()] if comparison.panel.empty else []
    sections = {
        "What are they worth together?": [drawn.get(PANEL)],
        "How often are they right?": [drawn.get(ACCURACY), drawn["accuracy"]],
        "Do they make the same mistakes?": [*means, drawn.get("people"), *pairs],
        "Every pair": [drawn.get("pairs")],
    }
    for words, parts in sections.items():
        there = [part for part in parts if part]
        yield from [f"<h2>{words}</h2>", *there] if there else []
    if "pairs" not in drawn:
        yield _paragraph(f"A heatmap of {len(comparison.pairs):,} pairs would be too large for this page.")


def _charts(comparison: Comparison) -> dict[str, Callable[[], alt.TopLevelMixin]]:
    """Return what draws each chart, by its name."""
    short, names = [measure.short for measure in comparison.measures], map(str, comparison.responses.answers)
    beside = partial(plot.beside, comparison.of_own(), comparison.own, short)
    scores = comparison.accuracies.assign(family=comparison.whose())
    scores = scores.sort_values(scores.columns[0], ascending=False, kind="stable")
    scores = scores.sort_values("family", key=lambda whose: whose != YOURS, kind="stable")  # one's own above all others
    charts: dict[str, Callable[[], alt.TopLevelMixin]] = {}
    if comparison.panel.empty:
        told = [measure for measure in comparison.measures if measure.short in comparison.with_people]
        of_people = [partial(plot.ranking, *_nearest(comparison, measure)) for measure in told[:2]]
        charts |= dict(zip(("answer", "second answer"), of_people or [beside], strict=False))
    charts["accuracy"] = partial(plot.ranking, scores, "How often each system is right")
    if not comparison.with_people.empty:
        charts["people"] = beside
    if len(comparison.pairs) <= ROWS_AT_MOST:
        order = [*comparison.own, *(name for name in names if name not in comparison.own)]
        charts["pairs"] = partial(plot.heatmap, comparison.pairs, short, order=order)
    return charts


def _nearest(comparison: Comparison, measure: Measure) -> tuple[pd.DataFrame, str]:
    """Return how like people all are, one's own and those nearest to them, and a title that says so."""
    whose = comparison.whose()
    short, low, high = columns_of(measure.short)
    scores = comparison.with_people[[short, low, high]].set_axis([short, "low", "high"], axis=1).assign(family=whose)
    mine = scores.loc[scores["family"] == YOURS, short].to_numpy()
    scores["gap"] = np.abs(scores[[short]].to_numpy() - mine).min(axis=1) if len(mine) else 0.0
    near = scores.groupby("family")["gap"].rank(method="first") <= NEAREST
    kept = near | scores["family"].isin([YOURS]) | (scores.index == PEOPLE)
    title = f"{measure.words[0].upper()}{measure.words[1:]} with people"
    if not kept.all():
        shown, every = (each.drop(PEOPLE)["family"].value_counts() for each in (scores[kept], scores))
        of_whom = [f"{shown[who]} of {every[who]} {who}" for who in (PEOPLE, NETWORKS) if who in every]
        title += f": the nearest to yours, {' and '.join(of_whom)}"
    scores = scores[kept].dropna(subset=[short]).drop(columns="gap").sort_values(short, ascending=False, kind="stable")
    return scores.rename_axis("system"), title


def _to_copy(what: str, text: str) -> str:
    paper = " on-paper" if what in ON_PAPER else ""
    return f'<details class="to-copy{paper}"><summary>{escape(what)}</summary><pre>{escape(text)}</pre></details>'


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
