"""Charts of the chapter on the pictures: a photograph under distortions, and how often others like it were named."""

from collections.abc import Mapping
from html import escape
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from erralign.errors import check_choice
from erralign.errors.labels import check_same_length
from erralign.plot.colours import MAGENTA
from erralign.plot.grammar import Plot, entitle, layer, names, shares
from erralign.plot.tables import Table
from erralign.plot.theme import FAMILIES, WHOSE
from erralign_book.charts.error_consistency import SETS
from erralign_book.charts.grammar import beside_each_other, slider
from erralign_book.charts.pictures import webp

SEEN_BY: Final = {"people": WHOSE["people"], "networks": FAMILIES["CNN"]}
SIDE: Final = 160  # pixels of the picture on the page
BEGIN: Final = ("weakest", "middle", "strongest")
UNITS: Final = {"contrast": "contrast, in %", "low-pass": "blur, in pixels"}
HERE: Final = "datum.strength === step"
Pictures = Mapping[str, np.ndarray]  # what a picture is called, from the weakest strength on -> its pixels


def curves(kinds: Mapping[str, Pictures], accuracy: pd.DataFrame, title: str, *, begin: str) -> alt.ConcatChart:
    """Show a photograph at a strength that the reader chooses, and below it how many such pictures were named."""
    check_choice("begin", begin, BEGIN)
    panels = [_panel(accuracy[accuracy["data_set"] == name], pictures, UNITS[name]) for name, pictures in kinds.items()]
    (most,) = {len(pictures) for pictures in kinds.values()}
    step = slider("step", "step", round(1 + BEGIN.index(begin) / 2 * (most - 1)), (1, most), 1)
    about = "A photograph at a chosen strength, and below it accuracies of people and networks with 95 % intervals."
    return entitle(beside_each_other(panels, 2).add_params(step), title, about)


def _panel(accuracy: pd.DataFrame, pictures: Pictures, unit: str) -> alt.VConcatChart:
    labels = dict(enumerate(pictures, start=1))
    check_same_length(pictures=np.array(list(labels)), conditions=accuracy["strength"].unique())
    rows = accuracy.replace({"group": {"CNN": "networks"}}).assign(shown=accuracy["strength"].map(labels))
    rows = rows.loc[rows["group"].isin(SEEN_BY), ["strength", "shown", "group", "accuracy", "low", "high"]]
    y = shares("accuracy", "named correctly", ends=(0, 1), grid=True)
    hover = ["group", alt.Tooltip("shown", title=unit), "accuracy", "low", "high"]
    x = names("shown", list(pictures), unit, labelAngle=0)
    plot = Plot(rows, x, y, look=("group", SEEN_BY), hover=hover, columns=0, digits=3)
    here = alt.Chart(rows).transform_filter(HERE).encode(alt.X(**x), y=alt.value(-9))
    plot.draw(here.mark_point(shape="triangle-down", filled=True, size=110, color=MAGENTA)).spans(
        strokeWidth=1
    ).lines().points(70)
    wide = rows.pivot(index="strength", columns="group", values="accuracy")
    apart = rows[rows["strength"] == (wide["people"] - wide["networks"]).abs().idxmax()].sort_values("accuracy")
    for (align, dx), (_, named) in zip((("right", -9), ("left", 9)), apart.groupby("accuracy"), strict=True):
        plot.words("group", named, align=align, dx=dx, dy=-dx, fontSize=14, fontWeight="bold")
    shown = pd.DataFrame({"strength": list(labels), "url": [webp(each) for each in pictures.values()]})
    ends = {"x": alt.value(0), "x2": alt.value(SIDE), "y": alt.value(0), "y2": alt.value(SIDE)}
    photograph = alt.Chart(shown).transform_filter(HERE).mark_image().encode(**ends, url="url:N")
    above = layer(photograph).properties(width=SIDE, height=SIDE)
    return alt.vconcat(above, plot.drawn().properties(width=258, height=200))


def sheet(examples: Mapping[str, tuple[np.ndarray, str]], title: str) -> Table:
    """Show a photograph under some distortions, each by the name of its set, with what was done to it."""
    cells = "".join(
        f'<div><img src="{webp(pixels)}" alt="{SETS[name]}" width="224" height="224"><b>{SETS[name]}</b>'
        f"<p>{name.replace('-', ' ').replace('nI', 'n I')}: {escape(about)}</p></div>"
        for name, (pixels, about) in examples.items()
    )
    fold = f"<details><summary>Show them</summary><section>{cells}</section></details>"
    html = f'<figure class="pictures"><figcaption>{escape(title)}</figcaption><div>{fold}</div></figure>'
    return Table(html, f"{title}: {', '.join(SETS[name] for name in examples)}")
