"""Charts of the chapter on chance: what chance gives, and how far from it pairs are."""

from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.grammar import Plot, numbers
from erralign.plot.theme import Looks, shape
from erralign_book.charts.grammar import observed_at
from erralign_book.charts.looks import FAR, SIGNIFICANT, USED, cases

P_VALUE = "p-value, smaller higher up"


def chance_histogram(
    values: np.ndarray, observed: float, title: str, of: str = "error consistency", tail: str = "", **axis: Any
) -> alt.LayerChart:
    """Draw the values that chance gives, and the observed one, with a legend or with words for what lies beyond it."""
    steps, draws = np.unique(np.round(values, 9), return_counts=True)
    half = np.diff(steps).min() / 2
    bars = pd.DataFrame({"value": steps, "from": steps - half, "to": steps + half, "draws": draws}).round(4)
    # A hair nearer, since the observed value is itself a step.
    bars["part"] = np.where(np.abs(steps) >= abs(observed) - 1e-6, *reversed(FAR))
    x = numbers("from", f"{of} by chance", scale={"nice": False, "zero": False}, grid=False, **axis)
    hover, y = [alt.Tooltip("value", title=of), "draws"], {"shorthand": "draws:Q", "axis": None}
    plot = Plot(bars, x, y, look=("part", FAR), hover=hover, columns=0 if tail else 1)
    tiles = plot.base().mark_rect().encode(**plot.colour, x2="to:Q", y2=alt.datum(0), tooltip=plot.hover)
    line, label = observed_at(observed, tail or "observed", align="left", dx=6, lineBreak="\n")
    plot.draw(line, tiles, label)  # the line does not cut its bar
    about = f"Histogram of {of} by chance, simulated {len(values)} times, with a line at the observed {observed:.4g}."
    return plot.done(title, about, 240)


def p_values(
    pairs: pd.DataFrame, title: str, *, by: Literal["trials", "significant"], level: float = 0.05
) -> alt.LayerChart:
    """Draw p-values against error consistency, one point per pair."""
    looks: Looks = SIGNIFICANT
    if by == "trials":
        shown, looks = pairs, cases(pairs["trials"])
    else:
        *found, not_found = SIGNIFICANT
        significant = np.select([pairs["p_holm"] <= level, pairs["p"] <= level], found, not_found)
        shown = pairs.assign(significant=significant, used=np.where(pairs["used"], *USED))
    rounded = shown.assign(p=[float(f"{p:.3g}") for p in pairs["p"]])
    hover = [*(str(column) for column in shown if column != "p"), alt.Tooltip("p:Q", format=".2g")]
    title_of = "significant" if by == "significant" else None
    upwards = {"type": "log", "reverse": True, "nice": False, "padding": 6}
    y = numbers("p", P_VALUE, scale=upwards, format=".0e", tickCount=6)
    plot = Plot(rounded, numbers("EC", "error consistency (EC)"), y, look=(by, looks), hover=hover, title=title_of)
    plot.digits = {"EC": 4}  # p near 1e-50 must not become 0
    if by == "significant":  # two legends do not fit a phone; the subtitle names the crosses
        plot.shape["shape"] = shape("used", USED, legend=None)
    label = alt.Chart(pd.DataFrame({"p": [level]})).encode(alt.Y(**y))
    label = label.mark_text(x="width", dy=4, align="right", baseline="top", fontSize=12, text=f"p = {level:g}")
    about = f"p-values of {len(pairs)} pairs against their error consistency."
    under = "crosses: conditions left out" if by == "significant" and not pairs["used"].all() else None
    return plot.points(36).dashed(level).draw(label).done(title, about, 320, under)
