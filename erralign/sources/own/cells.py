"""A table in a file as text, however it was saved: where each row was, and which columns hold what."""

import csv
import gzip
import json
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TextIO
from unicodedata import normalize

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER_WORDS
from erralign.errors.labels import FEWEST
from erralign.sources.own.sentences import LIMITS, NAMES, OTHERS, is_like, listed, say

DELIMITERS = ",;\t"
BLOCK = 100  # rows that are read at once, few enough for a processor's cache
HEAD = 4096  # bytes, the first and the last, that say what a file is


@dataclass(frozen=True)
class Cells:
    """What a file contains: each text that occurs once, which of them stands where, and in which row of the file."""

    file: str  # its name, for messages
    words: np.ndarray  # of text
    codes: pd.DataFrame  # the places of words, indexed by the numbers of rows in the file, the header being row 1
    files: np.ndarray | None = None  # of each row, where several files are one table

    @property
    def header(self) -> list[str]:
        """Return the names of the columns."""
        return self.codes.columns.tolist()

    def column(self, name: str) -> np.ndarray:
        """Return the places of the words of a column."""
        return self.codes[name].to_numpy()

    def text(self, name: str) -> np.ndarray:
        """Return the words of a column."""
        return self.words[self.column(name)]

    def at(self, place: int, column: str | None = None) -> str:
        """Return where in the file something is."""
        file = self.file if self.files is None else self.files[place]
        return f"{file}, row {self.codes.index[place]}" + (f", column {column!r}" if column is not None else "")


class _Codes(dict[str, int]):
    """The place of each word, in the order in which they come."""

    def __missing__(self, word: str) -> int:
        self[word] = place = len(self)
        return place


def read_cells(path: Path) -> Cells:
    """Read a file as text, compressed or not, and say where a row is broken."""
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder; name the files in it: {path / '*.csv'}")
    if not path.is_file():
        why = f"there is no file {str(path)!r}; give the path of a CSV file"
        if "://" in str(path) or ":/" in str(path)[2:]:
            why = f"{str(path)!r} is an address; download the file (curl -LO ADDRESS), and give its path"
        raise ValueError("'-' is no file; save what a program writes in one, and name it" if str(path) == "-" else why)
    try:
        with _opened(path) as file:
            return _read(path.name, file)
    except UnicodeError as error:
        raise ValueError(f"{path.name} is not text in UTF-8 or UTF-16 ({error}); save it as CSV in UTF-8") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{path.name} is compressed, and damaged or cut short; compress it again") from None


def stacked(tables: Sequence[Cells]) -> Cells:
    """Put the rows of several files with the same columns into one table."""
    for place, each in enumerate(tables):
        for other in tables[:place]:
            if each.codes.equals(other.codes) and np.array_equal(each.words, other.words):
                raise ValueError(f"{other.file} and {each.file} hold the same rows; give each file once")
    words = pd.Index([]).append([pd.Index(each.words) for each in tables]).unique()
    header = tables[0].header
    moved = [
        pd.DataFrame(
            words.get_indexer(pd.Index(each.words)).astype(np.int32)[each.codes[header]], each.codes.index, header
        )
        for each in tables
    ]
    names = np.repeat([each.file for each in tables], [len(each.codes) for each in tables])
    file = " and ".join(dict.fromkeys(each.file for each in tables))
    return Cells(file, words.to_numpy(dtype=object), pd.concat(moved), names)


def _opened(path: Path) -> TextIO:
    with path.open("rb") as file:
        head = file.read(HEAD)
        file.seek(max(path.stat().st_size - HEAD, 0))  # where an archive lists what it holds
        start = (head + file.read()).decode("latin-1")
    for begins, holds, what, command in OTHERS:
        if start.startswith(begins) and holds in start:
            made = command.replace("{name}", path.name).replace("{to}", f"{path.stem}-as-text.csv")
            raise ValueError(say("other", file=path.name, what=what, command=made))
    # Not by the ending: what a browser has unpacked on the way keeps its name.
    unpack = gzip.open if start.startswith("\x1f\x8b") else open
    with unpack(path, "rb") as raw:
        encoding = "utf-16" if raw.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return unpack(path, "rt", encoding=encoding, newline="")


