"""The one theme of charts and tables: a look for each meaning, a word for each name of code, one form of numbers.

A meaning is a dictionary of :class:`Look`: what is shown -> its colour and its shape. The colours themselves are in
:mod:`erralign.plot.colours`; each chart carries the table by which the page's script draws it on a dark page.
"""

import math
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.registry import NAMES, short_name, words_of
from erralign.plot.colours import BLUE, DARK, GREY, INK, MACHINES, MAGENTA, ORANGE, PALE_GREY, RAMP, SLATE

ROWS_AT_MOST = 6000  # in a chart
WIDTH = 688  # pixels: of a page's text, and of a chart that fills it; on a phone such a chart scrolls in its frame
_VEGA_LITE = "application/vnd.vegalite.v6+json"
# As prose writes percentages: with a space that does not break.
_NUMBERS: Any = {"decimal": ".", "thousands": ",", "grouping": [3], "currency": ["$", ""], "percent": "\u00a0%"}


class Look(NamedTuple):
    """How one thing is drawn; a mark that is ``split`` is left in one colour and right in another, and its line not."""

    colour: str
    shape: str = "circle"
    split: tuple[str, str] | None = None

    @property
    def fill(self) -> str | alt.ExprRef:
        """Return what fills the mark, in the form that a scale of Vega takes."""
        if not self.split:
            return self.colour
        stops = [{"offset": at, "color": self.split[at > 0.5]} for at in (0, 0.5, 0.501, 1)]
        return alt.ExprRef(f"{ {'gradient': 'linear', 'x1': 0, 'y1': 0, 'x2': 1, 'y2': 0, 'stops': stops} }")


def split(machine: Look) -> Look:
    """Return the look of a pair of a person and a machine: the machine's mark, in both colours."""
    return Look(SLATE, machine.shape, (ORANGE, machine.colour))


Looks = Mapping[str, Look]

# Systems and pairs of systems.
FAMILIES = {
    "Human": Look(ORANGE),
    **{family: Look(*MACHINES[family]) for family in ("CNN", "ViT", "MLP")},
    "Large": Look(*MACHINES["more data"]),
}
KINDS = {
    "human-human": Look(ORANGE, "circle"),
    "model-human": split(Look(BLUE, "square")),
    "model-model": Look(BLUE, "square"),
}
PAIRS = {"human-human": "people", "model-human": "mixed", "model-model": "networks"}  # what readers call the kinds
LOOKS_OF_PAIRS = {words: KINDS[kind] for kind, words in PAIRS.items()}
WHOSE = {"people": FAMILIES["Human"], "networks": KINDS["model-model"], "yours": Look(MAGENTA, "diamond")}
FEW = {"too few joint errors": Look(GREY, "cross"), "enough": Look(GREY, "circle")}

BAND = 0.25  # how much of a mark is seen that is read as an area; those that are looked at one by one are solid


@alt.theme.register("erralign", enable=True)
def _theme() -> alt.theme.ThemeConfig:
    return {
        "usermeta": {"dark": DARK},
        "config": {
            "font": "'Erralign Sans', system-ui, -apple-system, 'Segoe UI', sans-serif",
            "background": "transparent",
            # Half of the last number of an axis stands beyond the axis.
            "padding": {"left": 5, "top": 5, "right": 16, "bottom": 5},
            "locale": {"number": _NUMBERS},
            "view": {"stroke": "transparent", "continuousHeight": 280},
            # A chart has one alternative text; a label on each of 5,000 points would drown it.
            "aria": False,
            "mark": {"aria": False},
            "text": {"fontSize": 12, "color": INK},
            "rule": {"color": INK},
            "tick": {"color": INK},
            "axis": {
                "labelFontSize": 12,
                "titleFontSize": 13,
                "titleFontWeight": "normal",
                "gridOpacity": 0.4,
                "domainColor": PALE_GREY,
                "tickColor": PALE_GREY,
                "gridColor": PALE_GREY,
                "labelColor": INK,
                "titleColor": INK,
            },
            # The last number of an axis moves neither towards the one before it nor onto it.
            "axisXQuantitative": {"labelFlush": False, "labelSeparation": 12},
            "axisQuantitative": {"tickCount": 5},
            "legend": {
                "labelFontSize": 12,
                "titleFontSize": 12,
                "orient": "bottom",
                "labelLimit": 320,
                "titleLimit": WIDTH,
                "columns": 4,
                "labelColor": INK,
                "titleColor": INK,
            },
            "title": {"fontSize": 15, "anchor": "start", "fontWeight": "bold", "color": INK, "subtitleColor": INK},
            "header": {"labelFontSize": 12, "titleFontSize": 12, "labelColor": INK, "titleColor": INK},
        },
    }


