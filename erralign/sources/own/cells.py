"""A table in a file as text, however it was saved, and where each row was."""

import csv
import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

import numpy as np
import pandas as pd

DELIMITERS = ",;\t"
BLOCK = 100  # rows that are read at once, few enough for a processor's cache
# How files begin that hold no text, what they are, and how pandas reads them.
OTHERS = {
    b"PK": ("a workbook of Excel, or an archive", "excel"),
    b"\xd0\xcf\x11\xe0": ("an old workbook of Excel", "excel"),
    b"PAR1": ("Parquet", "parquet"),
    b"{": ("JSON", "json"),
    b"[{": ("JSON", "json"),
}


@dataclass(frozen=True)
class Cells:
    """What a file contains: each text that occurs once, which of them stands where, and in which row of the file."""

    file: str  # its name, for messages
    words: np.ndarray  # of text
    codes: pd.DataFrame  # the places of words, indexed by the numbers of rows in the file, the header being row 1

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
        return f"{self.file}, row {self.codes.index[place]}" + (f", column {column!r}" if column is not None else "")


class _Codes(dict[str, int]):
    """The place of each word, in the order in which they come."""

    def __missing__(self, word: str) -> int:
        self[word] = place = len(self)
        return place


def read_cells(path: Path) -> Cells:
    """Read a file as text, compressed or not, and say where a row is broken."""
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; give the path of a CSV file")
    try:
        with _opened(path) as file:
            return _read(path.name, file)
    except UnicodeError as error:
        raise ValueError(f"{path.name} is not text in UTF-8 or UTF-16 ({error}); save it as CSV in UTF-8") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{path.name} is compressed, and damaged or cut short; compress it again") from None


def _opened(path: Path) -> TextIO:
    with path.open("rb") as file:
        start = file.read(4)
    for begins, (what, reader) in OTHERS.items():
        if start.startswith(begins):
            lines = ", lines=True" if path.suffix == ".jsonl" else ""
            convert = f"pandas.read_{reader}({path.name!r}{lines}).to_csv({f'{path.stem}-as-text.csv'!r}, index=False)"
            raise ValueError(f'{path.name} is {what}; make a CSV file of it:  python -c "import pandas; {convert}"')
    # Not by the ending: what a browser has unpacked on the way keeps its name.
    unpack = gzip.open if start.startswith(b"\x1f\x8b") else open
    with unpack(path, "rb") as raw:
        encoding = "utf-16" if raw.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return unpack(path, "rt", encoding=encoding, newline="")


def _read(file: str, text: TextIO) -> Cells:
    lines, head = 1, next(text, "")
    while head and (not head.strip() or head.lower().startswith("sep=")):  # Excel says so what stands between cells
        lines, head = lines + 1, next(text, "")
    mark = max(DELIMITERS, key=head.count)
    reader = csv.reader(chain([head], text), delimiter=mark, skipinitialspace=True, strict=True)
    rows = _numbered(file, reader, lines)
    header = [cell.strip() for cell in next(rows, (0, []))[1]]
    words, numbers, codes = _coded(file, rows, len(header))
    if not numbers.size:
        raise ValueError(f"{file} holds {int(any(header))} rows; expected a header and at least one trial")
    empty = [place for place, name in enumerate(header) if not name and not any(words[np.unique(codes[:, place])])]
    header = [name for place, name in enumerate(header) if place not in empty]
    _check_header(file, header)
    return Cells(file, words, pd.DataFrame(np.asfortranarray(np.delete(codes, empty, axis=1)), numbers, header))


def _numbered(file: str, reader, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield rows, each with the number of its last line in the file, whose header is in the line ``first``."""
    last = first - 1
    try:
        for row in reader:
            last = first - 1 + reader.line_num
            yield last, row
    except csv.Error:
        where = f"{file}, row {last + 1}"
        raise ValueError(f"{where}: a quotation mark is not closed, or closed within a cell") from None


def _coded(file: str, rows: Iterator[tuple[int, list[str]]], width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the words that occur, the numbers of rows that are not blank, and the place of each cell's word."""
    codes, numbers, blocks = _Codes({"": 0}), [], [np.empty((0, width), np.int32)]
    while block := list(islice(rows, BLOCK)):
        whole = [(number, row) for number, row in block if len(row) == width or _check_width(file, number, row, width)]
        numbers += [number for number, _ in whole]
        places = map(codes.__getitem__, chain.from_iterable(row for _, row in whole))
        blocks.append(np.fromiter(places, np.int32, len(whole) * width).reshape(-1, width))
    # A word is stripped once, not wherever it stands.
    same, words = pd.factorize(np.array([word.strip() for word in codes], dtype=object))
    found = same.astype(np.int32)[np.concatenate(blocks)]
    filled = found.any(axis=1)  # the first word is the empty one
    return words, np.array(numbers)[filled], found[filled]


def _check_width(file: str, number: int, row: list[str], width: int) -> bool:
    """Say whether a row has a cell per column; a blank line has none, and others are refused."""
    if len(row) != width and any(map(str.strip, row)):
        raise ValueError(f"{file}, row {number} has {len(row)} cells, the header has {width}")
    return len(row) == width


def _check_header(file: str, header: list[str]) -> None:
    for place, column in enumerate(header):
        if column in header[:place]:
            raise ValueError(f"{file}, row 1 names column {column!r} twice; give each column its own name")
        if not column and place:
            raise ValueError(f"{file}, row 1: column {place + 1} has no name; name the system or leave it out")