def _read(file: str, text: TextIO) -> Cells:
    lines, head = 1, next(text, "")
    while head and (not head.strip() or head.lower().startswith("sep=")):  # Excel says so what stands between cells
        lines, head = lines + 1, next(text, "")
    if head.startswith("#") and head[1:2].strip(DELIMITERS):
        raise ValueError(say("comment", file=file, row=lines))
    if head.lstrip().startswith(("{", "[")):
        rows: Iterator[tuple[int, list[str]]] = iter(_of_json(file, head + text.read()))
    else:
        mark = max(DELIMITERS, key=head.count)
        rows = _numbered(
            file, csv.reader(chain([head], text), delimiter=mark, skipinitialspace=True, strict=True), lines
        )
    header = [_tidy(cell) for cell in next(rows, (0, []))[1]]
    words, numbers, codes = _coded(file, rows, len(header))
    if not numbers.size:
        raise ValueError(say("empty", file=file))
    empty = [place for place, name in enumerate(header) if not name and not any(words[np.unique(codes[:, place])])]
    header = [name for place, name in enumerate(header) if place not in empty]
    _check_header(file, header)
    again = (words[np.delete(codes, empty, axis=1)] == np.array(header, dtype=object)).all(axis=1)
    if again.any():
        raise ValueError(say("header_again", file=file, row=numbers[again.argmax()]))
    return Cells(file, words, pd.DataFrame(np.asfortranarray(np.delete(codes, empty, axis=1)), numbers, header))


def _of_json(file: str, text: str) -> list[tuple[int, list[str]]]:
    """Return a header and rows from a list of objects, or from one object per line."""
    try:
        is_list = text.lstrip().startswith("[")
        found = json.loads(text) if is_list else [json.loads(line) for line in text.splitlines() if line.strip()]
        header = list(dict.fromkeys(name for each in found for name, _ in each.items()))
        cells = [["" if each.get(name) is None else each[name] for name in header] for each in found]
    except (json.JSONDecodeError, AttributeError):
        cells = [[{}]]
    if any(isinstance(cell, dict | list) for row in cells for cell in row):
        fields = {"file": file, "name": file, "to": f"{Path(file).stem}-as-text.csv"}
        raise ValueError(say("json", **fields))
    return list(enumerate([header, *([str(cell) for cell in row] for row in cells)]))


def _tidy(word: str) -> str:
    """Return a word as it looks: its letters composed, without what stands around it, and on one line."""
    return " ".join(normalize("NFC", word).split())


