"""Many language models: on how many items they fail together, and how alike two are that are both wrong."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, PURPLE, SLATE
from erralign.plot.parts import dots, finish, layer, line_at
from erralign.plot.theme import Look, colour, legend
from erralign_book.charts.parts import line_through, marked, span

WRONG = "questions"
MAKERS = {"two makers": Look(GREY), "the same maker": Look(PURPLE, "diamond")}
SOURCES = {"old MMLU": Look(PURPLE), "other sources": Look(GREY)}
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
    """Draw by how much MA grows with accuracy, by subject and by source of the questions."""
    order = table.groupby("subject")["value"].max().sort_values(ascending=False).index
    y = alt.Y("subject:N", title=None, sort=list(order), axis=alt.Axis(grid=True))
    base = alt.Chart(table.drop(columns=["se", "df"]).round(4))
    base = base.encode(y, yOffset="source:N", tooltip=["subject", "source", "value", "low", "high"])
    x = alt.X("value:Q", title="growth of MA per ten points")
    looks = colour("source", SOURCES, legend=legend())
    rule, points = span(base, x, strokeWidth=2).encode(looks), dots(base, 50).encode(x, looks)
    about = "Growth of MA with accuracy by subject, on questions of the old MMLU and on others, with intervals."
    drawn = layer(line_through(0, x), rule, points)
    return finish(drawn, title, about, alt.Step(11), subtitle="lines: 95 % intervals over questions, for these models")
