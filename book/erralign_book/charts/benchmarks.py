"""Charts of the pages on speed: beside what others take, and per multiplication."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE
from erralign.plot.grammar import Plot, factors, names, numbers
from erralign_book.charts.looks import cases


def speedups(times: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how many times as fast ours is as what a user would write, by data, with the goal of each row."""
    rows = times.index.map(" against ".join)
    shown = times.assign(row=rows).melt(["row", "goal"], var_name="data", value_name="times").round(2)
    x = factors("times", "times as fast", [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200])
    y = names("row", list(rows), labelExpr="split(datum.label, ' against ')", grid=True)
    hover = ["row", "data", "times", "goal"]
    plot = Plot(shown, x, y, look=("data", cases(shown["data"])), hover=hover)
    plot.dashed(1).ticks("goal", thickness=3, size=18).points(80)
    about = f"How many times as fast as the alternative, {len(times)} rows."
    return plot.done(title, about, 36 * len(times), "dashed: as fast; upright bars: our goals")


def time_per_multiplication(rates: pd.DataFrame, usual: float, title: str) -> alt.LayerChart:
    """Draw milliseconds per billion multiplications, a row per network, the quickest first, and the usual time."""
    axis = "milliseconds per billion multiplications"
    shown = rates.reset_index()[["model", "gmacs", "milliseconds", "each"]].sort_values("each").round(2)
    named = {"gmacs": "billion multiplications", "each": axis}
    hover = ["model", *(alt.Tooltip(field, title=words) for field, words in named.items()), "milliseconds"]
    x = numbers("each", axis, scale={"domainMin": 0})
    plot = Plot(shown, x, names("model", grid=True), hover=hover).dashed(round(usual, 2))
    plot.points(80, color=BLUE)
    about = f"Time per multiplication of {len(rates)} networks."
    return plot.done(title, about, 24 * len(rates), "dashed: the median of those above one billion")
