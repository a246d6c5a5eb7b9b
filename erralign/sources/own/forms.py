"""The three forms of a table of answers, wide, long and that of model-vs-human, and the one in which all go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from erralign.errors import shown
from erralign.sources.own.cells import Cells

COLUMNS_OF_MODEL_VS_HUMAN = {"subj", "imagename", "category", "object_response"}
COLUMNS_OF_LONG = {"system", "answer"}
TRUTH = "truth"
# What others call the column of true classes; no name for a system.
TRUTH_ELSEWHERE = {"category", "class", "correct", "ground_truth", "gt", "label", "labels", "target", "true", "y_true"}


@dataclass(frozen=True)
class Answers:
    """What a file says, as text, with one row per trial, and where it says so."""

    cells: Cells  # the file
    said: pd.DataFrame  # a column per system, and "truth" where the file has it; the index names the trials, each once
    rows: pd.DataFrame  # the row of the file in which each of these stands
    column: Mapping[str, str]  # the column of the file in which each of these columns stands
    kinds: Mapping[str, str]  # what the file says about the kinds of systems

    def at(self, name: str, place: int) -> str:
        """Return where in the file an answer is, or a true class."""
        return self.cells.at(self.rows[name].iloc[place], self.column[name])


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
    said = cells.table[[name for name in (TRUTH, *systems) if name in header]].set_axis(index)
    rows = pd.DataFrame(dict.fromkeys(said, cells.table.index), index=index)
    return Answers(cells, said, rows, dict(zip(header, header, strict=True)), {})


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
    return _by_trial(cells, _index(cells.table, trials), "system", TRUTH, "answer", _kinds(cells))


def _from_model_vs_human(cells: Cells, trials: Sequence[str] | None) -> Answers:
    names = _images(cells.table)
    parts = ["condition"] if "condition" in cells.table else []
    index = _index(cells.table.assign(image=names), list(trials or [*parts, "image"]))
    kinds = {name: "human" if name.startswith("subject-") else "model" for name in cells.table["subj"]}
    return _by_trial(cells, index, "subj", "category", "object_response", kinds)


def _images(table: pd.DataFrame) -> list[str]:
    """Take off what stands before the image: number, experiment, system, condition, category, a second number."""
    return [
        parts[-1].partition("_")[2] if len(parts := name.split(f"_{category}_", 1)) == 2 else name
        for name, category in zip(table["imagename"], table["category"], strict=True)
    ]


def _by_trial(cells: Cells, index: pd.Index, system: str, truth: str, answer: str, kinds: Mapping[str, str]) -> Answers:
    """Bring answers that have a row each to one row per trial."""
    levels = [index.get_level_values(place) for place in range(index.nlevels)]
    _check_once(cells, pd.MultiIndex.from_arrays([cells.table[system], *levels]), "answer")
    names, trials = _names(cells, system), index.drop_duplicates()
    each = cells.table[[system, answer]].assign(row=cells.table.index, trial=trials.get_indexer(index))
    said, rows = (
        each.pivot(index="trial", columns=system, values=value)[names].set_axis(trials) for value in (answer, "row")
    )
    _check_complete(cells, said, system)
    if truth in cells.table:
        true, its_rows = _one_truth(cells, index, truth)
        said.insert(0, TRUTH, true)
        rows.insert(0, TRUTH, its_rows)
    return Answers(cells, said, rows, dict.fromkeys(names, answer) | {TRUTH: truth}, kinds)


def _names(cells: Cells, column: str) -> list[str]:
    """Return the names of systems."""
    names = cells.table[column]
    nameless = names.isin(["", TRUTH])
    if nameless.any():
        row = names.index[nameless][0]
        raise ValueError(f"{cells.at(row, column)} holds {names[row]!r}; expected the name of a system")
    return list(names.unique())


def _check_complete(cells: Cells, said: pd.DataFrame, system: str) -> None:
    for name in said.columns[said.isna().any()]:
        row = cells.table.index[cells.table[system] == name][-1]
        lacking = said.index[said[name].isna()][0]
        raise ValueError(
            f"{cells.at(row, system)}: {name!r} has no answer on trial {shown(lacking)}, which others have; "
            "write a row with na where a system gave no answer"
        )


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


def _kinds(cells: Cells) -> dict[str, str]:
    if "kind" not in cells.table:
        return {}
    kinds: dict[str, str] = {}
    for row, name, kind in cells.table[["system", "kind"]].itertuples(name=None):
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


def _check_once(cells: Cells, index: pd.Index, what: str) -> None:
    doubled = index.duplicated()
    if doubled.any():
        place, codes = int(doubled.argmax()), pd.factorize(index)[0]
        first = int((codes == codes[place]).argmax())
        rows = cells.table.index
        raise ValueError(
            f"{cells.at(rows[place])} gives {what} {shown(index[place])} again, after row {rows[first]}; give each once"
        )