def _records(data: Any = None, max_rows: int = ROWS_AT_MOST) -> Any:
    """Put a table into a chart as Altair does, with null for what is no number.

    Altair writes null into columns of numbers, but turns a column of years and gaps, say, back into numbers, and leaves
    its nan, which is no JSON.
    """
    if data is None:
        return partial(_records, max_rows=max_rows)
    written_rows = alt.default_data_transformer(data, max_rows=max_rows)
    if isinstance(data, pd.DataFrame):
        for row in written_rows["values"]:
            row |= {name: None for name, value in row.items() if isinstance(value, float) and not math.isfinite(value)}
    return written_rows


alt.data_transformers.register("erralign", _records)
alt.data_transformers.enable("erralign", max_rows=ROWS_AT_MOST)


if os.environ.get("ERRALIGN_RENDERER") == "book":
    # Altair's own type is not +json, and nbformat accepts an object only under such a type.
    alt.renderers.register("book", lambda spec, **_: {_VEGA_LITE: spec, "text/plain": spec["description"]})
    alt.renderers.enable("book")


def only(looks: Looks, names: Iterable[str]) -> dict[str, Look]:
    """Keep the looks of what occurs, in their own order."""
    occurring = set(names)
    return {name: look for name, look in looks.items() if name in occurring}


def colour(field: str, looks: Looks, **options: Any) -> alt.Color:
    """Encode a meaning as colour."""
    colours = [look.colour for look in looks.values()]
    return alt.Color(f"{field}:N", scale=alt.Scale(domain=list(looks), range=colours), **_legend(looks, options))


def fill(field: str, looks: Looks, **options: Any) -> alt.Fill:
    """Encode a meaning as what fills a mark, which may be split in two colours."""
    fills = [look.fill for look in looks.values()]
    return alt.Fill(f"{field}:N", scale=alt.Scale(domain=list(looks), range=fills), **_legend(looks, options))


def shape(field: str, looks: Looks, **options: Any) -> alt.Shape:
    """Encode a meaning as shape; beside :func:`colour` with the same options they share one legend."""
    shapes = [look.shape for look in looks.values()]
    return alt.Shape(f"{field}:N", scale=alt.Scale(domain=list(looks), range=shapes), **_legend(looks, options))


