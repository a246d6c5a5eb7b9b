"""Charts of the chapter on the pictures: a photograph under distortions, and how often others like it were named."""

import json
from collections.abc import Mapping
from typing import Any, Final

import altair as alt
import numpy as np
import pandas as pd

from erralign.errors import check_choice, check_same_length
from erralign.plot.colours import GREY
from erralign.plot.grammar import CHOSEN, DASHED, Plot, entitle, layer, selector, shares
from erralign.plot.tables import Table
from erralign.plot.theme import FAMILIES, WHOSE
from erralign_book.charts.grammar import beside_each_other, slider, spread
from erralign_book.charts.odd_one_out import drawing
from erralign_book.charts.pictures import figure, picture, webp

SEEN_BY: Final = {"people": WHOSE["people"], **{family: FAMILIES[family] for family in ("CNN", "ViT", "Large")}}
SIDE: Final = 224  # pixels of the picture on the page
BEGIN: Final = ("weakest", "middle", "strongest")
GAP: Final = 16  # pixels between the names of lines
HERE: Final = "datum.strength === ceil(step * datum.last / steps)"  # what a slider of so many steps shows
UNITS: Final = {"contrast": "contrast", "low-pass": "blur", "high-pass": "blur of the copy that is taken away"}
BESIDE: Final = f"Left, a photograph at a chosen strength; right, accuracy of {', '.join(SEEN_BY)} with 95 % intervals."
Pictures = Mapping[str, np.ndarray]  # what a picture is called, from the weakest strength on -> its pixels


def distorted(
    pictures: Pictures, accuracy: pd.DataFrame, unit: str, title: str, *, begin: str = "middle"
) -> alt.ConcatChart:
    """Show a picture under a distortion whose strength the reader moves, beside how often others like it were named."""
    panels, params = _picture_and_curves({str(accuracy["data_set"].iloc[0]): pictures}, accuracy, unit, begin)
    return entitle(beside_each_other(panels, 2).add_params(*params), title, BESIDE)


def menu(
    kinds: Mapping[str, Pictures], accuracy: pd.DataFrame, title: str, *, begin: str = "middle"
) -> alt.ConcatChart:
    """Show the same for the distortion that the reader chooses: each is a data set, with pictures of its own."""
    (shown, curves), params = _picture_and_curves(kinds, accuracy, "setting", begin)
    units = pd.DataFrame({"data_set": list(kinds), "unit": [UNITS.get(name, "strength") for name in kinds]})
    unit = alt.Chart(units).transform_filter(CHOSEN).mark_text(fontSize=12, baseline="top")
    unit = unit.encode(x=alt.value(150), y=alt.value(SIDE + 27), text="unit:N")
    return entitle(beside_each_other([shown, layer(curves, unit)], 2).add_params(*params), title, BESIDE)


def _picture_and_curves(
    kinds: Mapping[str, Pictures],
    accuracy: pd.DataFrame,
    unit: str,
    begin: str,
) -> tuple[list[alt.LayerChart], list[alt.Parameter]]:
    """Draw the photograph and the curves, with a slider of the strength and, of several, a menu of the distortion.

    What is written on the axis, an expression lists by strength; the page shows it in place of the slider's number.
    """
    rows = pd.concat([_rows(accuracy[accuracy["data_set"] == name], kind) for name, kind in kinds.items()])
    names = pd.concat([places(rows[rows["data_set"] == name]).assign(data_set=name) for name in kinds])
    written = f"{json.dumps({name: list(kind) for name, kind in kinds.items()}, ensure_ascii=False)}[data_set]"
    axis: Any = {"labelAngle": 0, "labelOverlap": True, "labelSeparation": 4}
    axis |= {"labelExpr": f"{written}[datum.value - 1]"}
    x: Any = {"shorthand": "strength:O", "title": unit if len(kinds) == 1 else " ", "axis": axis}
    y = shares("accuracy", "named correctly", scale={"domain": [0, 1]}, grid=True)
    hover = ["group", "condition", "accuracy", "low", "high"]
    plot = Plot(rows, x, y, look=("group", SEEN_BY), hover=hover, where=CHOSEN, columns=0)
    here = alt.Chart(rows).transform_filter(f"{CHOSEN} && {HERE}").mark_rule(strokeDash=DASHED, color=GREY)
    plot.draw(here.encode(alt.X(**x)))
    ends = alt.Chart(names).transform_filter(CHOSEN).encode(x=alt.value("width"), y="place:Q")
    words = ends.mark_text(align="left", dx=18, fontSize=12, fontWeight="bold").encode(text="group:N", **plot.colour)
    marks = ends.mark_point(filled=True, opacity=1, size=50, xOffset=10).encode(**plot.shape)
    curves = plot.spans(strokeWidth=1).lines().points(50).draw(words, marks).drawn().properties(width=300, height=SIDE)
    most = max(map(len, kinds.values()))
    words = f"{written}[ceil(step * length({written}) / steps) - 1]"
    named = [name.replace("nI", "n I") for name in kinds]  # eidolon III, as prose writes it
    params = [
        selector("data_set", list(kinds), next(iter(kinds)), "distortion", words=named),
        slider("step", unit, _first(most, begin), (1, most), 1),
        alt.param(name="steps", value=most),
        alt.param(name="step_words", expr=words),
    ]
    shown = pd.concat([_shown(kind).assign(data_set=name) for name, kind in kinds.items()])
    return [_drawn(alt.Chart(shown).transform_filter(CHOSEN)), curves], params


