"""A comparison as text, JSON, Markdown, and one HTML file without others; its tables, and what a paper needs of it."""

import hashlib
import json
import re
import tomllib
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
import pandas as pd
from jinja2 import Environment, FileSystemLoader, select_autoescape

from erralign import plot
from erralign.datasets.data_sets import record
from erralign.files import OF_CHARTS, asset, carried, for_spreadsheets
from erralign.measures import Measure
from erralign.measures.registry import FEW
from erralign.plot.html import shown
from erralign.plot.theme import ROWS_AT_MOST, number, with_interval
from erralign.plot.theme import written as in_cells
from erralign.reports.averages import GROUP, MISSED, NUMBER, PEOPLE, YOURS, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.wording import heading, methods, sentences

# The entries of references.bib in which measures were proposed, or on which they build.
PAPERS = dict.fromkeys(("MA", "CLES", "WMA", "MA_blind"), "xu2024") | {"EC": "geirhos2020", "H": "warrens2008"}
BIBLIOGRAPHY = carried("book/references.bib")
WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
BESIDE, CEILINGS = WORDS["columns"], WORDS["noise_ceilings"]


# ---- tables ----------------------------------------------------------------------------------------------------------


WIDTH = 80  # characters of a line of prose
NO_ERROR = "makes no error"
TOO_FEW = "too few joint errors"  # where an interval would leave the measure's range
PANEL, ACCURACY, MEANS = "Your systems as a panel", "Accuracy of your systems", "Means over pairs"  # captions


