"""Tables and charts as HTML, and the numbers by which a page calls them."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jinja2 import Environment

from erralign._validation import check_choice
from erralign.plot.theme import fewest_digits, heading, in_words, number

_DIGITS, _DIGITS_OF_P = 2, 3
MARKS = {
    "agrees": {"reproduced", "within seed spread", "reproduced within seed spread", "redrawn", "holds"},
    "differs": {"differs", "does not hold", "not reproduced", "outside seed spread"},
    "without": {"not computable here", "restated", "printed again", "by definition"},
    "unsettled": {"not settled"},
}
# A number, be it with its interval, or of how many; not a name that begins with one.
NUMERIC = re.compile(r"[(<±+−]? ?\d[\d.,]*( × 10[⁻⁰¹²³⁴-⁹]+)?( ?%)?\)?($| [(±≠]| of \d| to [−\d])")
_PLAIN = re.compile(r"[+−]?[\d,]+(\.\d+)?")
_TEXT = {"words", "name"}
_LETTERS_OF_A_NAME = 20  # text of more is words, which fill several lines, but not with one word each
UNLIKE = "≠"  # between a printed number and ours
TEMPLATE = Path(__file__).with_name("parts.html")
_KNOWN = {"UNLIKE": UNLIKE, "MARK_OF": {verdict: mark for mark, verdicts in MARKS.items() for verdict in verdicts}}
_PARTS: Any = Environment(autoescape=True).from_string(TEMPLATE.read_text(encoding="utf-8"), _KNOWN).module


@dataclass(frozen=True)
class Table:
    """A table that notebooks, the site and reports show as it is.

    Parameters
    ----------
    html : str
        A figure with its caption.
    text : str
        The same for a terminal.
    """

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        """Return the table for a terminal."""
        return self.text


class _Column(NamedTuple):
    """A column as it is shown: the levels of its heading, its cells, and how they are set."""

    heading: tuple[str, ...]
    cells: list[str]
    kind: str  # "number", "verdict", "pages", or text: "words", "name"
    names_rows: bool


def table(
    frame: pd.DataFrame | pd.Series,
    caption: str,
    *,
    digits: int | Mapping[Any, int] = _DIGITS,
    missing: str = "undefined",
    pages: str | None = None,
) -> Table:
    """Show a table of results with a caption: names in words, numbers with the digits that a reader needs.

    An index that only counts the rows is left out; any other index names them. Columns of whole numbers have no digits
    after the point. P-values, in columns called ``p`` or beginning with ``p_`` or ``p,`` and a space, have three, and
    one below 0.001 is written ``< 0.001``. The cells of a column called ``verdict`` are marked, by what
    stands before the first colon.

    Parameters
    ----------
    frame : pandas.DataFrame or pandas.Series
        The results, not rounded.
    caption : str
        What the table shows, without a full stop; the site puts a number before it.
    digits : int or mapping
        How many digits are written after the point: one number for all columns, apart from whole numbers and p-values,
        or a mapping for the columns that it names, whatever they contain; the others have two.
    missing : str
        What is written for nan and None.
    pages : str, optional
        A column of text that names pages of the book. The site makes links of them.

    Returns
    -------
    Table
        A table that shows itself at the end of a cell; its ``html`` is for reports.

    Examples
    --------
    >>> pairs = pd.DataFrame({"system_a": ["A", "A"], "n_joint_errors": [3, 0], "EC": [1.0, -0.333], "p": [0.0, None]})
    >>> table(pairs, "Pairs of readers")
    Pairs of readers
    first system joint errors    EC         p
               A            3  1.00   < 0.001
               A            0 −0.33 undefined
    """
    if isinstance(frame, pd.Series):
        frame = frame.to_frame("value" if frame.name is None else frame.name)
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"the table is of type {type(frame).__name__}; expected a DataFrame or a Series of pandas")
    check_caption(caption)
    last = list(frame.columns.get_level_values(-1))
    for name in [*(digits if isinstance(digits, Mapping) else ()), *([pages] if pages else ())]:
        check_choice("a column named in digits or pages", name, last)
    names = _names_of_rows(frame)
    columns = names + _values(frame, digits, missing, pages)
    if not names and columns[0].kind in _TEXT:
        columns[0] = columns[0]._replace(names_rows=True)
    return Table(_html(columns, caption), _text(columns, caption))


def _names_of_rows(frame: pd.DataFrame) -> list[_Column]:
    """Turn the index into columns, unless it only counts; a name that comes again at once stands only once."""
    index = frame.index
    if index.nlevels == 1 and index.name is None and pd.api.types.is_integer_dtype(index.dtype):
        return []
    columns, before = [], []
    for level, name in enumerate(index.names):
        values = list(index.get_level_values(level))
        before.append(values)
        cells = [_name(value, values) for value in values]
        if level < index.nlevels - 1:
            keys = list(zip(*before, strict=True))
            for row in range(len(keys) - 1, 0, -1):
                if keys[row] == keys[row - 1]:
                    cells[row] = ""
        title = "" if name is None else heading(name)
        above = [""] * (_depth(frame) - 1)
        columns.append(_Column((*above, title), cells, _kind(values, cells), names_rows=True))
    return columns


def _depth(frame: pd.DataFrame) -> int:
    """Return how many rows the head has: one more where all columns have a name together."""
    return frame.columns.nlevels + (frame.columns.nlevels == 1 and frame.columns.name is not None)


def _name(value: Any, among: Sequence[Any]) -> str:
    if _is_number(value):
        return number(value, fewest_digits([other for other in among if _is_number(other)]))
    return "" if _is_missing(value) else in_words(value)


def _values(frame: pd.DataFrame, digits: int | Mapping[Any, int], missing: str, pages: str | None) -> list[_Column]:
    columns = []
    for place, name in enumerate(frame.columns):
        levels = name if isinstance(name, tuple) else (name,)
        last = levels[-1]
        titles = [_name(level, list(frame.columns)) if _is_number(level) else heading(level) for level in levels]
        if _depth(frame) > frame.columns.nlevels:
            titles.insert(0, heading(frame.columns.name))
        values = frame.iloc[:, place].tolist()
        cells = _cells(values, last, digits, missing)
        kind = _kind(values, cells, missing)
        if last == pages:
            kind = "pages"
        elif last == "verdict":
            kind = "verdict"
        columns.append(_Column(tuple(titles), cells, kind, names_rows=False))
    return columns


def _cells(values: Sequence[Any], name: Any, digits: int | Mapping[Any, int], missing: str) -> list[str]:
    numbers = [value for value in values if _is_number(value)]
    is_p = str(name) == "p" or str(name).startswith(("p_", "p, "))
    after = _DIGITS if isinstance(digits, Mapping) else digits
    if isinstance(digits, Mapping) and name in digits:
        after = digits[name]
    elif is_p:
        after = _DIGITS_OF_P
    elif any(abs(x) > 1 for x in numbers) and all(np.isinf(x) or float(x).is_integer() for x in numbers):
        after = 0
    cells = []
    for value in values:
        if _is_missing(value):
            cells.append(missing)
        elif _is_number(value):
            cells.append(number(value, after, is_p=is_p))
        else:
            cells.append(in_words(value))
    return cells


def _is_number(value: Any) -> bool:
    return not isinstance(value, str | bool | np.bool_) and isinstance(value, Real) and not _is_missing(value)


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or value != value


def _kind(values: Sequence[Any], cells: Sequence[str], missing: str = "") -> str:
    """Return whether cells are numbers, be it with their intervals, names, or words that fill several lines."""
    filled = []
    for value, cell in zip(values, cells, strict=True):
        if cell.strip() and cell != missing and not _is_missing(value):
            filled.append(_is_number(value) or NUMERIC.match(cell))
    if filled and all(filled):
        return "number"
    return "words" if any(len(cell) > _LETTERS_OF_A_NAME for cell in cells) else "name"


def _text(columns: Sequence[_Column], caption: str) -> str:
    if not columns[0].cells:
        return caption
    rows = zip(*(column.cells for column in columns), strict=True)
    heads = [" ".join(filter(None, column.heading)) for column in columns]
    return f"{caption}\n{pd.DataFrame(rows, columns=heads).to_string(index=False)}"


def _html(columns: Sequence[_Column], caption: str) -> str:
    shared = []  # names in the head, each with the number of columns that it spans
    for level in range(len(columns[0].heading) - 1):
        spans = groupby(column.heading[: level + 1] for column in columns)
        shared.append([(names[-1], len(list(same))) for names, same in spans])
    named = [column.cells for column in columns if column.names_rows]
    begins = [""] * len(columns[0].cells)
    if len(named) > 1 and "" in named[0]:  # a group has more than one row
        begins = named[0]
    rows = zip(begins, zip(*map(_marked, columns), strict=True), strict=True)
    return str(_PARTS.table(columns, shared, rows, caption))


def _marked(column: _Column) -> Iterator[tuple[bool, str, str, float]]:
    """Say of each cell of a column what decides its look; of a number, by how many digits the longest is longer."""
    after = np.full(len(column.cells), np.nan)
    for row, cell in enumerate(column.cells):
        if column.kind == "number" and _PLAIN.fullmatch(cell):
            after[row] = len(cell.partition(".")[2]) + cell.count(".") / 2
    short = np.nan_to_num(np.nanmax([0, *after]) - after).tolist()
    for cell, digits in zip(column.cells, short, strict=True):
        yield column.names_rows, column.kind, cell, digits


def check_caption(caption: Any) -> None:
    """Refuse a table without a caption."""
    if not isinstance(caption, str) or not caption.strip():
        raise ValueError(f"caption is {caption!r}; expected text: say what the table shows")


# ---- charts and numbers ----------------------------------------------------------------------------------------------


# How a chart and a table begin, and what they are called.
_CAPTION = re.compile(r'<figure class="(vl|table)"([^>]*)><figcaption>')
_CALLED = {"vl": "Figure", "table": "Table"}


def figure(chart: dict[str, Any], page: str, drawing: str = "") -> str:
    """Return a chart as HTML: its title as caption, its description as alternative text, its specification as data.

    What was drawn beforehand stands there until the reader touches the chart.
    """
    # Altair moves the description of a facet one level down.
    description = chart.get("description") or chart.get("spec", {}).get("description")
    if not description:
        title = chart.get("title")
        raise ValueError(f"{page}: the chart {title!r} has no description; give it one: it is the alternative text")
    # A browser reads no NaN.
    data = json.dumps({**chart, "title": None}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    data = data.replace("<", "\\u003c")  # it would let data end the script element
    controls = [param for param in chart.get("params", []) if "input" in (param.get("bind") or {})]
    return str(_PARTS.figure(chart, description, controls, drawing, data))


def shown(charts: Mapping[str, Callable[[], Any]], tables: Mapping[str, Any], page: str) -> dict[str, str]:
    """Draw charts, and tables by their captions, number them, and return each as HTML by its name."""
    drawn = {name: figure(draw().to_dict(), page) for name, draw in charts.items()}
    drawn |= {caption: table(rows, caption).html for caption, rows in tables.items()}
    counts: Counter[str] = Counter()
    return {name: numbered(html, counts) for name, html in drawn.items()}


def numbered(html: str, counts: Counter[str], chapter: int | None = None) -> str:
    """Put numbers before the captions of charts and tables, and give each an address that others can link to."""

    def with_number(match: re.Match[str]) -> str:
        kind, attributes = match.groups()
        counts[kind] += 1
        number = f"{counts[kind]}" if chapter is None else f"{chapter}.{counts[kind]}"
        place = f"{_CALLED[kind]}-{number}".lower().replace(".", "-")
        named = f'<span class="number">{_CALLED[kind]} {number}.</span>'
        return f'<figure class="{kind}"{attributes} id="{place}"><figcaption>{named} '

    return _CAPTION.sub(with_number, html)
