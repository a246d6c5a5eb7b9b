"""Charts of the chapter that reproduces Klabunde et al. (2024): ranks of the measures."""

from typing import Any

import altair as alt
import pandas as pd

from erralign.measures import MEASURES
from erralign.plot.colours import BLACK, LEVELS
from erralign.plot.grammar import Plot, entitle, names, numbers
from erralign_book.charts.grammar import beside_each_other, labels_if

WIDTH, STEP = 170, 19  # of a panel, and of a row, in pixels


def ranks_by_domain(ranks: pd.DataFrame, marked: str, title: str) -> alt.ConcatChart:
    """Draw the ranks of measures over all settings, one panel per domain: medians, quartiles; one or the best black."""
    order = ranks.groupby("measure")["median"].mean().sort_values().index.tolist()
    x = numbers("median", "rank, 1 is best", ends=(1, len(order)))
    ranks = ranks.assign(name=[MEASURES[measure].words for measure in ranks["measure"]])
    hover = ["measure", "name", "median", "lower", "upper", "settings"]
    panels: list[alt.LayerChart] = []
    for name, part in ranks.groupby("domain"):
        rows: Any = {"labelExpr": labels_if(first=not panels), "ticks": False, "grid": True}
        named, best = part["measure"] == marked, part["median"] == part["median"].min()
        strong = part[named if marked in order else best]
        plot = Plot(part[hover], x, names("measure", order, scale={"domain": order}, **rows), hover=hover)
        for color, rows_of in ((LEVELS[2], part), (BLACK, strong)):
            plot.spans("lower", "upper", data=rows_of[hover], color=color).points(55, rows_of[hover], color=color)
        panels.append(plot.drawn().properties(width=WIDTH, height=alt.Step(STEP), title=str(name)))
    about = f"Medians and quartiles of the ranks of {len(order)} measures in {len(panels)} domains."
    words = f"dot: median rank; bar: middle half; strong: {marked}; best on average first; PWCCA: no score on graphs"
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle=words)
