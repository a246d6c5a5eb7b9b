"""Findings with their intervals: a row for each."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK
from erralign.plot.theme import with_interval
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.marks import Plot, names, numbers


def intervals(findings: pd.DataFrame, title: str, axis: str, digits: int = 2) -> alt.LayerChart:
    """Draw one row a difference: an interval, filled where it leaves out 0, and above it its name and its figures."""
    ends = findings[["value", "low", "high"]].to_numpy()
    words = findings["finding"] + "|" + [with_interval(value, low, high, digits=digits) for value, low, high in ends]
    labelled = findings.assign(words=words)
    rows = names("finding", findings["finding"].unique().tolist(), labels=False, ticks=False, domain=False)
    x = numbers("value", axis, scale={"padding": 8}, grid=False)  # so that no mark is cut
    plot = Plot(labelled, x, rows, hover=["finding", "value", "low", "high"])
    diamonds(plot.level(0, color=BLACK).spans(color=BLACK, strokeWidth=3), 110)
    above = plot.base().encode(x=alt.datum(0), text="words:N")
    plot.draw(above.mark_text(align="left", dx=8, dy=-34, fontSize=13, color=INK, lineBreak="|"))
    about = f"Values with intervals: {'; '.join(findings['finding'])}."
    under = "lines: 95 % intervals; filled: it leaves out 0; hollow: it contains 0"
    return plot.done(title, about, alt.Step(72), under)
