"""A table in a file as text, however it was saved: CSV, JSON with an object per row, XLSX, Parquet."""

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np
import pandas as pd

from erralign._validation import install_line, nearest
from erralign.files import HALF, check_archive, from_spreadsheets, has_half_a_character, may_unpack_to

_DELIMITERS = ",;\t"
_LARGEST = 2**32  # bytes of a file when it is unpacked
_TIMES_BYTES = 8  # values of Parquet per byte: trials have names, which take room
_MOST_CELLS = 2**22  # of a sheet, or of a small file of Parquet, whatever room they take in the file
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad"))
# How files begin that hold no table, what the first ones also hold, and what they are.
_OTHERS = [
    (b"PK", b".npy", "arrays of NumPy"),
    (b"PK", b"", "a zip archive"),
    (b"\xd0\xcf\x11\xe0", b"", "an old workbook of Excel (.xls)"),
    (b"\x80", b"", "a pickle, which may run any code"),
    (b"\x93NUMPY", b"", "an array of NumPy, which has no names"),
    (b"ARROW1", b"", "Feather"),
    (b"BZh", b"", "compressed with bzip2"),
    (b"\xfd7zXZ", b"", "compressed with xz"),
    (b"<", b"", "a page of the web, or XML"),
]
_SEPARATOR = re.compile(rb"(?i)\"?sep=([^\w\r\n\"\x80-\xff])\"?\r?\n")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_TERM = r"'[^']*'|\"[^\"]*\"|[^'\"]+?"
_COMPARISON = re.compile(rf"\s*({_TERM})\s*(==|!=)\s*({_TERM})\s*(?:\sand\s+|$)")


def tidy(word: str) -> str:
    """Return a word as it looks: its letters composed, without what is invisible or stands around it, on one line.

    An apostrophe before what a spreadsheet would run as a formula, as in files of ours, is none of the word's.
    """
    if not word.isascii():
        word = normalize("NFC", word).translate(_INVISIBLE)
    return from_spreadsheets(" ".join(word.split()))


def read_table(path: Path) -> pd.DataFrame:
    """Read a file as a table of text, indexed by the numbers of its rows, of which the header is the first."""
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; give the path of a file (of an address, download it first)")
    data = path.read_bytes()
    if data.startswith(b"PAR1") or (data.startswith(b"PK") and b"[Content_Types].xml" in data):
        table = _with_pandas(path, is_workbook=data.startswith(b"PK"))
    else:
        table = _of_text(path.name, data)
    table.columns = pd.Index([tidy(str(column)) for column in table])
    for place, column in enumerate(table):
        if not column and place and table.iloc[:, place].map(tidy).any():
            raise ValueError(
                f"{path.name}, row 1: column {place + 1} has no name; name it or leave it out; if the header is "
                "another row, leave out what stands above it"
            )
    named = table.columns != ""
    named[:1] = True  # in a first column without a name pandas writes the numbers of rows
    table = table.loc[:, named]
    if not table.columns.is_unique:
        twice = table.columns[table.columns.duplicated()][0]
        raise ValueError(
            f"{path.name}, row 1 names column {twice!r} twice; give each its own name; if row 1 is a trial, the header "
            "is missing"
        )
    blank = (table.iloc[:, 0] == "").to_numpy(bool, copy=True)
    blank[blank] = (table[blank] == "").to_numpy(bool).all(axis=1)
    table = table[~blank]
    if table.empty:
        raise ValueError(
            f"{path.name} holds no trials; expected a header and rows below it; if it is no file of answers, move it "
            "out of the way"
        )
    return table


def _with_pandas(path: Path, *, is_workbook: bool) -> pd.DataFrame:
    """Read a workbook or Parquet as text: no word is taken for a number, or for a missing one."""
    if is_workbook:
        check_archive(path, "save it as CSV")
    try:
        if is_workbook:
            table = _of_workbook(path)
        else:
            _check_values(path)
            table = pd.read_parquet(path)
            table = table.reset_index(names=[name or "" for name in table.index.names])
            table = table.convert_dtypes().astype(object)  # whole numbers are written without a decimal point
            table = table.where(table.notna(), "").map(str)
    except ImportError:
        raise ValueError(f"{path.name} needs the extra 'files'; get it with  {install_line('files')}") from None
    except (MemoryError, _Refused):
        raise
    except Exception as error:  # whatever the libraries raise of a file that is damaged
        raise ValueError(f"{path.name} is damaged ({type(error).__name__}); save it again, or as CSV") from None
    return table.set_axis(range(2, len(table) + 2))


class _Refused(ValueError):
    """What is said of a file that is not damaged: it has very many cells, or formulas that were never calculated."""


