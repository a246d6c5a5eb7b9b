"""A network that was taught to err like people: six pictures, its training and its exam."""

import re
from collections.abc import Sequence

import altair as alt

from erralign.plot.colours import BLACK, ORANGE, SLATE
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS
from erralign.training.scores import NUMBERS
from erralign_book.charts import looks, pictures
from erralign_book.simulations import training as study

PLACES = {"in-sample": "in training", "grouped": "in the exam"}
# Who is compared with people -> name, colour, look of the marks, how far they are moved in the exam, and words down.
LINES = {
    "people": ("two people", ORANGE, KINDS["human-human"], 0.03, 0),
    "EC loss": ("imitator", BLACK, looks.NEWER, 0.03, -8),
    study.BASE_NAME: ("plain", SLATE, looks.OLDER, -0.03, 12),
}
# Whose failures -> what a row is called, with how many and where, and the class of its marks.
ROWS = {
    "people": ("{} people", "people"),
    study.BASE_NAME: ("{} plain networks, {}", "machines"),
    "EC loss": ("{} imitators, {}", "machines newer"),
}
TRAINING = tuple((loss, "in-sample") for loss in ROWS)
EXAM = ("people", "grouped"), ("EC loss", "in-sample"), ("EC loss", "grouped"), (study.BASE_NAME, "grouped")

IN_WORDS = PLACES | {"MA loss, λ = 30": "penalised for a low MA", "people": "two people"}
IN_WORDS[study.BASE_NAME] = "right answers only"


def division(title: str) -> Table:
    """Show who teaches and who examines: parts in the row or column of the exam share photographs with it."""
    shapes, textures = NUMBERS[2]
    dots = f"<i>{'<s></s>' * 5}</i>"
    html = f'<div><p>ten people</p><p class="people">{dots} teach</p><p class="people">{dots} examine</p></div>'
    html += '<div class="parts"><b></b>' + "".join(f"<p>shapes {shape + 1}</p>" for shape in range(shapes))
    kinds = "<b class=asked>exam</b>", "<b class=unused></b>", "<b class=learn>learn</b>"
    for texture in range(textures):
        parts = "".join(kinds[(shape > 0) + (texture > 0)] for shape in range(shapes))
        html += f"<p>textures {texture + 1}</p>{parts}"
    return Table(pictures.figure(f"{html}</div>", title, credit=""), f"{shapes} × {textures}")


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
    values = values.assign(place=values["split"].map(list(PLACES).index), said=values["EC"].map("{:.2f}".format))
    values.loc[values.eval("loss == 'people' and place == 0"), "said"] = ""  # nobody taught them: one value
    words = f"{list(PLACES.values())}[datum.value]"
    x = numbers("place", ends=(-0.5, 1.8), ticks=[0, 1], labelExpr=words, title=" ", labelFontSize=14, grid=False)
    plot = Plot(values, x, numbers("EC", "EC with people", ends=(0, 0.6)), hover=["loss", "EC", "low", "high"])
    bold: Options = {"fontSize": 14, "fontWeight": "bold"}
    for loss, (name, colour, mark, aside, down) in LINES.items():
        rows = values[values["loss"] == loss]
        rows = rows.assign(place=rows["place"] * (1 + aside), said=f"{name}\n" + rows["said"])
        plot.lines(rows, color=colour, strokeWidth=3)
        if loss == "people":
            plot.band(rows, color=colour)
        else:
            plot.spans(data=rows, color=colour).points(180, rows, color=mark.fill, shape=mark.shape)
        seen, new = (rows[rows["split"] == split] for split in PLACES)
        plot.words("said", seen, dx=-12, dy=-8, align="right", color=colour, lineBreak="\n", **bold)
        plot.words("said", new.assign(place=1), dx=22, dy=down, align="left", color=colour, **bold)
    about = "EC with people of two networks, in training and in the exam, beside that of two people."
    return plot.done(title, about, 380, "upright lines and band: 95 % intervals")
