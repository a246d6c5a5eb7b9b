"""A network that was taught to err like people: six pictures, its training and its exam, and all that was compared."""

import re
from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE, SLATE
from erralign.plot.grammar import Options, Plot, entitle, names, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import KINDS
from erralign.plot.words import number
from erralign.training.scores import NUMBERS
from erralign_book.charts import findings, pictures
from erralign_book.charts.grammar import beside_each_other, labels_if
from erralign_book.simulations import training as study

PLACES = {"in-sample": "in training", "grouped": "in the exam"}
# Who is compared with people -> name, colour, look of the marks, how far they are moved across, and their words down.
LINES = {
    "people": ("two people", ORANGE, KINDS["human-human"], 0, -11),
    "EC loss": ("taught EC", BLACK, KINDS["model-human"], 0.025, -8),
    study.BASE_NAME: ("right answers|only", SLATE, KINDS["model-human"], -0.025, 12),
}
ROWS = {
    "people": "{} people",
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
PARTNERS = {True: "over a network just as accurate", False: "over a network taught swapped answers"}
HEADS = ["EC", *list(WAYS.values())[:2], "MA", *list(WAYS.values())[2:4], "CLES", *list(WAYS.values())[4:]]


def division(title: str) -> Table:
    """Show who teaches and who examines: parts in the row or column of the exam share photographs with it."""
    shapes, textures = NUMBERS[2]
    dots = '<p class="people"><i>{}</i>five {}</p>'
    people = dots.format("<s></s>" * 5, "teach") + dots.format("<s class=hollow></s>" * 5, "examine")
    kinds = [(shape > 0) + (texture > 0) for texture in range(textures) for shape in range(shapes)]
    parts = "".join(("<b class=asked>exam</b>", "<b></b>", "<b class=learn>learn</b>")[kind] for kind in kinds)
    html = f'<div><p>ten people</p>{people}</div><div class="parts"><p>pictures, in {len(kinds)} parts</p>{parts}</div>'
    key = "a column has its own photographs of shapes, a row its own of textures; grey: shares either with the exam"
    return Table(pictures.figure(html, title, key, credit=""), f"{shapes} × {textures}")


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


def gains(title: str) -> alt.ConcatChart:
    """Draw what each way of teaching gains over two partners, in the measure that it is meant to raise."""
    found = study.planned()
    clear = np.where(found["low"] * found["high"] > 0, *findings.FILLED)
    found = found.assign(row=found["loss"].map(WAYS), said=[number(value, 3) for value in found["value"]], clear=clear)
    ends = found["low"].min() - 0.003, found["high"].max() + 0.017
    bold = {"condition": {"test": "length(datum.label) < 5", "value": "bold"}, "value": "normal"}
    x = numbers("value", "gain in the exam", ends=ends, ticks=[-0.02, 0, 0.02, 0.04], format="~", grid=False)
    panels: list[alt.LayerChart] = []
    for equal, partner in PARTNERS.items():
        own = found[(found["minus"] == study.EQUAL) == equal]
        looks: Options = {"labelFontWeight": bold, "ticks": False, "labelExpr": labels_if(first=equal)}
        y = names("row", HEADS, scale={"domain": HEADS}, **looks)
        hover = ["loss", "minus", "value", "low", "high"]
        plot = Plot(own, x, y, look=("clear", findings.FILLED), hover=hover, columns=0)
        plot.level(0, color=BLACK).spans(color=BLACK).points(90, stroke=BLACK, strokeWidth=2.5)
        plot.words("said", x="high", align="left", dx=6, color=INK)
        left = own.assign(word=np.where(own["p_holm"] < 0.05, "clear after|Holm's correction", ""))
        plot.words("word", left, dy=14, lineBreak="|", fontWeight="bold", color=INK)
        panels.append(plot.drawn().properties(width=235, height=alt.Step(34), title=partner))
    about = f"Gains with intervals {' and '.join(PARTNERS.values())}."
    return entitle(beside_each_other(panels, 2), title, about, subtitle=findings.UNDER)
