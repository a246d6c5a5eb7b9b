"""Language models beside students, and beside each other: where they fail, and which wrong option they choose."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLUE, GREY, NAVY, ORANGE, SLATE
from erralign.plot.grammar import Plot, entitle, names, numbers, shares
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import beside_each_other

WIDTH, ROW, ENDS = 212, 38, (-0.05, 0.65)  # of a panel and a row, in pixels; of both axes
MAKERS = {"two makers": KINDS["model-model"], "the same maker": Look(NAVY, "square")}
ONE, SECOND, MOST, OTHER = "the model", "a second student", "the largest possible", "the two models with each other"
SIDES = {
    ONE: KINDS["model-human"],
    SECOND: KINDS["human-human"],
    MOST: Look(GREY, "cross"),
    OTHER: KINDS["model-model"],
}


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


def beside_students(models: pd.DataFrame, together: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw agreement of models with a student, beside what to compare it with, and of the models with each other."""
    models = models[models["measure"] != "accuracy"].rename(columns={"system": "who"})
    alone = models["asked"] == "asked once"
    of_each = (alone, "members"), (~alone, "largest")
    second, most = (models.loc[where].assign(value=models[of], low=np.nan, high=np.nan) for where, of in of_each)
    parts = {ONE: models, SECOND: second, MOST: most, OTHER: together.assign(who="with each other")}
    shown = pd.concat(parts, names=["side"]).reset_index("side")
    shown["row"] = shown["asked"] + ": " + shown["who"]
    order = sorted(shown["row"].unique(), key=lambda row: "with each other" in row)
    hover, panels = ["row", "side", "value", "low", "high"], list[alt.LayerChart]()
    for measure, part in shown.groupby("measure"):
        label = "split(datum.label, ': ')" if not panels else "stacked ? split(datum.label, ': ') : ''"
        rows = names("row", order, scale={"domain": order}, labelLimit=190, labelExpr=label, grid=True)
        plot = Plot(part[hover], numbers("value", str(measure), ends=ENDS), rows, look=("side", SIDES), hover=hover)
        drawn = plot.spans(color=SLATE).points(90).drawn()
        panels.append(drawn.properties(width=WIDTH, height=alt.Step(ROW)))
    about = "EC and MA of two small language models with a student, of another student, and of the two models."
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle="lines: 95 % intervals")


def tempting_options(models: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw, against accuracy, how often models hold those wrong options likeliest that students choose."""
    axes = shares("accuracy", ends=(0.64, 1)), numbers("value", "MA of the tempting option")
    plot = Plot(models, *axes, hover=["system", "accuracy", "value", "low", "high"])
    plot.level(0).dashed(models["members"].mean(), color=ORANGE).spans(color=SLATE)
    plot.points(color=KINDS["model-human"].fill, shape="square")
    about = f"MA with students of the likeliest wrong option of {len(models)} language models against their accuracy."
    return plot.done(title, about, 300, "dashed: a student who is wrong, in the model's place; 0: chance")
