"""A network that was taught to err like people: six pictures, its training and its exam."""

import re

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE, PALE, SLATE
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS
from erralign.sources.geirhos2020 import DATA_SETS
from erralign_book.charts import looks, pictures
from erralign_book.charts.grammar import in_columns
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
BLOCKS = "People fail on these", "People name these"  # heads of the six pictures

# Ways of teaching -> their row, below the measure that each is to raise.
WAYS = {
    "EC": "",
    "EC loss": "imitators: low|EC penalised",
    "people's shares": "people’s|answers taught",
    "MA": "",
    "MA loss": "low MA|penalised",
    "wrong answers": "wrong words|taught",
    "CLES": "",
    "CLES loss": "low CLES|penalised",
    "category's shares": "people’s|answers taught",
}
BESIDE = ("over a|fair partner", "over swapped|answers")  # the columns
TICKS = (-0.04, 0, 0.04, 0.08)  # of a column of gains

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
    each = round(DATA_SETS["cue-conflict"] / len(SHAPES) / len(TEXTURES), -2)
    key = f"A box is about {each:.0f} pictures. Columns: photographs of the shapes; rows: of the textures<br>"
    return Table(pictures.figure(f"{html}</div>", title, key), f"{len(SHAPES)} × {len(TEXTURES)}")


def six(title: str) -> Table:
    """Show six pictures that networks learned from, and how many people and trainings of two networks fail each."""
    seen, place = next(iter(PLACES.items()))
    failures = study.failures()
    failures = failures[failures["split"] == seen].set_index("loss").loc[[*ROWS]]
    html, half = "", len(study.SHOWN) // 2
    for head, block in zip(BLOCKS, (study.SHOWN[:half], study.SHOWN[half:]), strict=True):
        cells = [f"<h6>{head}</h6>"]
        for name in block:
            shape, texture = re.findall("[a-z]+", name)
            image = pictures.picture(f"stimuli/cue-conflict/{name}", f"a {shape} with the texture of a {texture}")
            cells.append(f"<div>{image}{shape}</div>")
        for loss, (row, whose) in ROWS.items():
            rows = failures.loc[[loss]].query("picture in @block")
            cells.append(f"<b>{row.format(rows['asked'].iloc[0], place)}</b>")
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
    y = numbers("EC", ends=(0, 0.6), grid=False) | {"title": None}
    plot = Plot(values, x, y, hover=["loss", "EC", "low", "high"])
    for loss, (name, colour, mark, aside, down) in LINES.items():
        rows = values[values["loss"] == loss].assign(said="\n" + values["EC"].map("{:.2f}".format))
        rows = rows.assign(place=rows["place"] * (1 + aside), said=name + rows["said"])
        plot.lines(rows, color=colour, strokeWidth=3)
        seen, new = (rows[rows["split"] == split] for split in PLACES)
        if loss == "people":  # nobody taught them: one value
            plot.band(rows, color=colour)
        else:
            plot.spans(data=rows, color=colour).points(260, rows, color=mark.fill, shape=mark.shape)
            plot.words("said", seen, dx=14, dy=-26 if loss == "EC loss" else 18, align="left", color=colour, **BOLD)
        plot.words("said", new.assign(place=1), dx=22, dy=down, align="left", color=colour, **BOLD)
    about = "EC with people of two networks, in training and in the exam, beside that of two people."
    return plot.done(title, about, 380, "EC of a person and a network; upright lines and band: 95 % intervals")


def gains(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw two ways per measure, and for each both gains: over a fair partner, and over swapped answers."""
    rows = rows.assign(row=rows["loss"].map([*WAYS].index), column=(rows["minus"] != study.EQUAL).astype(int))
    plot = in_columns(rows, [*WAYS.values()], BESIDE, TICKS, "gain in the measure of the row")
    heads = [(-row, name) for row, (name, words) in enumerate(WAYS.items()) if not words]
    plot.words("name", pd.DataFrame(heads, columns=["row", "name"]), x=0, align="left", color=INK, **BOLD)
    clear = plot.table[plot.table["clear"]].assign(words="the only\nclear one")
    plot.words("words", clear, dy=12, baseline="top", color=BLACK, **BOLD | {"fontSize": 12})
    tint = plot.base(pd.DataFrame({"row": [-1.5], "top": [-0.5]}))  # the imitators' row
    plot.layers.insert(0, tint.mark_rect(color=PALE, x=0, x2=alt.expr("width")).encode(y2="top:Q"))
    under = f"intervals are widened for {len(rows)} gains; filled: it leaves out 0"
    return plot.done(title, "Gains of two ways to raise each of three measures.", 400, under)
