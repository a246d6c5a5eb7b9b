"""Tables and charts as HTML, and the numbers by which a page calls them."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, repeat
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jinja2 import Environment

from erralign._validation import check_choice
from erralign.plot.theme import fewest_digits, heading, in_words, number

DIGITS, DIGITS_OF_P = 2, 3
MARKS = {
    "agrees": {"reproduced", "within seed spread", "reproduced within seed spread", "redrawn", "holds"},
    "differs": {"differs", "does not hold", "not reproduced", "outside seed spread"},
    "without": {"not computable here", "restated", "printed again"},
    "unsettled": {"not settled"},
}
# A number, be it with its interval, or of how many; not a name that begins with one.
NUMERIC = re.compile(r"[(<±+−]? ?\d[\d.,]*( × 10[⁻⁰¹²³⁴-⁹]+)?( ?%)?\)?($| [(±≠]| of \d| to [−\d])")
PLAIN = re.compile(r"[+−]?[\d,]+(\.\d+)?")
TEXT = {"words", "name"}
LETTERS_OF_A_NAME = 20  # text of more is words, which fill several lines, but not with one word each
UNLIKE = "≠"  # between a printed number and ours
TEMPLATE = Path(__file__).with_name("parts.html")
KNOWN = {"UNLIKE": UNLIKE, "MARK_OF": {verdict: mark for mark, verdicts in MARKS.items() for verdict in verdicts}}
PARTS: Any = Environment(autoescape=True).from_string(TEMPLATE.read_text(encoding="utf-8"), KNOWN).module


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
    digits: int | Mapping[Any, int] = DIGITS,
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
    names = list(_names_of_rows(frame))
    columns = [*names, *_values(frame, digits, missing, pages, first_names_rows=not names)]
    return Table(_html(columns, caption), _text(columns, caption))


def _names_of_rows(frame: pd.DataFrame) -> Iterator[_Column]:
    """Turn the index into columns, unless it only counts; a name that comes again at once stands only once."""
    index = frame.index
    if index.nlevels == 1 and index.name is None and pd.api.types.is_integer_dtype(index.dtype):
        return
    places = range(index.nlevels)
    for place, name in enumerate(index.names):
        values = list(index.get_level_values(place))
        keys = list(zip(*(index.get_level_values(outer) for outer in places[: place + 1]), strict=True))
        repeated = [place < places[-1] and i > 0 and keys[i] == keys[i - 1] for i in range(len(keys))]
        written = [_name(value, values) for value in values]
        cells = ["" if again else cell for again, cell in zip(repeated, written, strict=True)]
        levels = [""] * (_depth(frame) - 1)
        yield _Column((*levels, "" if name is None else heading(name)), cells, _kind(values, cells), True)


def _depth(frame: pd.DataFrame) -> int:
    """Return how many rows the head has: one more where all columns have a name together."""
    return frame.columns.nlevels + (frame.columns.nlevels == 1 and frame.columns.name is not None)


def _name(value: Any, among: Sequence[Any]) -> str:
    if not _is_number(value):
        return "" if _is_missing(value) else in_words(value)
    return number(value, fewest_digits([other for other in among if _is_number(other)]))


def _values(
    frame: pd.DataFrame, digits: int | Mapping[Any, int], missing: str, pages: str | None, *, first_names_rows: bool
) -> Iterator[_Column]:
    columns: Any = frame.columns
    together = [columns.name] if _depth(frame) > columns.nlevels else []
    enough = fewest_digits([name for name in columns if _is_number(name)])
    for place, name in enumerate(columns):
        levels = name if isinstance(name, tuple) else (*together, name)
        values = frame.iloc[:, place].tolist()
        cells = _cells(values, levels[-1], digits, missing)
        kind = "pages" if pages == levels[-1] else "verdict" if levels[-1] == "verdict" else ""
        kind = kind or _kind(values, cells, missing)
        last = number(levels[-1], enough) if _is_number(name) else heading(levels[-1])
        names_rows = first_names_rows and place == 0 and kind in TEXT
        yield _Column((*map(heading, levels[:-1]), last), cells, kind, names_rows)


def _cells(values: Sequence[Any], name: Any, digits: int | Mapping[Any, int], missing: str) -> list[str]:
    numbers = [value for value in values if _is_number(value)]
    is_p = str(name) == "p" or str(name).startswith(("p_", "p, "))
    whole = any(abs(x) > 1 for x in numbers) and all(np.isinf(x) or float(x).is_integer() for x in numbers)
    usual, each = (DIGITS, digits) if isinstance(digits, Mapping) else (digits, {})
    after = each.get(name, DIGITS_OF_P if is_p else 0 if whole else usual)
    write = partial(number, digits=after, is_p=is_p)
    return [missing if _is_missing(x) else write(x) if _is_number(x) else in_words(x) for x in values]


def _is_number(value: Any) -> bool:
    return not isinstance(value, str | bool | np.bool_) and isinstance(value, Real) and not _is_missing(value)


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or value != value


def _kind(values: Sequence[Any], cells: Sequence[str], missing: str = "") -> str:
    """Return whether cells are numbers, be it with their intervals, names, or words that fill several lines."""
    pairs = zip(values, cells, strict=True)
    said = [(value, cell) for value, cell in pairs if cell.strip() and not _is_missing(value) and cell != missing]
    if said and all(_is_number(value) or NUMERIC.match(cell) for value, cell in said):
        return "number"
    return "words" if any(len(cell) > LETTERS_OF_A_NAME for cell in cells) else "name"


def _text(columns: Sequence[_Column], caption: str) -> str:
    written = [[" ".join(filter(None, column.heading)), *column.cells] for column in columns]
    aligned = [[cell.rjust(width) for cell in cells] for cells in written for width in [max(map(len, cells))]]
    return "\n".join([caption, *map(" ".join, zip(*aligned, strict=True))]) if columns[0].cells else caption


def _html(columns: Sequence[_Column], caption: str) -> str:
    above = range(len(columns[0].heading) - 1)  # where a name that several columns share spans them
    headings = [[column.heading[: level + 1] for column in columns] for level in above]
    shared = [[(levels[-1], len(list(same))) for levels, same in groupby(each)] for each in headings]
    named = [column.cells for column in columns if column.names_rows]
    several = len(named) > 1 and "" in named[0]  # a group has more than one row
    begins = named[0] if several else repeat("", len(columns[0].cells))
    rows = zip(begins, zip(*map(_marked, columns), strict=True), strict=True)
    return str(PARTS.table(columns, shared, rows, caption))


def _marked(column: _Column) -> Iterator[tuple[bool, str, str, float]]:
    """Say of each cell of a column what decides its look."""
    indents = _indents(column.cells) if column.kind == "number" else repeat(0.0, len(column.cells))
    return ((column.names_rows, column.kind, *each) for each in zip(column.cells, indents, strict=True))


def _indents(cells: Sequence[str]) -> list[float]:
    """Return by how many digits each number ends before the longest, for the style that aligns decimal points."""
    after = [len(cell.partition(".")[2]) + cell.count(".") / 2 if PLAIN.fullmatch(cell) else np.nan for cell in cells]
    return np.nan_to_num(np.nanmax([0, *after]) - np.array(after)).tolist()


def check_caption(caption: Any) -> None:
    """Refuse a table without a caption."""
    if not isinstance(caption, str) or not caption.strip():
        raise ValueError(f"caption is {caption!r}; expected text: say what the table shows")


# ---- charts and numbers ----------------------------------------------------------------------------------------------


# How a chart and a table begin, and what they are called.
CAPTION = re.compile(r'<figure class="(vl|table)"([^>]*)><figcaption>')
CALLED = {"vl": "Figure", "table": "Table"}


def figure(chart: dict[str, Any], page: str, *, drawing: str = "", words: Mapping = {}) -> str:
    """Return a chart as HTML: its title as caption, its description as alternative text, its specification as data.

    What was drawn beforehand stands there until the reader touches the chart, and beside each control the words of what
    it means.
    """
    # Altair moves the description of a facet one level down.
    description = chart.get("description") or chart.get("spec", {}).get("description")
    if not description:
        title = chart.get("title")
        raise ValueError(f"{page}: the chart {title!r} has no description; give it one: it is the alternative text")
    written = packed({**chart, "title": None})
    data = json.dumps(written, ensure_ascii=False, allow_nan=False, separators=(",", ":"))  # a browser reads no NaN
    data = data.replace("<", "\\u003c")  # it would let data end the script element
    controls = [param for param in chart.get("params", []) if "input" in (param.get("bind") or {})]
    return str(PARTS.figure(chart, description, controls, words, drawing, data))


def shown(charts: Mapping[str, Callable[[], Any]], tables: Mapping[str, Any], page: str) -> dict[str, str]:
    """Draw charts, and tables by their captions, number them, and return each as HTML by its name."""
    drawn = {name: figure(draw().to_dict(), page) for name, draw in charts.items()}
    drawn |= {caption: table(rows, caption).html for caption, rows in tables.items()}
    counts: Counter[str] = Counter()
    return {name: numbered(html, counts) for name, html in drawn.items()}


def numbered(html: str, counts: Counter[str], chapter: int | None = None) -> str:
    """Put numbers before the captions of charts and tables, and give each an address that others can link to."""

    def with_number(found: re.Match[str]) -> str:
        kind, attributes = found.groups()
        counts[kind] += 1
        number = f"{counts[kind]}" if chapter is None else f"{chapter}.{counts[kind]}"
        place = f"{CALLED[kind]}-{number}".lower().replace(".", "-")
        named = f'<span class="number">{CALLED[kind]} {number}.</span>'
        return f'<figure class="{kind}"{attributes} id="{place}"><figcaption>{named} '

    return CAPTION.sub(with_number, html)


def packed(chart: dict[str, Any]) -> dict[str, Any]:
    """Return a chart whose tables are written by column: a page with thousands of points is a third of its size."""
    if "datasets" not in chart:
        return chart
    return {**chart, "datasets": {name: _by_column(rows) for name, rows in chart["datasets"].items()}}


def _by_column(rows: list[Any]) -> Any:
    if not rows or not isinstance(rows[0], dict) or any(row.keys() != rows[0].keys() for row in rows):
        return rows
    return {"columns": {name: _column([row[name] for row in rows]) for name in rows[0]}}


def _column(values: list[Any]) -> Any:
    """Write each word once, and where it stands."""
    if not all(isinstance(value, str) for value in values) or len(set(values)) == len(values):
        return values
    words = {word: place for place, word in enumerate(dict.fromkeys(values))}
    return {"of": list(words), "at": [words[value] for value in values]}
