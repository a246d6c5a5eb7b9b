"""A comparison as text, JSON, Markdown, and one HTML file without others; its tables, and what a paper needs of it."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from textwrap import fill
from typing import Any
from unicodedata import normalize

import altair as alt
import numpy as np
import pandas as pd
from jinja2 import Environment

from erralign import plot
from erralign.datasets.data_sets import record
from erralign.files import OF_CHARTS, asset, carried
from erralign.measures import Measure
from erralign.measures.registry import FEW
from erralign.plot.html import shown
from erralign.plot.theme import ROWS_AT_MOST, number
from erralign.plot.theme import written as in_cells
from erralign.reports.averages import MISSED, NETWORKS, NUMBER, PEOPLE, YOURS, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.words import TEXTS, Limits, heading, methods, verdict, written

# The entries of references.bib in which measures were proposed, or on which they build.
PAPERS = dict.fromkeys(("MA", "CLES", "WMA", "MA_blind"), "xu2024") | {"EC": "geirhos2020", "H": "warrens2008"}
BIBLIOGRAPHY = carried("book/references.bib")
BESIDE, REACHES = TEXTS["beside"], TEXTS["reaches"]


# ---- tables and formats ----------------------------------------------------------------------------------------------


WIDTH = 80  # characters of a line of prose
NO_ERROR = "makes no error"
TOO_FEW = "too few joint errors"  # where an interval would leave the measure's range
REACHED = "What could be reached with people"
PANEL, ACCURACY = "Your systems as a panel", "Accuracy of your systems"  # captions of tables


def _in_words(rows: pd.DataFrame, measures: tuple[Measure, ...]) -> pd.DataFrame:
    """Put each measure of a table with its limits under one heading, and what it is to be set against."""
    shown: dict[str, Any] = {}
    for each in measures:
        shown[each.short] = _cells(rows, *columns_of(each.short))
        if each.short == "EC" and "accuracy_a" in rows:
            perfect = rows[["accuracy_a", "accuracy_b"]].max(axis=1) == 1
            shown["EC"] = [NO_ERROR if none else cell for none, cell in zip(perfect, shown["EC"], strict=True)]
        for column in _beside(each, rows):
            shown[BESIDE[column][0]] = rows[column].tolist() if column == "MA_n" else _cells(rows, column)
    return pd.DataFrame(shown, index=rows.index)


def _cells(rows: pd.DataFrame, *columns: str) -> list[tuple]:
    """Return what a cell will write: a value, alone or with its limits."""
    return list(rows[list(columns)].itertuples(index=False, name=None))


def _beside(measure: Measure, rows: pd.DataFrame) -> list[str]:
    return [column for column in BESIDE if column in rows and column.startswith(f"{measure.short}_")]


def table(comparison: Comparison) -> pd.DataFrame:
    """Return the pairs with your own systems, a row each."""
    pairs = comparison.of_own()
    names = ["system", "with"][len(comparison.own) == 1 :]
    shown = pairs[[*names, "n_joint_errors"]].rename(columns={"n_joint_errors": "both wrong"})
    return shown.join(_in_words(pairs, comparison.measures))


def reach_table(comparison: Comparison) -> pd.DataFrame:
    """Return for your own models the means with people beside what could be reached, and beside those of people."""
    found = comparison.with_people
    rows = [
        {"system": system, "measure": short, "with people": _reached(found, system, short)}
        | {words: _reached(found, system, f"{short}_{way}") for way, (words, _) in REACHES.items()}
        | {"people with each other": _reached(found, PEOPLE, short)}
        for system in comparison.own
        for short in (each.short for each in comparison.measures)
        if f"{short}_reach" in found and system in found.index
    ]
    return pd.DataFrame(rows)


def _reached(rows: pd.DataFrame, system: str, short: str) -> Limits | str:
    value, low, high = map(float, rows.loc[system, [*columns_of(short)]])
    return TOO_FEW if low < -1 else (value, low, high)


def accuracy_table(comparison: Comparison) -> pd.DataFrame:
    """Return the accuracy of your own systems."""
    own = comparison.accuracies.loc[list(comparison.own)]
    shares = _cells(own, "accuracy", "low", "high")
    rows = pd.DataFrame({"system": own.index, "accuracy": shares, "errors": own["n_errors"].astype(int).to_numpy()})
    for way, words in TEXTS["of_accuracy"].items():
        if way in own:
            rows["no answer"], rows[words] = own["n_unread"].to_numpy(), _cells(own, way)
    return rows


@lru_cache(maxsize=1)
def tables(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Return all tables that have rows, by their captions; a page, its LaTeX and a terminal have the same."""
    own = comparison.own
    beside = f"{own[0] if len(own) == 1 else 'Your systems'} beside each of the others"
    made = {
        PANEL: panel_table(comparison.panel),
        ACCURACY: accuracy_table(comparison),
        "Means over pairs": _in_words(comparison.averages, comparison.measures).reset_index(),
        REACHED: reach_table(comparison),
        beside: table(comparison) if comparison.panel.empty else pd.DataFrame(),
    }
    return {caption: in_cells(rows) for caption, rows in made.items() if len(rows)}


