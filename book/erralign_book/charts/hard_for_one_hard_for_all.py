"""Charts of the chapter on shared difficulty: what it does to error consistency, alone and by pooled conditions."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY
from erralign.plot.parts import dots, finish, layer
from erralign.plot.theme import PAIRS, PAIRS_OF_KIND, colour, colour_of_kinds, shape_of_kinds
from erralign_book.charts.looks import ACCURACIES, cases

SPREAD = "spread of difficulty (standard deviation)"
DIFFICULTY_ALONE = "EC by shared difficulty alone"
STEPS = 41


def shared_difficulty(simulated: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the error consistency of two systems that share nothing but how hard each picture is."""
    levels = sorted(simulated["accuracy"].unique())
    lines = pd.concat([_formula(level, simulated["spread"].max()) for level in levels])
    x, y = alt.X("spread:Q", title=SPREAD), alt.Y("EC:Q", title=DIFFICULTY_ALONE)
    hue = colour("accuracy", cases(map("{:g}".format, levels), ACCURACIES[::2]), legend=None)
    line = alt.Chart(lines.round(4)).mark_line(strokeWidth=2).encode(x, y, hue)
    shown = simulated.assign(accuracy=simulated["accuracy"].map("{:g}".format)).round(4)
    points = dots(alt.Chart(shown), 70).encode(x, y, hue, tooltip=["accuracy", "spread", "EC"])
    ends = alt.Chart(lines.groupby("accuracy").tail(1).round(4))
    names = ends.mark_text(align="left", dx=10, fontSize=12, fontWeight="bold").encode(x, y, hue, text="accuracy:N")
    about = f"Error consistency against the spread of difficulty, at accuracies of {levels}; it grows."
    under = "points: simulated; lines: the formula, by the accuracy of both"
    return finish(layer(line, points, names), title, about, 260, subtitle=under)


def _formula(accuracy: float, most: float) -> pd.DataFrame:
    spread = np.linspace(0, most, STEPS)
    return pd.DataFrame({"accuracy": f"{accuracy:g}", "spread": spread, "EC": spread**2 / (accuracy * (1 - accuracy))})


def from_points_to_ticks(
    means: pd.DataFrame, point: str, tick: str, axis: str, title: str, words: str
) -> alt.LayerChart:
    """Draw how far a value of each kind of pairs is from another one, a row per data set, the largest gain on top."""
    gain = (means[tick] - means[point]).groupby(means["data_set"]).mean()
    order = list(gain.sort_values(ascending=False, kind="stable").index)
    base = alt.Chart(means.round(3)).transform_calculate(pairs=PAIRS_OF_KIND)
    base = base.encode(
        y=alt.Y("data_set:N", title=None, sort=order),
        yOffset=alt.YOffset("kind:N", sort=list(PAIRS)),
        tooltip=["data_set", "pairs:N", point, tick],
    )
    looks = colour_of_kinds(means["kind"])
    x = alt.X(f"{point}:Q", title=axis, scale=alt.Scale(zero=False))
    line = base.mark_rule(strokeWidth=2).encode(looks, x=x, x2=f"{tick}:Q")
    ticks = base.mark_tick(thickness=2, size=10, color=GREY).encode(x=f"{tick}:Q")
    points = dots(base, 80).encode(x, looks, shape_of_kinds(means["kind"]))
    about = f"{axis} by data set and kind of pairs, in two ways: {point} and {tick}."
    return finish(layer(line, ticks, points), title, about, 30 * len(order), subtitle=words)
