"""What each loss gains, and where it stands among accuracies."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, PURPLE, SLATE, VERMILION
from erralign.plot.parts import dots, finish, layer, selector, whisker
from erralign.plot.theme import Look, Looks, colour, legend, shape

PLACES = {"in-sample": "pictures and people in training", "grouped": "new pictures, new people"}
WHERE = dict(zip(PLACES.values(), (Look(SLATE, "square"), Look(PURPLE)), strict=True))
MOVED = {"accuracy": Look(SLATE, "square"), "target": Look(PURPLE, "circle")}
GROUPS = {"people": Look(VERMILION), "a loss": Look(PURPLE, "diamond"), "cross-entropy, other decays": Look(GREY)}
MEASURES = ("EC", "MA", "CLES")


def gains(table: pd.DataFrame, field: str, looks: Looks, axis: str, title: str) -> alt.LayerChart:
    """Draw differences with limits, a row per loss and one mark per value of a field."""
    shown = table[["loss", field, "measure", "value", "low", "high"]].round(4)
    entries = legend(columns=1)  # beside each other they are wider than a phone
    scale = alt.YOffset(f"{field}:N", sort=list(looks))
    base = alt.Chart(shown).encode(alt.Y("loss:N", title=None, sort=None), scale, colour(field, looks, legend=entries))
    x = alt.X("value:Q", title=axis)
    rule = base.mark_rule(strokeWidth=1.5).encode(alt.X("low:Q", title=axis), x2="high:Q")
    point = dots(base, 60).encode(
        x, shape(field, looks, legend=entries), tooltip=["loss", field, "measure", "value", "low", "high"]
    )
    zero = alt.Chart(pd.DataFrame({"at": [0]})).mark_rule(color=GREY).encode(alt.X("at:Q", title=axis))
    return finish(layer(zero, rule, point), title, "Differences with 95 % intervals.", alt.Step(18))


def against_accuracy(values: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw a measure with people against accuracy; a reader chooses the measure.

    The table has the columns loss, group (a key of ``GROUPS``), accuracy, measure, value, low and high.
    """
    chosen = selector("measure", MEASURES, MEASURES[0], "measure")
    base = alt.Chart(values.round(4)).transform_filter("datum.measure === measure")
    x = alt.X("accuracy:Q", title="accuracy", axis=alt.Axis(format="%"))
    y = alt.Y("value:Q", title="with people who did not train", scale=alt.Scale(zero=False))
    seen = base.encode(x, colour("group", GROUPS))
    line = base.transform_filter(f"datum.group === '{list(GROUPS)[2]}'").mark_line(color=GREY).encode(x, y)
    points = dots(seen, 70).encode(y, shape("group", GROUPS), tooltip=["loss", "accuracy", "value", "low", "high"])
    about = "Error consistency, misclassification agreement or class-level error similarity against accuracy."
    drawn = layer(line, whisker(seen, "with people who did not train"), points).add_params(chosen)
    return finish(drawn, title, about, 280, subtitle="whiskers: 95 % intervals")