def meanings(comparison: Comparison) -> list[tuple[str, str]]:
    """Return what is shown, and what it says."""
    by_options = {} if comparison.responses.options is None else {"MA": TEXTS["by_options"]}
    said = [*TEXTS["of_panel"]] if len(comparison.panel) else []
    measures = comparison.measures
    said += [(f"{each.short} ({each.words})", by_options.get(each.short, each.meaning)) for each in measures]
    said += [BESIDE[column] for each in measures for column in _beside(each, comparison.pairs)]
    said += [TEXTS["of_means"]] * (not comparison.with_people.empty)
    said += REACHES.values() if REACHED in tables(comparison) else []
    return [*said, TEXTS["both_wrong"]]


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
    said = [fill(f"{what}: {meaning}", WIDTH) for what, meaning in meanings(comparison)]
    blocks = [rows.to_string(index=False, max_colwidth=None) for rows in tables(comparison).values()]
    answer = [fill(sentence, WIDTH) for sentence in verdict(comparison)]
    return "\n\n".join([f"{comparison.title}\n{heading(comparison)}", *answer, *blocks, "\n".join(said)])


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
        "verdict": verdict(comparison),
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


def panel_table(panel: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers as text."""
    rows = {what: [written(panel, what), _independent(panel, what)] for what in panel.index}
    shown = pd.DataFrame.from_dict(rows, orient="index", columns=["these systems", "independent ones"])
    return shown.rename_axis("together").reset_index()


def _independent(panel: pd.DataFrame, what: str) -> str:
    value = panel["independent"][what]
    return number(value, 0) if what == NUMBER else number(value, 1, is_p=what == MISSED)


# ---- what a paper needs ----------------------------------------------------------------------------------------------


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


def references(comparison: Comparison) -> str:
    """Return the BibTeX entries of the papers of the measures and of the data."""
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    entries = dict(re.findall(r"^(?=@\w+\{(\w+),)(.*?^\})", text, flags=re.M | re.S))
    known = record(comparison.title.rpartition(" beside ")[2])
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


KNOWN = {"PANEL": PANEL, "ACCURACY": ACCURACY, "intervals": TEXTS["intervals"].format(FEW)}
KNOWN |= {"version": version, "python": python_version()}
TEMPLATE = Environment(autoescape=True, trim_blocks=True).from_string(
    Path(__file__).with_name("page.html").read_text(encoding="utf-8"), KNOWN
)
NEAREST = 30  # people, and networks, of which the first chart has a row each


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
    rows = tables(comparison)
    words: dict[str, Any] = {"comparison": comparison, "use": use(comparison, command, files)}
    words |= {"heading": heading(comparison), "verdict": verdict(comparison), "meanings": meanings(comparison)}
    drawn = shown(_charts(comparison), rows, "report")
    means = [drawn[caption] for caption in rows if caption not in (PANEL, ACCURACY)]
    pairs = [means.pop()] if comparison.panel.empty else []
    style = "\n".join(map(asset, ("style.css", "tables.css", "access.css", "print.css")))
    scripts = [*map(asset, (*OF_CHARTS, "print.js", "page.js", "scrolling.js"))]
    return TEMPLATE.render(words, drawn=drawn, means=means, pairs=pairs, style=style, scripts=scripts)


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
        nearest = [_nearest(comparison, measure) for measure in told[:2]]
        of_people = [partial(plot.intervals, rows, title=title) for rows, title in nearest]
        charts |= dict(zip(("answer", "second answer"), of_people or [beside], strict=False))
    charts["accuracy"] = partial(plot.intervals, scores, title="How often each system is right")
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
