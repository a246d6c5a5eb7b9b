"""Agreement with people by accuracy, and with people of all ages, under what accuracies allow."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import INK, PURPLE, SILVER
from erralign.plot.parts import dots, finish, layer, whisker
from erralign_book.charts.looks import SEEN, SHEER
from erralign_book.charts.parts import marked

MODELS = "mean EC with the models"


def by_accuracy(systems: pd.DataFrame, path: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw each system's EC with people over its accuracy, name those that have a label, and draw a path."""
    x = alt.X("accuracy:Q", axis=alt.Axis(format="%", grid=False), scale=alt.Scale(domain=[0, 0.9], nice=False))
    y = alt.Y("EC:Q", title="mean EC with people", scale=alt.Scale(domain=[0, 0.42], nice=False))
    drawn = systems.fillna({"year": "–", "label": ""}).sort_values("label").round(4)  # those with a label on top
    base = alt.Chart(drawn).encode(x, y, tooltip=["model", "year", "accuracy", "EC"])
    points = marked(base, "group", SEEN, 60, columns=2)
    name = base.mark_text(align="left", dx=4, dy=16, fontSize=12, color=INK).encode(text="label:N")
    line = alt.Chart(path.round(4)).mark_line(color=INK, strokeWidth=1, clip=True).encode(x, y)
    about = f"EC with people for {len(systems)} systems by accuracy, and a path through the older networks."
    return finish(layer(line, points, name), title, about, 330, subtitle="line: path through the older networks")


def by_age(ages: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of models with people of each age, with intervals, on bars up to what accuracies allow."""
    x = alt.X("age:N", title="age in years", sort=list(ages["age"]), axis=alt.Axis(labelAngle=0))
    base = alt.Chart(ages.assign(zero=0).round(4)).encode(x)
    known = [alt.Tooltip("value", title="EC"), *map(alt.Tooltip, ("low", "high", "people", "accuracy"))]
    y = alt.Y("value:Q", title=MODELS, scale=alt.Scale(domain=[0, 1]))
    points = dots(base, 90, color=PURPLE).encode(y, tooltip=[*known, alt.Tooltip("largest", title="EC at most")])
    whiskers = whisker(base, MODELS, color=PURPLE, strokeWidth=2)
    room = base.mark_rule(color=SILVER, opacity=SHEER, strokeWidth=14)
    room = room.encode(alt.Y("zero:Q", title=MODELS), y2="largest:Q")
    about = "EC of vision-language models with people of five ages, with intervals, and the largest possible value."
    under = "whiskers: intervals; grey bar: up to what the accuracies allow"
    return finish(layer(room, whiskers, points), title, about, 260, subtitle=under)
