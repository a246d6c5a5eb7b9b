"""Charts of the chapter that reproduces Klabunde et al. (2024): ranks of the measures."""

import altair as alt
import pandas as pd

from erralign.plot.colours import PURPLE
from erralign.plot.parts import dots, entitle, layer
from erralign_book.charts.parts import beside_each_other, labels_if

WIDTH, STEP = 170, 19  # of a panel, and of a row, in pixels


def ranks_by_domain(ranks: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw the ranks of measures over all settings, one panel per domain: medians and quartiles."""
    order = ranks.groupby("measure")["median"].mean().sort_values().index.tolist()
    panels = [_domain(str(name), part, order, first=not i) for i, (name, part) in enumerate(ranks.groupby("domain"))]
    about = f"Medians and quartiles of the ranks of {len(order)} measures in {len(panels)} domains."
    return entitle(beside_each_other(panels, len(panels)), title, about)


def _domain(name: str, part: pd.DataFrame, order: list[str], *, first: bool) -> alt.LayerChart:
    scale = alt.Scale(domain=[1, len(order)], nice=False)
    lower, median = (alt.X(f"{name}:Q", title="rank, 1 is best", scale=scale) for name in ("lower", "median"))
    axis = alt.Axis(labelExpr=labels_if(first=first), ticks=False, grid=True)
    y = alt.Y("measure:N", sort=order, title=None, scale=alt.Scale(domain=order), axis=axis)
    base = alt.Chart(part.drop(columns="domain")).encode(y)
    bars = base.mark_rule(strokeWidth=2, color=PURPLE).encode(lower, x2="upper:Q")
    hover = ["measure", "median", "lower", "upper", "settings"]
    points = dots(base, 55, color=PURPLE).encode(median, tooltip=hover)
    return layer(bars, points).properties(width=WIDTH, height=alt.Step(STEP), title=name)
