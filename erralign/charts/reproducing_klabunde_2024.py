"""Charts of the chapter that reproduces Klabunde et al. (2024): ranks of measures, and our scores beside theirs."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.charts.colours import PURPLE
from erralign.charts.parts import beside_each_other, diagonal, entitle, finish, layer, selector
from erralign.charts.theme import cases, colour, shape

WIDTH, STEP = 168, 19  # of a panel, and of a row, in pixels


def ranks_by_domain(ranks: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw the ranks of measures over all settings, a panel per domain: medians and quartiles.

    Parameters
    ----------
    ranks : pandas.DataFrame
        ``domain``, ``measure``, ``settings``, ``lower``, ``median``, ``upper``.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.ConcatChart
        The best measure over the domains comes first; rank 1 is the best.
    """
    order = ranks.groupby("measure")["median"].mean().sort_values().index.tolist()
    panels = [_domain(name, part, order) for name, part in ranks.groupby("domain")]
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


def ours_beside_theirs(scores: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw our scores over the paper's, one test at a time, a point per measure and architecture.

    Parameters
    ----------
    scores : pandas.DataFrame
        ``test``, ``network``, ``measure``, ``printed``, ``mean``, ``lowest``, ``highest`` (of ours over sets of seeds).
    start : str
        The test that is shown first.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        The upright line goes from our lowest to our highest set of seeds; on the dashed line both agree.
    """
    looks = cases(scores["network"])
    across, up = alt.X("printed:Q", title="printed"), alt.Y("mean:Q", title="ours, mean of the sets of seeds")
    base = alt.Chart(scores.round(3)).transform_filter("datum.test === test")
    bars = base.mark_rule(strokeWidth=1.5, opacity=0.6).encode(
        across, alt.Y("lowest:Q", title=up["title"]), colour("network", looks), y2="highest:Q"
    )
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        across,
        up,
        colour("network", looks),
        shape("network", looks),
        tooltip=["measure", "network", "printed", "mean", "lowest", "highest"],
    )
    same = diagonal(across, up)
    chart = layer(same, bars, points).add_params(selector("test", scores["test"].unique().tolist(), start, "test"))
    about = f"Our scores of {scores['measure'].nunique()} measures over those that the paper prints."
    return finish(chart, title, about, 320)
