"""Charts of the chapter on the pictures: how often photographs are named under distortions."""

from collections.abc import Mapping
from html import escape
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from erralign.errors.labels import check_same_length
from erralign.plot.colours import SLATE
from erralign.plot.grammar import Axis, Plot, entitle, names, shares
from erralign.plot.html import Table
from erralign.plot.theme import FAMILIES, WHOSE
from erralign.sources.trials import CATEGORIES
from erralign_book.charts.error_consistency import SETS
from erralign_book.charts.grammar import beside_each_other, labels_if
from erralign_book.charts.pictures import changed, webp

SEEN_BY: Final = {"people": WHOSE["people"], "networks": FAMILIES["CNN"]}
SIDE, BELOW = 270, 0.14  # of a panel in pixels; of the height of the axis, room for pictures below it
UNITS: Final = {"contrast": "contrast, in %", "low-pass": "blur, in pixels"}
CHANCE: Final = 1 / len(CATEGORIES)
IN_PERCENT: Final = " {:.0f}\u00a0%".format
ABOUT: Final = {
    "eidolonI": "as through uneven glass",
    "eidolonII": "coarse and fine ones apart",
    "eidolonIII": "no two fit together",
    "high-pass": "smooth areas made grey",
    "low-pass": "over 5 pixels",
    "contrast": "30 % of it is left",
    "uniform-noise": "of width 0.2",
    "phase-scrambling": "each moved at random",
    "power-equalisation": "each as strong as on average",
    "rotation": "by a right angle",
    "false-colour": "each made its opposite",
    "colour": "only grey ones counted",
}  # what was done to pictures of each set
Pictures = Mapping[str, np.ndarray]  # what a picture is called, from the weakest strength on -> its pixels


def curves(pictures: Mapping[str, Pictures], accuracy: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Show how many pictures were named at each strength of each distortion, and below it a photograph under it.

    ``pictures`` are those of each data set, by its name.
    """
    panels = [_curve(accuracy, name, shown, first=name == next(iter(pictures))) for name, shown in pictures.items()]
    about = "Accuracies of people and networks at each strength, with 95 % intervals, and a photograph below each."
    return entitle(beside_each_other(panels, len(panels)), title, about)


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
    by_chance = alt.Chart(pd.DataFrame({"accuracy": [CHANCE]})).encode(alt.Y(**y), x=alt.value(6))
    by_chance = by_chance.mark_text(align="left", dy=-9, color=SLATE, text=f"chance: 1 of {len(CATEGORIES)}")
    wide = rows.pivot(index="strength", columns="group", values="accuracy").head(5)  # further right names have no room
    apart = rows[rows["strength"] == (wide["people"] - wide["networks"]).abs().idxmax()].sort_values("accuracy")
    apart["words"] = apart["group"] + apart["accuracy"].mul(100).map(IN_PERCENT)
    plot.points(160, apart)
    for (align, dx), (_, named) in zip((("right", -11), ("left", 11)), apart.groupby("accuracy"), strict=True):
        plot.words("words", named, align=align, dx=dx, dy=-dx, fontSize=15, fontWeight="bold")
    shown = pd.DataFrame({"shown": list(pictures), "url": [webp(each[::2, ::2]) for each in pictures.values()]})
    images = alt.Chart(shown).mark_image(width=(side := SIDE / len(shown) - 2), height=side)
    images = images.encode(alt.X(**x), y=alt.value(SIDE * (1 + BELOW / 2) / (1 + BELOW)), url="url:N")
    return plot.draw(by_chance, images).drawn().properties(width=SIDE, height=SIDE)


def sheet(named: pd.DataFrame, title: str, seed: int) -> Table:
    """Show one photograph as twelve sets change it, by their names, and the shares ``named`` by people and networks."""
    pictures = changed(seed)
    cells, ends = "", "<span>0</span><span>100 %</span>"
    for name, people, networks in named[["people", "CNN"]].mul(100).round().astype(int).itertuples():
        about = f"<b>{SETS[name]}<small>{ABOUT[name]}</small></b>"
        image = f'<img src="{webp(pictures[name][::2, ::2])}" alt="" width="112" height="112">{about}'
        said = f'aria-label="people {people} %, networks {networks} %" style="--p: {people}; --n: {networks}"'
        cells += f'<div>{image}<p class="named" role="img" {said}>{ends}</p></div>'
    html = f'<figure class="pictures"><figcaption>{escape(title)}</figcaption><section>{cells}</section></figure>'
    return Table(html, f"{title}: {', '.join(SETS[name] for name in named.index)}")
