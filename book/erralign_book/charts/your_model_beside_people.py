"""What the chapter on running a model shows: pictures with two answers each, and values under other choices."""

import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape

import altair as alt
import pandas as pd

from erralign.measures import words_of
from erralign.plot.colours import BLACK
from erralign.plot.html import Table, check_caption
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.marks import Plot, names, numbers
from erralign_book.charts.pictures import figure

ROW = 24  # pixels


def pictures(files: Mapping[str, bytes], words: Sequence[str], caption: str) -> Table:
    """Show pictures side by side, each with words below it."""
    check_caption(caption)
    named = [(name, text, b64encode(files[name]).decode()) for name, text in zip(files, words, strict=True)]
    figures = "".join(
        f'<figure><img alt="{escape(name)}: {escape(text)}" src="data:image/png;base64,{content}">'
        f"<figcaption>{escape(text)}</figcaption></figure>"
        for name, text, content in named
    )
    return Table(
        figure(figures, caption, credit=""), "\n".join([caption, *(f"{name}: {text}" for name, text, _ in named)])
    )


def changed_by(differences: pd.DataFrame, title: str, *, start: str = "EC") -> alt.LayerChart:
    """Draw by how much each change of one thing moves a measure; what is changed is the heading of its rows."""
    measures = list(differences["measure"].unique())
    ends = [math.floor(20 * differences["low"].min()) / 20, math.ceil(20 * differences["high"].max()) / 20]
    hover = ["change", *(alt.Tooltip(column, format=".3f") for column in ("difference", "low", "high"))]
    x = numbers("difference", "how much the value moves", scale={"domain": ends})
    headed = differences.groupby("changed", sort=False)["change"].unique()
    rows = [row for heading, changes in headed.items() for row in (heading, *changes)]
    weight = {"condition": {"test": f"indexof({list(headed.index)}, datum.value) < 0", "value": 400}, "value": 700}
    y = names("change", rows, scale={"domain": rows}, labelLimit=240, labelFontWeight=weight)
    plot = Plot(differences, x, y, hover=hover, where="datum.measure === measure")
    plot.menu("measure", measures, start, "measure", [words_of(name) for name in measures])
    about = f"Differences of {', '.join(measures)} with 95 % intervals, one measure at a time."
    diamonds(plot.level(0).spans(color=BLACK), 110)
    return plot.done(title, about, ROW * len(rows), "filled: the interval leaves out 0")
