"""A table in a file as text, however it was saved, and where each row was; and what is said of it in which words."""

import csv
import gzip
import json
import re
import tomllib
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice
from os import PathLike
from pathlib import Path
from typing import Any, TextIO
from unicodedata import normalize

import numpy as np
import pandas as pd

from erralign._validation import NO_ANSWER_WORDS
from erralign.files import from_spreadsheets

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
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
            return _read(path, file)
    except UnicodeError as error:
        raise ValueError(f"{path.name} is not text in UTF-8 or UTF-16 ({error}); save it as CSV in UTF-8") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{path.name} is compressed, and damaged or cut short; compress it again") from None


def files_of(paths: Paths, *, besides: Path | None = None) -> list[Path]:
    """Return the files that are meant: of a folder those in it, but no reports; refuse to read one to be written."""
    given = [Path(paths)] if isinstance(paths, str | PathLike) else list(map(Path, paths))
    where = " and ".join(map(str, given)) or paths
    if len(given) == 1 and given[0].is_dir():
        given = sorted(each for each in given[0].iterdir() if not each.name.startswith("."))
        if given and all(each.is_dir() for each in given):
            raise ValueError(f"{where} holds folders and no files; name the files in them: {where}/*/*.csv")
        given = [each for each in given if each.is_file() and each.suffix.lower() not in (".html", ".md")]
        given = [each for each in given if besides is None or each.resolve() != besides.resolve()]
    if not given:
        raise ValueError(f"there is no file in {where}; give files of answers, or a folder of them")
    if besides is not None and besides.resolve() in [file.resolve() for file in given]:
        raise ValueError(f"{besides} is one of the files to be read, and would be overwritten; name another file")
    return given


def stacked(tables: Sequence[Cells]) -> Cells:
    """Put the rows of several files with the same columns into one table."""
    for other, each in combinations(tables, 2):
        if each.codes.equals(other.codes) and np.array_equal(each.words, other.words):
            raise ValueError(f"{other.file} and {each.file} hold the same rows; give each file once")
    words = pd.Index([]).append([pd.Index(each.words) for each in tables]).unique()
    header, moved = tables[0].header, []
    for each in tables:
        places = words.get_indexer(pd.Index(each.words)).astype(np.int32)
        moved.append(pd.DataFrame(places[each.codes[header]], each.codes.index, header))
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
            made = command.replace("{name}", path.as_posix()).replace("{to}", _as_text(path))
            raise ValueError(_how_to_read(path, what, made))
    # Not by the ending: what a browser has unpacked on the way keeps its name.
    unpack = gzip.open if start.startswith("\x1f\x8b") else open
    with unpack(path, "rb") as raw:
        encoding = "utf-16" if raw.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return unpack(path, "rt", encoding=encoding, newline="")


def _how_to_read(path: Path, what: str, command: str) -> str:
    """Say how to make a CSV file of another, and what to do first where a shell would break the command at the path."""
    first = say("first") if re.search(r"[\s'\"$`]", path.as_posix()) else ""
    what = re.sub(r"needs (\w+)$", r"needs \1 (pip install \1)", what)
    key = "array" if what == "an array of NumPy" else "other"
    return say(key, file=path.name, what=what, command=command, first=first)


def _as_text(path: Path) -> str:
    """Return where what makes text of a file should write it: beside the file."""
    return path.with_name(f"{path.stem}-as-text.csv").as_posix()


def _read(path: Path, text: TextIO) -> Cells:
    file, lines, head = path.name, 1, next(text, "")
    while head and (not head.strip() or head.lower().startswith("sep=")):  # Excel says so what stands between cells
        lines, head = lines + 1, next(text, "")
    if head.startswith("#") and head[1:2].strip(DELIMITERS):
        raise ValueError(say("comment", file=file, row=lines))
    if head.lstrip().startswith(("{", "[")):
        rows: Iterator[tuple[int, list[str]]] = iter(_of_json(path, head + text.read()))
    else:
        how: Any = {"delimiter": max(DELIMITERS, key=head.count), "skipinitialspace": True, "strict": True}
        rows = _numbered(file, csv.reader(chain([head], text), **how), lines)
    header = [_tidy(cell) for cell in next(rows, (0, []))[1]]
    words, numbers, codes = _coded(file, rows, len(header))
    if not numbers.size:
        raise ValueError(say("empty", file=file))
    empty = [place for place, name in enumerate(header) if not name and not any(words[np.unique(codes[:, place])])]
    header = [name for place, name in enumerate(header) if place not in empty]
    for place, column in enumerate(header):
        if column and column in header[:place]:
            raise ValueError(say("twice", file=file, column=column))
        if not column and place:
            raise ValueError(say("nameless", file=file, place=place + 1))
    codes = np.asfortranarray(np.delete(codes, empty, axis=1))
    again = (words[codes] == np.array(header, dtype=object)).all(axis=1)
    if again.any():
        raise ValueError(say("header_again", file=file, row=numbers[again.argmax()]))
    return Cells(file, words, pd.DataFrame(codes, numbers, header))


