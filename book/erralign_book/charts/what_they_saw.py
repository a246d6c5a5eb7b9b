"""Charts of the chapter on the pictures: a photograph under distortions, and how often others like it were named."""

from base64 import b64encode
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import altair as alt
import numpy as np
import pandas as pd

from erralign.errors import check_choice, check_same_length
from erralign.plot.assets import place
from erralign.plot.colours import GREY
from erralign.plot.parts import entitle, layer, whisker
from erralign.plot.theme import FAMILIES, WHOSE, colour
from erralign_book.charts.looks import OUTCOMES, RIGHT
from erralign_book.charts.parts import DASHED, beside_each_other, marked, slider, spread, written
from erralign_book.distortions.light import check_picture

SEEN_BY: Final = {"people": WHOSE["people"], **{family: FAMILIES[family] for family in ("CNN", "ViT", "Large")}}
SIDE: Final = 224  # pixels of the picture on the page
QUALITY: Final = 72  # of JPEG: noise takes half the bytes of a PNG, and the rest far less
BEGIN: Final = ("weakest", "middle", "strongest")
GAP: Final = 16  # pixels between the names of lines
LOWEST: Final = 0.6  # where the axis of slopes begins
BESIDE: Final = f"Left, a photograph at a chosen strength; right, accuracy of {', '.join(SEEN_BY)} with 95 % intervals."
WHOLE: Final[dict[str, Any]] = {  # of a panel
    **dict.fromkeys(("x", "y"), alt.value(0)),
    "x2": alt.value("width"),
    "y2": alt.value("height"),
}
Pictures = Mapping[str, np.ndarray]  # what a picture is called, from the weakest strength on -> its pixels


def distorted(
    pictures: Pictures, accuracy: pd.DataFrame, name: str, unit: str, *, begin: str = "middle"
) -> alt.ConcatChart:
    """Show a picture under a distortion whose strength the reader moves, beside how often others like it were named."""
    panels = beside_each_other(_picture_and_curves(pictures, accuracy, unit, SIDE, 300), 2)
    by_group = accuracy.sort_values("strength").groupby("group")["accuracy"]
    words = by_group.agg(["first", "last"]).map(lambda share: f"{100 * share:.0f} %")
    (first, last), (of_cnn, last_of_cnn) = words.loc[["people", "CNN"]].to_numpy()
    title = f"{name}: people go from {first} to {last}, CNNs from {of_cnn} to {last_of_cnn}"
    return entitle(panels.add_params(*_strength(pictures, unit, begin)), title, BESIDE)


def dissolving(pictures: Pictures, accuracy: pd.DataFrame, unit: str, title: str) -> alt.HConcatChart:
    """Show the same so small that picture and curves are beside each other on a phone, too."""
    panels = alt.hconcat(*_picture_and_curves(pictures, accuracy, unit, 180, 210), spacing=8)
    return entitle(panels.add_params(*_strength(pictures, unit, "middle")), title, BESIDE)


def _picture_and_curves(
    pictures: Pictures, accuracy: pd.DataFrame, unit: str, side: int, width: int
) -> list[alt.LayerChart]:
    return [_chosen(pictures, side), _accuracy(accuracy, pictures, unit, (width, side), moves=True)]


def _chosen(pictures: Pictures, side: int) -> alt.LayerChart:
    return _picture(pictures, side).transform_filter("datum.strength === step")


