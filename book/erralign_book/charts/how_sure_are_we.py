"""Charts of the chapter on uncertainty: draws, the intervals that they leave, and how often these are right."""

from collections.abc import Iterable

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, SLATE
from erralign.plot.parts import dots, finish, layer, line_at, whisker
from erralign.plot.theme import Look, colour, legend, only, shape
from erralign_book.charts.looks import CROWD, HELD, INTERVALS, METHODS
from erralign_book.charts.parts import DASHED, logarithmic, quantile_dots, ticks_at

DOTS, STEP, ROOM = 100, 0.02, 14  # in a heap; of EC, between two columns; pixels, between two dots of a column


def resamples(values: np.ndarray, limits: tuple[float, float], title: str) -> alt.LayerChart:
    """Draw how a measure spreads over resamples: a heap of dots on the interval that remains."""
    heap, y, room = heap_of(values, STEP, "error consistency")
    span = alt.Chart(pd.DataFrame([limits], columns=["low", "high"]).round(4).assign(level=-1))
    span = span.mark_rule(strokeWidth=5, color=SLATE).encode(alt.X("low:Q"), y, x2="high:Q", tooltip=["low", "high"])
    about = "A heap of dots on the interval that they leave."
    words = f"each dot stands for {len(values) / DOTS:,.0f} of the {len(values):,} draws; bar: the middle 95 %"
    return finish(layer(heap, span), title, about, room, subtitle=words)


def heap_of(values: np.ndarray, step: float, measure: str) -> tuple[alt.Chart, alt.Y, int]:
    """Return a heap of a hundred dots in columns a step apart, its upward axis, and the pixels that it needs."""
    shown = quantile_dots(pd.Series(values), DOTS, step)
    x = alt.X("value:Q", title=measure, scale=alt.Scale(nice=False, zero=False, padding=8), axis=alt.Axis(grid=False))
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-1, shown["level"].max() + 1]))
    # A dot is as wide as a step, on a phone, too.
    size = alt.expr(f"pow(min({ROOM}, 0.9 * width * {step / np.ptp(shown['value']):.4f}), 2)")
    heap = alt.Chart(shown).mark_point(filled=True, opacity=1, size=size, color=GREY).encode(x, y)
    return heap, y, ROOM * (shown["level"].max() + 2)


def _in_words(methods: Iterable[str]) -> dict[str, Look]:
    """Return the looks of methods, each by the name that prose gives it."""
    return {INTERVALS.get(name, name): look for name, look in only(METHODS, methods).items()}


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the intervals of repeated experiments, sorted by joint errors, against the value that each should hold."""
    intervals = intervals.sort_values(["joint_errors", "EC"])
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(experiment=range(1, len(held) + 1), outcome=np.where(held, *HELD)).round(4)
    middle = shown.groupby("joint_errors")["experiment"].median().astype(int)
    numbers = f"({ {place: n for n, place in middle.items()} })[datum.value]"
    x = alt.X("experiment:Q", title="joint errors", scale=alt.Scale(nice=False, padding=6))
    base = alt.Chart(shown).encode(
        x.axis(ticks_at(middle.tolist(), labelExpr=numbers, labelOverlap="greedy", grid=False, ticks=False)),
        colour("outcome", HELD),
        tooltip=["joint_errors", "EC", "low", "high", "outcome"],
    )
    width = alt.condition(alt.datum.outcome == "misses it", alt.value(4), alt.value(1.5))
    rule = whisker(base, "error consistency").encode(strokeWidth=width)
    true = line_at(truth, "error consistency", color=SLATE, strokeDash=DASHED)
    about = f"Intervals of {len(held)} experiments; {held.sum()} contain the true value, {truth:.2f}."
    # Faint lines part the numbers of joint errors.
    last = alt.Chart(shown.groupby("joint_errors")[["experiment"]].max().iloc[:-1] + 0.5)
    parted = last.mark_rule(color=GREY, opacity=CROWD).encode(alt.X("experiment:Q"))
    drawn = layer(parted, rule, dots(base, 26).encode(y="EC:Q"), true)
    return finish(drawn, title, about, 240, subtitle="sorted by joint errors, then by EC; dashed: the true value")


def coverage(simulated: pd.DataFrame, number: str, title: str, *, floor: float = 0.0) -> alt.LayerChart:
    """Draw how often intervals contain the true value, against how many errors there are to learn from."""
    share, looks, words = "intervals that contain the true value", _in_words(simulated["method"]), legend(columns=2)
    # The first method, which is the default, is drawn last, so that no other covers it.
    simulated = simulated.sort_values("method", key=lambda names: -names.map(list(METHODS).index), kind="stable")
    low, high = simulated["coverage"] - simulated["error"], simulated["coverage"] + simulated["error"]
    shown = simulated.assign(low=low, high=high.clip(upper=1), method=simulated["method"].replace(INTERVALS)).round(4)
    base = alt.Chart(shown).encode(
        logarithmic("number", number, [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 400], "~f"),
        colour("method", looks, legend=words),
        tooltip=["setting", "method", alt.Tooltip("number", title=number, format=",.1f"), "coverage", "error"],
    )
    y = alt.Y("coverage:Q", title=share, scale=alt.Scale(domain=[floor, 1]), axis=alt.Axis(format="%"))
    point = dots(base, 60).encode(y, shape("method", looks, legend=words))
    about = f"Coverage of 95 % intervals in {len(simulated)} simulations by method and {number}."
    drawn = layer(point, whisker(base, share), line_at(0.95, share, strokeDash=DASHED))
    under = "each mark is one simulated world; dashed: the 95 % that is promised"
    return finish(drawn, title, about, 300, subtitle=under)