def kinds_of_pictures(kinds: pd.DataFrame, photograph: np.ndarray, title: str) -> Table:
    """Show a picture of each kind, how it was made, and on a line how often people and CNNs named such pictures."""
    rows = "".join(_kind(row, photograph) for row in kinds.to_dict("records"))
    rows += '<p class="scale"><span>0 %</span><span>named correctly</span><span>100 %</span></p>'
    return Table(figure(rows, title), kinds.drop(columns="picture").to_string(index=False))


def _kind(row: dict, photograph: np.ndarray) -> str:
    about = f"an example of {row['kind']}"
    if row["picture"] == "photograph":
        shown = f'<img src="{webp(photograph)}" alt="{about}" width="224" height="224">'
    elif row["picture"] == "drawing":  # of ours, in place of theirs, whose licences do not let us show them
        shown = drawing("cat")
    else:
        shown = picture(f"stimuli/{row['picture']}", about)
    groups = {"people": "people", "machines": "CNNs"}
    marks = "".join(f'<i class="{whose}" style="--at:{row[words]:.1f}%"></i>' for whose, words in groups.items())
    said = ", ".join(f'<b class="{whose}">{words} {row[words]:.0f}&nbsp;%</b>' for whose, words in groups.items())
    track = f'<p class="track">{marks}</p><p>{said}</p>'
    return f'<div class="kind">{shown}<div><p><b>{row["kind"]}</b>: {row["made"]}</p>{track}</div></div>'


def _first(last: int, begin: str) -> int:
    check_choice("begin", begin, BEGIN)
    return round(1 + BEGIN.index(begin) / 2 * (last - 1))


def _shown(pictures: Pictures) -> pd.DataFrame:
    """Return the address of each picture by its strength, and the last strength, beyond which no slider leads."""
    urls = [webp(picture) for picture in pictures.values()]
    return pd.DataFrame({"strength": range(1, len(urls) + 1), "last": len(urls), "url": urls})


def _drawn(base: alt.Chart) -> alt.LayerChart:
    start, across, down = alt.value(0), alt.value("width"), alt.value("height")
    photograph = base.transform_filter(HERE).mark_image().encode(x=start, x2=across, y=start, y2=down, url="url:N")
    return layer(photograph).properties(width=SIDE, height=SIDE)


def _rows(accuracy: pd.DataFrame, pictures: Pictures) -> pd.DataFrame:
    labels = dict(enumerate(pictures, start=1))
    check_same_length(pictures=np.array(list(labels)), conditions=accuracy["strength"].unique())
    rows = accuracy[["data_set", "strength", "group", "accuracy", "low", "high"]].round(3)
    return rows.assign(condition=rows["strength"].map(labels), last=len(labels))


def places(rows: pd.DataFrame) -> pd.DataFrame:
    """Place the name of each line at its right end; lines that meet there come in the order in which they came."""
    by_group = rows.sort_values("strength").groupby("group")["accuracy"]
    order = (by_group.last() + 0.2 * by_group.mean()).sort_values().index
    return pd.DataFrame({"group": order, "place": spread(by_group.last()[order], GAP / SIDE).round(3)})
