"""A network that was taught to err like people: six pictures, its training and its exam."""

import re

import altair as alt
import numpy as np
import pandas as pd

from erralign.bounds import error_consistency_bounds
from erralign.datasets.geirhos2020 import DATA_SETS
from erralign.plot.colours import BLACK, GREY, INK, SILVER
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign_book.charts import looks, pictures
from erralign_book.charts.grammar import PHONE, diamonds, in_both_colours
from erralign_book.on_site import OnSite
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

# Whether a rival is a fair partner -> the head of the leads over it.
RIVALS = {True: "over their fair partners", False: "over their controls"}

IN_WORDS = PLACES | {"MA loss, λ = 30": "penalised for a low MA", "people": "two people"}
IN_WORDS[study.BASE_NAME] = "right answers only"


def division(title: str) -> Table:
    """Show who teaches and who examines: parts in the row or column of the exam share photographs with it."""
    dots = f"<i>{'<s></s>' * 5}</i>"
    html = f'<div><p>ten people</p><p class="people">{dots} teach</p><p class="people">{dots} examine</p></div>'
    html += f'<div class="parts"><span></span>{"".join(f"<span>shapes<br>{each}</span>" for each in SHAPES)}'
    kinds = f"<b class=asked>{EXAMPLE}exam</b>", "<b class=unused></b>", "<b class=learn>learn</b>"
    words = pd.DataFrame("", [f"textures {each}" for each in TEXTURES], [f"shapes {each}" for each in SHAPES])
    for row, name in enumerate(TEXTURES):
        places = [(column > 0) + (row > 0) for column in range(len(SHAPES))]
        html += f"<span>textures<br>{name}</span>{''.join(map(kinds.__getitem__, places))}"
        words.iloc[row] = [("exam", "-", "learn")[place] for place in places]
    each = round(DATA_SETS["cue-conflict"] / len(SHAPES) / len(TEXTURES), -2)
    key = f"Shapes 1–40: from 40 photographs. A box: about {each:.0f} pictures (not every shape has every texture)<br>"
    return OnSite(
        pictures.figure(f"{html}</div>", title, key), f"{title}\nFive people teach, five examine.\n{words.to_string()}"
    )


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
    words = failures.pivot_table("wrong", "loss", "picture").astype(int).loc[[*ROWS], [*study.SHOWN]]
    words.index = [LINES[loss][0] if loss != "people" else loss for loss in words.index]
    words.columns = [name.partition("-")[0].strip("0123456789") for name in words.columns]
    return OnSite(pictures.figure(html, title, pictures.KEY), f"{title}\nHow many of each fail:\n{words.to_string()}")


