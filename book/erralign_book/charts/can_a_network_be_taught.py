"""A head that was trained to err like people: in training, in its exam, and among all that was tried."""

from html import escape
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, ORANGE, SLATE
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import BAND, KINDS
from erralign_book.charts import pictures
from erralign_book.charts.findings import FILLED
from erralign_book.simulations import training as study

PLACES = {"in-sample": "old pictures, old people", "grouped": "new pictures, new people"}
# Cue conflicts, by what one head does with them.
EXAMPLES = {
    "chair5-boat3": ("in training", "old shape, old texture"),
    "chair5-truck3": ("left out", "old shape, new texture"),
    "boat6-bottle2": ("left out", "new shape, old texture"),
    "boat6-truck3": ("in the exam", "new shape, new texture"),
}
HEADS = {"EC loss": {"color": BLACK, "strokeWidth": 4}, study.BASE_NAME: {"color": GREY, "strokeWidth": 2}}
APART = 7  # pixels by which the names of both heads are moved from where they would meet
ROOM = 122  # pixels for names at the right
# What might have come out differently -> the column of its p-values.
VARIED = {
    "only other runs": "p_seeds",
    "other people: and photographs": "p",
    "the same, corrected: for twelve": "p_holm",
}


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
    """Draw the EC of a head with people in training and in the exam, with the EC loss and without it."""
    values = study.values().query("measure == 'EC' and split in @PLACES").set_index("loss")
    heads = values.loc[list(HEADS)].reset_index().rename(columns={"loss": "head"})
    heads = heads.assign(at=heads["split"].eq("grouped").astype(int), place=heads["split"].map(PLACES))
    said = f"split(datum.value ? '{PLACES['grouped']}' : '{PLACES['in-sample']}', ', ')"
    ends: Any = {"range": [36, alt.expr(f"width - {ROOM}")], "domain": [0, 1]}
    x = numbers("at", " ", ticks=[0, 1], scale=ends, labelExpr=said, grid=False, domain=False, tickSize=0)
    y = numbers("EC", "EC with people", ends=(0, 0.5))
    plot = Plot(heads.rename(columns={"value": "EC"}), x, y, hover=["head", "place", "EC", "low", "high"])
    people = values.loc[["people"]].query("split == 'grouped'").rename(columns={"value": "EC"}).assign(at=1)
    across = {"x": alt.value(0), "x2": alt.value(alt.expr(f"width - {ROOM - 8}"))}
    plot.draw(plot.base(people, y="low").mark_rect(color=ORANGE, opacity=BAND).encode(**across, y2="high:Q"))
    plot.draw(_named(plot.base(people), ["two people", f"{people['EC'].item():.2f}"], color=ORANGE))
    learned = pd.DataFrame({"at": [1], "EC": study.within_reach().set_index("knows")["EC"][study.TRAINERS]})
    plot.draw(plot.base(learned).mark_tick(orient="horizontal", size=24, thickness=3, color=SLATE))
    words = ["to be learned", f"from teachers {learned['EC'].item():.2f}"]
    plot.draw(_named(plot.base(learned), words, color=SLATE))
    for up, (name, line) in zip((-APART, APART), HEADS.items(), strict=True):
        rows = plot.table[plot.table["head"] == name].sort_values("at")
        first, last = (f"{value:.2f}" for value in rows["EC"])
        plot.lines(rows, **line).draw(_named(plot.base(rows[1:]), [f"{name} {last}"], dy=up, color=line["color"]))
        plot.draw(_named(plot.base(rows[:1]), [first], dx=-6, dy=-16, color=line["color"]))
    pair = KINDS["model-human"]
    plot.points(110, shape=pair.shape, fill=pair.fill)
    about = "EC with people of a head with the EC loss and with cross-entropy alone, in training and in the exam."
    return plot.done(title, about, 340, "split: the head with a person; orange band: two people, 95 % interval")


def _named(at: alt.Chart, words: list[str], **looks: Any) -> alt.Chart:
    """Write words beside a point, with their middle at its height."""
    how: Any = {"align": "left", "dx": 16, "dy": -7 * (len(words) - 1), "fontSize": 12, "lineHeight": 15}
    return at.mark_text(fontWeight="bold", **how | looks).encode(text=alt.value(words))


def counted(title: str) -> alt.LayerChart:
    """Draw a mark per comparison that was planned, filled where it looks clear, by what might have been different."""
    planned = study.planned().sort_values("p", ignore_index=True)
    planned = planned.assign(comparison=planned.index, gain=planned["loss"] + " over " + planned["minus"])
    rows = pd.concat([planned.assign(varied=words, p=planned[column]) for words, column in VARIED.items()])
    rows = rows.assign(clear=np.where((rows["p"] < 0.05) & (rows["value"] > 0), *FILLED))
    y = names("varied", list(VARIED), labelExpr="split(datum.label, ': ')", labelLimit=190, ticks=False, domain=False)
    x = names("comparison:O", None, labels=False, ticks=False, domain=False)
    plot = Plot(rows, x, y, look=("clear", FILLED), hover=["gain", "varied", "p"], columns=0)
    plot.points(alt.expr("min(130, pow(width / 16, 2))"), stroke=BLACK, strokeWidth=2)
    first = rows[rows["varied"].eq(next(iter(VARIED)))]
    ours = first[first["loss"].eq("EC loss") | first["comparison"].eq(0)]
    for each in ours.itertuples():
        over = [each.loss, "over equal" if each.minus == study.EQUAL else "over control"]
        mark = plot.base(ours[ours["gain"] == each.gain]).mark_text(dy=-34, fontSize=12, lineHeight=14)
        plot.draw(mark.encode(text=alt.value(over)))
    about = "Twelve comparisons, and which look clear by what might have come out differently."
    return plot.done(title, about, alt.Step(44), "a column per comparison; filled: its gain looks clear")
