"""A network that was taught to err like people: what it learned from, its exam, and all that was compared."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, ORANGE
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import BAND, KINDS
from erralign_book.charts import pictures
from erralign_book.charts.findings import FILLED, UNDER
from erralign_book.simulations import training as study

PLACES = {
    "in-sample": "pictures and\npeople it\nlearned from",
    "people in training": "new pictures,\npeople it\nlearned from",
    "grouped": "new pictures,\nother people",
}
# Cue conflicts, by what one network does with them: a row for each shape, a column for each texture.
EXAMPLES = {
    "chair5-boat3": "in training",
    "chair5-truck3": "left out",
    "boat6-bottle2": "left out",
    "boat6-truck3": "in the exam",
}
# What a network is taught -> its name, and where its numbers are: across, down, how aligned.
TAUGHT = {
    "EC loss": ("taught EC", (8, -13, "left")),
    study.BASE_NAME: ("taught right\nanswers only", (0, 17, "center")),
}
WAYS = {
    "EC loss": "EC",
    "MA loss": "MA",
    "CLES loss": "CLES",
    "wrong answers": "wrong answers",
    "people's shares": "all answers",
    "category's shares": "answers by category",
}
OVER = {study.EQUAL: "right answers only", "shuffled": "shuffled answers", "relabelled": "other words"}
# Column of p-values -> what makes a gain clear.
RULES = {"p_holm": "after the correction", "p": "each by itself", "p_seeds": "if only runs could differ"}


def exam(title: str) -> Table:
    """Show what a network learns from, what it is tested on, and what it never sees."""
    textures, shapes = ([f"<p>{what} it learned from</p>", f"<p>new {what}</p>"] for what in ("texture", "shape"))
    cells = [_cell(*example) for example in EXAMPLES.items()]
    table = "".join(["<p></p>", *textures, shapes[0], *cells[:2], shapes[1], *cells[2:]])
    text = "\n".join(f"{name}: {part}" for name, part in EXAMPLES.items())
    return Table(pictures.figure(f"<section>{table}</section>", title), text)


def _cell(name: str, part: str) -> str:
    shape, texture = (word.rstrip("0123456789") for word in name.split("-"))
    image = pictures.picture(f"exam/{name}", f"a {shape} with the texture of a {texture}")
    return f'<div class="{part.replace(" ", "-")}">{image}<b>{part}</b></div>'


def leads(title: str) -> alt.LayerChart:
    """Draw the EC with people of two networks, in training, on new pictures and with other people."""
    values = study.values().query("measure == 'EC' and split in @PLACES").rename(columns={"value": "EC"})
    values = values.assign(place=values["split"].map(PLACES))
    x = names("place", list(PLACES.values()), labelExpr="split(datum.label, '\\n')", labelAngle=0, ticks=False)
    plot = Plot(values, x, numbers("EC", "EC with people", ends=(0, 0.5)), hover=["place", "EC", "low", "high"])
    people, mixed = values[values["loss"] == "people"].tail(1), KINDS["model-human"]
    band = plot.base(people[["low", "high"]], y="low").mark_rect(color=ORANGE, opacity=BAND)
    plot.draw(band.encode(y2="high:Q")).level(people["EC"].item(), color=ORANGE, strokeWidth=3)
    said = people.assign(said=people["EC"].map("two people {:.2f}".format))
    plot.words("said", said, dy=-11, color=ORANGE, fontSize=14, fontWeight="bold")
    for loss, (name, (dx, dy, align)) in TAUGHT.items():
        rows = values[values["loss"] == loss].assign(name=name, said=lambda each: each["EC"].map("{:.2f}".format))
        plot.lines(rows, color=INK).points(80, rows, color=mixed.fill, shape=mixed.shape)
        plot.words("said", rows, dx=dx, dy=dy, align=align, color=INK, fontSize=14, fontWeight="bold")
        at: Any = {"dx": 46, "dy": dy, "align": align} if dx else {"dy": 34, "lineBreak": "\n"}
        plot.words("name", rows[rows["split"] == "in-sample"], color=INK, fontSize=14, **at)
    about = "EC with people of two networks in three places, by what they were taught, beside that of two people."
    return plot.done(title, about, 380, "orange band: 95 % interval of two people")


def compared() -> pd.DataFrame:
    """Return the comparisons that were planned, the clearest gain first and losses last, in words of readers."""
    planned = study.planned()
    over = planned["minus"].str.rpartition(", ")[2].map(OVER)
    found = planned.assign(finding=planned["loss"].map(WAYS) + ", over " + over, behind=planned["value"] < 0)
    return found.sort_values(["behind", "p"], ignore_index=True)


def twelve(title: str) -> alt.LayerChart:
    """Draw each comparison with its interval, and brackets around those that are clear gains by three rules."""
    found = compared()
    rows = found.assign(clear=np.where(found["low"] * found["high"] > 0, *FILLED))
    y = names("finding", found["finding"].to_list(), labels=False, ticks=False, domain=False)
    x = numbers("value", "gain in the measure, on new pictures with other people", ends=(-0.03, 0.08))
    plot = Plot(rows, x, y, look=("clear", FILLED), hover=["finding", "measure", "value", "low", "high"], columns=0)
    plot.level(0).spans(color=BLACK, strokeWidth=3).points(90, stroke=BLACK, strokeWidth=2.5)
    plot.params = [alt.param(name="stacked", value=False), alt.param(name="narrow_step", value=52)]
    # On a phone a name is above its interval, right of the line at zero.
    beside: Any = {"x": "width * 3 / 11 + 6 : -12", "align": "'left' : 'right'", "dy": "-17 : 0"}
    beside = {name: alt.expr(f"stacked ? {value}") for name, value in beside.items()}
    named = alt.Chart(rows[["finding"]]).encode(alt.Y(**y))
    plot.draw(named.mark_text(fontSize=13, color=INK, **beside).encode(text="finding:N"))
    for place, (column, words) in enumerate(RULES.items()):
        n = int((~found["behind"] & (found[column] < 0.05)).sum())
        ends = alt.Chart(found.loc[sorted({0, n - 1}), ["finding"]]).encode(alt.Y(**y))
        across = alt.expr(f"width - {14 * (2 - place)}")
        plot.draw(ends.mark_line(color=GREY, strokeWidth=2, x=across))
        plot.draw(ends.mark_tick(color=GREY, thickness=2, orient="horizontal", bandSize=7, x=across, xOffset=-3))
        last = alt.Chart(found.loc[[n - 1], ["finding"]]).encode(alt.Y(**y))
        look: Any = {"dx": -8, "dy": 0 if place else 15, "align": "right", "color": INK, "fontSize": 13}
        plot.draw(last.mark_text(x=across, text=f"{n} {words}", **look))
    return plot.done(title, "Twelve comparisons with intervals, ordered by p-value.", alt.Step(30), UNDER)
