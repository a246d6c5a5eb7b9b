"""A network that was taught to err like people: six pictures, its training and its exam."""

import re

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE, PALE, SLATE
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import Look
from erralign.sources.geirhos2020 import DATA_SETS
from erralign_book.charts import looks, pictures
from erralign_book.charts.grammar import in_columns
from erralign_book.simulations import training as study

PLACES = {"in-sample": "in training", "grouped": "in the exam"}
BOLD: Options = {"fontSize": 14, "fontWeight": "bold", "lineBreak": "\n"}
# Who is compared with people -> name, colour, look of the marks, how far they are moved in the exam, where words are.
LINES: dict[str, tuple[str, str, Look, float, Options]] = {
    "EC loss": ("imitator", BLACK, looks.NEWER, 0.02, {"y": "high", "dy": -10}),
    study.BASE_NAME: ("plain", SLATE, looks.OLDER, -0.02, {"y": "low", "dy": 12}),
}
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
    "people's shares": "taught answers|to each picture",
    "MA": "",
    "MA loss": "low MA|penalised",
    "wrong answers": "taught only|wrong words",
    "CLES": "",
    "CLES loss": "low CLES|penalised",
    "category's shares": "taught answers|to each class",
}
BESIDE = ("over a|fair partner", "over swapped|answers")  # the columns

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
    """Draw the EC with people of two networks, in training and in the exam, and the lead of one over the other."""
    values = study.values().query("measure == 'EC' and split in @PLACES").rename(columns={"value": "EC"})
    values = values.assign(place=values["split"].map(list(PLACES).index), digits=values["EC"].map("{:.2f}".format))
    words: Options = {"labelExpr": f"{list(PLACES.values())}[datum.value]", "labelFontSize": 14}
    room: Options = {"domain": [0, 1], "range": [84, alt.expr("width - 120")]}
    x = numbers("place", ticks=[0, 1], title=" ", grid=False, scale=room, **words)
    y = numbers("EC", ends=(0, 0.6), ticks=(0, 0.2, 0.4, 0.6), grid=False) | {"title": None}
    plot = Plot(values, x, y, hover=["loss", "EC", "low", "high"])
    people = values[values["loss"] == "people"]  # nobody taught them: one value
    plot.band(people, color=ORANGE).lines(people, color=ORANGE, strokeWidth=3)
    people = people[people["place"] == 1].assign(said="two people " + people["digits"])
    plot.words("said", people, align="left", dx=10, color=ORANGE, **BOLD)
    for loss, (name, colour, mark, aside, beside) in LINES.items():
        rows = values[values["loss"] == loss]
        rows = rows.assign(place=rows["place"] * (1 + aside), said=f"{name} " + rows["digits"])
        plot.lines(rows, color=colour, strokeWidth=3).spans(data=rows, color=colour)
        plot.points(260, rows, color=mark.fill, shape=mark.shape).words("said", rows, color=colour, **BOLD | beside)
    ends = values.pivot(index="place", columns="loss", values="EC").rename(columns={study.BASE_NAME: "low"})
    ends = ends.assign(high=ends["EC loss"], EC=ends[["EC loss", "low"]].mean(axis=1)).reset_index()
    ends["said"] = "lead\n" + (ends["high"] - ends["low"]).map("{:.2f}".format)
    for out, side, lead in zip((-24, 32), ("right", "left"), (ends[:1], ends[1:]), strict=True):
        at: Options = {"xOffset": out, "color": BLACK}
        caps = [plot.base(lead, y=end).mark_point(shape="stroke", size=90, opacity=1, **at) for end in ("low", "high")]
        plot.spans(data=lead, **at).draw(*caps)
        plot.words("said", lead, align=side, dx=out * 1.4, color=BLACK, **BOLD)
    about = "EC with people of two networks, in training and in the exam, beside that of two people."
    return plot.done(title, about, 330, "EC of a person and a network; upright lines and band: 95 % intervals")


def gains(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw two ways per measure, and for each its gain over a fair partner, or both gains, with two intervals."""
    rows = rows.assign(row=rows["loss"].map([*WAYS].index), column=(rows["minus"] != study.EQUAL).astype(int))
    wide = rows.assign(low=rows["least"], high=rows["most"])
    heads, ticks = BESIDE[: rows["column"].nunique()], (-0.04, 0, 0.04, 0.08)
    plot = in_columns(wide, [*WAYS.values()], heads, ticks, "gain in the measure of the row")
    measures = [(-row, name) for row, (name, words) in enumerate(WAYS.items()) if not words]
    plot.words("name", pd.DataFrame(measures, columns=["row", "name"]), x=0, align="left", color=INK, **BOLD)
    short = rows[["low", "high"]].add(plot.table["value"] - plot.table["difference"], axis=0)
    plot.spans(along="x", data=plot.table.assign(**short), color=BLACK, strokeWidth=6)
    tint = plot.base(pd.DataFrame({"row": [-1.5], "top": [-0.5]}))  # the imitators' row
    tint = tint.mark_rect(color=PALE, x=0, x2=alt.expr("width")).encode(y2="top:Q")
    plot.layers = [tint, plot.layers.pop(), *plot.layers]
    under = f"thick: 95 % interval; thin: widened for {len(study.planned())} gains; filled: the thin one leaves out 0"
    return plot.done(title, "Gains of two ways to raise each of three measures.", 400, under)
