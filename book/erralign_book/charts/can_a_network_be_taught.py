"""Heads that were trained to err like people: on the pictures of their training, and on new ones."""

from html import escape

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE, INK, ORANGE, SILVER, SLATE
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import BAND
from erralign_book.charts import pictures
from erralign_book.simulations import training as study

PLACES = {"in-sample": "old pictures, old people", "grouped": "new pictures, new people"}
# Cue conflicts, by what one head does with them.
EXAMPLES = {
    "chair5-boat3": ("in training", "old shape, old texture"),
    "chair5-truck3": ("left out", "old shape, new texture"),
    "boat6-bottle2": ("left out", "new shape, old texture"),
    "boat6-truck3": ("in the exam", "new shape, new texture"),
}
LOSSES = tuple(name for name, aim in study.AIMS.items() if aim.target != "CLES")
STRENGTHS = ("chosen", "30")
# Name of a band -> its colour, and where it begins.
BANDS = {"two people": (ORANGE, "0"), "within reach": (SLATE, "width / 2")}
HERE = "datum.loss === loss && datum.strength === strength"


def exam(title: str) -> Table:
    """Show what a head learns from, what it is tested on, and what it never sees."""
    cells = (
        f'<div class="{part.replace(" ", "-")}">{_picture(name)}<b>{escape(part)}</b><p>{escape(why)}</p></div>'
        for name, (part, why) in EXAMPLES.items()
    )
    text = "\n".join(f"{name}: {part}, {why}" for name, (part, why) in EXAMPLES.items())
    return Table(pictures.figure(f"<section>{''.join(cells)}</section>", title), text)


def _picture(name: str) -> str:
    shape, texture = (part.rstrip("0123456789") for part in name.split("-"))
    return pictures.picture(f"exam/{name}", f"a {shape} with the texture of a {texture}")


def slopes(title: str) -> alt.LayerChart:
    """Draw how alike a head and people are in training and on new pictures, for a loss and a strength to choose."""
    tables = [_shown(loss, strength) for loss in LOSSES for strength in STRENGTHS]
    rows = pd.concat(tables, ignore_index=True)
    heads = rows[~rows["head"].isin(BANDS)]
    x = names("place", list(PLACES.values()), labelAngle=0, labelLimit=200)
    hover = ["head", "place", "measure", "value", "accuracy"]
    plot = Plot(heads, x, numbers("value", "the measure, with people"), where=HERE, hover=hover)
    for name, (colour, start) in BANDS.items():
        band = rows[(rows["head"] == name) & (rows["place"] == PLACES["grouped"])]
        area = plot.base(band, y="low").encode(x=alt.value(alt.expr(start)), x2=alt.value("width"), y2="high:Q")
        words = plot.base(band, y="high").encode(x=alt.value(alt.expr("width - 4")), text="head:N")
        plot.draw(area.mark_rect(color=colour, opacity=BAND))
        plot.draw(words.mark_text(align="right", dy=-8, color=colour, fontSize=12))
    plot.lines(color=SILVER, strokeWidth=1.5, detail="head:N").points(30, color=SILVER)
    chosen = plot.base().transform_filter("datum.head === loss")
    plot.draw(
        chosen.mark_line(color=BLUE, strokeWidth=4), chosen.mark_point(size=90, filled=True, color=BLUE, opacity=1)
    )
    plot.draw(
        chosen.mark_text(align="left", dx=6, dy=-14, color=INK, fontSize=13).encode(
            text=alt.Text("value:Q", format=".2f")
        )
    )
    first = plot.base().transform_filter(f"datum.place === '{PLACES['in-sample']}'").encode(text="head:N")
    for place, which in ((-7, "datum.head === loss"), (7, "datum.head !== loss")):  # their lines may meet
        plot.draw(first.transform_filter(which).mark_text(align="right", dx=-10, dy=place, color=INK, fontSize=12))
    plot.menu("loss", LOSSES, "EC loss", "loss").menu("strength", STRENGTHS, STRENGTHS[0], "strength")
    about = "Agreement of heads with people, on pictures of their training and on new ones, by loss and strength."
    under = "blue: the chosen loss; grey: others for the same measure; orange: two people, with a 95 % interval"
    return plot.done(title, about, 320, under)


def _shown(loss: str, strength: str) -> pd.DataFrame:
    """Return what one choice shows: the head, others that the same measure judges, two people, and what is in reach."""
    values, measure = study.values().query("split in @PLACES"), study.AIMS[loss].target
    strong = f"{loss}, λ = {strength}"  # copies of people's answers have no strength
    others = [study.BASE_NAME, *(name for name, aim in study.AIMS.items() if aim.target == measure and name != loss)]
    arms = {strong if strong in set(values["loss"]) else loss: loss, "people": "two people"} | {
        name: name for name in others
    }
    wide = values[values["loss"].isin(arms)].set_index(["loss", "split", "measure"])
    rows = wide.xs(measure, level="measure").assign(accuracy=wide["value"].xs("accuracy", level="measure"))
    rows = rows.reset_index().rename(columns={"loss": "head"}).replace({"head": arms})
    if measure == "EC":
        reach = study.within_reach().set_index("knows")["EC"]
        ends = {"head": "within reach", "split": "grouped", "low": reach[study.TRAINERS], "high": reach[study.SHAPES]}
        rows = pd.concat([rows, pd.DataFrame([ends])], ignore_index=True)
    return rows.assign(loss=loss, strength=strength, measure=measure, place=rows["split"].map(PLACES))