def _of_json(path: Path, text: str) -> list[tuple[int, list[str]]]:
    """Return a header and rows from a list of objects, or from one object per line."""
    try:
        is_list = text.lstrip().startswith("[")
        found = json.loads(text) if is_list else [json.loads(line) for line in text.splitlines() if line.strip()]
        header = list(dict.fromkeys(name for each in found for name, _ in each.items()))
        cells = [["" if each.get(name) is None else each[name] for name in header] for each in found]
    except (json.JSONDecodeError, AttributeError):
        cells = [[{}]]
    if any(isinstance(cell, dict | list) for row in cells for cell in row):
        raise ValueError(say("json", file=path.name, name=path.as_posix(), to=_as_text(path)))
    return list(enumerate([header, *([str(cell) for cell in row] for row in cells)]))


INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200e\u200f\u2060"))  # byte-order mark, zero width, directions


def _tidy(word: str) -> str:
    """Return a word as it looks: its letters composed, without what is invisible or stands around it, on one line."""
    return from_spreadsheets(" ".join(normalize("NFC", word).translate(INVISIBLE).split()))


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
    codes: defaultdict[str, int] = defaultdict(lambda: len(codes), {"": 0})
    numbers, blocks = [], [np.empty((0, width), np.int32)]
    while block := list(islice(rows, BLOCK)):
        whole = [(number, row) for number, row in block if len(row) == width]
        for number, row in block if len(whole) < len(block) else ():
            if len(row) != width and any(map(str.strip, row)):  # a blank line is none
                what = "comment" if row[0].startswith("#") else "width"
                raise ValueError(say(what, file=file, row=number, n=len(row), width=width))
        numbers += [number for number, _ in whole]
        places = map(codes.__getitem__, chain.from_iterable(row for _, row in whole))
        blocks.append(np.fromiter(places, np.int32, len(whole) * width).reshape(-1, width))
    # A word is tidied once, not wherever it stands.
    same, words = pd.factorize(np.array(list(map(_tidy, codes)), dtype=object))
    found = same.astype(np.int32)[np.concatenate(blocks)]
    filled = found.any(axis=1)  # the first word is the empty one
    return words, np.array(numbers)[filled], found[filled]


# ---- files of one person ---------------------------------------------------------------------------------------------


ENDINGS = re.compile(r"(\.(csv|tsv|txt|dat|json|jsonl))?(\.gz)?$", re.IGNORECASE)  # of a file's name, and before that:
SESSION = re.compile(r"(?<=.)[-_ ]*(run|ses|sess|session)[-_ ]*\d+$", re.IGNORECASE)


def read_tables(files: Sequence[Path], columns: Mapping[str, list[str]], trials: Sequence[str] | None) -> list[Cells]:
    """Read files; put those of one person's sessions, or of people whom a column names, into one table each.

    Files of one name in several folders are called by their folders, too.
    """
    often, named = Counter(file.name for file in files), columns.get("system", [])
    systems = {*NAMES["people"], *(named if len(named) == 1 else ["system"])}
    groups: dict[Any, list[Cells]] = {}
    for place, file in enumerate(files):
        _check_marked(file)
        each = read_cells(file)
        if often[file.name] > 1:
            each = replace(each, file=(Path(file.parent.name) / file.name).as_posix())
        stem, header = ENDINGS.sub("", each.file), {column.lower() for column in each.header}
        is_long = systems & header and header & {*NAMES["answers"], *columns.get("answer", ["answer"])}
        of_person = SESSION.sub("", stem) if SESSION.search(stem) else place
        groups.setdefault((frozenset(each.header), None if is_long else of_person), []).append(each)
    tables: list[Cells] = []
    for (_, person), group in groups.items():
        are_one = len(group) > 1 and (person is None or _are_apart(group, columns, trials))
        tables += [stacked(group)] if are_one else group
    return tables


