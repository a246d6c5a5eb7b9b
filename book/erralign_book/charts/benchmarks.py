"""Charts of the pages on speed: beside what others take, and per multiplication."""

from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, PURPLE
from erralign.plot.parts import dots, finish, layer
from erralign_book.charts.looks import cases
from erralign_book.charts.parts import DASHED, logarithmic, marked


def speedups(times: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how many times as fast ours is as what a user would write, by data, with the goal of each row."""
    rows = times.index.map(" against ".join)
    shown = times.assign(row=rows).melt(["row", "goal"], var_name="data", value_name="times").round(2)
    x = logarithmic("times", "times as fast", [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200], "~f")
    axis = alt.Axis(labelExpr="split(datum.label, ' against ')", grid=True)
    base = alt.Chart(shown).encode(alt.Y("row:N", title=None, sort=list(rows), axis=axis))
    points = marked(base, "data", cases(shown["data"]), size=80).encode(x, tooltip=["row", "data", "times", "goal"])
    same = alt.Chart(pd.DataFrame({"times": [1]})).mark_rule(color=GREY, strokeDash=DASHED).encode(x)
    goals = base.mark_tick(thickness=3, size=18, color=GREY).encode(x="goal:Q")
    about = f"How many times as fast as the alternative, {len(times)} rows."
    words = "dashed: as fast; upright bars: our goals"
    return finish(layer(same, goals, points), title, about, 36 * len(times), subtitle=words)


def time_per_multiplication(rates: pd.DataFrame, usual: float, title: str) -> alt.LayerChart:
    """Draw milliseconds per billion multiplications, a row per network, the quickest first, and the usual time."""
    axis = "milliseconds per billion multiplications"
    shown = rates.reset_index()[["model", "gmacs", "milliseconds", "each"]].sort_values("each").round(2)
    x = alt.X("each:Q", title=axis, scale=alt.Scale(domainMin=0))
    hover: list[Any] = [
        "model",
        alt.Tooltip("gmacs", title="billion multiplications"),
        "milliseconds",
        alt.Tooltip("each", title=axis),
    ]
    points = dots(alt.Chart(shown), 80, color=PURPLE)
    points = points.encode(x, alt.Y("model:N", title=None, sort=None, axis=alt.Axis(grid=True)), tooltip=hover)
    line = alt.Chart(pd.DataFrame({"each": [usual]}).round(2)).mark_rule(color=GREY, strokeDash=DASHED).encode(x)
    about = f"Time per multiplication of {len(rates)} networks."
    drawn = layer(line, points)
    return finish(drawn, title, about, 24 * len(rates), subtitle="dashed: the median of those above one billion")
