"""Findings under many choices: a row of marks for each."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, PURPLE
from erralign.plot.parts import finish, layer
from erralign.plot.theme import Look, colour, legend
from erralign_book.charts.looks import SHEER
from erralign_book.charts.parts import line_through

CLEAR = {"interval leaves out 0": Look(PURPLE), "contains 0, or unknown": Look(GREY)}


def strips(findings: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw one row a finding: a point for each way of computing it, dark where it is clear, ours a diamond."""
    clear = (findings["low"] > 0) | (findings["high"] < 0)
    shown = findings[["finding", "value", "low", "high", "ours"]].round(4)
    shown = shown.assign(clear=clear.map(dict(zip((True, False), CLEAR, strict=True))))
    y = alt.Y("finding:N", title=None, sort=list(findings["finding"].unique()), axis=alt.Axis(labelLimit=190))
    x = alt.X("value:Q", title="difference", scale=alt.Scale(padding=8))  # so that no mark is cut
    base = alt.Chart(shown).encode(
        x, y, colour("clear", CLEAR, legend=legend(columns=1)), tooltip=["value", "low", "high"]
    )
    ways = base.transform_filter("!datum.ours").mark_tick(thickness=2, height=16, opacity=SHEER)
    ours = base.transform_filter("datum.ours").mark_point(filled=True, shape="diamond", size=190, opacity=1)
    about = "Values of each finding under all choices, and whether their intervals leave out 0."
    drawn, under = [line_through(0, x), ways], None
    if shown["ours"].any():  # the page cannot draw a mark without rows
        drawn, under = [*drawn, ours], "diamond: our choices"
    return finish(layer(*drawn), title, about, alt.Step(44), subtitle=under)
