"""What charts of the book have beyond the library's grammar: panels, sliders, heaps of dots, tiles with numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK, MAGENTA, ORANGE, PALE, PAPER, SLATE
from erralign.plot.grammar import Options, Plot, names, numbers
from erralign.plot.theme import Looks
from erralign_book.charts.looks import colour_of_correlations

ROW = 24  # pixels of a row of tiles
DOTS, ROOM = 100, 14  # in a heap; pixels between two dots of a column
GUTTER = 108  # pixels for the names of rows
PHONE = "width < 500"  # there diamonds are small, so that intervals are seen
CLEAR = "datum.low * datum.high > 0"
DRAGGABLE = "draggable"  # the name of a mark that sets "across" and "up", from 0 to 1 of its panel, by dragging


def beside_each_other(panels: Sequence[alt.Chart | alt.LayerChart | alt.VConcatChart], columns: int) -> alt.ConcatChart:
    """Put panels beside each other; on a phone they are below each other."""
    return alt.concat(*panels, columns=columns).add_params(alt.param(name="stacked", value=False))


def labels_if(*, first: bool, words: str = "datum.label") -> str:
    """Label an axis only in the first of several panels; in all where they are below each other."""
    return f"stacked || {str(first).lower()} ? {words} : ''"


def slider(name: str, label: str, start: float, ends: tuple[float, float], step: float) -> alt.Parameter:
    """Let the reader move a number under the chart's title."""
    low, high = ends
    return alt.param(name=name, value=start, bind=alt.binding_range(min=low, max=high, step=step, name=f"{label} "))


def diamonds(plot: Plot, size: Any, data: pd.DataFrame | None = None, clear: str = CLEAR, **looks: Any) -> Plot:
    """Draw differences: filled where the interval from "low" to "high" leaves out 0, hollow where it contains 0."""
    looks = Options(shape="diamond", size=size, opacity=1, stroke=BLACK, strokeWidth=2.5) | looks
    mark = plot.base(data).mark_point(**looks)
    filled = alt.condition(clear, alt.value(BLACK), alt.value(PAPER))
    return plot.draw(mark.encode(fill=filled, tooltip=plot.hover))


def in_both_colours(plot: Plot, data: pd.DataFrame, **looks: Any) -> Plot:
    """Draw the line of a person with a machine, in dashes of both colours by turns."""
    return plot.lines(data, color=ORANGE, **looks).lines(data, color=BLUE, strokeDash=[8, 8], **looks)


def give_way(rows: pd.DataFrame, pixels: int, **near: float) -> pd.Series:
    """Return how many pixels marks on one another give way, the first to the left, the last to the right.

    ``near`` says for each column how close two marks may come.
    """
    at = rows[[*near]].to_numpy()
    close = (abs(at[:, None] - at) < [*near.values()]).all(axis=2)
    return pd.Series(pixels * (np.tril(close, -1).any(axis=1) * 1 - np.triu(close, 1).any(axis=1)), rows.index)


def parted(first: str, second: str, pixels: float) -> alt.ExprRef:
    """Shift two marks of a row up and down where one would hide most of the other."""
    near = f"abs(scale('x', datum.{first}) - scale('x', datum.{second})) < {0.9 * pixels:g}"
    return alt.expr(f"{near} ? {pixels} * ((datum.value === datum.{second}) - (datum.value === datum.{first})) : 0")


def in_columns(
    rows: pd.DataFrame, named: Sequence[str], heads: Sequence[str], ticks: Sequence[float], measure: str
) -> Plot:
    """Draw a difference per row and column, whose names stand in a gutter and above; each column has a line at its 0.

    ``rows`` has the place of each from 0, its ``row`` and ``column``, and its value with an interval.
    """
    ends = 1.1 * ticks[0], 1.05 * ticks[-1]
    apart, last = 1.3 * np.ptp(ends), len(named)
    rows = rows.assign(row=-rows["row"], clear=rows["low"] * rows["high"] > 0, difference=rows["value"])
    rows[["value", "low", "high"]] = rows[["value", "low", "high"]].add(apart * rows["column"], axis=0)
    zeros = pd.DataFrame({"value": apart * np.arange(len(heads)), "name": heads}).assign(
        low=0.4 - last, high=0.5, row=1.2
    )
    step, ticks = ticks[1] - ticks[0], [round(column * apart + at, 4) for column in range(len(heads)) for at in ticks]
    at = f"(datum.value - {apart} * (datum.value > {ends[1]}))"
    label = f"{PHONE} && round({at} / {step:g}) % 2 ? '' : format({at}, '.2~f')"  # on a phone every second
    shown: Options = {"labelExpr": label, "domain": False, "grid": False, "labelOverlap": False}
    scale: Options = {
        "domain": [ends[0], zeros["value"].iloc[-1] + ends[1]],
        "nice": False,
        "range": [GUTTER, alt.expr("width")],
    }
    y = numbers("row", ends=(0.4 - last, 1.2)) | {"axis": None}
    plot = Plot(rows, numbers("value", measure, scale=scale, ticks=ticks, **shown), y, hover=["difference"])
    words = pd.DataFrame({"row": -np.arange(last), "name": named})
    words["row"] += 0.1 * words["name"].str.count("[|]")  # the middle of two lines
    left: Options = {"align": "left", "color": INK, "fontSize": 13, "lineBreak": "|"}
    lines = zeros.drop(columns="value").merge(pd.DataFrame({"value": ticks}), "cross")
    plot.spans(along="y", data=lines, color=PALE, strokeWidth=1)  # the grid ends below the heads
    plot.spans(along="y", data=zeros, color=BLACK, strokeWidth=1).words("name", words, x=0, **left)
    plot.words("name", zeros, **left | {"align": "center", "baseline": "top", "fontWeight": "bold"})
    plot.spans(along="x", data=rows, color=BLACK)
    return diamonds(plot, alt.expr(f"{PHONE} ? 70 : 140"), clear="datum.clear", strokeWidth=2)


