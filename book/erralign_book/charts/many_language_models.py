"""Many language models: on how many items they fail together, and how alike two are that are both wrong."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, PURPLE, SLATE
from erralign.plot.parts import dots, finish, layer, line_at
from erralign.plot.theme import Look
from erralign_book.charts.parts import line_through, marked, span

WRONG = "questions"
MAKERS = {"two makers": Look(GREY), "the same maker": Look(PURPLE, "diamond")}
PAIR = "mean accuracy of the two models"


def wrong_together(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw on how many questions 0, 1, 2, … models fail, and what independent models would do."""
    base = alt.Chart(table.round({"independent": 2}))
    x = alt.X("wrong:O", title="models that fail on a question", axis=alt.Axis(labelAngle=0, labelOverlap=True))
    hover = ["wrong", "items", alt.Tooltip("independent", title="if independent")]
    bars = base.mark_bar(color=PURPLE).encode(x, alt.Y("items:Q", title=WRONG), tooltip=hover)
    curve = base.mark_line(color=SLATE, strokeWidth=3).encode(x, alt.Y("independent:Q", title=WRONG), tooltip=hover)
    about = f"How many of {table['items'].sum():,} questions are failed by 0, 1, 2, … of {len(table) - 1} models."
    return finish(layer(bars, curve), title, about, 280, subtitle="line: independent models with the same accuracies")


def agreement_by_accuracy(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw MA of each pair of models, with limits ``low`` and ``high`` to point at, against its mean accuracy."""
    shown = pairs.assign(makers=pairs["same_maker"].map(dict(zip((False, True), MAKERS, strict=True)))).round(4)
    widest = np.ceil(50 * (pairs["high"] - pairs["low"]).max()) / 100
    axis = alt.Axis(format="%", grid=False)
    base = alt.Chart(shown[["system_a", "system_b", "makers", "accuracy", "ma", "low", "high"]]).encode(
        alt.X("accuracy:Q", title=PAIR, axis=axis, scale=alt.Scale(zero=False, nice=False, padding=12)),
        alt.Y("ma:Q", title="MA"),
        tooltip=["system_a", "system_b", "accuracy", alt.Tooltip("ma", title="MA"), "low", "high"],
    )
    about = f"MA of {len(shown)} pairs of language models against their mean accuracy."
    drawn = layer(line_at(0, "MA"), marked(base, "makers", MAKERS, 36))
    return finish(drawn, title, about, 300, subtitle=f"0: chance; the margin of error is at most ±{widest:.2f}")


def growth(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw by how much MA grows with accuracy, choice by choice."""
    y = alt.Y("choice:N", title=None, sort=list(table["choice"]), axis=alt.Axis(labelLimit=230, grid=True))
    base = alt.Chart(table.round(4)).encode(y, tooltip=["choice", "value", "low", "high"])
    x = alt.X("value:Q", title="growth of MA per ten points")
    rule, points = span(base, x, strokeWidth=3, color=PURPLE), dots(base, 80, color=PURPLE).encode(x)
    about = "Growth of MA with accuracy under several ways to hold difficulty fixed, with intervals."
    drawn = layer(line_through(0, x), rule, points)
    return finish(drawn, title, about, 36 * len(table), subtitle="bars: intervals over questions and makers")
