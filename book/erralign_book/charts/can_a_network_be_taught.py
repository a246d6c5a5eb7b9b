"""A network that was taught to err like people: six pictures, its training and its exam."""

import re

import altair as alt
import numpy as np
import pandas as pd

from erralign.bounds import error_consistency_bounds
from erralign.plot.colours import BLACK, INK, SILVER
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.sources.geirhos2020 import DATA_SETS
from erralign_book.charts import looks, pictures
from erralign_book.charts.grammar import in_both_colours, in_columns
from erralign_book.simulations import training as study

PLACES = {"in-sample": "in training", "grouped": "in the exam"}
# Who is compared with people -> what a line is called, and the look of its mark.
LINES = {study.BASE_NAME: ("plain networks", looks.OLDER), "EC loss": ("imitators", looks.NEWER)}
LINES["people"] = ("two people", looks.WITH_PEOPLE["two people"])
# Photographs of shapes and of textures, cut into parts, and a picture made of one of each.
SHAPES, TEXTURES = ("1–40", "41–80", "81–120", "121–160"), ("1–16", "17–32", "33–48")
EXAMPLE = pictures.picture("stimuli/cue-conflict/bear4-elephant2", "a bear with an elephant’s skin")
# Whose failures -> what a row is called, with how many and where, and the class of its marks.
ROWS = {
    "people": ("{} people", "people"),
    study.BASE_NAME: ("{} plain networks, {}", "machines"),
    "EC loss": ("{} imitators, {}", "machines newer"),
}
BLOCKS = "People fail on these", "People name these"  # heads of the six pictures

# Ways to teach, two per measure that each is to raise -> their names.
WAYS = {
    "EC loss": "EC, penalised|(imitators)",
    "people's shares": "EC, taught",
    "MA loss": "MA, penalised",
    "wrong answers": "MA, taught",
    "CLES loss": "CLES, penalised",
    "category's shares": "CLES, taught",
}
RIVALS = "over fair|partners", "over|controls"

IN_WORDS = PLACES | {"MA loss, λ = 30": "penalised for a low MA", "people": "two people"}
IN_WORDS[study.BASE_NAME] = "right answers only"


def division(title: str) -> Table:
    """Show who teaches and who examines: parts in the row or column of the exam share photographs with it."""
    dots = f"<i>{'<s></s>' * 5}</i>"
    html = f'<div><p>ten people</p><p class="people">{dots} teach</p><p class="people">{dots} examine</p></div>'
    html += f'<div class="parts"><span></span>{"".join(f"<span>shapes<br>{each}</span>" for each in SHAPES)}'
    kinds = f"<b class=asked>{EXAMPLE}exam</b>", "<b class=unused></b>", "<b class=learn>learn</b>"
    for row, name in enumerate(TEXTURES):
        boxes = (kinds[(column > 0) + (row > 0)] for column in range(len(SHAPES)))
        html += f"<span>textures<br>{name}</span>{''.join(boxes)}"
    each = round(DATA_SETS["cue-conflict"] / len(SHAPES) / len(TEXTURES), -2)
    key = f"Numbered: photographs that gave shapes and textures. A box is about {each:.0f} pictures<br>"
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


def in_both(title: str) -> alt.LayerChart:
    """Draw EC with people of two networks and of people, in training and in the exam, and the imitators' ceiling."""
    values = study.values().query("split in @PLACES and loss in @LINES")
    rows = values[values["measure"] == "EC"].rename(columns={"value": "EC"})
    rows = rows.assign(name=[LINES[loss][0] for loss in rows["loss"]], at=rows["split"].map([*PLACES].index))
    taught = rows["loss"] == "EC loss"
    rows["place"] = rows["at"] + np.where(taught, 0.08, -0.08)  # so that no interval hides another
    rows["said"] = rows["name"] + rows["EC"].map(" {:.2f}".format)
    right = values.query("measure == 'accuracy' and split == 'grouped'").set_index("loss")["value"]
    most = error_consistency_bounds(right["people"], right["EC loss"])[1]
    ceiling = pd.DataFrame({"place": [1], "end": [1.16], "EC": [most], "said": [f"imitators’|ceiling {most:.2f}"]})
    below = rows[taught & (rows["at"] == 1)].assign(top=most)
    axis: Options = {"grid": False, "domain": False, "tickSize": 0}
    at = "datum.value ? 'the exam' : ['pictures', 'learned from']"
    x = numbers("place", ends=(-0.95, 2.3), ticks=(0, 1), labelExpr=at, labelFontSize=13, **axis) | {"title": None}
    y = numbers("EC", "EC with people", ends=(0, 0.6), ticks=(0, 0.2, 0.4, 0.6), format=".1f", grid=False)
    plot = Plot(rows, x, y, look=("name", dict(LINES.values())), hover=["name", "EC", "low", "high"], columns=0)
    plot.spans("place", "end", along="x", data=ceiling, color=BLACK, strokeWidth=3)
    plot.spans("EC", "top", data=below, color=BLACK, strokeWidth=1, strokeDash=[2, 3])
    mixed = in_both_colours(plot.spans(color=SILVER, strokeWidth=3), rows[rows["loss"] == study.BASE_NAME])
    in_both_colours(mixed, rows[taught], strokeWidth=4).lines(rows[rows["loss"] == "people"]).points(240)
    bold: Options = {"color": INK, "fontSize": 13, "fontWeight": "bold", "lineBreak": "|"}
    plot.words("said", ceiling, x="end", align="left", dx=6, **bold)
    left, plain = rows["at"] == 0, ~taught & (rows["EC"] < most)
    in_lines = rows[left].replace({"said": {" ": "|"}}, regex=True)
    plot.words("said", in_lines, align="right", dx=-12, dy=-14, **bold)
    plot.words("said", rows[~left & ~plain], align="left", dx=12, **bold)
    plot.words("said", rows[~left & plain], y="low", dy=12, **bold)  # below its interval
    about = "EC with people of two networks, in training and in the exam, beside that of two people."
    under = "upright lines: 95 % intervals; ceiling: the most that their accuracy allows (lesson 4)"
    return plot.done(title, about, 300, under)


def gains(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw what six ways to teach gain over each of their rivals, a column each, with two intervals."""
    rows = rows.assign(rival=np.where(rows["minus"] == study.EQUAL, *RIVALS))
    named, heads = list(WAYS.values()), [head for head in RIVALS if (rows["rival"] == head).any()]
    rows = rows.assign(named=rows["loss"].map(WAYS))
    rows = rows.assign(row=rows["named"].map(named.index), column=rows["rival"].map(heads.index))
    wide = rows.assign(low=rows["least"], high=rows["most"])
    plot = in_columns(wide, named, heads, (-0.04, 0, 0.04, 0.08), "lead in the measure of the row", named[0])
    shift = plot.table["value"] - rows["value"]
    usual = plot.table.assign(low=rows["low"] + shift, high=rows["high"] + shift)
    plot.spans(along="x", data=usual, color=SILVER, strokeWidth=9)
    plot.layers.insert(1, plot.layers.pop())  # over the grid, under the diamonds
    far = usual[usual["clear"]].assign(low=plot.table["low"], said=rows["least"].map("{:.3f}".format))
    plot.words("said", far, x="low", align="right", dx=-6, fontSize=12, color=INK)
    under = "thick: 95 % interval; thin: widened for twelve comparisons; filled: thin leaves out 0 (number: low end)"
    return plot.done(title, "Gains of two ways to raise each of three measures.", 320, under)
