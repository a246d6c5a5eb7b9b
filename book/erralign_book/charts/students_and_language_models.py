"""Language models beside students: on which questions they fail, and which wrong option tempts them."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, PURPLE, SLATE, VERMILION
from erralign.plot.parts import dots, finish, layer, line_at, whisker
from erralign.plot.theme import Look
from erralign_book.charts.parts import DASHED, marked

ONE, SECOND, MOST, OTHER = "the model", "a second student", "the largest possible", "the two models with each other"
SIDES = {
    ONE: Look(PURPLE),
    SECOND: Look(VERMILION, "diamond"),
    MOST: Look(GREY, "square"),
    OTHER: Look(SLATE, "triangle-up"),
}
TEMPTED = "MA of the tempting option"


def beside_students(models: pd.DataFrame, together: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw agreement of models with a student, beside what to compare it with, and of the models with each other."""
    models = models[models["measure"] != "accuracy"]
    models = models.assign(row=models["measure"] + ", " + models["asked"] + ": " + models["system"])
    alone = models["asked"] == "asked once"
    second = models[alone][["row", "members"]].set_axis(["row", "value"], axis=1)
    most = models[~alone][["row", "largest"]].set_axis(["row", "value"], axis=1)
    other = together.assign(row=together["measure"] + ", " + together["asked"] + ": with each other")
    parts = pd.concat({ONE: models, SECOND: second, MOST: most, OTHER: other}, names=["side"]).reset_index("side")
    order = [row for each in ("EC", "MA") for row in parts["row"].unique() if row.startswith(each)]
    labels = alt.Axis(labelLimit=190, labelExpr="split(datum.label, ': ')", grid=True)
    y = alt.Y("row:N", title=None, sort=order, axis=labels)
    base = alt.Chart(parts[["row", "side", "value", "low", "high"]].round(4)).encode(y)
    x = alt.X("value:Q", title="EC or MA")
    points = marked(base, "side", SIDES, 80, columns=1).encode(x, tooltip=["row", "side", "value", "low", "high"])
    rule = base.mark_rule(strokeWidth=2, color=PURPLE).encode(alt.X("low:Q"), x2="high:Q")
    about = "EC and MA of two small language models with a student, of another student, and of the two models."
    return finish(layer(rule, points), title, about, 36 * len(order), subtitle="bars: 95 % intervals")


def tempting_options(models: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw, against accuracy, how often models hold those wrong options likeliest that students choose."""
    axis = alt.Axis(format="%", grid=False)
    x = alt.X("accuracy:Q", title="accuracy", axis=axis, scale=alt.Scale(domain=[0.64, 1], nice=False))
    base = alt.Chart(models.round(4)).encode(x, tooltip=["system", "accuracy", "value", "low", "high"])
    points = dots(base, 60, color=PURPLE).encode(y=alt.Y("value:Q", title=TEMPTED))
    level = line_at(models["members"].mean(), TEMPTED, color=VERMILION, strokeDash=DASHED)
    whiskers = whisker(base, TEMPTED, color=PURPLE, strokeWidth=2)
    about = f"MA with students of the likeliest wrong option of {len(models)} language models against their accuracy."
    words = "dashed: a student who is wrong, in the model's place; 0: chance"
    return finish(layer(line_at(0, TEMPTED), level, whiskers, points), title, about, 300, subtitle=words)
