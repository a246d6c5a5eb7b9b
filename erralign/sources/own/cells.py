"""A table in a file as text, however it was saved, and where each row was; and what is said of it in which words."""

import csv
import gzip
import json
import re
import tomllib
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO
from unicodedata import normalize

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER_WORDS

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


def joined(cells: Cells, columns: Sequence[str]) -> Cells:
    """Put the words of several columns into one."""
    texts = map(" ".join, zip(*map(cells.text, columns), strict=True))
    places, words = pd.factorize(np.array(list(texts), dtype=object))
    codes = cells.codes.drop(columns=list(columns))
    codes.insert(0, " ".join(columns), places + len(cells.words))
    return replace(cells, words=np.concatenate([cells.words, words]), codes=codes)


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
            raise ValueError(
                say("twice", file=file, column=column) if column else say("nameless", file=file, place=place + 1)
            )
        if not column and place:
            raise ValueError(say("nameless", file=file, place=place + 1))


# ---- what a file is --------------------------------------------------------------------------------------------------


# How files begin that hold no table as text, what their first bytes also hold, what they are, what makes a CSV file.
_PANDAS = "python -c \"import pandas; pandas.read_{reader}('{name}').to_csv('{to}', index=False)\""
_UNPACK = "python -c \"import {reader}; open('{to}', 'wb').write({reader}.open('{name}').read())\""
_ARRAYS = "python -c \"import numpy, pandas; pandas.DataFrame(dict(numpy.load('{name}'))).to_csv('{to}', index=False)\""
OTHERS = [
    ["PK", ".npy", "arrays of NumPy", _ARRAYS],
    ["PK", "[Content_Types].xml", "a workbook of Excel", _PANDAS.replace("{reader}", "excel")],
    ["PK", "", "a zip archive", "python -m zipfile -e {name} ."],
    ["\xd0\xcf\x11\xe0", "", "an old workbook of Excel", _PANDAS.replace("{reader}", "excel")],
    ["PAR1", "", "Parquet", _PANDAS.replace("{reader}", "parquet")],
    ["ARROW1", "", "Feather", _PANDAS.replace("{reader}", "feather")],
    ["\x80", "", "a pickle (which runs code: only if it is yours)", _PANDAS.replace("{reader}", "pickle")],
    ["\x93NUMPY", "", "an array of NumPy", 'python -c "import numpy; help(numpy.savetxt)"'],
    ["BZh", "", "compressed with bzip2", _UNPACK.replace("{reader}", "bz2")],
    ["\xfd7zXZ", "", "compressed with xz", _UNPACK.replace("{reader}", "lzma")],
    ["<", "", "a page of the web, or XML", "save the table that it shows as CSV"],
]
TEXT = "utf-8-sig"  # some programs begin a file with a mark
LINE = 2**20  # characters of a line, after which it is not looked at further
START, HEADER = "_journal/start.json", "header.json"  # members of an archive that Inspect wrote


def is_trec(path: Path) -> bool:
    """Say whether a file begins with four words, the last of which is a whole number."""
    if not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        words = file.readline(1000).split()
    return len(words) == 4 and words[3].removeprefix("-").isdecimal()


def kind_of(path: Path) -> str:
    """Return which tool wrote a file: ``inspect``, ``harness``, or neither (``""``)."""
    if not path.is_file():
        return ""
    if path.suffix == ".eval":
        return "inspect"
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return "" if {START, HEADER}.isdisjoint(archive.namelist()) else "inspect"
    try:
        with path.open(encoding=TEXT) as file:
            head = file.readline(LINE).lstrip()
            head = head if len(head) > 2 else head + file.readline(LINE)  # of a log that is indented
    except (UnicodeError, OSError):
        return ""
    if re.match(r'\{\s*"(version|status|eval)"\s*:', head):
        return "inspect"
    return "harness" if re.match(r'\{.*"(doc_id|filtered_resps|resps)"\s*:', head) else ""


# ---- in words --------------------------------------------------------------------------------------------------------


_WORDS = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
NAMES = _WORDS["names"] | {"no_answer": sorted(NO_ANSWER_WORDS)}
PATTERNS, LIMITS, SENTENCES = (_WORDS[part] for part in ("patterns", "limits", "sentences"))


def say(key: str, /, **fields: Any) -> str:
    """Return a sentence of the table, with numbers and names filled in."""
    return re.sub(r"\{(\w+)\}", lambda name: str(fields.get(name[1], name[0])), SENTENCES[key])


def is_like(pattern: str, word: str) -> bool:
    """Say whether a whole word is as a pattern of the table has it."""
    return re.fullmatch(PATTERNS[pattern], word, re.IGNORECASE) is not None


def listed(names: Iterable[str]) -> str:
    """Return names with quotes and commas."""
    return ", ".join(f"'{name}'" for name in names)


def counted(words: Iterable[tuple[str, int]]) -> str:
    """Return words with how often each occurs."""
    return ", ".join(f"'{word}' ({n:,})" if word else f"an empty cell ({n:,})" for word, n in words)
