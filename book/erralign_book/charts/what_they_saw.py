"""Charts of the chapter on the pictures: a photograph under a distortion, and how often it was recognised."""

from base64 import b64encode
from collections.abc import Mapping
from io import BytesIO
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from erralign.errors import check_choice, check_same_length
from erralign.plot.colours import GREY
from erralign.plot.parts import entitle, layer, whisker
from erralign.plot.theme import FAMILIES, WHOSE, colour, legend
from erralign_book.charts.parts import DASHED, beside_each_other, marked, slider
from erralign_book.distortions.light import check_picture

SEEN_BY: Final = {"people": WHOSE["people"], **{family: FAMILIES[family] for family in ("CNN", "ViT", "Large")}}
SIDE: Final = 224  # pixels of the picture on the page
PANEL: Final = (290, 224)
QUALITY: Final = 72  # of JPEG: noise takes half the bytes of a PNG, and the rest far less
BEGIN: Final = ("weakest", "middle", "strongest")


def distorted(
    pictures: Mapping[str, np.ndarray],
    accuracy: pd.DataFrame,
    name: str,
    unit: str,
    *,
    begin: str = "middle",
    title: str | None = None,
) -> alt.ConcatChart:
    """Show a picture under a distortion whose strength the reader moves, beside how often others like it were named."""
    labels = list(pictures)
    check_choice("begin", begin, BEGIN)
    check_same_length(pictures=np.array(labels), conditions=accuracy["strength"].unique())
    first = round(1 + BEGIN.index(begin) / 2 * (len(labels) - 1))
    steps = slider("step", "strength", first, (1, len(labels)), 1)
    shown = beside_each_other([_picture(pictures), _accuracy(accuracy, labels, unit)], 2).add_params(steps)
    about = f"Left, a photograph at a chosen strength; right, accuracy of {', '.join(SEEN_BY)} with 95 % intervals."
    return entitle(shown, title or _title(name, accuracy), about)


def _title(name: str, accuracy: pd.DataFrame) -> str:
    by_group = accuracy.sort_values("strength").groupby("group")["accuracy"]
    words = by_group.agg(["first", "last"]).map(lambda share: f"{100 * share:.0f} %")
    (first, last), (of_cnn, last_of_cnn) = words.loc[["people", "CNN"]].to_numpy()
    return f"{name}: people go from {first} to {last}, CNNs from {of_cnn} to {last_of_cnn}"


def _picture(pictures: Mapping[str, np.ndarray]) -> alt.LayerChart:
    rows = [
        {"strength": place, "label": label, "url": _jpeg(picture)}
        for place, (label, picture) in enumerate(pictures.items(), start=1)
    ]
    base = alt.Chart(pd.DataFrame(rows)).transform_filter("datum.strength === step")
    middle, below = alt.value(SIDE / 2), alt.value(SIDE)
    photograph = base.mark_image(width=SIDE, height=SIDE).encode(x=middle, y=middle, url="url:N")
    words = base.mark_text(dy=14, fontSize=13, color=GREY).encode(x=middle, y=below, text="label:N")
    return layer(photograph, words).properties(width=SIDE, height=SIDE)


def _jpeg(picture: np.ndarray) -> str:
    """Return a picture as an address that holds it."""
    from PIL import Image

    light = np.round(255 * check_picture("picture", picture)).astype(np.uint8)
    file = BytesIO()
    Image.fromarray(light).save(file, "JPEG", quality=QUALITY, optimize=True)
    return f"data:image/jpeg;base64,{b64encode(file.getvalue()).decode()}"


def _accuracy(accuracy: pd.DataFrame, labels: list[str], unit: str) -> alt.LayerChart:
    words = dict(enumerate(labels, start=1))
    rows = accuracy[["strength", "group", "accuracy", "low", "high"]].round(3)
    rows = rows.assign(condition=rows["strength"].map(words))
    base = alt.Chart(rows).encode(
        alt.X("condition:N", title=unit, sort=labels, axis=alt.Axis(labelAngle=0, labelOverlap=True)),
        colour("group", SEEN_BY, legend=legend(columns=4)),
    )
    y = alt.Y("accuracy:Q", title="named correctly", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    points = marked(base, "group", SEEN_BY, size=50, legend=legend(columns=4))
    points = points.encode(y, tooltip=["group", "condition", "accuracy", "low", "high"])
    here = base.transform_filter("datum.strength === step").mark_rule(strokeDash=DASHED).encode(color=alt.value(GREY))
    lines = layer(here, whisker(base, "named correctly"), base.mark_line().encode(y), points)
    return lines.properties(width=PANEL[0], height=PANEL[1])
