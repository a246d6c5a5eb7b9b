"""Charts of the chapter that reproduces Klabunde et al. (2024): ranks of the measures."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import PURPLE
from erralign.plot.parts import entitle, layer
from erralign_book.charts.parts import beside_each_other

WIDTH, STEP = 168, 19  # of a panel, and of a row, in pixels


def ranks_by_domain(ranks: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw the ranks of measures over all settings, one panel per domain: medians and quartiles."""
    order = ranks.groupby("measure")["median"].mean().sort_values().index.tolist()
    panels = [_domain(str(name), part, order) for name, part in ranks.groupby("domain")]
    about = f"Medians and quartiles of the ranks of {len(order)} measures in {len(panels)} domains."
    return entitle(beside_each_other(panels, len(panels)), title, about)


def _domain(name: str, part: pd.DataFrame, order: list[str]) -> alt.LayerChart:
    scale = alt.Scale(domain=[1, len(order)], nice=False)
    y = alt.Y("measure:N", sort=order, title=None, scale=alt.Scale(domain=order))
    base = alt.Chart(part.drop(columns="domain")).encode(y)
    bars = base.mark_rule(strokeWidth=2, color=PURPLE)
    bars = bars.encode(alt.X("lower:Q", title="rank, 1 is best", scale=scale), x2="upper:Q")
    points = base.mark_point(filled=True, size=55, opacity=1, color=PURPLE)
    points = points.encode(
        alt.X("median:Q", scale=scale, title="rank, 1 is best"),
        tooltip=["measure", "median", "lower", "upper", "settings"],
    )
    return layer(bars, points).properties(width=WIDTH, height=alt.Step(STEP), title=name)
