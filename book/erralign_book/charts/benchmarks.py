"""The chart of the page on speed: ours beside what others take."""

import altair as alt
import pandas as pd

from erralign.plot.grammar import Plot, factors, names
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
