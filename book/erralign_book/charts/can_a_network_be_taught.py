"""A network that was taught to err like people: in training, in its exam, and among all that was tried."""

from html import escape
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import LOOKS_OF_PAIRS
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
# What a network is taught, or people -> its name, its colour, and how far it is below the mark.
TAUGHT = {
    "EC loss": ("right answers and\npeople's failures", INK, -30),
    study.BASE_NAME: ("right answers", INK, 19),
    "people": ("two people", ORANGE, 19),
}
LEFT = ["people's wrong answers over", "others in their place (MA)"]  # what is clear after the correction
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


def leads(title: str) -> alt.LayerChart:
    """Draw the EC of two networks with people in training and in the exam, and there that of two people."""
    values = study.values().query("measure == 'EC' and split in @PLACES and loss in @TAUGHT")
    values = values[(values["loss"] != "people") | (values["split"] == "grouped")].rename(columns={"value": "EC"})
    whose = np.where(values["loss"] == "people", *list(LOOKS_OF_PAIRS)[:2])
    values = values.assign(place=values["split"].map(PLACES), pairs=whose)
    bare: Any = {"ticks": False, "domain": False}
    y = names("place", list(PLACES.values()), labelExpr="split(datum.label, ', ')", **bare)
    x = numbers("EC", "EC with people", ends=(0, 0.5))
    plot = Plot(values, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=["place", "EC", "low", "high"], columns=0)
    both = values.pivot(index="place", columns="loss", values="EC").reset_index()
    plot.spans(study.BASE_NAME, "EC loss", data=both, color=BLACK, strokeWidth=3)
    plot.spans(data=values[values["pairs"] == "people"], strokeWidth=3).points(90)
    for row in values.to_dict("records"):
        words, color, up = TAUGHT[row["loss"]]
        align: Any = "center" if up > 0 else "right" if row["split"] == "in-sample" else "left"
        how: Any = {"dy": up, "align": align, "color": color, "lineHeight": 15, "fontSize": 12, "fontWeight": "bold"}
        at = plot.base(pd.DataFrame([row])).mark_text(**how)
        plot.draw(at.encode(text=alt.value(f"{words} {row['EC']:.2f}".split("\n"))))
    about = "EC with people of two networks, by what they were taught, in training and in the exam."
    return plot.done(title, about, alt.Step(84), "line between squares: the lead; orange line: 95 % interval")


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
    plot.draw(plot.base(rows[rows["behind"]]).mark_text(fontWeight="bold", dy=1).encode(text=alt.value("−")))
    first, *_, last = VARIED
    ours = rows[(rows["gain"] == "EC over right answers") & (rows["varied"] == first)]
    left = rows[(rows["clear"] == next(iter(FILLED))) & (rows["varied"] == last)]
    for at, arrow, words, dy in ((ours, "↓", ["ours over right answers"], -20), (left, "↑", LEFT, 20)):
        for text, how in ((arrow, {"fontSize": 16}), (words, {"dx": 9, "align": "left", "lineHeight": 15})):
            plot.draw(plot.base(at).mark_text(**{"dy": dy, "fontSize": 12} | how).encode(text=alt.value(text)))
    counts = rows.groupby("varied")["clear"].agg(lambda clear: f"{clear.eq(next(iter(FILLED))).sum()} of {len(clear)}")
    said = plot.base(counts.reset_index()).mark_text(align="left", fontSize=14, fontWeight="bold")
    plot.draw(said.encode(x=alt.value(alt.expr("width + 8")), text="clear:N"))
    about = "Twelve comparisons, and which are clear gains, by what might have come out differently."
    return plot.done(title, about, alt.Step(44), "a circle per comparison; filled: a clear gain; −: a loss")
