"""What set pieces share: sliders, and rows of tiles."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, PALE, PAPER

ROW = 24  # pixels of a row of tiles
DRAGGABLE = "draggable"  # the name of a mark that sets "across" and "up", from 0 to 1 of its panel, by dragging


def slider(name: str, label: str, start: float, ends: tuple[float, float], step: float) -> alt.Parameter:
    """Let the reader move a number under the chart's title."""
    low, high = ends
    return alt.param(name=name, value=start, bind=alt.binding_range(min=low, max=high, step=step, name=f"{label} "))


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