def in_both(title: str) -> alt.LayerChart:
    """Draw EC with people of two networks and of people, in training and in the exam, and the imitators' ceiling."""
    values = study.values().query("split in @PLACES and loss in @LINES")
    rows = values[values["measure"] == "EC"].rename(columns={"value": "EC"})
    rows = rows.assign(name=[LINES[loss][0] for loss in rows["loss"]], place=rows["split"].map([*PLACES].index))
    right = values.query("measure == 'accuracy' and split == 'grouped'").set_index("loss")["value"]
    rows["most"] = error_consistency_bounds(right["people"], right["EC loss"])[1]
    rows["said"] = (rows["name"] + "|").where(rows["place"] == 0, "") + rows["EC"].map("{:.2f}".format)
    rows["ceiling"] = rows["most"].map("imitators’|ceiling {:.2f}".format)
    # So that no mark or interval hides another.
    rows["aside"] = rows["loss"].map({"EC loss": 1, study.BASE_NAME: -1}).fillna(0)
    step = f"({PHONE} ? 11 : 28)"
    room: Options = {"range": [84, alt.expr(f"width - 98 - {step}")]}  # left of it are names, right of it the ceiling
    axis: Options = {"grid": False, "domain": False, "tickSize": 0, "labelFontSize": 13}
    at = "datum.value ? 'the exam' : ['pictures', 'learned from']"
    x = numbers("place", ends=(0, 1), ticks=(0, 1), scale=room, labelExpr=at, **axis) | {"title": None}
    y = numbers("EC", "EC with people", ends=(0, 0.6), ticks=(0, 0.2, 0.4, 0.6), format=".1f", grid=False)
    plot = Plot(rows, x, y, look=("name", dict(LINES.values())), hover=["name", "EC", "low", "high"], columns=0)
    of = {loss: rows[rows["loss"] == loss] for loss in LINES}
    shift: Options = {"xOffset": alt.expr(f"datum.aside * {step}")}
    plot.level(0, color=BLACK, strokeWidth=1).spans(color=GREY, strokeWidth=3, **shift)
    in_both_colours(plot, rows[rows["loss"] != "people"], detail="loss", strokeWidth=3, **shift)
    plot.lines(of["people"], strokeWidth=3).points(300, **shift)
    bold: Options = {"color": INK, "fontSize": 13, "fontWeight": "bold", "lineBreak": "|"}
    plot.words("said", of[study.BASE_NAME], y="low", dx=alt.expr(f"-{step}"), dy=14, **bold)  # below its interval
    sides: Options = {"align": alt.expr("datum.place ? 'left' : 'right'"), "dy": alt.expr("datum.place ? 0 : -8")}
    sides["dx"] = alt.expr(f"datum.aside * {step} + (datum.place ? 16 : -16)")
    plot.words("said", rows[rows["loss"] != study.BASE_NAME], **sides, **bold)
    taught = of["EC loss"].query("place == 1")
    plot.words("ceiling", taught, y="most", align="left", dx=alt.expr(f"{step} + 16"), dy=-4, **bold)
    plot.spans("high", "most", data=taught, color=BLACK, strokeWidth=1, strokeDash=[2, 3], **shift)
    solid: Options = {"color": BLACK, "opacity": 1} | shift
    ceiling = plot.base(taught, y="most").mark_tick(orient="horizontal", size=14, thickness=3, **solid)
    about = "EC with people of two networks, in training and in the exam, beside that of two people."
    under = "grey: 95 % intervals; ceiling: the most that their accuracy allows (lesson 4)"
    return plot.draw(ceiling).done(title, about, 300, under)


def by_name(planned: pd.DataFrame) -> pd.DataFrame:
    """Return the planned leads with their names, below heads for the two rivals."""
    fair, penalised = planned["minus"] == study.EQUAL, planned["loss"].str.endswith("loss")
    said = planned["measure"] + penalised.map({True: ", by penalty", False: ", by answers"})
    rows = planned.assign(head=fair.map(RIVALS), said=said, fair=fair, penalised=penalised)
    rows["at"] = rows["measure"].map(["EC", "MA", "CLES"].index)
    return rows.sort_values(["fair", "at", "penalised"], ascending=[False, True, False])


def gains(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw leads, in their order, with two intervals: by what they are "said" to be, and below their heads."""
    firsts = ~rows["head"].duplicated()
    rows = rows.assign(clear=rows["least"] * rows["most"] > 0, lead=rows["value"])
    rows["row"] = 1.5 - np.arange(len(rows)) - 1.5 * firsts.cumsum()  # with room for the heads
    heads = rows[firsts].assign(row=rows["row"] + 1, said=rows["head"])
    plain: Options = {"grid": False, "format": "~f"}
    plain["scale"] = {"range": [130, alt.expr("width")]}  # right of the names
    ends = min(-0.01, rows["least"].min() - 0.003), rows["most"].max() + 0.003
    x = numbers("value", "lead", ends=ends, ticks=(-0.04, -0.02, 0, 0.02, 0.04, 0.06), **plain)
    y = numbers("row", ends=(rows["row"].min() - 0.7, 1.5)) | {"axis": None}
    plot = Plot(rows, x, y, hover=["measure", "lead"])
    plot.spans("least", "most", along="x", color=SILVER, strokeWidth=9).level(0, along="x", color=BLACK, strokeWidth=1)
    plot.spans(along="x", color=BLACK)
    for named, weight in ((heads, "bold"), (rows, "normal")):
        words: Options = {"x": 0, "align": "left", "color": INK, "fontSize": 13, "fontWeight": weight}
        plot.words("said", named.drop(columns="value"), **words)
    diamonds(plot, 110, clear="datum.clear", strokeWidth=2)
    fill = "filled: thick leaves out 0" if rows["clear"].any() else "hollow: thick contains 0"
    under = f"thin: 95 % interval; thick: widened for twelve comparisons; {fill}"
    return plot.done(title, f"{len(rows)} leads, each with its interval and a widened one.", 60 + 27 * len(rows), under)
