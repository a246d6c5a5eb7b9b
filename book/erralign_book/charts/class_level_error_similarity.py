"""The chart of the chapter on class-level error similarity: how a measure moves with the number of errors."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.parts import finish, layer, whisker
from erralign.plot.theme import colour, legend, shape
from erralign_book.charts.looks import CHANCE, cases

OF_DRAWS = "points: means of the draws; upright lines: 95 % of them"


def by_number(simulated: pd.DataFrame, number: str, value: str, title: str) -> alt.LayerChart:
    """Draw how a measure of simulated systems moves with a number, such as that of errors: one line per case."""
    *names, last = simulated["case"].unique()
    looks, words = cases(names) | {last: CHANCE}, legend(columns=1, labelLimit=420)
    base = alt.Chart(simulated.round(4)).encode(
        _counted(simulated["number"], number),
        colour("case", looks, sort=list(looks), legend=words),
        tooltip=_hover(number, value),
    )
    line = base.mark_line(strokeWidth=2).encode(y=alt.Y("middle:Q", title=value, scale=alt.Scale(zero=False)))
    point = base.mark_point(filled=True, size=80, opacity=1)
    point = point.encode(shape("case", looks, sort=list(looks), legend=words), y=alt.Y("middle:Q", title=value))
    about = f"{value} of simulated systems against {number}, a line for each of: {'; '.join(looks)}."
    return finish(layer(line, whisker(base, value, strokeWidth=2), point), title, about, 280, subtitle=OF_DRAWS)


def _counted(numbers: pd.Series, title: str) -> alt.X:
    axis = alt.Axis(values=sorted(numbers.unique().tolist()), format=",d", grid=False)
    return alt.X("number:Q", title=title, axis=axis, scale=alt.Scale(type="log", nice=False, padding=14))


def _hover(number: str, value: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("case"),
        alt.Tooltip("number", title=number, format=",d"),
        alt.Tooltip("middle", title=f"mean {value}", format=".3f"),
        alt.Tooltip("low", title="2.5 %", format=".3f"),
        alt.Tooltip("high", title="97.5 %", format=".3f"),
    ]
