"""Findings under many choices: a row of marks for each."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, PURPLE
from erralign.plot.parts import dots, finish, layer
from erralign.plot.theme import Look, colour, legend
from erralign_book.charts.looks import SHEER
from erralign_book.charts.parts import line_through, span
from erralign_book.papers.leads import verdicts

CLEAR = {"interval leaves out 0": Look(PURPLE), "interval contains 0": Look(GREY)}


LEAD = "lead of two people, as a difference of EC"


def strips(findings: pd.DataFrame, title: str, axis: str = "difference") -> alt.LayerChart:
    """Draw one row a finding: a mark for each way of computing it, dark where it is clear."""
    base, x = _rows(findings, axis)
    ways = base.mark_tick(thickness=2, height=16, opacity=SHEER)
    about = "Values of each finding under all choices, and whether their intervals leave out 0."
    return finish(layer(line_through(0, x), ways), title, about, alt.Step(44))


def leads(findings: pd.DataFrame, title: str, level: float) -> alt.LayerChart:
    """Draw one row a finding: its value and its interval of a level."""
    base, x = _rows(findings, LEAD)
    drawn = layer(line_through(0, x), span(base, x, strokeWidth=2), dots(base, 70))
    about = "Leads of two people with intervals, over a person and a network and over two networks."
    return finish(drawn, title, about, alt.Step(44), subtitle=f"lines: {100 * level:g} % intervals")


def _rows(findings: pd.DataFrame, axis: str) -> tuple[alt.Chart, alt.X]:
    clear = np.isin(verdicts(findings), ("more", "less"))
    shown = findings[["finding", "value", "low", "high"]].round(4)
    shown = shown.assign(clear=np.where(clear, *CLEAR))
    # The part of a name after a colon is on a second line.
    labels = alt.Axis(labelLimit=190, labelExpr="split(datum.label, ': ')")
    y = alt.Y("finding:N", title=None, sort=list(findings["finding"].unique()), axis=labels)
    x = alt.X("value:Q", title=axis, scale=alt.Scale(padding=8))  # so that no mark is cut
    hue = colour("clear", CLEAR, legend=legend(columns=1))
    return alt.Chart(shown).encode(x, y, hue, tooltip=["value", "low", "high"]), x
