"""A network that was taught to err like people: six pictures, its training and its exam."""

import re
from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE, PAPER, SLATE
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS
from erralign_book.charts import looks, pictures
from erralign_book.simulations import training as study

PLACES = {"in-sample": "in training", "grouped": "in the exam"}
# Who is compared with people -> name, colour, look of the marks, how far they are moved, and words down, in the exam.
LINES = {
    "people": ("two people", ORANGE, KINDS["human-human"], 0, -8),
    "EC loss": ("imitator", BLACK, looks.NEWER, 0.02, -22),
    study.BASE_NAME: ("plain", SLATE, looks.OLDER, -0.02, 14),
}
BOLD: Options = {"fontSize": 14, "fontWeight": "bold", "lineBreak": "\n"}
# At the margins of the parts: a photograph of each shape, and a corner of a picture with each texture.
SHAPES, TEXTURES = ("cat1", "elephant4", "chair8", "bottle1"), ("chair9-elephant1", "boat5-bicycle3", "oven1-dog3")
# Whose failures -> what a row is called, with how many and where, and the class of its marks.
ROWS = {
    "people": ("{} people", "people"),
    study.BASE_NAME: ("{} plain networks, {}", "machines"),
    "EC loss": ("{} imitators, {}", "machines newer"),
}
TRAINING, EXAM = (tuple((loss, split) for loss in ROWS) for split in PLACES)

# Ways of teaching, each after the measure that it is to raise.
WAYS = {
    "EC loss": "EC: penalised for a low EC (imitators)",
    "people's shares": "EC: taught how many people gave each answer",
    "MA loss": "MA: penalised for a low MA",
    "wrong answers": "MA: taught people’s wrong words",
    "CLES loss": "CLES: penalised for a low CLES",
    "category's shares": "CLES: taught how often a class got each answer",
}
BESIDE = {False: "fair partner", True: "swapped answers"}  # of whom each gain is the lead
ENDS = (-0.045, 0.075)  # of the axis of gains

IN_WORDS = PLACES | {"MA loss, λ = 30": "penalised for a low MA", "people": "two people"}
IN_WORDS[study.BASE_NAME] = "right answers only"


def division(title: str) -> Table:
    """Show who teaches and who examines: parts in the row or column of the exam share photographs with it."""
    dots = f"<i>{'<s></s>' * 5}</i>"
    html = f'<div><p>ten people</p><p class="people">{dots} teach</p><p class="people">{dots} examine</p></div>'
    shapes = [pictures.picture(f"stimuli/silhouettes/{name}", "a shape") for name in SHAPES]
    html += f'<div class="parts"><b></b>{"".join(shapes)}'
    kinds = "<b class=asked>exam</b>", "<b class=unused></b>", "<b class=learn>learn</b>"
    for row, name in enumerate(TEXTURES):
        html += pictures.picture(f"stimuli/cue-conflict/{name}", "a texture")
        html += "".join(kinds[(column > 0) + (row > 0)] for column in range(len(SHAPES)))
    key = "Columns: the photograph of the shape; rows: of the texture<br>"
    return Table(pictures.figure(f"{html}</div>", title, key), f"{len(SHAPES)} × {len(TEXTURES)}")


def six(title: str, asked: Sequence[tuple[str, str]]) -> Table:
    """Show six pictures, and how many people and, of each of two networks, how many of its trainings fail each."""
    failures = study.failures().set_index(["loss", "split"]).loc[list(asked)]
    html, half = "", len(study.SHOWN) // 2
    for block in (study.SHOWN[:half], study.SHOWN[half:]):
        cells = []
        for name in block:
            shape, texture = re.findall("[a-z]+", name)
            image = pictures.picture(f"stimuli/cue-conflict/{name}", f"a {shape} with the texture of a {texture}")
            cells.append(f"<div>{image}{shape}</div>")
        for loss, split in asked:
            rows, (row, whose) = failures.loc[[(loss, split)]].query("picture in @block"), ROWS[loss]
            cells.append(f"<b>{row.format(rows['asked'].iloc[0], PLACES[split])}</b>")
            for n, of in zip(rows["wrong"], rows["asked"], strict=True):
                marks = "<s></s>" * n + "<s class=right></s>" * (of - n)
                cells.append(f'<p class="{whose}"><i aria-hidden="true">{marks}</i>{n}</p>')
        html += f'<section class="exam">{"".join(cells)}</section>'
    return Table(pictures.figure(html, title, pictures.KEY), failures.to_string())


