"""Language models beside students: on which questions they fail, and which wrong option tempts them."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import PURPLE, VERMILION
from erralign.plot.parts import dots, finish, layer, line_at, whisker
from erralign.plot.theme import Look
from erralign_book.charts.parts import DASHED, marked

SIDES = {"the model": Look(PURPLE), "a student in its place": Look(VERMILION, "diamond")}
TEMPTED = "MA of the tempting option"


def beside_students(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw agreement with a student, row by row, of a model and of another student on the same questions."""
    y = alt.Y("row:N", title=None, sort=list(rows["row"]), axis=alt.Axis(labelLimit=190, grid=True))
    base = alt.Chart(rows.round(4)).encode(y)
    hover = [*map(alt.Tooltip, ("row", "value", "low", "high")), alt.Tooltip("members", title="a student")]
    sides = (base.transform_calculate(side=f"'{side}'").encode(tooltip=hover) for side in SIDES)
    x = alt.X("low:Q", title="agreement with a student", scale=alt.Scale(domain=[-0.02, 0.2], nice=False))
    rule = base.mark_rule(strokeWidth=3, color=PURPLE).encode(x, x2="high:Q")
    points = [
        marked(side, "side", SIDES, 80, columns=2).encode(x=f"{field}:Q")
        for field, side in zip(("value", "members"), sides, strict=True)
    ]
    about = "EC and MA of two small language models with a student, with intervals, and of another student."
    return finish(layer(rule, *points), title, about, 36 * len(rows), subtitle="bars: intervals")


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
