"""A network that was taught to err like people: six pictures, its training and its exam."""

import re

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, SLATE
from erralign.plot.grammar import Plot
from erralign.plot.html import Table
from erralign.sources.geirhos2020 import DATA_SETS
from erralign_book.charts import looks, pictures
from erralign_book.charts.grammar import LEFT, in_blocks
from erralign_book.simulations import training as study

PLACES = {"in-sample": "in training", "grouped": "in the exam"}
# Who is compared with people -> what a line is called, and the look of its mark.
LINES = {study.BASE_NAME: ("plain networks", looks.OLDER), "EC loss": ("imitators", looks.NEWER)}
LINES["people"] = ("two people", looks.WITH_PEOPLE["two people"])
APART = 0.75  # on the axis, from the 0 of values to that of leads
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

# Measures -> what is to become more alike, and ways to teach it -> their names.
ASKED = {"EC": "same pictures (gain in EC)", "MA": "same wrong word (gain in MA)"}
ASKED["CLES"] = "same classes mixed up (gain)"
WAYS = {
    "EC loss": "imitators: penalised for a low EC",
    "people's shares": "taught people’s answers to each picture",
    "MA loss": "penalised for a low MA",
    "wrong answers": "taught only people’s wrong words",
    "CLES loss": "penalised for other mix-ups",
    "category's shares": "taught people’s answers, averaged by class",
}

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
    """Draw EC with people of two networks and of people, and the imitators' lead, in training and in the exam."""
    keys = ["split", "loss"]
    values = study.values().query("measure == 'EC' and split in @PLACES and loss in @LINES").set_index(keys)
    leads = study.differences().query("measure == 'EC' and minus == @study.BASE_NAME").set_index(keys)
    order = pd.MultiIndex.from_product([PLACES, LINES], names=keys)
    rows = leads.reindex(order).reset_index()  # the only one who has a lead is the imitator
    rows = rows.assign(asked=rows["split"].map(PLACES), name=[LINES[loss][0] for loss in rows["loss"]])
    plot = in_blocks(rows, 1.3, (0, 0.2, 0.4, APART, APART + 0.2, APART + 0.4), APART)
    values = plot.table.assign(**values.loc[order, ["value", "low", "high"]].reset_index(drop=True))
    values = values.assign(said=values["value"].map("{:.2f}".format))
    marks = Plot(values, plot.x, plot.y, look=("name", dict(LINES.values())), hover=["name", "value"], columns=0)
    marks.spans(along="x", color=SLATE).points(200).words("said", x="high", dx=7, **LEFT)
    about = "EC with people of two networks, in training and in the exam, beside that of two people."
    under = "EC with people; lines: 95 % intervals; diamond: imitators’ lead, filled: "
    under += "its interval (in the exam hidden) leaves out 0, not yet widened"
    return plot.draw(*marks.layers).done(title, about, plot.y["scale"]["domain"][0], under)


def gains(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the gains of six ways to teach, two per measure, each with two intervals."""
    rows = rows.set_index("loss").loc[[*WAYS]].reset_index()
    rows = rows.assign(asked=rows["measure"].map(ASKED), name=rows["loss"].map(WAYS))
    wide = rows.assign(low=rows["least"], high=rows["most"])
    plot = in_blocks(wide, 0.08, (-0.04, 0, 0.04), digits=3)
    plot.spans(along="x", data=plot.table.assign(**rows[["low", "high"]]), color=BLACK, strokeWidth=8)
    plot.layers.insert(0, plot.layers.pop())  # under the diamonds
    under = "thick: 95 % interval; thin: widened for luck; diamond filled: the thin one leaves out 0"
    return plot.done(title, "Gains of two ways to raise each of three measures.", plot.y["scale"]["domain"][0], under)
