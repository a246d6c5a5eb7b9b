"""The tables of a report, in words: what it calls each column and row, and what each says."""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pandas as pd
from pandas.api.types import is_integer_dtype

from erralign.measures import Measure
from erralign.measures.registry import FEW
from erralign.plot.theme import number, with_interval
from erralign.plot.theme import written as in_cells
from erralign.reports.averages import GROUP, KNOWING, MISSED, NETWORKS, NUMBER, PEOPLE, columns_of
from erralign.reports.comparison import Comparison

_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_COLUMNS, _BESIDE, _ROWS = _WORDS["columns"], _WORDS["beside"], _WORDS["rows"]
_MA_BY_OPTIONS = (
    "where both fail, do they give the same wrong answer? 1: always; 0: as often as by chance, if all wrong options of "
    "a trial are equally likely."
)

_NO_ERROR = "makes no error"
_TOO_FEW = "too few joint errors"  # where an interval would leave the measure's range
PANEL, ACCURACY, OTHERS = "Your systems as a panel", "Accuracy of your systems", "Your systems beside the others"


@lru_cache(maxsize=1)
def tables(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Return all tables that have rows, by their captions; a page, its LaTeX and a terminal have the same."""
    accuracies = comparison.accuracies.loc[list(comparison.own)].reset_index().astype({"n_errors": int})
    made = {
        PANEL: _panel_table(comparison.panel),
        ACCURACY: _with_headings(accuracies.rename(columns={"low": "accuracy_low", "high": "accuracy_high"})),
        OTHERS: _others_table(comparison),
    }
    return {caption: in_cells(rows) for caption, rows in made.items() if len(rows)}


def _others_table(comparison: Comparison) -> pd.DataFrame:
    """Return a row for each mean over pairs, for what could be reached, and, but of a panel, for each pair."""
    parts = []
    means = comparison.averages.reset_index()
    for whose in (PEOPLE, NETWORKS):
        of_group = means[means["with"] == whose].assign(**{"with": _ROWS[whose][0]})
        parts.append(_with_headings(of_group, comparison.measures))
        if whose == PEOPLE and len(comparison.with_people):
            parts += [_noise_ceilings(comparison, known) for known in KNOWING]
    if comparison.panel.empty:
        parts.append(_pairs(comparison))
    order = [*comparison.own, PEOPLE, NETWORKS]
    rows = pd.concat(parts).sort_values("system", key=lambda names: names.map(order.index), kind="stable")
    columns = [*GROUP, *_headings(comparison.measures).values()]
    rows = rows.reindex(columns=columns).dropna(axis="columns", how="all")
    return rows.map(lambda cell: "" if pd.isna(cell) else cell)


def _pairs(comparison: Comparison) -> pd.DataFrame:
    pairs = comparison.of_own()
    if "MA_n" in pairs and (pairs["MA_n"] == pairs["n_joint_errors"]).all():
        pairs = pairs.drop(columns="MA_n")
    rows = _with_headings(pairs, comparison.measures)
    if "EC" in rows:
        rows.loc[pairs[["accuracy_a", "accuracy_b"]].max(axis=1) == 1, "EC"] = _NO_ERROR
    return rows


def _noise_ceilings(comparison: Comparison, known: str) -> pd.DataFrame:
    """Return what answers of your systems' accuracy could reach, who know these people's answers or other people's."""
    own = comparison.with_people[comparison.with_people.index.isin(comparison.own)]
    rows = pd.DataFrame({"system": own.index, "with": _ROWS[known][0]})
    for measure in comparison.measures:
        columns = columns_of(f"{measure.short}_{known}")
        if columns[0] in own:
            is_known = (own[columns[1]] >= measure.range[0]).to_numpy()
            rows[measure.short] = _cells(own, columns).where(is_known, _TOO_FEW).to_numpy()
    return rows


def _headings(measures: Sequence[Measure]) -> dict[str, str]:
    """Return the words for each column, in the order of the columns."""
    headings = {column: words for column, (words, _) in _COLUMNS.items()}
    for measure in measures:
        headings[measure.short] = measure.short
        headings |= {name: words for name, (words, _) in _BESIDE.items() if name.startswith(f"{measure.short}_")}
    return headings


def _with_headings(rows: pd.DataFrame, measures: Sequence[Measure] = ()) -> pd.DataFrame:
    """Return what tables show of systems or pairs, under the words for each column."""
    table = rows[[column for column in GROUP if column in rows]].astype(object)
    for column, words in _headings(measures).items():
        if column in rows:
            table[words] = _cells(rows, [name for name in columns_of(column) if name in rows])
    return table


def _cells(rows: pd.DataFrame, columns: list[str]) -> pd.Series:
    """Return what a cell will write: a count, or a value, alone or with its limits."""
    if is_integer_dtype(rows[columns[0]]):
        return rows[columns[0]].astype(object)
    return pd.Series(list(rows[columns].itertuples(index=False, name=None)), rows.index, dtype=object)


def _panel_table(panel: pd.DataFrame) -> pd.DataFrame:
    """Return what your systems are worth together, beside independent ones."""
    rows = []
    for what, numbers in panel.iterrows():
        digits = 2 if what == NUMBER else 1
        these = with_interval(numbers["value"], numbers["low"], numbers["high"], digits)
        independent = number(numbers["independent"], 0 if what == NUMBER else 1, is_p=what == MISSED)
        rows.append({"together": what, "these systems": these, "independent ones": independent})
    return pd.DataFrame(rows)


def meanings(comparison: Comparison) -> list[tuple[str, str]]:
    """Return what each column and row says, in the order of the tables."""
    sentences_of: dict[str, tuple[str, str]] = {words: (words, sentence) for words, sentence in _COLUMNS.values()}
    sentences_of |= {words: (words, sentence) for words, sentence in [*_BESIDE.values(), *_ROWS.values()]}
    for measure in comparison.measures:
        by_options = measure.short == "MA" and comparison.responses.options is not None
        sentence = _MA_BY_OPTIONS if by_options else measure.meaning
        sentences_of[measure.short] = f"{measure.short} ({measure.words})", sentence
    entries = []
    for rows in tables(comparison).values():
        of_rows = rows.get("together", rows.get("with", pd.Series(dtype=object)))
        entries += [*rows.columns, *of_rows]
    what, meaning = _ROWS["intervals"]
    explained = [sentences_of[words] for words in dict.fromkeys(entries) if words in sentences_of]
    return [*explained, (what, meaning.format(few=FEW))]
