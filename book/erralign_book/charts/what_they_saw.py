"""Charts of the chapter on the pictures: a photograph under distortions, and how often others like it were named."""

import json
from collections.abc import Mapping
from html import escape
from typing import Any, Final

import altair as alt
import numpy as np
import pandas as pd

from erralign.errors import check_choice, check_same_length
from erralign.plot.colours import GREY
from erralign.plot.grammar import CHOSEN, DASHED, Plot, entitle, layer, selector, shares
from erralign.plot.tables import Table
from erralign.plot.theme import FAMILIES, WHOSE
from erralign_book.charts.grammar import beside_each_other, slider
from erralign_book.charts.odd_one_out import drawing
from erralign_book.charts.pictures import figure, picture, webp

SEEN_BY: Final = {"people": WHOSE["people"], **{family: FAMILIES[family] for family in ("CNN", "ViT", "Large")}}
SIDE: Final = 224  # pixels of the picture on the page
BEGIN: Final = ("weakest", "middle", "strongest")
HERE: Final = "datum.strength === ceil(step * datum.last / steps)"  # what a slider of so many steps shows
UNITS: Final = {"contrast": "contrast", "low-pass": "blur", "high-pass": "blur of the copy that is taken away"}
NAMES: Final = {"uniform-noise": "noise", "low-pass": "blur (low-pass)"}
UNITS["uniform-noise"] = "width of the noise"
BESIDE: Final = f"Left, a photograph at a chosen strength; right, accuracy of {', '.join(SEEN_BY)} with 95 % intervals."
Pictures = Mapping[str, np.ndarray]  # what a picture is called, from the weakest strength on -> its pixels


def strip(pictures: Pictures, title: str) -> Table:
    """Show a photograph at all strengths of a distortion, side by side."""
    image = '<div><img src="{}" alt="{}" width="112" height="112"><b>{}</b></div>'.format
    small = {name: webp(pixels[::2, ::2]) for name, pixels in pictures.items()}
    shown = "".join(image(address, escape(f"{title}: {name}"), name) for name, address in small.items())
    html = f'<figure class="pictures strip"><figcaption>{escape(title)}</figcaption><div>{shown}</div></figure>'
    return Table(html, f"{title}: {', '.join(pictures)}")


def menu(
    kinds: Mapping[str, Pictures], accuracy: pd.DataFrame, title: str, *, begin: str = "middle"
) -> alt.ConcatChart:
    """Show the same for the distortion that the reader chooses: each is a data set, with pictures of its own."""
    (shown, curves), params = _picture_and_curves(kinds, accuracy, begin)
    units = pd.DataFrame({"data_set": list(kinds), "unit": [UNITS.get(name, "strength") for name in kinds]})
    unit = alt.Chart(units).transform_filter(CHOSEN).mark_text(fontSize=12, baseline="top")
    unit = unit.encode(x=alt.value(185), y=alt.value(SIDE + 27), text="unit:N")
    both = beside_each_other([shown, layer(curves, unit)], 2).add_params(*params)
    own: Any = dict.fromkeys(("color", "fill", "shape"), "independent")  # the legend is in the corner of the curves
    return entitle(both.resolve_legend(**own), title, BESIDE)


def _picture_and_curves(
    kinds: Mapping[str, Pictures], accuracy: pd.DataFrame, begin: str
) -> tuple[list[alt.LayerChart], list[alt.Parameter]]:
    """Draw the photograph and the curves, with a slider of the strength and a menu of the distortion.

    What is written on the axis, an expression lists by strength; the page shows it in place of the slider's number.
    """
    rows = pd.concat([_rows(accuracy[accuracy["data_set"] == name], kind) for name, kind in kinds.items()])
    written = f"{json.dumps({name: list(kind) for name, kind in kinds.items()}, ensure_ascii=False)}[data_set]"
    axis: Any = {"labelAngle": 0, "labelOverlap": True, "labelSeparation": 4}
    axis |= {"labelExpr": f"{written}[datum.value - 1]"}
    x: Any = {"shorthand": "strength:O", "title": " ", "axis": axis}
    y = shares("accuracy", "named correctly", scale={"domain": [0, 1]}, grid=True)
    hover = ["group", "condition", "accuracy", "low", "high"]
    plot = Plot(rows, x, y, look=("group", SEEN_BY), hover=hover, where=CHOSEN, corner="bottom-left")
    here = alt.Chart(rows).transform_filter(f"{CHOSEN} && {HERE}").mark_rule(strokeDash=DASHED, color=GREY)
    plot.draw(here.encode(alt.X(**x)))
    curves = plot.spans(strokeWidth=1).lines().points(70).drawn().properties(width=370, height=SIDE)
    most = max(map(len, kinds.values()))
    words = f"{written}[ceil(step * length({written}) / steps) - 1]"
    named = [NAMES.get(name, name.replace("nI", "n I")) for name in kinds]  # eidolon III, as prose writes it
    params = [
        selector("data_set", list(kinds), next(iter(kinds)), "distortion", words=named),
        slider("step", "strength", _first(most, begin), (1, most), 1),
        alt.param(name="steps", value=most),
        alt.param(name="step_words", expr=words),
    ]
    shown = pd.concat([_shown(kind).assign(data_set=name) for name, kind in kinds.items()])
    return [_drawn(alt.Chart(shown).transform_filter(CHOSEN)), curves], params


def kinds_of_pictures(kinds: pd.DataFrame, photograph: np.ndarray, title: str) -> Table:
    """Show a picture of each kind, how it was made, and on a line how often people and CNNs named such pictures."""
    scale = '<p class="scale"><span>0 %</span><span>named correctly</span><span>100 %</span></p>'
    rows = "".join(_kind(row, photograph, place == 0) for place, row in enumerate(kinds.to_dict("records")))
    return Table(figure(scale + rows, title), kinds.drop(columns="picture").to_string(index=False))


def _kind(row: dict, photograph: np.ndarray, named: bool) -> str:
    about = f"an example of {row['kind']}"
    if row["picture"] == "photograph":
        shown = f'<img src="{webp(photograph)}" alt="{about}" width="224" height="224">'
    elif row["picture"] == "drawing":  # of ours, in place of theirs, whose licences do not let us show them
        shown = drawing("cat")
    else:
        shown = picture(f"stimuli/{row['picture']}", about)
    ends = sorted({"people": row["people"], "machines": row["CNNs"]}.items(), key=lambda end: end[1])
    names = {"people": "people ", "machines": "CNNs "} if named else {"people": "", "machines": ""}
    marks = "".join(
        f'<i class="{whose} {side}" style="--at:{value:.1f}%"><b>{names[whose]}{value:.0f}&nbsp;%</b></i>'
        for side, (whose, value) in zip(("left", "right"), ends, strict=True)
    )
    bar = f'<s style="--from:{ends[0][1]:.1f}%;--to:{ends[1][1]:.1f}%"></s>'
    track = f'<p class="track">{bar}{marks}</p>'
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
