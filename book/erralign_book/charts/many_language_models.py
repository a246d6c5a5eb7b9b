"""Many language models: on how many items they fail together, and how alike two are that are both wrong."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, NAVY, SKY, SLATE
from erralign.plot.grammar import Plot, names, numbers, shares
from erralign.plot.theme import Look

MAKERS = {"two makers": Look(SKY), "the same maker": Look(NAVY, "diamond")}
SOURCES = {"old MMLU": Look(BLACK), "other sources": Look(GREY)}


def wrong_together(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw on how many questions 0, 1, 2, … models fail, and what independent models would do."""
    hover = ["wrong", "items", alt.Tooltip("independent", title="if independent")]
    x = names("wrong:O", None, "models that fail on a question", labelAngle=0, labelOverlap=True)
    plot = Plot(table.round(2), x, numbers("items", "questions"))
    bars = plot.base().mark_bar(color=BLUE).encode(tooltip=hover)
    curve = plot.base(y="independent").mark_line(color=SLATE, strokeWidth=3).encode(tooltip=hover)
    about = f"How many of {table['items'].sum():,} questions are failed by 0, 1, 2, … of {len(table) - 1} models."
    return plot.draw(bars, curve).done(title, about, 280, "line: independent models with the same accuracies")


def agreement_by_accuracy(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw MA of each pair of models, with limits ``low`` and ``high`` to point at, against its mean accuracy."""
    hover = ["system_a", "system_b", "accuracy", "ma", "low", "high"]
    shown = pairs[hover].assign(makers=np.where(pairs["same_maker"], *reversed(MAKERS)))
    widest = np.ceil(50 * (pairs["high"] - pairs["low"]).max()) / 100
    x = shares("accuracy", "mean accuracy of the two models", scale={"zero": False, "nice": False, "padding": 12})
    said = [*hover[:3], alt.Tooltip("ma", title="MA"), "low", "high"]
    plot = Plot(shown, x, numbers("ma", "MA"), look=("makers", MAKERS), hover=said).level(0).points(36)
    about = f"MA of {len(shown)} pairs of language models against their mean accuracy."
    return plot.done(title, about, 300, f"0: chance; the margin of error is at most ±{widest:.2f}")


def growth(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw by how much MA grows with accuracy, by subject and by source of the questions."""
    order = table.groupby("subject")["value"].max().sort_values(ascending=False).index
    x, y = numbers("value", "growth of MA per ten points"), names("subject", list(order), grid=True)
    hover = ["subject", "source", "value", "low", "high"]
    plot = Plot(table[hover], x, y, look=("source", SOURCES), hover=hover, offset=alt.YOffset("source:N"))
    about = "Growth of MA with accuracy by subject, on questions of the old MMLU and on others, with intervals."
    plot.level(0).spans().points(50)
    return plot.done(title, about, alt.Step(11), "lines: 95 % intervals over questions, for these models")
