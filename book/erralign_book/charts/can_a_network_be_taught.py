"""A network that was taught to err like people: what it learned from, its exam, and all that was compared."""

from collections.abc import Iterable
from typing import Any

import altair as alt

from erralign.plot.colours import BLACK, INK, ORANGE, PAPER
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import BAND, KINDS
from erralign_book.charts import findings, pictures
from erralign_book.simulations import training as study

PLACES = {"in-sample": "pictures and people\nit learned from", "grouped": "the exam: new pictures,\nother people"}
# Cue conflicts -> what the network does with them.
EXAMPLES = {
    "chair5-boat3": "It learned from pictures like",
    "boat6-truck3": "In its exam were pictures like",
}
# What a network is taught -> its name, and where its marks and numbers are: across; down.
TAUGHT = {"EC loss": ("taught EC", 10, -9), study.BASE_NAME: ("taught right\nanswers only", -10, 15)}
WAYS = {
    "EC loss": "taught EC",
    "people's shares": "taught answers to a picture",
    "MA loss": "taught MA",
    "wrong answers": "taught wrong words",
    "CLES loss": "taught CLES",
    "category's shares": "taught answers in a category",
}


def exam(title: str) -> Table:
    """Show what a network learns from, and what it is tested on."""
    cells = "".join(_cell(*example) for example in EXAMPLES.items())
    text = "\n".join(f"{name}: {part}" for name, part in EXAMPLES.items())
    return Table(pictures.figure(f"<section>{cells}</section>", title), text)


def _cell(name: str, part: str) -> str:
    shape, texture = (word.rstrip("0123456789") for word in name.split("-"))
    shows = f"a {shape} with the texture of a {texture}"
    return f"<div>{pictures.picture(f'exam/{name}', shows)}<b>{part} this, {shows}</b></div>"


def leads(title: str) -> alt.LayerChart:
    """Draw the EC with people of two networks, in training and in the exam."""
    values = study.values().query("measure == 'EC' and split in @PLACES").rename(columns={"value": "EC"})
    values = values.assign(place=values["split"].map(PLACES), said=values["EC"].map("{:.2f}".format))
    x = names("place", list(PLACES.values()), labelExpr="split(datum.label, '\\n')", labelAngle=0, ticks=False)
    plot = Plot(values, x, numbers("EC", "EC with people", ends=(0, 0.6)), hover=["place", "EC", "low", "high"])
    people, mixed = values[values["loss"] == "people"].head(1), KINDS["model-human"]
    band = plot.base(people[["low", "high"]], y="low").mark_rect(color=ORANGE, opacity=BAND)
    plot.draw(band.encode(y2="high:Q")).level(people["EC"].item(), color=ORANGE, strokeWidth=3)
    bold: Any = {"fontSize": 14, "fontWeight": "bold"}
    plot.words("said", people.assign(said="two people " + people["said"]), dy=-11, color=ORANGE, **bold)
    for loss, (name, dx, dy) in TAUGHT.items():
        rows = values[values["loss"] == loss]
        plot.lines(rows, color=INK, xOffset=dx).spans(data=rows, color=INK, xOffset=dx)
        plot.points(110, rows, color=mixed.fill, shape=mixed.shape, xOffset=dx)
        seen, new = rows[rows["split"] == "in-sample"], rows[rows["split"] == "grouped"]
        named = seen.assign(said=f"{name} " + seen["said"])
        plot.words("said", named, dx=dx + 11, dy=dy, align="left", color=INK, lineBreak="\n", **bold)
        plot.words("said", new, dx=22, dy=dy, align="left", color=INK, **bold)
    about = "EC with people of two networks in two places, by what they were taught, beside that of two people."
    return plot.done(title, about, 380, "lines and orange band: 95 % intervals")


def gains(losses: Iterable[str], title: str) -> alt.LayerChart:
    """Draw what some ways of teaching gain over two other networks, filled where it is clear after the correction."""
    found = study.planned().set_index("loss").loc[list(losses)].reset_index()
    ways = found["loss"].map(WAYS) + ": gain in " + found["measure"]
    ends = found["low"].min() - 0.005, 1.9 * found["high"].max()
    plot = findings.in_rows(found.assign(finding=ways), numbers("value", "gain in the exam", ends=ends))
    right, fill = found["minus"] == study.EQUAL, alt.expr(f"datum.p_holm < 0.05 ? '{BLACK}' : '{PAPER}'")
    for over, chosen, dy in (("over right answers only", right, 0), ("over spoiled answers", ~right, 20)):
        rows = plot.table[chosen].assign(words=over)
        plot.spans(data=rows, color=BLACK, yOffset=dy)
        plot.points(90, rows, color=fill, stroke=BLACK, strokeWidth=2.5, yOffset=dy)
        plot.words("words", rows, x="high", align="left", dx=8, dy=dy, color=INK, fontSize=12)
    findings.beside(plot, plot.table[right].assign(words=ways), dy=-23, fontSize=12, fontWeight=600)
    about = "Gains with intervals, by what a network was taught."
    return plot.done(title, about, alt.Step(72), "lines: 95 % intervals; filled: clear after the correction")
