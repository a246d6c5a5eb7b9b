"""The grammar of charts: a table on two axes, and over it marks, each drawn above those before it.

>>> import pandas as pd
>>> leads = pd.DataFrame({"system": ["A", "B"], "lead": [0.1, 0.3], "low": [0.0, 0.2], "high": [0.2, 0.4]})
>>> plot = Plot(leads, numbers("lead", "lead over chance"), names("system"), hover=["system", "lead"])
>>> chart = plot.level(0).spans().points().done("B leads", "Leads with intervals.", 40)
>>> [layer["mark"]["type"] for layer in chart.to_dict()["layer"]]
['rule', 'rule', 'point']
"""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY
from erralign.plot.finishing import finish, layer, selector, tooltips
from erralign.plot.theme import BAND, Looks, colour, fill, only, shape

CHOSEN = "datum.data_set === data_set"  # what a selector of data sets leaves


# ---- axes and marks --------------------------------------------------------------------------------------------------


DASHED = [6, 3]
Axis = dict[str, Any]
Options = dict[str, Any]


def numbers(
    field: str,
    title: str | None = None,
    *,
    ends: Sequence[float] | None = None,
    ticks: Sequence[float] | range | None = None,
    scale: dict[str, Any] | None = None,
    **axis: Any,
) -> Axis:
    """Describe an axis of numbers: its column, its words, its ends, its ticks; ``scale`` and the rest as in Altair."""
    room: Options = {"domain": list(ends), "nice": False} if ends else {}
    # Vega leaves out those beyond its own count.
    at: Options = {"values": list(ticks), "tickCount": len(ticks)} if ticks else {}
    return {"shorthand": f"{field}:Q", "title": title or field, "axis": at | axis, "scale": room | (scale or {})}


def shares(field: str, title: str | None = None, **options: Any) -> Axis:
    """Describe an axis of shares, which are written as percentages."""
    return numbers(field, title, **Options(format="%", grid=False) | options)


def names(
    field: str, order: Any = None, title: str | None = None, *, scale: dict[str, Any] | None = None, **axis: Any
) -> Axis:
    """Describe an axis of names, in the order of the table or in one that is given; ``field:O`` has its own order."""
    shorthand = field if ":" in field else f"{field}:N"
    return {"shorthand": shorthand, "title": title, "sort": order, "axis": axis, "scale": scale or {}}


