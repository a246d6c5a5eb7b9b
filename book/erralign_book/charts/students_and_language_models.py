"""Language models beside students: on which questions they fail, and which wrong option tempts them."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE, GREY, NAVY, ORANGE
from erralign.plot.grammar import Plot, names, numbers, shares
from erralign.plot.theme import Look

ONE, SECOND, MOST, OTHER = "the model", "a second student", "the largest possible", "the two models with each other"
SIDES = {ONE: Look(BLUE), SECOND: Look(ORANGE, "diamond"), MOST: Look(GREY, "square"), OTHER: Look(NAVY, "triangle-up")}


def beside_students(models: pd.DataFrame, together: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw agreement of models with a student, beside what to compare it with, and of the models with each other."""
    models = models[models["measure"] != "accuracy"]
    models = models.assign(row=models["measure"] + ", " + models["asked"] + ": " + models["system"])
    alone = models["asked"] == "asked once"
    second, most = (
        models.loc[where, ["row", column]].set_axis(["row", "value"], axis=1)
        for where, column in ((alone, "members"), (~alone, "largest"))
    )
    other = together.assign(row=together["measure"] + ", " + together["asked"] + ": with each other")
    parts = pd.concat({ONE: models, SECOND: second, MOST: most, OTHER: other}, names=["side"]).reset_index("side")
    order = [row for each in ("EC", "MA") for row in parts["row"].unique() if row.startswith(each)]
    rows = names("row", order, labelLimit=190, labelExpr="split(datum.label, ': ')", grid=True)
    hover = ["row", "side", "value", "low", "high"]
    plot = Plot(parts[hover], numbers("value", "EC or MA"), rows, look=("side", SIDES), hover=hover)
    plot.spans(color=BLUE).points(80)
    about = "EC and MA of two small language models with a student, of another student, and of the two models."
    return plot.done(title, about, 36 * len(order), "bars: 95 % intervals")


def tempting_options(models: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw, against accuracy, how often models hold those wrong options likeliest that students choose."""
    axes = shares("accuracy", ends=(0.64, 1)), numbers("value", "MA of the tempting option")
    plot = Plot(models, *axes, hover=["system", "accuracy", "value", "low", "high"])
    plot.level(0).dashed(models["members"].mean(), color=ORANGE).spans(color=BLUE).points(color=BLUE)
    about = f"MA with students of the likeliest wrong option of {len(models)} language models against their accuracy."
    return plot.done(title, about, 300, "dashed: a student who is wrong, in the model's place; 0: chance")
