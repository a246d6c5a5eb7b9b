"""Charts of the pages on speed: beside what others take, and per multiplication."""

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, PURPLE
from erralign.plot.parts import dots, finish, layer
from erralign_book.charts.looks import cases
from erralign_book.charts.parts import DASHED, line_through, logarithmic, marked


def speedups(times: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how many times as fast ours is as what a user would write, by data, with the goal of each row."""
    rows = times.index.map(" against ".join)
    shown = times.assign(row=rows).melt(["row", "goal"], var_name="data", value_name="times").round(2)
    x = logarithmic("times", "times as fast", [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200], "~f")
    axis = alt.Axis(labelExpr="split(datum.label, ' against ')", grid=True)
    base = alt.Chart(shown).encode(alt.Y("row:N", title=None, sort=list(rows), axis=axis))
    points = marked(base, "data", cases(shown["data"]), 80).encode(x, tooltip=["row", "data", "times", "goal"])
    goals = base.mark_tick(thickness=3, size=18, color=GREY).encode(x="goal:Q")
    about = f"How many times as fast as the alternative, {len(times)} rows."
    drawn = layer(line_through(1, x, strokeDash=DASHED), goals, points)
    return finish(drawn, title, about, 36 * len(times), subtitle="dashed: as fast; upright bars: our goals")


def time_per_multiplication(rates: pd.DataFrame, usual: float, title: str) -> alt.LayerChart:
    """Draw milliseconds per billion multiplications, a row per network, the quickest first, and the usual time."""
    axis = "milliseconds per billion multiplications"
    shown = rates.reset_index()[["model", "gmacs", "milliseconds", "each"]].sort_values("each").round(2)
    x = alt.X("each:Q", title=axis, scale=alt.Scale(domainMin=0))
    y = alt.Y("model:N", title=None, sort=None, axis=alt.Axis(grid=True))
    named = {"model": "model", "gmacs": "billion multiplications", "milliseconds": "milliseconds", "each": axis}
    hover = [alt.Tooltip(field, title=words) for field, words in named.items()]
    points = dots(alt.Chart(shown), 80, color=PURPLE).encode(x, y, tooltip=hover)
    drawn = layer(line_through(round(usual, 2), x, strokeDash=DASHED), points)
    about = f"Time per multiplication of {len(rates)} networks."
    return finish(drawn, title, about, 24 * len(rates), subtitle="dashed: the median of those above one billion")
