"""A network that was taught to err like people: in training, in its exam, and among all that was tried."""

from html import escape
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, ORANGE
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import BAND, KINDS
from erralign_book.charts import pictures
from erralign_book.charts.findings import FILLED
from erralign_book.papers import geirhos2020
from erralign_book.simulations import training as study

PLACES = {"in-sample": "old pictures, old people", "grouped": "new pictures, new people"}
CARS = ("car9", "car2", "car6")  # silhouettes
# Cue conflicts, by what one network does with them.
EXAMPLES = {
    "chair5-boat3": ("in training", "old shape, old texture"),
    "chair5-truck3": ("left out", "old shape, new texture"),
    "boat6-bottle2": ("left out", "new shape, old texture"),
    "boat6-truck3": ("in the exam", "new shape, new texture"),
}
# What a network is taught -> its name, and the colour and width of its line.
TAUGHT = {"EC loss": ("right answers and\npeople's failures", BLACK, 4), study.BASE_NAME: ("right answers", GREY, 2)}
ROOM = 136  # pixels for names at the right
# What might have come out differently -> the column of its p-values.
VARIED = {
    "if only: the runs could differ": "p_seeds",
    "with other people: and photographs": "p",
    "the same, corrected: for twelve comparisons": "p_holm",
}


def foreseen(title: str) -> Table:
    """Show three silhouettes of cars; a press says how many people named each."""
    said = geirhos2020.answers_to_silhouettes().set_index("image").loc[[f"{name}.png" for name in CARS]]
    cars = said[said["answer"] == "car"].rename(columns={"people": "right"})
    cars = cars.assign(picture=[f"silhouettes/{name}" for name in CARS], group="people", saying=0)
    return pictures.cards(cars.assign(systems=said.groupby("image")["people"].sum()), title, covered=True)


def exam(title: str) -> Table:
    """Show what a network learns from, what it is tested on, and what it never sees."""
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
    """Draw the EC of two networks with people in training and in the exam, by what they were taught."""
    values = study.values().query("measure == 'EC' and split in @PLACES").rename(columns={"value": "EC"})
    values = values.assign(at=values["split"].eq("grouped").astype(int), place=values["split"].map(PLACES))
    values = values.set_index("loss")
    said = f"split(datum.value ? '{PLACES['grouped']}' : '{PLACES['in-sample']}', ', ')"
    ends: Any = {"range": [36, alt.expr(f"width - {ROOM}")], "domain": [0, 1]}
    x = numbers("at", " ", ticks=[0, 1], scale=ends, labelExpr=said, grid=False, domain=False, tickSize=0)
    y = numbers("EC", "EC with people", ends=(0, 0.5))
    plot = Plot(values.loc[list(TAUGHT)], x, y, hover=["place", "EC", "low", "high"])
    people = values.loc[["people"]].query("at == 1")
    across = {"x": alt.value(0), "x2": alt.value(alt.expr(f"width - {ROOM - 8}"))}
    plot.draw(plot.base(people, y="low").mark_rect(color=ORANGE, opacity=BAND).encode(**across, y2="high:Q"))
    plot.draw(_named(plot.base(people), ["two people", f"{people['EC'].item():.2f}"], color=ORANGE))
    for up, (loss, (name, color, width)) in zip((-22, 8), TAUGHT.items(), strict=True):
        rows = plot.table.loc[[loss]].sort_values("at")
        first, last = (f"{value:.2f}" for value in rows["EC"])
        plot.lines(rows, color=color, strokeWidth=width)
        plot.draw(_named(plot.base(rows[1:]), f"{name} {last}".split("\n"), dy=up, color=color))
        plot.draw(_named(plot.base(rows[:1]), [first], dx=-6, dy=-16, color=color))
    plot.points(110, shape=KINDS["model-human"].shape, fill=KINDS["model-human"].fill)
    about = "EC with people of two networks, by what they were taught, in training and in the exam."
    return plot.done(title, about, 340, "split: a network with a person; orange band: two people, 95 % interval")


def _named(at: alt.Chart, words: list[str], **looks: Any) -> alt.Chart:
    """Write words beside a point, with their middle at its height."""
    how: Any = {"align": "left", "dx": 16, "dy": -7 * (len(words) - 1), "fontSize": 12, "lineHeight": 15}
    return at.mark_text(fontWeight="bold", **how | looks).encode(text=alt.value(words))


def counted(title: str) -> alt.LayerChart:
    """Draw a circle per comparison that was planned, filled where it is a clear gain, by what might have differed."""
    planned = study.planned()
    planned = planned.assign(behind=planned["value"] < 0).sort_values(["behind", "p"], ignore_index=True)
    over = np.where(planned["minus"] == study.EQUAL, " over right answers", " over answers mixed up")
    planned = planned.assign(comparison=planned.index, gain=planned["loss"].str.removesuffix(" loss") + over)
    rows = pd.concat([planned.assign(varied=words, p=planned[column]) for words, column in VARIED.items()])
    rows = rows.assign(clear=np.where((rows["p"] < 0.05) & ~rows["behind"], *FILLED))
    bare: Any = {"ticks": False, "domain": False}
    y = names("varied", list(VARIED), labelExpr="split(datum.label, ': ')", labelOffset=-7, **bare)
    x = names("comparison:O", None, labels=False, **bare)
    plot = Plot(rows, x, y, look=("clear", FILLED), hover=["gain", "varied", "p"], columns=0)
    plot.points(alt.expr("min(130, pow(width / 16, 2))"), stroke=BLACK, strokeWidth=2)
    ours = rows[(rows["gain"] == "EC over right answers") & (rows["varied"] == next(iter(VARIED)))]
    mark = plot.base(ours).mark_text(dx=-4, dy=-19, align="left", fontSize=12)
    plot.draw(mark.encode(text=alt.value("↓ ours over right answers")))
    counts = rows.groupby("varied")["clear"].agg(lambda clear: f"{clear.eq(next(iter(FILLED))).sum()} of {len(clear)}")
    said = plot.base(counts.reset_index()).mark_text(align="left", fontSize=14, fontWeight="bold")
    plot.draw(said.encode(x=alt.value(alt.expr("width + 8")), text="clear:N"))
    about = "Twelve comparisons, and which are clear gains, by what might have come out differently."
    return plot.done(title, about, alt.Step(44), "a circle per comparison; filled: a clear gain")
