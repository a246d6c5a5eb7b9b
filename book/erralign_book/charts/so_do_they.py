"""The answer of the book: whose EC is higher on three kinds of pictures, and whether that is clear."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, ORANGE, SLATE
from erralign.plot.grammar import DASHED, Options, Plot, names, numbers
from erralign.plot.theme import KINDS
from erralign.plot.words import with_interval
from erralign_book.charts.pictures import CREDIT

ROW, SIDE, ROOM = 164, 96, 16  # pixels of a row and of its picture, and between picture and chart
BELOW = 16  # pixels from marks to the interval
UNDER = "thin lines: where two people might lie, by the {} % interval of the lead; solid: clear of the other pairs"


def leads(found: pd.DataFrame, pictures: Sequence[str], title: str, level: str) -> alt.LayerChart:
    """Draw the EC of two people and of a person and a network on some kinds of pictures, and the lead between them.

    ``found`` has a row per kind: its name, the ECs as ``first`` and ``second``, the lead's ``value``, ``low`` and
    ``high``, its ``verdict``, and as ``drawn`` what the interval allows for.
    """
    clear = found["verdict"] == "more"
    said = [f"lead {with_interval(*each)}" for each in found[["value", "low", "high"]].to_numpy()]
    lead = pd.Series(said, found.index).where(clear, [f"{each}|not clear" for each in said])
    rows = found.assign(url=list(pictures), lead=lead, middle=found[["first", "second"]].mean(axis=1))
    rows = rows.assign(begin=rows["second"] + rows["low"], end=rows["second"] + rows["high"])
    y = names("kind", list(rows["kind"]), labels=False, ticks=False, domain=False)
    plot = Plot(rows, numbers("EC", "EC", ends=(0, 0.7), grid=False), y, hover=["kind", "value", "low", "high"])
    picture = plot.base().mark_image(align="right", width=SIDE, height=SIDE, yOffset=8)
    plot.draw(picture.encode(x=alt.value(-ROOM), url="url:N"))
    headings = {"kind": (rows, -54, INK, "bold"), "drawn": (rows.drop_duplicates("drawn"), -72, GREY, "normal")}
    for name, (of, up, colour, weight) in headings.items():
        how = Options(align="left", dy=up, color=colour, fontSize=13, fontWeight=weight)
        plot.draw(plot.base(of).mark_text(**how).encode(x=alt.value(-SIDE - ROOM), text=f"{name}:N"))
    for sure, dash, colour, weight in ((True, [1, 0], BLACK, "bold"), (False, DASHED, GREY, "normal")):
        some = rows[clear == sure]
        plot.spans("second", "first", data=some, strokeWidth=6, strokeDash=dash, color=colour)
        how = Options(dy=BELOW + 18, fontSize=13, lineBreak="|", fontWeight=weight, color=colour)
        plot.words("lead", some, x="middle", **how)
    plot.spans("begin", "end", yOffset=BELOW, strokeWidth=1.5, color=SLATE)
    for at, size in (("begin", 8), ("end", 8), ("second", 14)):
        plot.draw(plot.base(x=at).mark_tick(yOffset=BELOW, size=size, thickness=1.5, color=SLATE))
    _pairs(plot, "second", "model-human", ["a person", "and a network"], INK, -1)
    _pairs(plot, "first", "human-human", ["two people"], ORANGE, 1)
    about = "EC of two people and of a person and a network, as accurate, on three kinds of pictures, with the lead."
    return plot.done(title, about, alt.Step(ROW), f"{UNDER.format(level)}. {CREDIT}")


def _pairs(plot: Plot, at: str, kind: str, name: list[str], colour: str, side: int) -> None:
    """Draw the marks of a kind of pairs, with their values on one side, and the name above the first."""
    look, height, beside = KINDS[kind], 15, Options(align="left" if side > 0 else "right", fontSize=13)
    mark = plot.base(x=at).mark_point(filled=True, opacity=1, size=170, fill=look.fill, shape=look.shape)
    value = plot.base(x=at).mark_text(dx=13 * side, color=INK, **beside).encode(text=alt.Text(f"{at}:Q", format=".2f"))
    above = Options(dx=-8 * side, dy=-6 - height * len(name), lineHeight=height, fontWeight="bold", color=colour)
    words = plot.base(plot.table[:1], x=at).mark_text(**beside, **above).encode(text=alt.value(name))
    plot.draw(mark.encode(tooltip=plot.hover), value, words)
