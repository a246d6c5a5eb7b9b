"""A comparison as one HTML file: the site's charts and theme, no other file, no network."""

import platform
from collections import Counter
from html import escape
from importlib.metadata import version
from pathlib import Path
from string import Template

import altair as alt
import pandas as pd

from erralign import plot
from erralign.errors import ROWS_AT_MOST
from erralign.plot.assets import OF_CHARTS, asset
from erralign.plot.html import figure, numbered
from erralign.reports.averages import YOURS, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.verdict import verdict
from erralign.reports.words import FEW, accuracy_table, averages_table, heading, meanings, reach_table, table

TEMPLATE = Path(__file__).with_name("page.html")
LIBRARIES = ("erralign", "numpy", "scipy", "pandas", "altair")


def page(comparison: Comparison) -> str:
    """Write a comparison as an HTML page.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    str
        HTML that works offline, in light and dark mode, and on a phone. The same comparison gives the same page.
    """
    sections = (_opening, _accuracy, _alike, _every_pair, _reading)
    body = [section(comparison) for section in sections]
    scripts = (f"<script>{asset(name)}</script>" for name in (*OF_CHARTS, "print.js", "page.js", "scrolling.js"))
    style = "\n".join(map(asset, ("style.css", "tables.css", "access.css", "print.css")))
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(comparison.title),
        style=style,
        body=numbered("\n".join(body), Counter()),
        scripts="\n".join(scripts),
    )


def _opening(comparison: Comparison) -> str:
    said = [f'<p class="answer">{escape(sentence)}</p>' for sentence in verdict(comparison)]
    notes = [f'<p class="note">{escape(note)}</p>' for note in comparison.notes]
    answer = [*said, *_with_people(comparison), _paragraph(heading(comparison) + "."), *notes]
    return "\n".join([f"<h1>{escape(comparison.title)}</h1>", *answer])


def _accuracy(comparison: Comparison) -> str:
    scores = _own_first(comparison.accuracies.assign(family=comparison.whose()))
    chart = plot.ranking(scores, "How often each system is right")
    own = plot.table(accuracy_table(comparison), "Accuracy of your systems").html
    return "\n".join(["<h2>How often are they right?</h2>", own, _figure(chart)])


def _alike(comparison: Comparison) -> str:
    captions = {"Means over pairs": averages_table, "What could be reached with people": reach_table}
    tables = {caption: made(comparison) for caption, made in captions.items()}
    chart = plot.beside(comparison.of_own(), comparison.own, _short(comparison))
    parts = [plot.table(rows, caption).html for caption, rows in tables.items() if len(rows)]
    parts += [_figure(chart), plot.table(table(comparison), "Your systems beside each of the others").html]
    return "\n".join(["<h2>Do they make the same mistakes?</h2>", *parts])


def _with_people(comparison: Comparison) -> list[str]:
    of_people, measure = comparison.with_people, comparison.measures[0]
    if of_people.empty:
        return []
    short, low, high = columns_of(measure.short)
    scores = of_people[[short, low, high]].rename(columns={low: "low", high: "high"})
    scores = _own_first(scores.assign(family=comparison.whose())).rename_axis("system")
    title = f"{measure.words[0].upper()}{measure.words[1:]} with people on average, and of people with each other"
    return [_figure(plot.ranking(scores, title))]


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
        "An interval says how far a value would move with other trials of the same kind. With fewer than "
        f"{FEW} trials on which both are wrong, do not make much of it. Values of two pairs that share trials move "
        "together: whether they differ is a question for erralign.pairwise_differences, not for overlapping intervals."
    )
    libraries = ", ".join(f"{library} {version(library)}" for library in LIBRARIES)
    made = f'<p class="made-with">Made with Python {platform.python_version()}, {libraries}.</p>'
    return "\n".join(["<h2>How to read this</h2>", *texts, _paragraph(intervals), made])


def _figure(chart: alt.TopLevelMixin) -> str:
    return figure(chart.to_dict(), "report")


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
