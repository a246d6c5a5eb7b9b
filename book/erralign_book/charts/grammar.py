"""What charts of the book have beyond the library's grammar: panels, sliders, tiles with numbers."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, MAGENTA, PALE, PAPER
from erralign.plot.theme import Looks
from erralign_book.charts.marks import Options, Plot

ROW = 24  # pixels of a row of tiles
CLEAR = "datum.low * datum.high > 0"
DRAGGABLE = "draggable"  # the name of a mark that sets "across" and "up", from 0 to 1 of its panel, by dragging


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


def tiles(rows: alt.Chart, readers: Mapping[str, str], end: float) -> list[Any]:
    """Draw a row of tiles for each of two readers, in its colour where wrong, and a line below where they overlap."""
    x = alt.X("start:Q", axis=None, scale=alt.Scale(domain=[0, end], nice=False))
    row = rows.transform_calculate(start="datum.place + 0.04", end="datum.place + 0.96").mark_rect(cornerRadius=2)
    words = alt.Chart(pd.DataFrame({"row": [*readers, "overlap"], "top": [10, 34, 55]}))
    words = words.encode(y=alt.Y("top:Q", axis=None, scale=None), text="row:N")
    bold: dict[str, Any] = {"fontSize": 13, "fontWeight": "bold"}
    marks: list[Any] = [words.mark_text(align="left", **bold).encode(x=alt.value(-60))]
    wrong = [f"datum['{name}']" for name in readers]
    layers = zip((0, ROW, 2 * ROW + 6), (ROW - 4, ROW - 4, 3), (*readers.values(), BLACK), strict=True)
    for (down, high, colour), stands_out in zip(layers, [*wrong, " === ".join(wrong)], strict=True):
        fill = alt.when(stands_out).then(alt.value(colour)).otherwise(alt.value(PALE if high > 3 else PAPER))
        marks.append(row.encode(x, x2="end:Q", fill=fill, y=alt.value(down), y2=alt.value(down + high)))
    return marks


def set_apart(plot: Plot, field: str, looks: Looks) -> Plot:
    """Draw guests, which have no look among those of a chart, once more: large, with their names."""
    mine = plot.table[~plot.table[field].isin(looks)]
    return plot.points(130, mine).words(field, mine, dy=-14, color=MAGENTA, fontWeight="bold") if len(mine) else plot
