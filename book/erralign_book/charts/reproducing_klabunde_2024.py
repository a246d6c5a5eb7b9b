"""Charts of the chapter that reproduces Klabunde et al. (2024): ranks of the measures."""

import altair as alt
import pandas as pd

from erralign.plot.colours import PURPLE
from erralign.plot.parts import dots, entitle, layer
from erralign_book.charts.parts import beside_each_other, labels_if, span

WIDTH, STEP = 170, 19  # of a panel, and of a row, in pixels


def ranks_by_domain(ranks: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw the ranks of measures over all settings, one panel per domain: medians and quartiles."""
    order = ranks.groupby("measure")["median"].mean().sort_values().index.tolist()
    panels = [_domain(str(name), part, order, first=not i) for i, (name, part) in enumerate(ranks.groupby("domain"))]
    about = f"Medians and quartiles of the ranks of {len(order)} measures in {len(panels)} domains."
    return entitle(beside_each_other(panels, len(panels)), title, about)


def _domain(name: str, part: pd.DataFrame, order: list[str], *, first: bool) -> alt.LayerChart:
    x = alt.X("median:Q", title="rank, 1 is best", scale=alt.Scale(domain=[1, len(order)], nice=False))
    axis = alt.Axis(labelExpr=labels_if(first=first), ticks=False, grid=True)
    y = alt.Y("measure:N", sort=order, title=None, scale=alt.Scale(domain=order), axis=axis)
    base = alt.Chart(part.drop(columns="domain")).encode(y)
    points = dots(base, 55, color=PURPLE).encode(x, tooltip=["measure", "median", "lower", "upper", "settings"])
    bars = span(base, x, "lower", "upper", strokeWidth=2, color=PURPLE)
    return layer(bars, points).properties(width=WIDTH, height=alt.Step(STEP), title=name)
