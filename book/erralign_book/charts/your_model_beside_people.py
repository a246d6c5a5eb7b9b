"""Charts of the chapter on running a model: beside people, under other choices, with fewer pictures."""

import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape

import altair as alt
import pandas as pd

from erralign.errors import check_caption
from erralign.measures import words_of
from erralign.plot.parts import dots, finish, layer, selector
from erralign.plot.tables import Table
from erralign.plot.theme import colour, shape
from erralign_book.charts.looks import cases
from erralign_book.charts.parts import line_through, span

ROW = 24


def pictures(files: Mapping[str, bytes], words: Sequence[str], caption: str) -> Table:
    """Show pictures side by side, each with words below it."""
    check_caption(caption)
    named = [(name, text, b64encode(files[name]).decode()) for name, text in zip(files, words, strict=True)]
    shown = "".join(
        f'<figure><img alt="{escape(name)}: {escape(text)}" src="data:image/png;base64,{content}">'
        f"<figcaption>{escape(text)}</figcaption></figure>"
        for name, text, content in named
    )
    html = f'<figure class="pictures"><figcaption>{escape(caption)}</figcaption><div>{shown}</div></figure>'
    return Table(html, "\n".join([caption, *(f"{name}: {text}" for name, text, _ in named)]))


def changed_by(differences: pd.DataFrame, title: str, *, start: str = "EC") -> alt.LayerChart:
    """Draw by how much each change of one thing moves a measure."""
    measures, looks = list(differences["measure"].unique()), cases(differences["changed"])
    ends = [math.floor(20 * differences["low"].min()) / 20, math.ceil(20 * differences["high"].max()) / 20]
    chosen = alt.Chart(differences.round(4)).transform_filter("datum.measure === measure")
    base = chosen.encode(
        alt.Y("change:N", title=None, sort=list(differences["change"].unique()), axis=alt.Axis(labelLimit=240)),
        colour("changed", looks),
        tooltip=["change", *(alt.Tooltip(column, format=".3f") for column in ("difference", "low", "high"))],
    )
    x = alt.X("difference:Q", title="how much the value moves")
    bars, points = span(base, x.scale(domain=ends), strokeWidth=3), dots(base, 60).encode(x, shape("changed", looks))
    drawn = layer(line_through(0, x, strokeWidth=1.5), bars, points)
    menu = selector("measure", measures, start, "measure", words=[words_of(name) for name in measures])
    about = f"Differences of {', '.join(measures)} with 95 % intervals, one measure at a time."
    return finish(drawn.add_params(menu), title, about, ROW * differences["change"].nunique())