def _of_workbook(path: Path) -> pd.DataFrame:
    """Read the first sheet; what it says where a formula fails is a word, and a formula without a value is refused."""
    with pd.ExcelFile(path, engine="openpyxl") as workbook:
        sheet = workbook.book.worksheets[0]
        sheet.reset_dimensions()  # what the file says of them need not be so
        _check_cells(path, sheet.rows)
        failed = {str(cell.value) for row in sheet.rows for cell in row if cell.data_type == "e"}
        empty = {
            cell.coordinate for row in sheet.rows for cell in row if hasattr(cell, "coordinate") and cell.value is None
        }
        table = pd.read_excel(workbook, dtype=str, keep_default_na=False)
        sheets = list(map(str, workbook.sheet_names))
    if len(sheets) > 1 and table.empty:
        raise _Refused(
            f"{path.name}: its first sheet, {sheets[0]!r}, holds no table, and only the first is read; move "
            f"{' or '.join(map(repr, sheets[1:]))} to its place, or save it as CSV"
        )
    if failed - {"#N/A"}:
        raise _Refused(f"{path.name} holds {min(failed - {'#N/A'})!r}, where a formula fails; mend it there")
    _check_calculated(path, empty)
    table.columns = [re.sub(r"^Unnamed: \d+$", "", str(column)) for column in table]
    table = table.fillna("#N/A")  # which is what pandas takes for missing, whatever it is told
    table.attrs["sheets"] = sheets[1:]
    return table


def _check_calculated(path: Path, empty: Collection[str]) -> None:
    """Refuse formulas that no spreadsheet has calculated: they have no values."""
    from openpyxl import load_workbook

    if not empty:
        return
    book = load_workbook(path, read_only=True)
    for row in book.worksheets[0].rows:
        for cell in row:
            if getattr(cell, "coordinate", "") in empty and cell.data_type == "f":
                raise _Refused(
                    f"{path.name}, cell {cell.coordinate}: its formula was never calculated; open the file in a "
                    "spreadsheet and save it again"
                )


def _check_cells(path: Path, rows: Iterable[Sequence[Any]]) -> None:
    """Refuse a sheet whose cells are many before all are there: a cell in the last column makes 16,384 of its row."""
    n_cells = 0
    for row in rows:
        n_cells += 1 + len(row)
        if n_cells > _MOST_CELLS:
            raise _Refused(f"{path.name} has over {_MOST_CELLS:,} cells, empty ones too; save it as CSV")


def _check_values(path: Path) -> None:
    """Refuse a file of Parquet with many values in few bytes: one that is there a billion times takes no room."""
    from pyarrow.parquet import read_metadata

    facts = read_metadata(path)
    groups = [facts.row_group(number) for number in range(facts.num_row_groups)]
    n_values = sum(group.column(place).num_values for group in groups for place in range(group.num_columns))
    most = max(_MOST_CELLS, _TIMES_BYTES * path.stat().st_size)
    if n_values > most:
        raise _Refused(f"{path.name} has {n_values:,} values, more than {most:,} in its bytes; save it as CSV")


def _of_text(file: str, data: bytes) -> pd.DataFrame:
    for begins, holds, what in _OTHERS:
        if data.startswith(begins) and holds in data:
            raise ValueError(f"{file} is {what}; expected a table: save it as CSV, with a header")
    if data.startswith(b"\x1f\x8b"):
        most = may_unpack_to(len(data))
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(most + 1)
        except (EOFError, OSError, zlib.error):
            raise ValueError(f"{file} is compressed, and damaged or cut short; compress it again") from None
        if len(data) > most:
            raise ValueError(f"{file} unpacks to over {most:,} bytes, many times its size; unpack it, and give that")
    if len(data) >= _LARGEST:
        raise ValueError(f"{file} has {_LARGEST:,} bytes or more; give it in parts")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and data[2:4] != b"\0\0":
        data = data.decode("utf-16", errors="replace").encode()
    try:
        data.decode()
    except UnicodeDecodeError:
        data = b"\0"
    if b"\0" in data:
        raise ValueError(f"{file} is not text in UTF-8, nor in UTF-16 with its mark; save it as CSV in UTF-8")
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if data.startswith((b"{", b"[")):
        return _of_json(file, data.decode())
    return _of_csv(file, data)


def _of_json(file: str, text: str) -> pd.DataFrame:
    """Read a list of objects, or an object per line; what is no text is written as JSON."""
    try:
        if text.startswith("{"):
            text = "[" + ",".join(line for line in text.split("\n") if line.strip()) + "]"
        rows = json.loads(text)
        header = list(dict.fromkeys(name for row in rows for name in dict(row)))
    except (ValueError, TypeError, RecursionError):
        raise ValueError(f"{file} is JSON, but has no object in each row, with words by the names of columns") from None
    if HALF.search(text):
        for number, row in enumerate(rows, 1):
            if has_half_a_character(row):
                raise ValueError(f"{file}, row {number} holds half a character (a lone surrogate); write it anew")
    cells = [[row.get(name, "") for name in header] for row in rows]
    table = pd.DataFrame(cells, range(1, len(rows) + 1), header, dtype=object)
    return table.map(_as_text)