def slopes(title: str) -> alt.LayerChart:
    """Draw the EC with people of two networks, in training and in the exam."""
    values = study.values().query("measure == 'EC' and split in @PLACES").rename(columns={"value": "EC"})
    values = values.assign(place=values["split"].map(list(PLACES).index))
    words: Options = {"labelExpr": f"{list(PLACES.values())}[datum.value]", "labelFontSize": 14, "labelFlush": 12}
    x = numbers("place", ends=(-0.08, 1.25), ticks=[0, 1], title=" ", grid=False, **words)
    plot = Plot(values, x, numbers("EC", ends=(0, 0.6)) | {"title": None}, hover=["loss", "EC", "low", "high"])
    for loss, (name, colour, mark, aside, down) in LINES.items():
        rows = values[values["loss"] == loss].assign(said="\n" + values["EC"].map("{:.2f}".format))
        rows = rows.assign(place=rows["place"] * (1 + aside), said=name + rows["said"])
        plot.lines(rows, color=colour, strokeWidth=3)
        seen, new = (rows[rows["split"] == split] for split in PLACES)
        if loss == "people":  # nobody taught them: one value
            plot.band(rows, color=colour)
        else:
            plot.spans(data=rows, color=colour).points(
                200 if mark.shape == "square" else 320, rows, color=mark.fill, shape=mark.shape
            )
            plot.words("said", seen, dx=14, dy=-26 if loss == "EC loss" else 18, align="left", color=colour, **BOLD)
        plot.words("said", new.assign(place=1), dx=22, dy=down, align="left", color=colour, **BOLD)
    about = "EC with people of two networks, in training and in the exam, beside that of two people."
    return plot.done(title, about, 380, "EC of a person and a network; upright lines and band: 95 % intervals")


def gains(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw both gains of each way of teaching, below its name: over a fair partner, then over swapped answers."""
    ways = [*WAYS]
    rows = rows.assign(way=rows["loss"].map(ways.index), swapped=rows["minus"] != study.EQUAL)
    rows["row"] = -rows["way"] - 0.38 - 0.24 * rows["swapped"]
    heads = pd.DataFrame({"value": ENDS[0], "row": -np.arange(len(ways)) - 0.1, "name": [*WAYS.values()]})
    x = numbers("value", "gain in the measure before the colon", ends=ENDS, ticks=(-0.04, 0, 0.04), grid=False)
    y = numbers("row", ends=(-len(ways) + 0.15, 0.1)) | {"axis": None}
    plot = Plot(rows, x, y, hover=["value", "low", "high"])
    zero = heads.assign(value=0.0, low=heads["row"] - 0.14, high=heads["row"] - 0.66)  # not across the names
    plot.spans(along="y", data=zero, color=BLACK).words("name", heads, align="left", color=INK, fontSize=14)
    first = rows[rows["way"] == 0].assign(name=lambda of: of["swapped"].map(BESIDE.get), value=rows["high"])
    plot.words("name", first, align="left", dx=8, color=INK, fontSize=12)
    for clear, part in rows.groupby(rows["low"] > 0):
        colour = BLACK if clear else SLATE
        plot.spans(along="x", data=part, color=colour, strokeWidth=4 if clear else 2)
        plot.points(140, part, shape="diamond", filled=bool(clear), fill=colour if clear else PAPER, color=colour)
    return plot.done(title, "Gains of six ways.", 400, f"by luck 1 interval in {20 * len(rows)} leaves out 0")
