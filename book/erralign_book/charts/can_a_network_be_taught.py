"""A network that was taught to err like people: six pictures, its training and its exam, and all that was compared."""

import re
from collections.abc import Sequence

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE, PAPER, SLATE
from erralign.plot.grammar import Options, Plot, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import KINDS
from erralign.plot.words import number
from erralign_book.charts import findings, pictures
from erralign_book.simulations import training as study

PLACES = {"in-sample": "in training", "grouped": "in the exam"}
# Who is compared with people -> name, colour, look of the marks, how far they are moved across, and their words down.
LINES = {
    "people": ("two people", ORANGE, KINDS["human-human"], 0, -11),
    "EC loss": ("taught EC", BLACK, KINDS["model-human"], 0.025, -8),
    study.BASE_NAME: ("right answers|only", SLATE, KINDS["model-human"], -0.025, 12),
}
ROWS = {
    "people": "{} people, by lot five teach and five examine",
    study.BASE_NAME: "network taught right answers only, {} times",
    "EC loss": "network taught EC, {} times",
}
WAYS = {
    "EC loss": "reward for EC",
    "people's shares": "answers to a picture",
    "MA loss": "reward for MA",
    "wrong answers": "wrong words",
    "CLES loss": "reward for CLES",
    "category's shares": "answers in a class",
}
PARTNERS = {True: ("over equal accuracy", BLACK), False: ("over mixed-up answers", SLATE)}
HEADS = ["", "EC", *list(WAYS.values())[:2], "MA", *list(WAYS.values())[2:4], "CLES", *list(WAYS.values())[4:]]


def six(title: str, split: str) -> Table:
    """Show six pictures, and how many people and, of each of two networks, how many of its trainings fail each."""
    failures = study.failures()
    shown = failures[failures["split"] == split]
    half = len(study.SHOWN) // 2
    html = "".join(_block(shown, block) for block in (study.SHOWN[:half], study.SHOWN[half:]))
    key = "Coloured: wrong answers, with their number<br>"
    return Table(pictures.figure(html, title, key), shown.to_string(index=False))


def _block(shown: pd.DataFrame, block: Sequence[str]) -> str:
    cells = []
    for name in block:
        shape, texture = re.findall("[a-z]+", name)
        image = pictures.picture(f"stimuli/cue-conflict/{name}", f"a {shape} with the texture of a {texture}")
        cells.append(f"<div>{image}{shape}</div>")
    for loss, row in ROWS.items():
        rows = shown[(shown["loss"] == loss) & shown["picture"].isin(block)]
        cells.append(f"<b>{row.format(rows['asked'].iloc[0])}</b>")
        whose = "people" if loss == "people" else "machines"
        cells += [
            f'<p class="{whose}"><i aria-hidden="true">{"<s></s>" * n}{"<s class=right></s>" * (of - n)}</i>{n}</p>'
            for n, of in zip(rows["wrong"], rows["asked"], strict=True)
        ]
    return f'<section class="exam">{"".join(cells)}</section>'


def slopes(title: str) -> alt.LayerChart:
    """Draw the EC with people of two networks, in training and in the exam."""
    values = study.values().query("measure == 'EC' and split in @PLACES").rename(columns={"value": "EC"})
    values = values.assign(place=values["split"].map(list(PLACES).index), said=values["EC"].map("{:.2f}".format))
    words = f"{list(PLACES.values())}[datum.value]"
    x = numbers("place", ends=(-0.3, 1.75), ticks=[0, 1], labelExpr=words, title=" ", labelFontSize=14, grid=False)
    plot = Plot(values, x, numbers("EC", "EC with people", ends=(0, 0.6)), hover=["loss", "EC", "low", "high"])
    bold: Options = {"fontSize": 14, "fontWeight": "bold", "lineBreak": "|"}
    for loss, (name, colour, mark, aside, down) in LINES.items():
        rows = values[values["loss"] == loss]
        rows = rows.assign(place=rows["place"] + aside)
        plot.lines(rows, color=colour, strokeWidth=3).spans(data=rows, color=colour)
        plot.points(130, rows, color=mark.fill, shape=mark.shape)
        seen, new = rows[rows["split"] == "in-sample"], rows[rows["split"] == "grouped"]
        named = new.assign(place=1, said=f"{name} " + new["said"])
        plot.words("said", seen, dx=-12, align="right", color=colour, **bold)
        plot.words("said", named, dx=22, dy=down, align="left", color=colour, **bold)
    about = "EC with people of two networks, in training and in the exam, beside that of two people."
    return plot.done(title, about, 380, "upright lines: 95 % intervals")


def gains(title: str) -> alt.LayerChart:
    """Draw what each way of teaching gains over two partners, in the measure that it is meant to raise."""
    found = study.planned()
    found = found.assign(
        row=found["loss"].map(WAYS),
        said=[number(value, 3) for value in found["value"]],
        partner=[PARTNERS[minus == study.EQUAL][0] for minus in found["minus"]],
        clear=found["low"] * found["high"] > 0,
    )
    ends = found["low"].min() - 0.003, found["high"].max() + 0.012
    head: Options = {"condition": {"test": "length(datum.label) < 5", "value": "bold"}, "value": "normal"}
    looks: Options = {"labelFontWeight": head, "labelFontSize": 13, "labelLimit": 200, "ticks": False}
    hover = ["loss", "minus", "value", "low", "high"]
    x = numbers("value", "gain in the exam", ends=ends, tickCount=4)
    offset = alt.YOffset("partner:N", sort=[name for name, _ in PARTNERS.values()])
    plot = Plot(found, x, names("row", HEADS, scale={"domain": HEADS}, **looks), hover=hover, offset=offset)
    plot.level(0, color=BLACK)
    plain: Options = {"align": "left", "dx": 8, "fontSize": 13}
    for name, colour in PARTNERS.values():
        own = found[found["partner"] == name]
        plot.spans(data=own, color=colour)
        for clear, part in own.groupby("clear"):
            plot.points(90, part, color=colour, fill=colour if clear else PAPER, stroke=colour, strokeWidth=2.5)
        plot.words("said", own, x="high", **plain, color=colour)
        plot.words("partner", own[:1].assign(row="", value=0), **plain, color=colour, fontWeight="bold")
    for word, align, dx in (("loses", "right", -8), ("gains", "left", 8)):
        side = found[:1].assign(row="EC", value=0, word=word)
        plot.words("word", side, **plain | {"align": align, "dx": dx}, color=INK)
    left = found[found["p_holm"] < 0.05].assign(
        row="CLES", partner=PARTNERS[True][0], word="clear after|Holm's correction"
    )
    plot.words("word", left, x="high", align="right", lineBreak="|", fontSize=13, fontWeight="bold", color=INK)
    about = "Gains with intervals, by what a network was taught, over two partners."
    return plot.done(title, about, 410, findings.UNDER)
