"""What each loss gains, and where it stands among accuracies."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, PURPLE, SLATE, VERMILION
from erralign.plot.parts import dots, finish, layer, selector, whisker
from erralign.plot.theme import BAND, Look, Looks, colour, legend, shape
from erralign_book.charts.parts import line_through, span

PLACES = {"in-sample": "pictures and people in training", "grouped": "new pictures, new people"}
WHERE = dict(zip(PLACES.values(), (Look(SLATE, "square"), Look(PURPLE)), strict=True))
MORE = {"than cross-entropy at equal accuracy": Look(PURPLE), "than its control": Look(SLATE, "square")}
GROUPS = {"a loss": Look(PURPLE, "diamond"), "cross-entropy, other decays": Look(GREY)}
MEASURES = ("EC", "MA", "CLES")
WITH = "with people who did not train"


def gains(table: pd.DataFrame, field: str, looks: Looks, axis: str, title: str) -> alt.LayerChart:
    """Draw differences with limits, a row per loss and one mark per value of a field."""
    shown = table[["loss", field, "measure", "value", "low", "high"]].round(4)
    entries = legend(columns=1)  # beside each other they are wider than a phone
    scale = alt.YOffset(f"{field}:N", sort=list(looks))
    base = alt.Chart(shown).encode(alt.Y("loss:N", title=None, sort=None), scale, colour(field, looks, legend=entries))
    x, hover = alt.X("value:Q", title=axis), ["loss", field, "measure", "value", "low", "high"]
    point = dots(base, 60).encode(x, shape(field, looks, legend=entries), tooltip=hover)
    drawn = layer(line_through(0, x), span(base, x, strokeWidth=1.5), point)
    return finish(drawn, title, "Differences with 95 % intervals.", alt.Step(18))


def against_accuracy(values: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw a measure with people against accuracy, each loss by its name; a reader chooses the measure."""
    chosen = selector("measure", MEASURES, MEASURES[0], "measure")
    base = alt.Chart(values.round(4)).transform_filter("datum.measure === measure")
    heads, people = (base.transform_filter(f"datum.group {sign} 'people'") for sign in ("!==", "==="))
    x = alt.X("accuracy:Q", title="accuracy", axis=alt.Axis(format="%", grid=False))
    y = alt.Y("value:Q", title=WITH, scale=alt.Scale(zero=False))
    seen = heads.encode(x, colour("group", GROUPS))
    line = heads.transform_filter(f"datum.group === '{list(GROUPS)[1]}'").mark_line(color=GREY).encode(x, y)
    points = dots(seen, 70).encode(y, shape("group", GROUPS), tooltip=["loss", "accuracy", "value", "low", "high"])
    band = people.mark_rect(color=VERMILION, opacity=BAND).encode(alt.Y("low:Q", title=WITH), y2="high:Q")
    level = people.mark_rule(color=VERMILION).encode(y)
    words = people.mark_text(align="left", dy=-8, fontSize=12, color=VERMILION)
    words = words.encode(y, x=alt.value(6), text=alt.value("two people"))
    drawn = layer(band, level, words, line, whisker(seen, WITH), points)
    about = "Error consistency, misclassification agreement or class-level error similarity against accuracy."
    return finish(drawn.add_params(chosen), title, about, 290, subtitle="whiskers and band: 95 % intervals")