@dataclass(eq=False, repr=False)
class Plot:
    """A chart in the making: a table on two axes; marks show it, or another table that has the same columns.

    Parameters
    ----------
    table : pandas.DataFrame
        What is drawn, a mark per row.
    x, y : dict
        Axes, as :func:`numbers` and :func:`names` describe them. Intervals lie along the one of numbers (y of two).
    look : tuple, optional
        The column that colours and shapes tell apart, and the look of each of its values.
    hover : sequence
        Columns (or tooltips) that a point says when it is read.
    where : str
        What a row must fulfil, in the language of Vega: what a menu chose.
    legend : bool
        Without one marks have their names beside them.
    computed : dict, optional
        Columns that the browser works out, since a menu decides them.
    """

    table: pd.DataFrame
    x: Axis
    y: Axis
    _: KW_ONLY
    look: tuple[str, Looks] | None = None
    hover: Sequence[Any] = ()
    where: str = ""
    legend: bool = True
    computed: dict[str, str] = field(default_factory=dict)
    digits: int | dict[str, int] = 4
    layers: list[Any] = field(default_factory=list)
    params: list[alt.Parameter] = field(default_factory=list)
    colour: dict[str, Any] = field(default_factory=dict)  # of lines
    shape: dict[str, Any] = field(default_factory=dict)  # of points, and what fills them

    def __post_init__(self) -> None:
        """Find along which axis intervals lie, and what tells marks apart."""
        self.along = "x" if self.y["shorthand"].endswith(":N") else "y"
        self.hover = tooltips(self.hover)
        if self.look:
            name, looks = self.look[0], only(self.look[1], self.table[self.look[0]])
            how: Options = {} if self.legend else {"legend": None}
            self.colour = {"color": colour(name, looks, **how)}
            self.shape = {"fill": fill(name, looks, **how), "shape": shape(name, looks, **how)}

    def base(self, data: pd.DataFrame | None = None, **fields: str) -> alt.Chart:
        """Put a table on the axes; ``fields`` are columns that stand in for those of x and y."""
        rows = self.table if data is None else data
        chart = alt.Chart(rows.round(self.digits))
        chart = chart.transform_filter(self.where) if self.where else chart
        chart = chart.transform_calculate(**self.computed) if self.computed else chart
        axes: dict[str, Any] = {}
        for name, kind, axis in (("x", alt.X, self.x), ("y", alt.Y, self.y)):
            shorthand = f"{fields[name]}:Q" if name in fields else axis["shorthand"]
            if shorthand.rpartition(":")[0] in (*rows, *self.computed):
                axes[name] = kind(**axis | {"shorthand": shorthand})
        return chart.encode(**axes)

    def draw(self, *marks: Any) -> Self:
        """Draw marks of one's own."""
        self.layers += marks
        return self

    def points(self, size: Any = 60, data: pd.DataFrame | None = None, **looks: Any) -> Self:
        """Draw filled points."""
        mark = self.base(data).mark_point(**Options(filled=True, opacity=1, size=size) | looks)
        coded = {} if "color" in looks else self.shape
        return self.draw(mark.encode(**coded, tooltip=self.hover) if self.hover else mark.encode(**coded))

    def spans(
        self, low: str = "low", high: str = "high", *, along: str = "", data: pd.DataFrame | None = None, **looks: Any
    ) -> Self:
        """Draw a line from one limit to the other."""
        along = along or self.along
        base = self.base(data, **{along: low})
        coded = {} if "color" in looks else self.colour
        return self.draw(base.mark_rule(**Options(strokeWidth=2) | looks).encode(**coded, **{f"{along}2": f"{high}:Q"}))

    def lines(self, data: pd.DataFrame | None = None, **looks: Any) -> Self:
        """Join the points of each look, or those of another table."""
        coded = {} if "color" in looks else self.colour
        return self.draw(self.base(data).mark_line(**Options(strokeWidth=2) | looks).encode(**coded))

    def level(self, *values: float, along: str = "", **looks: Any) -> Self:
        """Draw a line across the chart at each of some values."""
        along = along or self.along
        axis = self.x if along == "x" else self.y
        at = pd.DataFrame({axis["shorthand"].rpartition(":")[0]: values}).astype(float).round(4)
        mark = alt.Chart(at).mark_rule(**Options(color=GREY, strokeWidth=1.5) | looks)
        return self.draw(mark.encode(**{along: (alt.X if along == "x" else alt.Y)(**axis)}))

    def dashed(self, *values: float, **looks: Any) -> Self:
        """Draw dashed lines across the chart."""
        return self.level(*values, strokeDash=DASHED, **looks)

    def band(self, data: pd.DataFrame, low: str = "low", high: str = "high", **looks: Any) -> Self:
        """Fill what lies between two limits."""
        base = self.base(data, y=low)
        return self.draw(base.mark_area(**Options(color=GREY, opacity=BAND) | looks).encode(y2=f"{high}:Q"))

    def words(self, field: str, data: pd.DataFrame | None = None, **looks: Any) -> Self:
        """Write a column beside the points."""
        at = {name: looks.pop(name) for name in ("x", "y") if isinstance(looks.get(name), str)}
        coded = {} if "color" in looks else self.colour
        mark = self.base(data, **at).mark_text(**looks)
        return self.draw(mark.encode(**coded, text=f"{field}:N"))

    def menu(self, name: str, options: Iterable, start: Any, label: str, words: Sequence[str] | None = None) -> Self:
        """Let the reader choose what is drawn."""
        self.params.append(selector(name, list(options), start, label, words=words))
        return self

    def drawn(self) -> alt.LayerChart:
        """Return the marks, as a panel of a larger chart."""
        return layer(*self.layers).add_params(*self.params)

    def done(
        self, title: str, about: str, height: float | alt.Step, under: str | None = None, **size: Any
    ) -> alt.LayerChart:
        """Return the chart, with its title, its alternative text and its size."""
        return finish(self.drawn(), title, about, height, subtitle=under, **size)
