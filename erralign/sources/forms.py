"""The forms that a table of answers may have: wide, long, or that of model-vs-human."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pandas as pd

from erralign.errors import shown

COLUMNS_OF_MODEL_VS_HUMAN = {"subj", "imagename", "category", "object_response"}
COLUMNS_OF_LONG = {"system", "answer"}
TRUTH = "truth"
# What others call the column of true classes; no name for a system.
TRUTH_ELSEWHERE = {"category", "class", "correct", "ground_truth", "gt", "label", "labels", "target", "true", "y_true"}
DELIMITERS = ",;\t"


@dataclass(frozen=True)
class Cells:
    """What a file contains: text, and where each row was.

    Parameters
    ----------
    file : str
        Its name, for messages.
    table : pandas.DataFrame of str
        The rows; the index is the number of the row in the file, the header being row 1.
    """

    file: str
    table: pd.DataFrame

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return list(map(str, self.table))

    def at(self, row: int, column: str | None = None) -> str:
        """Return where in the file something is."""
        return f"{self.file}, row {row}" + (f", column {column!r}" if column is not None else "")


@dataclass(frozen=True)
class Answers:
    """The answers of all systems as text, and where each was.

    Parameters
    ----------
    trials : pandas.Index
        Names of trials, each once.
    columns : dict of str to pandas.Series
        ``truth`` (where the file has it) and the systems, on these trials.
    rows : dict of str to pandas.Series
        For each column, the row of the file that contains each answer.
    cell : dict of str to str
        For each column, the column of the file.
    kind : dict of str to str
        What the file says about the kinds of systems.
    """

    trials: pd.Index
    columns: dict[str, pd.Series]
    rows: dict[str, pd.Series]
    cell: dict[str, str]
    kind: dict[str, str]


def read_cells(path: Path) -> Cells:
    """Read a CSV file as text, and say where a row is broken."""
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; give the path of a CSV file")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not text in UTF-8 ({error.reason}); save it as CSV in UTF-8") from None
    first = text.partition("\n")[0]
    reader = csv.reader(StringIO(text, newline=""), delimiter=max(DELIMITERS, key=first.count), skipinitialspace=True)
    rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(map(str.strip, row))]
    if len(rows) < 2:
        raise ValueError(f"{path.name} holds {len(rows)} rows; expected a header and at least one trial")
    (_, header), *body = rows
    _check_header(path.name, header)
    for line, row in body:
        if len(row) != len(header):
            raise ValueError(f"{path.name}, row {line} has {len(row)} cells, the header has {len(header)}")
    numbers, values = zip(*body, strict=True)
    return Cells(path.name, pd.DataFrame(list(values), columns=header, index=list(numbers)))


def _check_header(file: str, header: list[str]) -> None:
    for place, column in enumerate(header):
        if column in header[:place]:
            raise ValueError(f"{file}, row 1 names column {column!r} twice; give each column its own name")
        if not column and place:
            raise ValueError(f"{file}, row 1: column {place + 1} has no name; name the system or leave it out")


def find_answers(cells: Cells, trials: Sequence[str] | None, truth: pd.Series | None) -> Answers:
    """Find out which column is what, from the header."""
    columns = set(cells.header)
    for column in trials or ():
        if column not in columns:
            raise ValueError(
                f"{cells.file} has no column {column!r} for trials; its header is {', '.join(cells.header)}"
            )
    if columns >= COLUMNS_OF_MODEL_VS_HUMAN:
        return _from_model_vs_human(cells, trials)
    if columns >= COLUMNS_OF_LONG:
        known = {*COLUMNS_OF_LONG, TRUTH, "kind"}
        named = list(trials or (column for column in cells.header if column not in known))
        return _from_long(cells, named)
    if "system" in columns:
        raise ValueError(
            f"{cells.file} has a column 'system', but none called 'answer'; a file with one row per answer has "
            f"system, trial, truth and answer; its header is {', '.join(cells.header)}"
        )
    return _from_wide(cells, trials, truth)


def _from_wide(cells: Cells, trials: Sequence[str] | None, truth: pd.Series | None) -> Answers:
    header = cells.header
    if trials is None:
        trials = _columns_of_trials(cells, header, truth)
    systems = [column for column in header if column not in {*trials, TRUTH}]
    if not systems:
        raise ValueError(
            f"{cells.file} has no column after {TRUTH!r}; expected trial, truth, and then a column per system "
            "(or say with trials=[...] which columns name the trial)"
        )
    index = _index(cells.table, list(trials))
    _check_once(cells, index, "trial")
    columns = {name: cells.table[name].set_axis(index) for name in (TRUTH, *systems) if name in header}
    rows = pd.Series(cells.table.index, index=index)
    return Answers(index, columns, dict.fromkeys(columns, rows), {name: name for name in columns}, {})


def _columns_of_trials(cells: Cells, header: list[str], truth: pd.Series | None) -> list[str]:
    if TRUTH in header:
        return header[: header.index(TRUTH)]
    if truth is None:
        raise ValueError(
            f"{cells.file} has no column {TRUTH!r}; expected trial, truth and a column per system, or system, trial, "
            f"truth and answer, or the columns of model-vs-human; its header is {', '.join(header)}"
        )
    doubtful = [column for column in header if column.lower() in TRUTH_ELSEWHERE]
    if doubtful:
        raise ValueError(
            f"{cells.file} has a column {doubtful[0]!r}: if it holds the true classes, call it {TRUTH!r}; if it holds "
            "the answers of a system, give it the system's name"
        )
    return [column for column in header if column in truth.index.names] or header[:1]


def _from_long(cells: Cells, trials: list[str]) -> Answers:
    if not trials:
        raise ValueError(f"{cells.file} has no column that names the trial, beside {', '.join(cells.header)}")
    return _pivoted(cells, _index(cells.table, trials), "system", TRUTH, "answer")


def _from_model_vs_human(cells: Cells, trials: Sequence[str] | None) -> Answers:
    names = _images(cells.table)
    parts = ["condition"] if "condition" in cells.table else []
    index = _index(cells.table.assign(image=names), list(trials or [*parts, "image"]))
    found = _pivoted(cells, index, "subj", "category", "object_response")
    kind = {name: "human" if name.startswith("subject-") else "model" for name in found.columns if name != TRUTH}
    return Answers(found.trials, found.columns, found.rows, found.cell, kind)


def _images(table: pd.DataFrame) -> list[str]:
    """Take off what stands before the image: number, experiment, system, condition, category, a second number."""
    return [
        parts[-1].partition("_")[2] if len(parts := name.split(f"_{category}_", 1)) == 2 else name
        for name, category in zip(table["imagename"], table["category"], strict=True)
    ]


def _pivoted(cells: Cells, index: pd.Index, system: str, truth: str, answer: str) -> Answers:
    table = cells.table
    _check_once(cells, pd.MultiIndex.from_arrays([table[system], *_levels(index)]), "answer")
    trials = index.drop_duplicates()
    columns, rows, cell = {}, {}, {}
    if truth in table:
        columns[TRUTH], rows[TRUTH] = _one_truth(cells, index, truth)
        cell[TRUTH] = truth
    for name in dict.fromkeys(table[system]):
        _check_system(cells, name, system)
        its = (table[system] == name).to_numpy()
        given = pd.Series(table[answer].to_numpy()[its], index=index[its])
        lacking = trials[~trials.isin(given.index)]
        if len(lacking):
            row = table.index[its][-1]
            raise ValueError(
                f"{cells.at(row, system)}: {name!r} has no answer on trial {shown(lacking[0])}, which others have; "
                "write a row with na where a system gave no answer"
            )
        columns[name] = given.reindex(trials)
        rows[name] = pd.Series(table.index[its], index=index[its]).reindex(trials)
        cell[name] = answer
    return Answers(trials, columns, rows, cell, _kinds(cells, system))


def _check_system(cells: Cells, name: str, column: str) -> None:
    if not name or name == TRUTH:
        row = cells.table.index[(cells.table[column] == name).to_numpy()][0]
        raise ValueError(f"{cells.at(row, column)} holds {name!r}; expected the name of a system")


def _one_truth(cells: Cells, index: pd.Index, column: str) -> tuple[pd.Series, pd.Series]:
    true = pd.Series(cells.table[column].to_numpy(), index=index)
    rows = pd.Series(cells.table.index, index=index)
    once = ~index.duplicated()
    first = true[once].reindex(index)
    differs = (true != first).to_numpy()
    if differs.any():
        place = int(differs.argmax())
        row = rows[once].reindex(index).iloc[place]
        raise ValueError(
            f"{cells.at(rows.iloc[place], column)} holds {true.iloc[place]!r}, row {row} holds {first.iloc[place]!r}: "
            f"both are about trial {shown(index[place])}, and a trial has one true class"
        )
    return true[once], rows[once]


def _kinds(cells: Cells, system: str) -> dict[str, str]:
    if "kind" not in cells.table:
        return {}
    kinds: dict[str, str] = {}
    for row, name, kind in cells.table[[system, "kind"]].itertuples(name=None):
        if kind not in ("human", "model") or kinds.setdefault(name, kind) != kind:
            before = f"{kinds[name]!r} as above" if name in kinds else "'human' or 'model'"
            raise ValueError(f"{cells.at(row, 'kind')} holds {kind!r}; expected {before}")
    return kinds


def _index(table: pd.DataFrame, trials: list[str]) -> pd.Index:
    """Name trials by columns; numbers that are written as such become numbers."""
    if not trials:
        return pd.RangeIndex(len(table), name="trial")
    columns = [_as_numbers(table[column]) for column in trials]
    if len(columns) > 1:
        return pd.MultiIndex.from_arrays(columns, names=trials)
    return pd.Index(columns[0], name=trials[0] or "trial")


def _as_numbers(column: pd.Series) -> pd.Series:
    plain = column.str.fullmatch(r"0|-?[1-9]\d{0,17}").all()
    return column.astype("int64") if plain else column


def _levels(index: pd.Index) -> Iterator[pd.Index]:
    return (index.get_level_values(place) for place in range(index.nlevels))


def _check_once(cells: Cells, index: pd.Index, what: str) -> None:
    doubled = index.duplicated()
    if doubled.any():
        place, codes = int(doubled.argmax()), pd.factorize(index)[0]
        first = int((codes == codes[place]).argmax())
        rows = cells.table.index
        raise ValueError(
            f"{cells.at(rows[place])} gives {what} {shown(index[place])} again, after row {rows[first]}; give each once"
        )