def tiles(rows: alt.Chart, readers: Mapping[str, str], end: float, top: int = 0) -> list[Any]:
    """Draw a row of tiles for each of two readers, in its colour where wrong, and a line below where they overlap."""
    x = alt.X("start:Q", axis=None, scale=alt.Scale(domain=[0, end], nice=False))
    row = rows.transform_calculate(start="datum.place + 0.04", end="datum.place + 0.96").mark_rect(cornerRadius=2)
    words = alt.Chart(pd.DataFrame({"row": [*readers, "overlap"], "top": [top + 10, top + 34, top + 55]}))
    words = words.encode(y=alt.Y("top:Q", axis=None, scale=None), text="row:N")
    bold: dict[str, Any] = {"fontSize": 13, "fontWeight": "bold"}
    marks: list[Any] = [words.mark_text(align="left", **bold).encode(x=alt.value(-60))]
    wrong = [f"datum['{name}']" for name in readers]
    layers = zip((0, ROW, 2 * ROW + 6), (ROW - 4, ROW - 4, 3), (*readers.values(), BLACK), strict=True)
    for (down, high, colour), stands_out in zip(layers, [*wrong, " === ".join(wrong)], strict=True):
        fill = alt.when(stands_out).then(alt.value(colour)).otherwise(alt.value(PALE if high > 3 else PAPER))
        marks.append(row.encode(x, x2="end:Q", fill=fill, y=alt.value(top + down), y2=alt.value(top + down + high)))
    return marks


def set_apart(plot: Plot, field: str, looks: Looks) -> Plot:
    """Draw guests, which have no look among those of a chart, once more: large, with their names."""
    mine = plot.table[~plot.table[field].isin(looks)]
    return plot.points(130, mine).words(field, mine, dy=-14, color=MAGENTA, fontWeight="bold") if len(mine) else plot


def correlations(
    table: pd.DataFrame,
    order: Sequence[str],
    hover: Sequence[Any],
    name: str = "Spearman's r",
    where: str = "",
    **across: Any,
) -> Plot:
    """Draw correlations as tiles by row and column, with the number on each where there is room for it."""
    x = names("column", list(order), orient="top", labelLimit=220, **across)
    plot = Plot(table, x, names("row", list(order), labelLimit=220), hover=hover, where=where, digits=6)
    plot.tiles(colour_of_correlations(name), stroke=PAPER, strokeWidth=2)
    ink = alt.condition("abs(datum.r) > 0.65", alt.value(PAPER), alt.value(INK))
    wide_enough = alt.expr(f"width < {28 * len(order)} ? 0 : 1")  # on a phone the tiles are not
    numbers = plot.base().mark_text(opacity=wide_enough)
    return plot.draw(numbers.encode(text=alt.Text("r:Q", format=".2f"), color=ink))


def straight_line(points: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """Return both ends of the line of least squares, where it leaves the frame around its points."""
    slope, start = np.polyfit(points[x], points[y], 1)
    across, up = (points[name].agg(["min", "max"]).to_numpy() for name in (x, y))
    ends = across.clip(*sorted((up - start) / slope)) if slope else across
    return pd.DataFrame({x: ends, y: start + slope * ends})


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


def heap_of(
    values: np.ndarray, step: float, measure: str, ends: tuple[float, float] | None = None
) -> tuple[alt.Chart, alt.Y, int]:
    """Return a heap of a hundred dots in columns a step apart, its upward axis, and the pixels that it needs."""
    shown = quantile_dots(pd.Series(values), DOTS, step)
    scale = alt.Scale(domain=list(ends), nice=False) if ends else alt.Scale(nice=False, zero=False, padding=8)
    x = alt.X("value:Q", title=measure, scale=scale, axis=alt.Axis(grid=False))
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-1, shown["level"].max() + 1]))
    # A dot is as wide as a step, on a phone, too.
    size = alt.expr(f"pow(min({ROOM}, 0.9 * width * {step / np.ptp(ends or shown['value']):.4f}), 2)")
    heap = alt.Chart(shown).mark_point(filled=True, opacity=1, size=size, color=GREY).encode(x, y)
    return heap, y, ROOM * (shown["level"].max() + 2)


def observed_at(observed: float, name: str, **looks: Any) -> list[alt.Chart]:
    """Draw an upright line at an observed value, with its name."""
    seen = alt.Chart(pd.DataFrame({"observed": [round(float(observed), 4)]})).encode(x="observed:Q")
    rule = seen.mark_rule(color=SLATE, strokeWidth=3).encode(tooltip=["observed"])
    return [rule, seen.mark_text(y=8, text=name, fontSize=13, color=SLATE, fontWeight="bold", **looks)]