def _are_apart(tables: Sequence[Cells], columns: Mapping[str, list[str]], trials: Sequence[str] | None) -> bool:
    """Say whether no two files have a trial in common: sessions of a person have none, runs of a model have all."""
    header, (truth,) = tables[0].header, columns.get("truth", ["truth"])
    before = header[: header.index(truth)] or header[1:2] if truth in header else header[:1]
    named = [name for name in before if not (is_like("counter", name) or is_like("recorded", name))]
    given = [name for name in trials or () if name in header]  # others are refused where they are read
    found = [set(zip(*map(each.text, given or named or before), strict=True)) for each in tables]
    return len(set.union(*found)) == sum(map(len, found))


def named_after(cells: Cells) -> str:
    """Return a file's name without its ending and, where sessions of a person are one table, without their number."""
    name = ENDINGS.sub("", cells.file if cells.files is None else cells.files[0])
    return name if cells.files is None else SESSION.sub("", name)


def _check_marked(path: Path) -> None:
    """Refuse text in UTF-16 without its mark, and in UTF-32, of which the first two or four bytes are enough."""
    head = b""
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(4)
    if 0 in head[:2] or head[2:] == b"\0\0":
        raise ValueError(say("no_text", file=path.name))


# ---- what a file is --------------------------------------------------------------------------------------------------


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
OTHERS, PATTERNS, LIMITS, SENTENCES = (_WORDS[part] for part in ("others", "patterns", "limits", "sentences"))
NEWER = tomllib.loads(Path(__file__).with_name("newer.toml").read_text(encoding="utf-8"))
_SENTENCES, _PATTERNS = SENTENCES | _WORDS["package"] | NEWER["sentences"], PATTERNS | NEWER["patterns"]


def say(key: str, /, **fields: Any) -> str:
    """Return a sentence of the table, with numbers and names filled in."""
    return re.sub(r"\{(\w+)\}", lambda name: str(fields.get(name[1], name[0])), _SENTENCES[key])


def refusal(cells: Cells, key: str, **fields: Any) -> ValueError:
    """Return the error of a file that cannot be read, in a sentence of the table."""
    names = int(LIMITS["names"])
    header = ", ".join(cells.header[:names]) + " …" * (len(cells.header) > names)
    return ValueError(say(key, file=cells.file, header=header, **fields))


def is_like(pattern: str, word: str) -> bool:
    """Say whether a whole word is as a pattern of the table has it."""
    return re.fullmatch(_PATTERNS[pattern], word, re.IGNORECASE) is not None


def listed(names: Iterable[str]) -> str:
    """Return names with quotes and commas."""
    return ", ".join(f"'{name}'" for name in names)


def counted(words: Iterable[tuple[str, int]]) -> str:
    """Return words with how often each occurs."""
    return ", ".join(f"'{word}' ({n:,})" if word else f"an empty cell ({n:,})" for word, n in words)


def most_of(counts: np.ndarray, names: Sequence[str]) -> str:
    """Return the most frequent names, with how often each occurs."""
    order = [int(each) for each in np.argsort(-counts, kind="stable") if counts[each]]
    shown = int(LIMITS["listed"])
    more = f" and {len(order) - shown} more" if len(order) > shown else ""
    return counted((names[each], int(counts[each])) for each in order[:shown]) + more


def one_letter_apart(one: str, other: str) -> bool:
    """Say whether a letter that is left out, put in or changed, or two that change places, turn one into the other."""
    if one == other or max(len(one), len(other)) < 3 or any(map(str.isdigit, one + other)):
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[1:2] + a[:1] == b[:2] and a[2:] == b[2:])


def plain(word: str) -> str:
    """Write a class as it is without what a column of decimals adds: 3.0, or 3,0, is 3."""
    whole, point, rest = word.replace(",", ".").partition(".")
    return whole if point and rest and not rest.strip("0") and whole.lstrip("-").isdigit() else word


def labels_of(cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    """Return which class each word is, and these classes: text, or numbers however they are written."""
    labels = [int(plain(word)) if is_like("whole", plain(word)) else word for word in cells.words]
    return pd.factorize(np.array(labels, dtype=object))