def _numbered(file: str, reader, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield rows, each with the number of its last line in the file, whose header is in the line ``first``."""
    last = first - 1
    try:
        for row in reader:
            last = first - 1 + reader.line_num
            yield last, row
    except csv.Error:
        raise ValueError(say("quotes", file=file, row=last + 1)) from None


def _coded(file: str, rows: Iterator[tuple[int, list[str]]], width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the words that occur, the numbers of rows that are not blank, and the place of each cell's word."""
    codes, numbers, blocks = _Codes({"": 0}), [], [np.empty((0, width), np.int32)]
    while block := list(islice(rows, BLOCK)):
        whole = [(number, row) for number, row in block if len(row) == width or _check_width(file, number, row, width)]
        numbers += [number for number, _ in whole]
        places = map(codes.__getitem__, chain.from_iterable(row for _, row in whole))
        blocks.append(np.fromiter(places, np.int32, len(whole) * width).reshape(-1, width))
    # A word is tidied once, not wherever it stands.
    same, words = pd.factorize(np.array(list(map(_tidy, codes)), dtype=object))
    found = same.astype(np.int32)[np.concatenate(blocks)]
    filled = found.any(axis=1)  # the first word is the empty one
    return words, np.array(numbers)[filled], found[filled]


def _check_width(file: str, number: int, row: list[str], width: int) -> bool:
    """Say whether a row has a cell per column; a blank line has none, and others are refused."""
    if len(row) != width and any(map(str.strip, row)):
        raise ValueError(
            say("comment", file=file, row=number)
            if row[0].startswith("#")
            else say("width", file=file, row=number, n=len(row), width=width)
        )
    return len(row) == width


def _check_header(file: str, header: list[str]) -> None:
    for place, column in enumerate(header):
        if column in header[:place]:
            raise ValueError(say("twice", file=file, column=column))
        if not column and place:
            raise ValueError(say("nameless", file=file, place=place + 1))


TRUTH = "truth"
FEWEST_ROWS = LIMITS["few"]
RIGHT_OR_WRONG = set(NAMES["right_or_wrong"])


def plain(word: str) -> str:
    """Write a class as it is without what a column of decimals adds: 3.0, or 3,0, is 3."""
    whole, point, rest = word.replace(",", ".").partition(".")
    return whole if point and rest and not rest.strip("0") and whole.lstrip("-").isdigit() else word


def check_named(cells: Cells, columns: Mapping[str, str | Sequence[str]], trials: Sequence[str] | None) -> None:
    """Refuse names of columns that the file does not have."""
    for what, names in {**columns, "trials": trials or ()}.items():
        for name in _listed(names):
            if name not in cells.header:
                raise ValueError(
                    f"{cells.file} has no column {name!r} for {what}; its header is {', '.join(cells.header)}"
                )


def _listed(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def check_truth(cells: Cells, others_give_it: bool) -> None:
    """Refuse a file without true classes, unless others give them and no column could be meant to hold them."""
    called = [column for column in cells.header if column.lower() in {*NAMES["truth"], TRUTH}]
    offered = [each for each in called if each.lower() != "correct" or not _marks(cells, each) <= RIGHT_OR_WRONG]
    if offered:
        raise ValueError(say("truth_elsewhere", file=cells.file, column=offered[0], command=_how(cells, offered[0])))
    if others_give_it:
        return
    marks = all(_marks(cells, column) <= RIGHT_OR_WRONG for column in cells.header[1:])
    raise ValueError(say("right_or_wrong" if marks else "no_truth", file=cells.file, header=", ".join(cells.header)))


def _how(cells: Cells, true: str) -> str:
    """Return the options that take a file as it is: those that name one person's answers too, if it looks like them."""
    answers = [column for column in cells.header if column.lower() in NAMES["answers"]]
    trials = [each for each in cells.header if each not in (true, *answers) and not _is_recorded(each)]
    if len(answers) != 1 or not trials:
        return f"--truth {true} (columns={{'truth': '{true}'}})"
    return f"--truth {true} --system {answers[0]} --trials {trials[0]}"


def _is_recorded(column: str) -> bool:
    return is_like("recorded", column) or is_like("times", column)


def offers(cells: Cells, columns: Mapping[str, str | Sequence[str]], trials: Sequence[str] | None) -> str | None:
    """Return the column that says how many options each trial offers: the one named, or one that looks like it."""
    if "options" in columns:
        return str(columns["options"])
    named = {name for names in (*columns.values(), trials or ()) for name in _listed(names)}
    possible = [column for column in cells.header if is_like("options", column) and column not in named]
    numbers = (word.isdecimal() and int(word) >= FEWEST for column in possible for word in _marks(cells, column))
    return possible[0] if possible and all(numbers) else None


def of_wide(cells: Cells, truth: str | None, classes: Collection[str]) -> tuple[list[str], list[str], list[str]]:
    """Return which columns name the trial, which are systems, and what must be said of that."""
    header = _without_numbers_of_rows(cells)
    if truth is None:
        named = ([column for column in header if not _holds(cells, column, classes)] or header)[:1]
        return named, [column for column in header if column not in named], []
    before, after = header[: header.index(truth)], header[header.index(truth) + 1 :]
    after, notes = without_times(cells, after, classes)
    doubtful = [column for column in before if _holds(cells, column, classes)]
    trials = [column for column in before if column not in doubtful]
    if not trials:
        of_rows = (each for each in after if _names_rows(cells, [each]) and not _holds(cells, each, classes))
        trials = list(islice(of_rows, 1))
    enough = _names_rows(cells, trials) if trials else not _names_rows(cells, doubtful)
    for column in doubtful:
        if enough and _agrees(cells, column, truth):
            notes.append(say("before", column=column, truth=truth))
        else:
            trials = [each for each in header if each in {*trials, column}]
            notes.append(say("in_name", column=column))
    return trials, [column for column in [*before, *after] if column not in trials], notes


def check_systems(cells: Cells, systems: list[str], truth: str | None, classes: Collection[str]) -> None:
    """Refuse columns that are no systems by their names or by what they hold, but would pass for some."""
    if truth is not None:
        _check_no_scores(cells, systems, truth)
    if len(systems) > 1 and set(systems) == set(classes):
        raise ValueError(say("per_class", file=cells.file, columns=listed(systems)))
    n = len(cells.codes)
    for column in systems:
        words = _marks(cells, column) - NO_ANSWER_WORDS
        are_whole = all(is_like("whole", word) for word in words)
        why = {
            "recorded": is_like("recorded", column) or (truth is not None and column.lower() in NAMES["truth"]),
            "counter": are_whole and len(words) == n > max(2 * len(classes), FEWEST_ROWS),
            "same": words and are_whole and len(_marks(cells, column)) == 1 < len(classes) and n > FEWEST_ROWS,
        }
        for reason in filter(why.__getitem__, why):
            raise ValueError(say(reason, file=cells.file, column=column, word=cells.text(column)[0]))


def without_times(cells: Cells, columns: list[str], classes: Collection[str]) -> tuple[list[str], list[str]]:
    """Leave out columns that are called like times and hold only numbers that are no classes; say so in a note."""
    times = [
        column
        for column in columns
        if is_like("times", column)
        and all(is_like("number", word) for word in _marks(cells, column) - NO_ANSWER_WORDS)
        and not _holds(cells, column, classes)
    ]
    notes = [say("times", columns=listed(times))] if times else []
    return [column for column in columns if column not in times], notes


def _without_numbers_of_rows(cells: Cells) -> list[str]:
    """Leave out the column without a name in which pandas writes the numbers of rows, if others name the trials."""
    first = cells.header[0]
    if first or len(cells.header) < 3 or cells.header[1] == TRUTH:
        return cells.header
    counted = (str(row) for row in range(len(cells.codes)))
    return cells.header[all(map(str.__eq__, cells.text(first), counted)) :]


def _holds(cells: Cells, column: str, classes: Collection[str]) -> bool:
    """Say whether a column looks like answers: at least half are true classes, and no number is a row's own."""
    counts = np.bincount(cells.column(column), minlength=len(cells.words))
    if counts.max() == 1 and len(cells.codes) > 2 * len(classes):
        return False
    words = {plain(cells.words[place]): int(counts[place]) for place in np.flatnonzero(counts)}
    given = {word: n for word, n in words.items() if word.casefold() not in NO_ANSWER_WORDS}
    among = [n for word, n in given.items() if word in classes]
    are_rows = counts.max() == 1 and all(word.lstrip("-").isdigit() for word in given)
    return bool(among) and 2 * sum(among) >= sum(given.values()) and not are_rows


def _names_rows(cells: Cells, columns: list[str]) -> bool:
    """Say whether no two rows have the same in all columns."""
    return not cells.codes[columns].duplicated().any()


def _agrees(cells: Cells, column: str, truth: str) -> bool:
    """Say whether a column agrees with the truth more often than chance would, by three standard deviations."""
    said, true = (_plainly(cells, name) for name in (column, truth))
    size = len(cells.words)
    chance = np.bincount(said, minlength=size) @ np.bincount(true, minlength=size) / len(true) ** 2
    return bool((said == true).mean() > chance + 3 * np.sqrt(chance * (1 - chance) / len(true)))


def _plainly(cells: Cells, column: str) -> np.ndarray:
    """Return a number per row, the same where a column holds the same class."""
    return pd.factorize(np.array(list(map(plain, cells.words)), dtype=object))[0][cells.column(column)]


def _check_no_scores(cells: Cells, systems: list[str], truth: str) -> None:
    """Refuse a column that says whether another is right, which would pass for answers where classes are numbers."""
    if _marks(cells, truth) <= RIGHT_OR_WRONG:
        return
    for scores in systems:
        marks = _marks(cells, scores)
        if len(marks) < 2 or not marks <= RIGHT_OR_WRONG:
            continue
        right = np.array([plain(word).casefold() in ("1", "true") for word in cells.text(scores)])
        for other in systems:
            if (right == (_plainly(cells, other) == _plainly(cells, truth))).all():
                raise ValueError(say("score", file=cells.file, column=scores, other=other))


def _marks(cells: Cells, column: str) -> set[str]:
    return {plain(word).casefold() for word in cells.words[np.unique(cells.column(column))]}


def of_long(cells: Cells, system: str, candidates: list[str]) -> tuple[list[str], list[str]]:
    """Return which columns name the trial, those in which all systems have the same, and what must be said of that."""
    n_systems = cells.codes[system].nunique()
    kept: list[str] = []
    # A counter of each person's own is the same for all too, so what else names the trial goes first.
    last = {name: is_like("counter", name) or is_like("recorded", name) for name in candidates}
    for column in sorted(candidates, key=lambda name: (last[name], -cells.codes[name].nunique())):
        trial = [*kept, column]
        answered = cells.codes[[*trial, system]].drop_duplicates()
        if len(answered) == n_systems * len(answered[trial].drop_duplicates()):
            kept = trial
    if not kept:
        return candidates, []  # an answer is missing, which is said of it
    left = [column for column in candidates if column not in kept]
    names = [column for column in candidates if column in kept]
    notes = [say("differ", columns=listed(left), trials=listed(names))] if left else []
    return names, notes + ([say("by_number", column=kept[0])] if len(kept) == 1 and is_like("counter", kept[0]) else [])