def eidolons(
    kinds: Mapping[str, Pictures], accuracy: pd.DataFrame, unit: str, title: str, *, begin: str = "middle"
) -> alt.ConcatChart:
    """Show kinds of eidolons, such as "III", under one slider, each above how often others like it were named."""
    panels: list[alt.VConcatChart] = []
    of = dict(list(accuracy.groupby("data_set")))
    for kind, pictures in kinds.items():
        curves = _accuracy(of[f"eidolon{kind}"], pictures, unit, (142, 140), moves=True)
        picture = _chosen(pictures, 142).properties(title=f"Eidolon {kind}")
        hidden = alt.Y(title=None, axis=alt.Axis(labels=False)) if panels else alt.Y()
        panels.append(alt.vconcat(picture, curves.encode(hidden), bounds="flush"))
    shown = beside_each_other(panels, len(panels)).add_params(*_strength(pictures, unit, begin))
    about = f"Above, eidolons {', '.join(kinds)} of a photograph; below, accuracy of {', '.join(SEEN_BY)}."
    return entitle(shown, title, about)


def before_and_after(rows: Mapping[str, Pictures], accuracy: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Show a picture before and after a distortion, with how often others like it were named in between."""
    panels: list[alt.LayerChart] = []
    of = dict(list(accuracy.groupby("data_set")))
    for data_set, pictures in rows.items():
        before, after = ({label: picture} for label, picture in pictures.items())
        slopes = _accuracy(of[data_set], pictures, None, (120, 160), lowest=LOWEST)
        panels += [_picture(before, 190), slopes, _picture(after, 190)]
    about = f"A photograph before and after; between, accuracy of {', '.join(SEEN_BY)} with 95 % intervals."
    return entitle(beside_each_other(panels, 3), title, about)


def shared_mistake(said: pd.DataFrame, side: int = SIDE) -> alt.HConcatChart:
    """Show a picture that most people and most networks took for the same other thing, and what each of them said."""
    (image,), (shows,), mistake = said["image"].unique(), said["shows"].unique(), said["answer"].iloc[0]
    groups = {group: said[["answer", group]].loc[said.index.repeat(said[group])] for group in ("people", "networks")}
    tiles = pd.concat([rows[["answer"]].assign(group=group) for group, rows in groups.items()])
    tiles = tiles.sort_values("answer", key=lambda answers: answers == shows, kind="stable")  # who is right comes last
    tiles["tile"] = tiles.groupby("group").cumcount()
    tiles["meaning"] = np.select([tiles["answer"] == mistake, tiles["answer"] == shows], ["mistake", "right"], "other")
    words = {
        group: f"{(rows['answer'] == mistake).sum()} of {len(rows)} {group} say “{mistake}”"
        for group, rows in groups.items()
    }
    shown = alt.hconcat(_stimulus(image, side), _unit_tiles(tiles, words, side), spacing=16)
    title = f"Most people and most networks call this {shows} a {mistake}"
    about = f"A black silhouette; a tile per person and network; {', '.join(words.values())}."
    return entitle(shown, title, about, subtitle="a tile each; lilac: wrong in another way; pale: right")


def _stimulus(image: str, side: int) -> alt.LayerChart:
    picture = place(f"stimuli/silhouettes/{Path(image).stem}.webp").read_bytes()
    url = f"data:image/webp;base64,{b64encode(picture).decode()}"
    base = alt.Chart(pd.DataFrame({"url": [url]})).encode(**WHOLE)
    frame = base.mark_rect(filled=False, stroke=GREY)
    return layer(base.mark_image().encode(url="url:N"), frame).properties(width=side, height=side)


def _unit_tiles(tiles: pd.DataFrame, words: Mapping[str, str], side: int) -> alt.LayerChart:
    same, other = OUTCOMES["both wrong, same answer"], OUTCOMES["both wrong, other answers"]
    looks = {"mistake": same, "other": other, "right": RIGHT}
    rows = alt.Chart(tiles.assign(words=tiles["group"].map(words)))
    across = alt.X("tile:O", axis=None, scale=alt.Scale(paddingInner=0.1, paddingOuter=0))
    down = alt.Y("group:N", axis=None, sort=list(words), scale=alt.Scale(paddingInner=0.6, paddingOuter=0.3))
    squares = rows.mark_rect(cornerRadius=2).encode(across, down, colour("meaning", looks, legend=None))
    squares = squares.encode(tooltip=["group", "answer"])
    first = rows.transform_filter("datum.tile === 0").mark_text(align="left", dy=-side / 6, fontSize=13)
    return layer(squares, first.encode(down, x=alt.value(0), text="words:N")).properties(width=1.25 * side, height=side)


def _strength(pictures: Pictures, unit: str, begin: str) -> tuple[alt.Parameter, alt.Parameter]:
    check_choice("begin", begin, BEGIN)
    first = round(1 + BEGIN.index(begin) / 2 * (len(pictures) - 1))
    return slider("step", unit, first, (1, len(pictures)), 1), written("step", list(pictures))


def _picture(pictures: Pictures, side: int) -> alt.LayerChart:
    """Draw pictures, as large as their panel, with the name of a single one below it."""
    rows = [
        {"strength": place, "url": _jpeg(picture), "label": label if len(pictures) == 1 else ""}
        for place, (label, picture) in enumerate(pictures.items(), start=1)
    ]
    base = alt.Chart(pd.DataFrame(rows))
    photograph = base.mark_image().encode(url="url:N", **WHOLE)
    words = base.mark_text(dy=14, fontSize=13, align="left", color=GREY)
    words = words.encode(x=WHOLE["x"], y=WHOLE["y2"], text="label:N")
    return layer(photograph, words).properties(width=side, height=side)


def _jpeg(picture: np.ndarray) -> str:
    """Return a picture as an address that holds it."""
    from PIL import Image

    light = np.round(255 * check_picture("picture", picture)).astype(np.uint8)
    file = BytesIO()
    Image.fromarray(light).save(file, "JPEG", quality=QUALITY, optimize=True)
    return f"data:image/jpeg;base64,{b64encode(file.getvalue()).decode()}"


def _accuracy(
    accuracy: pd.DataFrame,
    pictures: Pictures,
    unit: str | None,
    size: tuple[int, int],
    *,
    moves: bool = False,
    lowest: float = 0,
) -> alt.LayerChart:
    labels = list(pictures)
    check_same_length(pictures=np.array(labels), conditions=accuracy["strength"].unique())
    rows = accuracy[["strength", "group", "accuracy", "low", "high"]].round(3)
    rows = rows.assign(condition=rows["strength"].map(dict(enumerate(labels, start=1))))
    x = alt.X("condition:N", title=unit, sort=labels, axis=alt.Axis(labelAngle=0, labelOverlap=True))
    base = alt.Chart(rows).encode(x, colour("group", SEEN_BY, legend=None))
    scale = alt.Scale(domain=[lowest, 1], zero=False)
    y = alt.Y("accuracy:Q", title="named correctly", scale=scale, axis=alt.Axis(format="%"))
    points = marked(base, "group", SEEN_BY, 50, legend=None)
    points = points.encode(y, tooltip=["group", "condition", "accuracy", "low", "high"])
    here = base.transform_filter("datum.strength === step").mark_rule(strokeDash=DASHED).encode(color=alt.value(GREY))
    lines = [whisker(base, "named correctly"), base.mark_line().encode(y), points, _names(rows, GAP / size[1], lowest)]
    return layer(*([here] if moves else []), *lines).properties(width=size[0], height=size[1])


def _names(rows: pd.DataFrame, gap: float, lowest: float) -> alt.Chart:
    """Write the name of each line at its right end; lines that meet there come in the order in which they came."""
    by_group = rows.sort_values("strength").groupby("group")["accuracy"]
    order = (by_group.last() + 0.2 * by_group.mean()).sort_values().index
    places = spread(by_group.last()[order], gap * (1 - lowest), (lowest, 1))
    names = alt.Chart(pd.DataFrame({"group": order, "place": places.round(3)}))
    names = names.mark_text(align="left", dx=6, fontSize=12, fontWeight="bold")
    return names.encode(colour("group", SEEN_BY, legend=None), x=alt.value("width"), y="place:Q", text="group:N")
