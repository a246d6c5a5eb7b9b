"""Charts of the chapter on the pictures: how often photographs are named under distortions."""

from collections.abc import Mapping
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from erralign._validation.labels import check_same_length
from erralign.datasets.trials import CATEGORIES
from erralign.plot.colours import INK, SILVER, SLATE
from erralign.plot.grammar import Axis, Options, Plot, entitle, names, shares
from erralign.plot.theme import FAMILIES, WHOSE
from erralign_book.charts.error_consistency import SETS
from erralign_book.charts.grammar import PHONE, beside_each_other, labels_if
from erralign_book.charts.pictures import changed, webp

SEEN_BY: Final = {"people": WHOSE["people"], "networks": FAMILIES["CNN"]}
SIDE, BELOW = 270, 0.14  # of a panel in pixels; of the height of the axis, room for pictures below it
ROW, GUTTER = 46, 198  # pixels of a row with a picture, and for picture and words to the left of its marks
UNITS: Final = {"contrast": "contrast, in %", "low-pass": "blur, in pixels"}
CHANCE: Final = 1 / len(CATEGORIES)
BY_CHANCE: Final = pd.DataFrame({"accuracy": CHANCE, "name": "", "said": [f"chance: 1 of {len(CATEGORIES)}"]})
IN_PERCENT: Final = " {:.0f}\u00a0%".format
ABOUT: Final = {
    "eidolonI": "as through uneven glass",
    "high-pass": "smooth areas made grey",
    "low-pass": "over 7 pixels",
    "contrast": "10 % of it is left",
    "uniform-noise": "of width 0.2",
    "rotation": "by a right angle",
    "false-colour": "opposite colours",
    "colour": "here without colour",
}  # what was done to pictures of each set
Pictures = Mapping[str, np.ndarray]  # what a picture is called, from the weakest strength on -> its pixels


def curves(pictures: Mapping[str, Pictures], accuracy: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Show how many pictures were named at each strength of each distortion, and below it a photograph under it.

    ``pictures`` are those of each data set, by its name.
    """
    panels = [_curve(accuracy, name, shown, first=name == next(iter(pictures))) for name, shown in pictures.items()]
    about = "Accuracies of people and networks at each strength, with 95 % intervals, and a photograph below each."
    under = "thin lines: intervals"
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle=under)


def _curve(accuracy: pd.DataFrame, data_set: str, pictures: Pictures, *, first: bool) -> alt.LayerChart:
    accuracy, unit = accuracy[accuracy["data_set"] == data_set], UNITS[data_set]
    labels = dict(enumerate(pictures, start=1))
    check_same_length(pictures=np.array(list(labels)), conditions=accuracy["strength"].unique())
    rows = accuracy.replace({"group": {"CNN": "networks"}}).assign(shown=accuracy["strength"].map(labels))
    rows = rows.loc[rows["group"].isin(SEEN_BY), ["strength", "shown", "group", "accuracy", "low", "high"]]
    frame: Axis = {"grid": True, "domain": False, "labelExpr": labels_if(first=first)}
    y = shares("accuracy", "named correctly" if first else " ", ends=(-BELOW, 1), ticks=(0, 0.5, 1), **frame)
    x = names("shown", list(pictures), unit, labelAngle=0, ticks=False, domain=False)
    hover = ["group", alt.Tooltip("shown", title=unit), "accuracy", "low", "high"]
    plot = Plot(rows, x, y, look=("group", SEEN_BY), hover=hover, columns=0, digits=3)
    plot.level(0).dashed(CHANCE).spans(strokeWidth=1).lines().points(50)
    plot.words("said", BY_CHANCE, x=6, align="left", dy=-9, color=SLATE)
    wide = rows.pivot(index="strength", columns="group", values="accuracy").head(5)  # further right names have no room
    apart = rows[rows["strength"] == (wide["people"] - wide["networks"]).abs().idxmax()].sort_values("accuracy")
    apart["words"] = apart["group"] + apart["accuracy"].mul(100).map(IN_PERCENT)
    plot.points(160, apart)
    for (align, dx), (_, named) in zip((("right", -11), ("left", 11)), apart.groupby("accuracy"), strict=True):
        plot.words("words", named, align=align, dx=dx, dy=-dx, fontSize=15, fontWeight="bold")
    shown = pd.DataFrame({"shown": list(pictures), "url": [webp(each[::2, ::2]) for each in pictures.values()]})
    images = alt.Chart(shown).mark_image(width=(side := SIDE / len(shown) - 2), height=side)
    images = images.encode(alt.X(**x), y=alt.value(SIDE * (1 + BELOW / 2) / (1 + BELOW)), url="url:N")
    return plot.draw(images).drawn().properties(width=SIDE, height=SIDE)


def sheet(named: pd.DataFrame, title: str, seed: int) -> alt.LayerChart:
    """Show one photograph as sets of pictures change it, and the shares ``named``, sorted by people's lead."""
    wide = named.pivot(index="data_set", columns="group", values="accuracy").reset_index()
    wide = wide.loc[(wide["CNN"] - wide["people"]).sort_values().index]
    wide = wide.assign(name=wide["data_set"].map(SETS), about=wide["data_set"].map(ABOUT))
    ahead = wide["people"] > wide["CNN"]
    order = ["", *wide["name"][ahead], " ", *wide["name"][~ahead]]
    rows = named.assign(name=named["data_set"].map(SETS), group=named["group"].replace({"CNN": "networks"}))
    room: Options = {"range": [alt.expr(f"{PHONE} ? {ROW + 8} : {GUTTER}"), alt.expr("width")]}
    x = shares("accuracy", "named correctly", ends=(0, 1), ticks=(0, 0.5, 1), scale=room, grid=True)
    y = names("name", order, scale={"domain": order}) | {"axis": None}
    plot = Plot(rows, x, y, look=("group", SEEN_BY), hover=["name", "group", "accuracy"], columns=0, digits=3)
    plot.dashed(CHANCE).spans("people", "CNN", along="x", data=wide, color=SILVER)
    plot.spans(strokeWidth=3).points(110)
    # On a phone names and notes have no room beside marks, but above them.
    left: Options = {"x": alt.expr(f"{PHONE} ? scale('x', {CHANCE}) + 6 : {ROW + 8}"), "align": "left"}
    plot.words("name", wide, dy=alt.expr(f"{PHONE} ? -14 : -8"), fontWeight="bold", fontSize=13, color=INK, **left)
    end: Options = {"x": alt.expr(f"{PHONE} ? width : {ROW + 8}"), "align": alt.expr(f"{PHONE} ? 'right' : 'left'")}
    plot.words("about", wide, dy=alt.expr(f"{PHONE} ? -14 : 8"), fontSize=12, color=SLATE, **end)
    heads = pd.DataFrame({"name": ["", " "], "ahead": ["people ahead", "networks ahead"]})
    plot.words("ahead", heads, dy=10, fontSize=14, fontWeight="bold", color=INK, **left)
    plot.words("said", BY_CHANCE, align="left", dx=6, dy=-10, color=SLATE)
    wide["url"] = wide["data_set"].map({name: webp(picture[::2, ::2]) for name, picture in changed(seed).items()})
    images = plot.base(wide[["name", "url"]]).mark_image(width=ROW - 2, height=ROW - 2)
    plot.draw(images.encode(x=alt.value(ROW / 2), url="url:N"))
    about = "Kinds of pictures, and how many people and networks named."
    return plot.done(title, about, ROW * len(order), "coloured lines: intervals; grey: the lead")