def _as_text(cell: Any) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else json.dumps(cell)


def _of_csv(file: str, data: bytes) -> pd.DataFrame:
    """Read CSV by pandas' parser, after a look at what stands between cells, and whether all rows have as many."""
    first, mark = 1, ""
    if b"\n" not in data:  # rows that end as on the first Macintosh
        data = data.replace(b"\r", b"\n")
    csv.field_size_limit(max(csv.field_size_limit(), len(data)))
    told = _SEPARATOR.match(data)
    if told:  # Excel says so what stands between cells
        first, mark, data = 2, told[1].decode(), data[told.end() :].lstrip(b"\r\n")
    if not data.strip():
        return pd.DataFrame([[""]]).iloc[:0]
    header, second = [*_LINE_END.split(data, 2), b""][:2]
    mark = mark or _delimiter(header.decode(), second.decode())
    width = len(next(csv.reader([header.decode()], delimiter=mark)))
    n_lines = data.count(b"\n") + (not data.endswith(b"\n"))
    if b'"' in data or data.count(mark.encode()) != n_lines * (width - 1):
        _check_rows(file, data.decode(), mark, first)
    options: dict[str, Any] = {"dtype": object, "na_filter": False, "skip_blank_lines": False}
    try:
        table = pd.read_csv(io.BytesIO(data), sep=mark, header=None, skipinitialspace=True, **options)
    except pd.errors.ParserError:  # one row has as many cells too many as others have too few
        _check_rows(file, data.decode(), mark, first)
        raise
    table.columns = table.iloc[0]
    return table.iloc[1:].set_axis(range(first + 1, first + len(table)))


def _delimiter(header: str, second: str) -> str:
    """Return what stands between cells: what the header has outside quotes, and row 2 as often."""
    widths = {}
    for mark in _DELIMITERS:
        cells = [len(row) for row in csv.reader([header, second], delimiter=mark)]
        widths[mark] = (cells[0] == cells[-1] > 1, cells[0])
    return max(widths, key=lambda mark: widths[mark])


def _check_rows(file: str, text: str, mark: str, first: int) -> None:
    """Refuse rows that are shorter or longer than the header, and stray quotation marks, by the row."""
    row, width = first, 0
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True, skipinitialspace=True)
        for row, cells in enumerate(reader, first):
            width = width or len(cells)
            if len(cells) != width and any(map(str.strip, cells)):
                hint = "if there are commas within names or words, put these into quotation marks"
                if width == 1:
                    hint = f"if the header is row {row}, leave out what stands above it"
                raise ValueError(f"{file}, row {row} has {len(cells)} cells, row {first} has {width}; {hint}")
    except csv.Error:
        raise ValueError(f"{file}, row {row + 1}: a quotation mark is not closed, or closed within a cell") from None


def header_of(table: pd.DataFrame) -> list[str]:
    """Return the names of the columns."""
    return list(map(str, table))


class Comparison(NamedTuple):
    """A column, a word, and whether its cells are to say this word."""

    column: str
    is_word: bool
    word: str


def comparisons(where: str) -> list[Comparison]:
    """Read which rows are asked for, such as ``a == x and b != 'y z'``; its words are read as cells are."""
    found, place = [], 0
    while place < len(where):
        match = _COMPARISON.match(where, place)
        if not match:
            raise ValueError(f"where is {where!r}; expected such as  column == word and other != 'two words'")
        column, word = (tidy(re.sub(r"^(['\"])(.*)\1$", r"\2", match[group])) for group in (1, 3))
        found.append(Comparison(column, match[2] == "==", word))
        place = match.end()
    return found


def check_words(tables: Sequence[pd.DataFrame], asked: Sequence[Comparison]) -> None:
    """Refuse a word that no cell of its column says, in none of the files: all rows would be as it wants, or none."""
    for column, _, word in asked:
        cells = [tidy(cell) for table in tables if column in table for cell in table[column].unique()]
        if cells and word and word not in cells:
            raise ValueError(
                f"--where: no cell of column {column!r} says {word!r}; {nearest(word, cells)}; comparisons are joined "
                "by  and"
            )


def chosen(table: pd.DataFrame, asked: Sequence[Comparison], file: str) -> pd.DataFrame:
    """Return the rows of which all comparisons hold, word for word."""
    for column, is_word, word in asked:
        if column not in table:
            raise ValueError(
                f"{file} has no column {column!r} for --where; its header is {', '.join(header_of(table))}"
            )
        codes, words = pd.factorize(table[column])
        says_it = np.array([tidy(other) == word for other in words], dtype=bool)[codes]
        table = table[says_it == is_word]
    if table.empty:
        raise ValueError(f"{file} has no row of which all of --where holds; words are compared exactly")
    return table
