"""What several chapters' charts have beyond the library's parts: panels, sliders, lines to compare with."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from erralign.plot.colours import GREY, INK, PAPER
from erralign.plot.parts import dots, layer
from erralign.plot.theme import Looks, colour, legend, only, shape
from erralign_book.charts.looks import colour_of_correlations

DASHED = [6, 3]
DRAGGABLE = "draggable"  # the name of a mark that sets "across" and "up", from 0 to 1 of its panel, by dragging


def beside_each_other(panels: Sequence[alt.Chart | alt.LayerChart | alt.VConcatChart], columns: int) -> alt.ConcatChart:
    """Put panels beside each other; on a phone they are below each other."""
    return alt.concat(*panels, columns=columns).add_params(alt.param(name="stacked", value=False))


def labels_if(*, first: bool) -> str:
    """Label an axis only in the first of several panels; in all where they are below each other."""
    return f"stacked || {str(first).lower()} ? datum.label : ''"


def slider(name: str, label: str, start: float, ends: tuple[float, float], step: float) -> alt.Parameter:
    """Let the reader move a number under the chart's title."""
    low, high = ends
    return alt.param(name=name, value=start, bind=alt.binding_range(min=low, max=high, step=step, name=f"{label} "))


def spread(values: pd.Series, gap: float, ends: tuple[float, float] = (0, 1)) -> np.ndarray:
    """Move places of names, from low to high, apart by at least a gap, and no further than they must."""
    steps = gap * np.arange(len(values))
    return isotonic_regression(values - steps).x.clip(ends[0], ends[1] - steps[-1]) + steps


def ticks_at(values: Sequence[float], **options: Any) -> alt.Axis:
    """Return an axis with a tick at each of some values, of which Vega would leave out what is beyond the theme's."""
    return alt.Axis(values=list(values), tickCount=len(values), **options)


def logarithmic(field: str, title: str, values: Sequence[float], written: str, *, padding: int = 12) -> alt.X:
    """Return an axis of numbers that grow by factors, with room at both ends."""
    axis = ticks_at(values, format=written, grid=False)
    return alt.X(f"{field}:Q", title=title, axis=axis, scale=alt.Scale(type="log", nice=False, padding=padding))


def marked(base: alt.Chart, field: str, looks: Looks, size: float, columns: int = 0, **options: Any) -> alt.Chart:
    """Draw points whose colour and shape say the same, in one legend of what occurs."""
    shown = only(looks, base.data[field]) if field in base.data else looks
    how = {"legend": legend(columns=columns)} | options if columns else options
    return dots(base, size).encode(colour(field, shown, **how), shape(field, shown, **how))


def span(base: alt.Chart, x: alt.X, low: str = "low", high: str = "high", **looks: Any) -> alt.Chart:
    """Draw a level line from one limit to the other, on an axis."""
    return base.mark_rule(**looks).encode(alt.X(f"{low}:Q", title=x["title"], scale=x["scale"]), x2=f"{high}:Q")


def line_through(value: float, x: alt.X, **looks: Any) -> alt.Chart:
    """Draw an upright line through a value of an axis."""
    ends = pd.DataFrame({x["shorthand"].partition(":")[0]: [value]})
    return alt.Chart(ends).mark_rule(**{"color": GREY, **looks}).encode(x)


def tiles_with_numbers(base: alt.Chart, title: str = "Spearman's r", **looks: Any) -> alt.LayerChart:
    """Draw correlations as tiles, with the number on each."""
    tiles = base.mark_rect(stroke=PAPER, strokeWidth=2).encode(colour_of_correlations(title))
    colour_of_number = alt.condition("abs(datum.r) > 0.65", alt.value(PAPER), alt.value(INK))
    numbers = base.mark_text(**looks).encode(text=alt.Text("r:Q", format=".2f"), color=colour_of_number)
    return layer(tiles, numbers)


def straight_line(points: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """Return both ends of the line of least squares, where it leaves the frame around its points."""
    slope, start = np.polyfit(points[x], points[y], 1)
    across, up = (points[name].agg(["min", "max"]).to_numpy() for name in (x, y))
    ends = across.clip(*sorted((up - start) / slope)) if slope else across
    return pd.DataFrame({x: ends, y: start + slope * ends})


def diagonal(x: alt.X, y: alt.Y, start: float = 0, end: float = 1) -> alt.Chart:
    """Draw the dashed line on which both axes say the same."""
    ends = pd.DataFrame({axis["shorthand"].partition(":")[0]: [start, end] for axis in (x, y)})
    return alt.Chart(ends).mark_line(color=GREY, strokeWidth=1.5, strokeDash=DASHED).encode(x=x, y=y)


def quantile_dots(values: pd.Series, most: int, step: float) -> pd.DataFrame:
    """Return the places of dots, each of which stands for as many of the values, heaped in steps; few have one each."""
    known = values.dropna()
    n = min(most, len(known))
    place = np.round(known.quantile((np.arange(n) + 0.5) / n).to_numpy() / step)
    heap = pd.DataFrame({"value": (place * step).round(4)})
    return heap.assign(level=heap.groupby("value").cumcount())


def heaps(row: str, order: Sequence[str], room: int, highest: int, **axis: Any) -> dict[str, Any]:
    """Return the encodings by which dots are heaped in rows, each with so much room in pixels."""
    levels = alt.Scale(domain=[0, highest], range=[room - 4, 4])
    names = alt.Axis(tickOffset=room / 2 - 4, grid=True, ticks=False, **axis)
    y = alt.Y(f"{row}:N", title=None, sort=list(order), axis=names, scale=alt.Scale(paddingInner=0, paddingOuter=0))
    return {"y": y, "yOffset": alt.YOffset("level:Q", scale=levels)}
