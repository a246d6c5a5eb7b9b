"""Findings with their intervals: a row for each."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PAPER
from erralign.plot.grammar import Axis, Options, Plot, names, numbers
from erralign.plot.theme import Look
from erralign.plot.words import with_interval

FILLED = {"interval leaves out 0": Look(BLACK), "interval contains 0": Look(PAPER)}
UNDER = "lines: 95 % intervals; filled: it leaves out 0; hollow: it contains 0"
ROOM = {"padding": 8}  # so that no mark is cut
ZERO = alt.datum(0)


def intervals(findings: pd.DataFrame, title: str, axis: str, digits: int = 2) -> alt.LayerChart:
    """Draw one row a finding: an interval, and above it, right of 0, its name and its figures."""
    words = findings["finding"] + "|" + figures(findings, digits)
    plot = in_rows(findings.assign(words=words), numbers("value", axis, scale=ROOM, grid=False))
    plot.spans(color=BLACK, strokeWidth=3).points(90, stroke=BLACK, strokeWidth=2.5)
    about = f"Values with intervals: {'; '.join(findings['finding'])}."
    return beside(plot, plot.table, dy=-34, lineBreak="|").done(title, about, alt.Step(72), UNDER)


def figures(findings: pd.DataFrame, digits: int = 2) -> list[str]:
    """Write each value with its interval."""
    ends = findings[["value", "low", "high"]].to_numpy()
    return [with_interval(value, low, high, digits=digits) for value, low, high in ends]


def in_rows(findings: pd.DataFrame, x: Axis) -> Plot:
    """Begin a chart with a row for each finding, filled where its interval leaves out 0, and a line at 0."""
    rows = names("finding", findings["finding"].unique().tolist(), labels=False, ticks=False, domain=False)
    clear = np.where(findings["low"] * findings["high"] > 0, *FILLED)
    hover = ["finding", "value", "low", "high"]
    plot = Plot(findings.assign(clear=clear), x, rows, look=("clear", FILLED), hover=hover, columns=0)
    return plot.level(0, color=BLACK)


def beside(plot: Plot, rows: pd.DataFrame, at: Any = ZERO, **looks: Any) -> Plot:
    """Write the words of some rows beside 0."""
    words = plot.base(rows[["finding", "words"]]).encode(x=at, text="words:N")
    return plot.draw(words.mark_text(**Options(align="left", dx=8, fontSize=13, color=INK) | looks))