@lru_cache(maxsize=1)
def tables(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Return all tables that have rows, by their captions; a page, its LaTeX and a terminal have the same."""
    own = comparison.own
    made = {
        PANEL: panel_table(comparison.panel),
        ACCURACY: accuracy_table(comparison),
        MEANS: means_table(comparison),
    }
    if comparison.panel.empty:
        who = own[0] if len(own) == 1 else "Your systems"
        made[f"{who} beside each of the others"] = pairs_table(comparison)
    return {caption: in_cells(rows) for caption, rows in made.items() if len(rows)}


def pairs_table(comparison: Comparison) -> pd.DataFrame:
    """Return the pairs with your own systems, a row each."""
    pairs = comparison.of_own()
    rows = pairs[["system", "with"]].assign(**{WORDS["others"]["both_wrong"][0]: pairs["n_joint_errors"]})
    if "n_trials" in pairs:  # those that both were shown
        rows.insert(2, "trials", pairs["n_trials"])
    for measure in comparison.measures:
        short = measure.short
        rows[short] = _cells(pairs, *columns_of(short))
        if short == "EC":
            makes_none = pairs[["accuracy_a", "accuracy_b"]].max(axis=1) == 1
            rows[short] = rows[short].mask(makes_none, NO_ERROR)
        for column in _beside(measure, pairs):
            rows[f"{short}, {BESIDE[column][0]}"] = _cells(pairs, column)
        if short == "MA" and _answers_lack(pairs):
            rows[WORDS["others"]["both_answered"][0]] = pairs["MA_n"]
    return rows.drop(columns="system") if len(comparison.own) == 1 else rows


def _answers_lack(pairs: pd.DataFrame) -> bool:
    return "MA_n" in pairs and bool((pairs["MA_n"] != pairs["n_joint_errors"]).any())


def means_table(comparison: Comparison) -> pd.DataFrame:
    """Return the means over pairs, a row for each measure, beside what they are to be set against."""
    rows = []
    for group, means in comparison.averages.iterrows():
        system = str(group).removesuffix(f" with {PEOPLE}")
        for measure in comparison.measures:
            short = measure.short
            row = {GROUP: group, "measure": short, WORDS["others"]["means"][0]: tuple(means[columns_of(short)])}
            for column in _beside(measure, comparison.averages):
                row[BESIDE[column][0]] = (means[column],)
            if f"{short}_reach" in comparison.with_people and system in comparison.own:
                for way, (words, _) in CEILINGS.items():
                    limits = comparison.with_people.loc[system, columns_of(f"{short}_{way}")]
                    row[words] = tuple(limits) if limits.iloc[1] >= measure.range[0] else TOO_FEW
            rows.append(row)
    beside = [words for words, _ in (*BESIDE.values(), *CEILINGS.values()) if any(words in row for row in rows)]
    order = [GROUP, "measure", WORDS["others"]["means"][0], *beside]
    return pd.DataFrame(rows, columns=order).astype(object).fillna("")


def accuracy_table(comparison: Comparison) -> pd.DataFrame:
    """Return the accuracy of your own systems."""
    own = comparison.accuracies.loc[list(comparison.own)]
    shares = _cells(own, "accuracy", "low", "high").to_numpy()
    rows = pd.DataFrame({"system": own.index, "accuracy": shares, "errors": own["n_errors"].astype(int).to_numpy()})
    for way, words in WORDS["accuracies"].items():
        if way in own:
            rows = rows.assign(**{"no answer": own["n_unread"].to_numpy(), words: _cells(own, way).to_numpy()})
    return rows


def panel_table(panel: pd.DataFrame) -> pd.DataFrame:
    """Return what your systems are worth together, beside independent ones."""
    rows = []
    for what, numbers in panel.iterrows():
        digits = 2 if what == NUMBER else 1
        these = with_interval(numbers["value"], numbers["low"], numbers["high"], digits)
        independent = number(numbers["independent"], 0 if what == NUMBER else 1, is_p=what == MISSED)
        rows.append({"together": what, "these systems": these, "independent ones": independent})
    return pd.DataFrame(rows)


def _cells(rows: pd.DataFrame, *columns: str) -> pd.Series:
    """Return what a cell will write: a value, alone or with its limits."""
    return pd.Series(list(rows[list(columns)].itertuples(index=False, name=None)), rows.index, dtype=object)


def _beside(measure: Measure, rows: pd.DataFrame) -> list[str]:
    """Return the columns of what a measure is to be set against."""
    return [column for column in BESIDE if column in rows and column.startswith(f"{measure.short}_")]


def meanings(comparison: Comparison) -> list[tuple[str, str]]:
    """Return what is shown, and what it says, in the order of the tables."""
    entries, others = [], WORDS["others"]
    if len(comparison.panel):
        entries += [others["panel"], others["vote"]]
    for measure in comparison.measures:
        meaning = measure.meaning
        if measure.short == "MA" and comparison.responses.options is not None:
            meaning = WORDS["MA_by_options"]
        entries.append((f"{measure.short} ({measure.words})", meaning))
        entries += [BESIDE[column] for column in _beside(measure, comparison.pairs)]
    if len(comparison.averages):
        entries.append(others["means"])
    if {"EC_reach", "MA_reach"} & {*comparison.with_people}:
        entries += CEILINGS.values()
    entries.append(others["both_wrong"])
    if _answers_lack(comparison.of_own()):
        entries.append(others["both_answered"])
    what, meaning = others["intervals"]
    return [*map(tuple, entries), (what, meaning.format(few=FEW))]


# ---- formats ---------------------------------------------------------------------------------------------------------


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
    words = [fill(f"{what}: {meaning}", WIDTH) for what, meaning in meanings(comparison)]
    blocks = [rows.to_string(index=False, max_colwidth=None) for rows in tables(comparison).values()]
    answer = [fill(paragraph, WIDTH) for paragraph in sentences(comparison)]
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


def use(comparison: Comparison, command: str = "", files: Sequence[Path] = ()) -> dict[str, str]:
    """Return what a paper needs besides the sentence on methods, by its heading."""
    latex = (rows.to_latex(index=False, escape=True, caption=caption) for caption, rows in tables(comparison).items())
    parts = {
        "Command": command,
        "Files": "\n".join(map(_fingerprint, files)),
        "References (BibTeX)": references(comparison),
        "Tables (LaTeX)": "\n".join(latex),
        "Pairs with all digits (CSV)": for_spreadsheets(comparison.of_own()).to_csv(index=False),
    }
    return {what: text.strip() for what, text in parts.items() if text}


def references(comparison: Comparison) -> str:
    """Return the BibTeX entries of the papers of the measures and of the data."""
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    entries = dict(re.findall(r"^(?=@\w+\{(\w+),)(.*?^\})", text, flags=re.M | re.S))
    known = record(comparison.title.rpartition(" beside ")[2])
    wanted = [*(PAPERS.get(measure.short, "") for measure in comparison.measures), key_of(known.paper if known else "")]
    return "\n\n".join(entries[key] for key in dict.fromkeys(wanted) if key in entries)


def key_of(paper: str) -> str:
    """Return the key in references.bib of a paper such as Säuberli et al. 2025."""
    plain = normalize("NFKD", paper).encode("ascii", "ignore").decode().lower().split()
    return plain[0] + plain[-1] if plain else ""


def _fingerprint(file: Path) -> str:
    day = datetime.fromtimestamp(file.stat().st_mtime, UTC).date()
    return f"{file.name}, {day}, SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}"


def _in_markdown(rows: pd.DataFrame) -> str:
    lines = [list(rows.columns), ["---"] * rows.shape[1], *rows.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=select_autoescape(["html"]), trim_blocks=True
)
_ENVIRONMENT.filters["in_markdown"] = _in_markdown
_ENVIRONMENT.globals |= {"version": version, "python": python_version(), "PANEL": PANEL, "ACCURACY": ACCURACY}


def _rendered(name: str, comparison: Comparison, command: str, files: Sequence[Path], **more: Any) -> str:
    return _ENVIRONMENT.get_template(name).render(
        comparison=comparison,
        sentences=sentences(comparison),
        heading=heading(comparison),
        meanings=meanings(comparison),
        methods=methods(comparison),
        use=use(comparison, command, files),
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
    drawn = shown(_charts(comparison), tables(comparison), "report")
    of_pairs = [html for caption, html in drawn.items() if caption.endswith("beside each of the others")]
    style = "\n".join(map(asset, ("style.css", "tables.css", "access.css", "print.css")))
    scripts = [*map(asset, (*OF_CHARTS, "print.js", "page.js", "scrolling.js"))]
    return _rendered("page.html", comparison, command, files, drawn=drawn, pairs=of_pairs, style=style, scripts=scripts)


# ---- charts of the page ----------------------------------------------------------------------------------------------


NEAREST = 30  # people, and networks, of which the first chart has a row each


def _charts(comparison: Comparison) -> dict[str, Callable[[], alt.TopLevelMixin]]:
    """Return what draws each chart, by its name."""
    short, names = [measure.short for measure in comparison.measures], map(str, comparison.responses.answers)
    beside = partial(plot.beside, comparison.of_own(), comparison.own, short)
    scores = comparison.accuracies.assign(family=comparison.whose())
    scores = scores.sort_values("accuracy", ascending=False, kind="stable")
    scores = scores.sort_values("family", key=lambda whose: whose != YOURS, kind="stable")  # one's own above all others
    charts: dict[str, Callable[[], alt.TopLevelMixin]] = {}
    if comparison.panel.empty:
        with_people = [measure for measure in comparison.measures if measure.short in comparison.with_people]
        for name, measure in zip(("answer", "second answer"), with_people, strict=False):
            rows, title = _nearest(comparison, measure)
            charts[name] = partial(plot.intervals, rows, title=title)
        if not with_people:
            charts["answer"] = beside
    charts["accuracy"] = partial(plot.intervals, scores, title="How often each system is right")
    if not comparison.with_people.empty:
        charts["people"] = beside
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
    gaps = pd.Series(0.0, rows.index)
    if len(mine):
        gaps = pd.Series([(mine - value).abs().min() for value in rows[short]], rows.index)
    near = gaps.groupby(rows["family"]).rank(method="first") <= NEAREST
    kept = rows[near | (rows["family"] == YOURS) | (rows.index == PEOPLE)]
    title = f"{measure.words[0].upper()}{measure.words[1:]} with people"
    if len(kept) < len(rows):
        title += f": the {len(kept) - 1} nearest to yours of {len(rows) - 1}"
    return kept.sort_values(short, ascending=False, kind="stable").rename_axis("system"), title
