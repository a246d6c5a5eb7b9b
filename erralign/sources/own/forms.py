"""The three forms of a table of answers, wide, long and that of model-vs-human, and the one in which all go on."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import pandas as pd

from erralign.errors import shown
from erralign.sources.own.cells import Cells
from erralign.sources.own.columns import (
    ANSWERS_ELSEWHERE,
    TRUTH,
    check_named,
    check_truth,
    of_long,
    of_wide,
    offers,
    plain,
    without_times,
)

COLUMNS_OF_MODEL_VS_HUMAN = {"subj", "imagename", "category", "object_response"}


@dataclass(frozen=True)
class Column:
    """Classes as a file writes them, one per trial, and where."""

    cells: Cells
    name: str  # in the header
    places: np.ndarray  # of the rows in which they stand, one per trial

    def at(self, trial: int) -> str:
        """Return where in the file one is."""
        return f"{self.row(trial)}, column {self.name!r}"

    def row(self, trial: int) -> str:
        """Return in which row of the file one is."""
        return self.cells.at(self.places[trial])

    def ordered(self, order: np.ndarray | slice) -> Self:
        """Return the classes of trials in another order."""
        return replace(self, places=self.places[order])

    def words(self) -> np.ndarray:
        """Return the words, one per trial."""
        return self.cells.words[self.codes()]

    def codes(self) -> np.ndarray:
        """Return the places of the words, one per trial."""
        return self.cells.column(self.name)[self.places]

    def counted(self) -> tuple[np.ndarray, list[str], np.ndarray]:
        """Return the words that occur, as codes and texts, and how often each does."""
        codes, words = pd.factorize(self.codes(), sort=True)
        return codes, list(self.cells.words[words]), np.bincount(codes)


@dataclass(frozen=True)
class Answers:
    """What a file says: one row per trial, one column per system, and the truth where it has one."""

    file: str
    trials: pd.Index
    truth: Column | None
    systems: dict[str, Column]
    kinds: dict[str, str] = field(default_factory=dict)  # what the file says about the kinds of systems
    notes: Sequence[str] = ()
    options: Column | None = None  # how many each trial offers


def find_answers(
    cells: Cells,
    trials: Sequence[str] | None,
    columns: Mapping[str, str | Sequence[str]],
    truth: pd.Series | None,
    classes: Collection[str],
    n_files: int,
) -> Answers:
    """Find out which column is what: from what the caller says, from the header, from what the columns hold."""
    check_named(cells, columns, trials)
    offered, left_out = offers(cells, columns, trials), {}
    if offered is not None:
        takes = f"--options {offered} (columns={{'options': {offered!r}}}) takes it"
        left_out[offered] = f"the number of options of each trial; {takes}"
    if columns.get("truth", TRUTH) != TRUTH in cells.header and TRUTH not in (trials or ()):
        left_out[TRUTH] = f"{columns['truth']!r} was named for the true classes"
    kept = replace(cells, codes=cells.codes.drop(columns=list(left_out)))
    named = {what: names for what, names in columns.items() if what != "options"}
    found = _find(kept, trials, named, truth, classes, n_files)
    notes = [f"{name!r}: left out, as {why}." for name, why in left_out.items() if name != columns.get("options")]
    options = _of_trials(cells, offered, found.systems, found.trials) if offered and "options" in columns else None
    return replace(found, notes=[*notes, *found.notes], options=options)


def _find(cells: Cells, trials, columns: Mapping[str, str | Sequence[str]], truth, classes, n_files: int) -> Answers:
    header, system = set(cells.header), columns.get("system", "system")
    answer, true = str(columns.get("answer", "answer")), str(columns.get("truth", TRUTH))
    if header >= COLUMNS_OF_MODEL_VS_HUMAN and not columns:
        return _from_model_vs_human(cells, trials)
    if true not in header:
        check_truth(cells, truth is not None or n_files > 1)
    true_or_none = true if true in header else None
    system = system[0] if not isinstance(system, str) and len(system) == 1 and answer in header else system
    if isinstance(system, str) and {system, answer} <= header:
        return _from_long(cells, trials, system, true_or_none, answer)
    if "system" in header and "system" not in columns:
        raise ValueError(
            f"{cells.file} has a column 'system', but none called 'answer'; a file with one row per answer has "
            f"system, trial, truth and answer{_offer(cells)}; its header is {', '.join(cells.header)}"
        )
    named = [system] if isinstance(system, str) else list(system)
    return _from_wide(cells, trials, true_or_none, named * ("system" in columns), truth, classes)


def _of_trials(cells: Cells, column: str, systems: Mapping[str, Column], trials: pd.Index) -> Column:
    """Return what a column says of each trial, the same in the rows of all systems."""
    first = Column(cells, column, np.min([each.places for each in systems.values()], axis=0))
    for each in systems.values():
        other = replace(first, places=each.places)
        differs = other.codes() != first.codes()
        if differs.any():
            place = int(differs.argmax())
            before = f"row {cells.codes.index[first.places[place]]} holds {first.words()[place]!r}"
            raise ValueError(
                f"{other.at(place)} holds {other.words()[place]!r}, {before}: both are about trial "
                f"{shown(trials[place])}; give each trial one"
            )
    return first


def _offer(cells: Cells) -> str:
    found = [column for column in cells.header if column.lower() in ANSWERS_ELSEWHERE]
    return f" (or say --answer {found[0]}, in Python columns={{'answer': {found[0]!r}}})" if found else ""


def _from_wide(cells: Cells, trials, true: str | None, systems: list[str], truth, classes) -> Answers:
    notes: list[str] = []
    if trials is None and truth is not None:
        trials = [column for column in cells.header if column in truth.index.names and column not in systems] or None
    if trials is None:
        known = set(map(plain, cells.words[np.unique(cells.column(true))])) if true else classes
        trials, found, notes = of_wide(cells, true, known)
        trials = [column for column in trials if column not in systems]
    else:
        found = [column for column in cells.header if column not in {*trials, true}]
        found, notes = without_times(cells, found, classes)
    if not (systems or found):
        raise ValueError(
            f"{cells.file} has no column of a system beside {', '.join(cells.header)}; expected trial, {TRUTH!r}, and "
            "then a column per system (or say with --trials, trials=[...], which columns name the trial)"
        )
    index, every = _index(cells, list(trials)), np.arange(len(cells.codes))
    _check_once(cells, index, "trial")
    of_systems = {name: Column(cells, name, every) for name in systems or found}
    return Answers(cells.file, index, Column(cells, true, every) if true else None, of_systems, {}, notes)


def _from_long(cells: Cells, trials, system: str, true: str | None, answer: str) -> Answers:
    candidates = [column for column in cells.header if column not in {system, answer, true}]
    if not (trials or candidates):
        raise ValueError(f"{cells.file} has no column that names the trial, beside {', '.join(cells.header)}")
    named, notes = (list(trials), []) if trials else of_long(cells, system, candidates)
    return _by_trial(cells, _index(cells, named), system, true, answer, {}, notes)


def _from_model_vs_human(cells: Cells, trials: Sequence[str] | None) -> Answers:
    parts = ["condition"] if "condition" in cells.header else []
    index = _index(cells, list(trials or [*parts, "image"]), image=_images(cells))
    kinds = {name: "human" if name.startswith("subject-") else "model" for name in set(cells.text("subj"))}
    return _by_trial(cells, index, "subj", "category", "object_response", kinds)


def _images(cells: Cells) -> np.ndarray:
    """Take off what stands before the image: number, experiment, system, condition, category, a second number."""
    images = [
        parts[-1].partition("_")[2] if len(parts := name.split(f"_{category}_", 1)) == 2 else name
        for name, category in zip(cells.text("imagename"), cells.text("category"), strict=True)
    ]
    return np.array(images, dtype=object)


def _by_trial(
    cells: Cells, index: pd.Index, system: str, true, answer: str, kinds, notes: Sequence[str] = ()
) -> Answers:
    """Bring answers that have a row each to one row per trial."""
    names = _names(cells, system)
    levels = [index.get_level_values(level) for level in range(index.nlevels)]
    _check_once(cells, pd.MultiIndex.from_arrays([cells.text(system), *levels]), "answer")
    trials = index.drop_duplicates()
    of_trial = trials.get_indexer(index)
    of_system = pd.factorize(cells.column(system))[0]
    places = np.full((len(trials), len(names)), -1)
    places[of_trial, of_system] = np.arange(len(index))
    _check_complete(cells, places, trials, names, system)
    systems = {name: Column(cells, answer, places[:, number]) for number, name in enumerate(names)}
    truth = _of_trials(cells, true, systems, trials) if true else None
    return Answers(cells.file, trials, truth, systems, kinds, notes)


def _names(cells: Cells, column: str) -> list[str]:
    """Return the names of systems."""
    names = pd.unique(cells.text(column))
    for nameless in ("", TRUTH):
        if nameless in names:
            place = (cells.text(column) == nameless).argmax()
            raise ValueError(f"{cells.at(place, column)} holds {nameless!r}; expected the name of a system")
    return list(names)


def _check_complete(cells: Cells, places: np.ndarray, trials: pd.Index, names: list[str], system: str) -> None:
    for name, of_system in zip(names, places.T, strict=True):
        if (of_system < 0).any():
            by = f" (trials are named by {', '.join(map(str, trials.names))}; --trials says otherwise)"
            lacking = shown(trials[(of_system < 0).argmax()])
            raise ValueError(
                f"{cells.at(of_system.max(), system)}: {name!r} has no answer on trial {lacking}, which "
                f"others have{by * (trials.nlevels > 1)}; write a row with na where a system gave no answer"
            )


def _index(cells: Cells, trials: list[str], **more: np.ndarray) -> pd.Index:
    """Name trials by columns; numbers that are written as such become numbers."""
    if not trials:
        return pd.RangeIndex(len(cells.codes), name="trial")
    texts = [more[name] if name in more else cells.text(name) for name in trials]
    nameless = np.all([text == "" for text in texts], axis=0)
    if nameless.any():
        raise ValueError(
            f"{cells.at(nameless.argmax(), trials[0])} is empty; expected the name of a trial in every row"
        )
    columns = [_as_numbers(pd.Series(text, dtype="str")) for text in texts]
    if len(columns) > 1:
        return pd.MultiIndex.from_arrays(columns, names=trials)
    return pd.Index(columns[0], name=trials[0] or "trial")


def _as_numbers(column: pd.Series) -> pd.Series:
    is_plain = column.str.fullmatch(r"0|-?[1-9]\d{0,17}").all()
    return column.astype("int64") if is_plain else column


def _check_once(cells: Cells, index: pd.Index, what: str) -> None:
    doubled = index.duplicated()
    if doubled.any():
        place, codes = int(doubled.argmax()), pd.factorize(index)[0]
        first = int((codes == codes[place]).argmax())
        raise ValueError(
            f"{cells.at(place)} gives {what} {shown(index[place])} again, after row {cells.codes.index[first]}; "
            "give each once"
        )
