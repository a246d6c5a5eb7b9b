"""A comparison as one HTML file: the site's charts and theme, no other file, no network."""

import platform
from collections import Counter
from collections.abc import Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path
from string import Template

import altair as alt
import numpy as np
import pandas as pd

from erralign import plot
from erralign.errors import ROWS_AT_MOST
from erralign.plot.assets import OF_CHARTS, asset
from erralign.plot.html import figure, numbered
from erralign.reports.averages import NETWORKS, PEOPLE, YOURS, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.use import use
from erralign.reports.verdict import verdict
from erralign.reports.words import ACCURACY, FEW, PANEL, heading, meanings, tables

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
