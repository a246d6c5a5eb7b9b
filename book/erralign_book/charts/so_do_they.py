"""Findings under many choices: a row of marks for each."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.theme import Look
from erralign_book.charts.looks import SHEER
from erralign_book.papers.leads import verdicts

CLEAR = {"interval leaves out 0": Look(BLACK), "interval contains 0": Look(GREY)}
LEAD = "lead of two people, as a difference of EC"


def strips(findings: pd.DataFrame, title: str, axis: str = "difference") -> alt.LayerChart:
    """Draw one row a finding: a mark for each way of computing it, dark where it is clear."""
    plot = _rows(findings, axis).ticks(height=16, opacity=SHEER)
    about = "Values of each finding under all choices, and whether their intervals leave out 0."
    return plot.done(title, about, alt.Step(44))


def leads(findings: pd.DataFrame, title: str, level: float) -> alt.LayerChart:
    """Draw one row a finding: its value and its interval of a level."""
    about = "Leads of two people with intervals, over a person and a network and over two networks."
    plot = _rows(findings, LEAD).spans().points(70)
    return plot.done(title, about, alt.Step(44), f"lines: {100 * level:g} % intervals")


def _rows(findings: pd.DataFrame, axis: str) -> Plot:
    clear = np.where(np.isin(verdicts(findings), ("more", "less")), *CLEAR)
    # The part of a name after a colon is on a second line.
    rows = names("finding", labelLimit=190, labelExpr="split(datum.label, ': ')")
    x = numbers("value", axis, scale={"padding": 8})  # so that no mark is cut
    shown = findings[["finding", "value", "low", "high"]].assign(clear=clear)
    return Plot(shown, x, rows, look=("clear", CLEAR), hover=["value", "low", "high"]).level(0)
