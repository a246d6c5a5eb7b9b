"""Charts of the chapter on shared difficulty: what it does to error consistency, alone and by pooled conditions."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.parts import finish, layer
from erralign.plot.theme import PAIRS, PAIRS_OF_KIND, colour, colour_of_kinds, legend, shape_of_kinds
from erralign_book.charts.looks import cases

SPREAD = "spread of difficulty (standard deviation)"
DIFFICULTY_ALONE = "EC by shared difficulty alone"
STEPS = 41


def shared_difficulty(simulated: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the error consistency of two systems that share nothing but how hard each picture is."""
    levels = sorted(simulated["accuracy"].unique())
    looks = cases([f"{level:g}" for level in levels])
    lines = pd.concat([_formula(level, simulated["spread"].max()) for level in levels])
    words = legend(columns=len(levels))
    x, y = alt.X("spread:Q", title=SPREAD), alt.Y("EC:Q", title=DIFFICULTY_ALONE)
    line = alt.Chart(lines.round(4)).mark_line(strokeWidth=2)
    line = line.encode(x, y, colour("accuracy", looks, title="accuracy of both", legend=words))
    shown = simulated.assign(accuracy=simulated["accuracy"].map("{:g}".format)).round(4)
    points = alt.Chart(shown).mark_point(filled=True, size=70, opacity=1)
    points = points.encode(
        x, y, colour("accuracy", looks, title="accuracy of both"), tooltip=["accuracy", "spread", "EC"]
    )
    about = f"Error consistency against the spread of difficulty, at accuracies of {', '.join(looks)}; it grows."
    return finish(layer(line, points), title, about, 260, subtitle="points: simulated; lines: the formula")


def _formula(accuracy: float, most: float) -> pd.DataFrame:
    spread = np.linspace(0, most, STEPS)
    return pd.DataFrame({"accuracy": f"{accuracy:g}", "spread": spread, "EC": spread**2 / (accuracy * (1 - accuracy))})


def pooled_and_within(means: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw what pooling adds: a measure over several conditions pooled, and its mean within each of them."""
    gain = (means["pooled"] - means["one by one"]).groupby(means["data_set"]).mean()
    order = list(gain.sort_values(ascending=False, kind="stable").index)
    base = alt.Chart(means.round(3)).transform_calculate(pairs=PAIRS_OF_KIND)
    base = base.encode(
        y=alt.Y("data_set:N", title=None, sort=order),
        yOffset=alt.YOffset("kind:N", sort=list(PAIRS)),
        tooltip=["data_set", "pairs:N", "pooled", "one by one"],
    )
    looks = colour_of_kinds(means["kind"])
    x = alt.X("one by one:Q", title="mean error consistency")
    line = base.mark_rule(strokeWidth=2).encode(looks, x=x, x2="pooled:Q")
    tick = base.mark_tick(thickness=2, size=11).encode(looks, x="pooled:Q")
    point = base.mark_point(filled=True, size=80, opacity=1).encode(x, looks, shape_of_kinds(means["kind"]))
    about = "Error consistency within single conditions and over the same ones pooled, by data set and kind of pairs."
    words = "points: one strength at a time; ticks: the same strengths pooled"
    return finish(layer(line, tick, point), title, about, 26 * len(order), subtitle=words)
