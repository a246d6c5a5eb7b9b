"""Charts of the chapter on uncertainty: draws, the intervals that they leave, and how often these are right."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import SLATE
from erralign.plot.grammar import Plot, factors, numbers, shares
from erralign.plot.parts import finish, layer
from erralign.plot.theme import only
from erralign_book.charts.grammar import DOTS, heap_of
from erralign_book.charts.looks import CROWD, HELD, INTERVALS, METHODS

STEP = 0.02  # of EC, between two columns of dots


def resamples(values: np.ndarray, limits: tuple[float, float], title: str) -> alt.LayerChart:
    """Draw how a measure spreads over resamples: a heap of dots on the interval that remains."""
    heap, y, room = heap_of(values, STEP, "error consistency")
    span = alt.Chart(pd.DataFrame([limits], columns=["low", "high"]).round(4).assign(level=-1))
    span = span.mark_rule(strokeWidth=5, color=SLATE).encode(alt.X("low:Q"), y, x2="high:Q", tooltip=["low", "high"])
    about = "A heap of dots on the interval that they leave."
    words = f"each dot stands for {len(values) / DOTS:,.0f} of the {len(values):,} draws; bar: the middle 95 %"
    return finish(layer(heap, span), title, about, room, subtitle=words)


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the intervals of repeated experiments, sorted by joint errors, against the value that each should hold."""
    intervals = intervals.sort_values(["joint_errors", "EC"])
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(experiment=range(1, len(held) + 1), outcome=np.where(held, *HELD))
    middle = shown.groupby("joint_errors")["experiment"].median().astype(int)
    written = f"({ {place: n for n, place in middle.items()} })[datum.value]"
    bare: Any = {"labelExpr": written, "labelOverlap": "greedy", "grid": False, "tickSize": 0}
    x = numbers("experiment", "joint errors", ticks=middle.tolist(), scale={"nice": False, "padding": 6}, **bare)
    hover = ["joint_errors", "EC", "low", "high", "outcome"]
    plot = Plot(shown, x, numbers("EC", "error consistency"), look=("outcome", HELD), hover=hover)
    # Faint lines part the numbers of joint errors.
    plot.level(*(shown.groupby("joint_errors")["experiment"].max().iloc[:-1] + 0.5), along="x", opacity=CROWD)
    plot.spans(strokeWidth=1.5).points(26, shape="circle").dashed(truth, color=SLATE)
    about = f"Intervals of {len(held)} experiments; {held.sum()} contain the true value, {truth:.2f}."
    return plot.done(title, about, 240, "sorted by joint errors, then by EC; dashed: the true value")


def coverage(simulated: pd.DataFrame, number: str, title: str, *, floor: float = 0.0) -> alt.LayerChart:
    """Draw how often intervals contain the true value, against how many errors there are to learn from."""
    looks = {INTERVALS.get(name, name): look for name, look in only(METHODS, simulated["method"]).items()}
    # The first method, which is the default, is drawn last, so that no other covers it.
    simulated = simulated.sort_values("method", key=lambda names: -names.map(list(METHODS).index), kind="stable")
    low, high = simulated["coverage"] - simulated["error"], simulated["coverage"] + simulated["error"]
    shown = simulated.assign(low=low, high=high.clip(upper=1), method=simulated["method"].replace(INTERVALS))
    x = factors("number", number, [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 400])
    y = shares("coverage", "intervals that contain the true value", scale={"domain": [floor, 1]}, grid=True)
    hover = ["setting", "method", alt.Tooltip("number", title=number, format=",.1f"), "coverage", "error"]
    plot = Plot(shown, x, y, look=("method", looks), hover=hover, columns=2).points().spans(strokeWidth=1)
    about = f"Coverage of 95 % intervals in {len(simulated)} simulations by method and {number}."
    under = "each mark is one simulated world; dashed: the 95 % that is promised"
    return plot.dashed(0.95).done(title, about, 300, under)
