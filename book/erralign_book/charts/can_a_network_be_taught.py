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
STRONG = "{}, λ = 30"  # its name in the tables; of others the strength was chosen on other divisions of the pictures
LEAST = 0.025  # between the names of two heads, in values
# Name of a band -> its colour, and where it begins.
BANDS = {"two people": (ORANGE, "0"), "within reach": (SLATE, "width / 2")}
HERE = "datum.choice === loss"


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
    """Draw how alike a head and people are in training and on new pictures, for a loss to choose."""
    trained = set(study.values()["loss"])
    losses = [(loss, name) for loss in LOSSES for name in (loss, STRONG.format(loss)) if name in trained]
    rows = pd.concat([_shown(*each) for each in losses], ignore_index=True)
    heads = rows[~rows["head"].isin(BANDS)]
    x = names(
        "place", list(PLACES.values()), scale={"padding": 0.9}, labelAngle=0, labelExpr="split(datum.label, ', ')"
    )
    hover = ["head", "place", "measure", "value", "accuracy"]
    plot = Plot(heads, x, numbers("value", "EC or MA, with people", ends=(0, 0.6)), where=HERE, hover=hover)
    for name, (colour, start) in BANDS.items():
        band = rows[(rows["head"] == name) & (rows["place"] == PLACES["grouped"])]
        area = plot.base(band, y="low").encode(x=alt.value(alt.expr(start)), x2=alt.value("width"), y2="high:Q")
        words = plot.base(band, y="high").encode(x=alt.value(alt.expr("width - 4")), text="head:N")
        plot.draw(area.mark_rect(color=colour, opacity=BAND))
        plot.draw(words.mark_text(align="right", dy=-8, color=colour, fontSize=12))
    plot.lines(color=SILVER, strokeWidth=1.5, detail="head:N").points(30, color=SILVER)
    chosen = plot.base().transform_filter("datum.head === datum.choice")
    plot.draw(
        chosen.mark_line(color=BLUE, strokeWidth=4), chosen.mark_point(size=90, filled=True, color=BLUE, opacity=1)
    )
    plot.draw(
        chosen.mark_text(align="left", dx=6, dy=-14, color=INK, fontSize=13).encode(
            text=alt.Text("value:Q", format=".2f")
        )
    )
    first = plot.base(y="beside").transform_filter(f"datum.place === '{PLACES['in-sample']}'").encode(text="head:N")
    plot.draw(first.mark_text(align="right", dx=-10, color=INK, fontSize=12))
    names_of = [_choice(name) for _, name in losses]
    plot.menu("loss", names_of, "EC loss", "loss")
    about = "Agreement of heads with people, on pictures of their training and on new ones, by loss."
    under = "blue: your choice; grey: others for the same measure; orange: two people, 95 % interval"
    return plot.done(title, about, 320, under)


def _choice(name: str) -> str:
    return name.replace("λ =", "strength")


def _shown(loss: str, name: str) -> pd.DataFrame:
    """Return what one choice shows: the head, others that the same measure judges, two people, and what is in reach."""
    values, measure = study.values().query("split in @PLACES"), study.AIMS[loss].target
    others = [study.BASE_NAME, *(each for each, aim in study.AIMS.items() if aim.target == measure and each != loss)]
    arms = {name: _choice(name), "people": "two people"} | {each: each for each in others}
    wide = values[values["loss"].isin(arms)].set_index(["loss", "split", "measure"])
    rows = wide.xs(measure, level="measure").assign(accuracy=wide["value"].xs("accuracy", level="measure"))
    rows = rows.reset_index().rename(columns={"loss": "head"}).replace({"head": arms})
    if measure == "EC":
        reach = study.within_reach().set_index("knows")["EC"]
        ends = {"head": "within reach", "split": "grouped", "low": reach[study.TRAINERS], "high": reach[study.SHAPES]}
        rows = pd.concat([rows, pd.DataFrame([ends])], ignore_index=True)
    rows = rows.assign(choice=_choice(name), measure=measure, place=rows["split"].map(PLACES))
    return rows.assign(beside=rows.groupby("place")["value"].transform(_apart))


def _apart(values: pd.Series) -> pd.Series:
    """Move values so far up that words beside them do not meet."""
    placed = values.sort_values()
    for at in range(1, placed.count()):
        placed.iloc[at] = max(placed.iloc[at], placed.iloc[at - 1] + LEAST)
    return placed