def _legend(looks: Looks, options: dict[str, Any]) -> dict[str, Any]:
    """Describe a legend: symbols in full colour, however faint the marks are, as many in a row as there is room for."""
    longest = max(map(len, looks), default=0)
    columns = max(1, (WIDTH - 120) // (7 * longest + 30))
    return {"title": None, "legend": alt.Legend(symbolOpacity=1, columns=columns)} | options


def colour_of_values(field: str, title: str) -> alt.Color:
    """Encode values as colour, the larger the stronger, with the same colours for the same values everywhere."""
    scale = alt.Scale(domain=[0, 0.25, 0.5, 0.75, 1], range=list(RAMP), interpolate="rgb", clamp=True)
    legend = alt.Legend(symbolOpacity=1, gradientLength=200)
    return alt.Color(f"{field}:Q", scale=scale, title=f"{title}, from 0 to 1", legend=legend)


# ---- words and numbers -----------------------------------------------------------------------------------------------


_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_COLUMNS, _VALUES = _WORDS["columns"], {**PAIRS, **_WORDS["values"]}
_MOST_DIGITS = 4  # of a number that names a row or a column
_MINUS = re.compile(r"(?<![\w.)-])-(?=\.?\d)|(?<=\de)-(?=\d)")
_BARE_POINT = re.compile(r"(?<![\w.])\.(?=\d)")
_POWER_OF_TEN = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([−+])0*(\d+)(?!\w)")
_RAISED = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def heading(name: object) -> str:
    """Put the name of a column into words."""
    if not isinstance(name, str):
        return number(float(name), fewest_digits([float(name)])) if isinstance(name, Real) else in_words(name)
    short = short_name(name)
    for measure in NAMES:
        if short.startswith(f"{measure}_"):
            return f"{measure}, {heading(short.removeprefix(f'{measure}_'))}"
    return _COLUMNS.get(short) or in_words(short.removeprefix("n_")).replace("_", " ")


def in_words(value: object) -> str:
    """Write a value that is not a number as prose writes it."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    text = str(value)
    text = _VALUES.get(text) or (words_of(text) if text in NAMES.values() else text)
    return _POWER_OF_TEN.sub(_power_of_ten, _BARE_POINT.sub("0.", _MINUS.sub("−", text)))


def _power_of_ten(match: re.Match[str]) -> str:
    mantissa, sign, exponent = match.groups()
    return f"{mantissa} × 10{(sign.strip('+') + exponent).translate(_RAISED)}"


def number(value: float, digits: int, *, is_p: bool = False) -> str:
    """Write a number as prose writes it.

    Parameters
    ----------
    value : float or int
        The number. nan is written ``nan``; :func:`table` and :func:`with_interval` have a word for it.
    digits : int
        How many digits are written after the point; whole numbers of type ``int`` have none.
    is_p : bool
        Whether it is a p-value. One below the smallest number with so many digits is written like ``< 0.001``.

    Returns
    -------
    str
        The number with a proper minus sign, with commas between thousands, and never ``-0.00``.

    Examples
    --------
    >>> number(-0.1234, 2), number(-0.0001, 2), number(1280, 0), number(3e-12, 3, is_p=True)
    ('−0.12', '0.00', '1,280', '< 0.001')
    """
    smallest = 10.0**-digits
    if is_p and not isinstance(value, Integral) and 0 <= float(value) < smallest:
        return f"< {smallest:.{digits}f}"
    written = f"{int(value):,}" if isinstance(value, Integral) else f"{float(value):z,.{digits}f}"
    return written.replace("-", "−").replace("inf", "∞")


def with_interval(value: float, low: float = math.nan, high: float = math.nan, digits: int = 2) -> str:
    """Write a value and its interval.

    Parameters
    ----------
    value, low, high : float
        The value, and the limits of its interval. If ``low`` is nan, the value is written without an interval. A limit
        that would round to zero gets up to two more digits, so that its sign is seen.
    digits : int
        How many digits are written after the point.

    Returns
    -------
    str
        The text; ``undefined`` if the value is nan.

    Examples
    --------
    >>> with_interval(0.123, -0.003, 0.3), with_interval(float("nan"), 0, 1)
    ('0.12 (−0.003 to 0.30)', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    interval = "" if math.isnan(low) else f" ({_limit(low, digits)} to {_limit(high, digits)})"
    return f"{number(float(value), digits)}{interval}"


def written(rows: Any) -> Any:
    """Write the cells of a table that are a value, alone or with its limits: what :func:`with_interval` takes."""
    return rows.map(lambda cell: with_interval(*cell) if isinstance(cell, tuple) else cell)


def _limit(limit: float, digits: int) -> str:
    enough = (n for n in range(digits, digits + 3) if round(float(limit), n))
    return number(float(limit), next(enough, digits))


def fewest_digits(values: Iterable[float]) -> int:
    """Return how many digits are enough to write all of some numbers in full."""
    finite = [float(value) for value in values if math.isfinite(value)]
    enough = (digits for digits in range(_MOST_DIGITS) if all(round(x, digits) == round(x, 12) for x in finite))
    return next(enough, _MOST_DIGITS)


def span(low: object, high: object) -> str:
    """Write a range, or the one value that it has."""
    return str(low) if low == high else f"{low} to {high}"
