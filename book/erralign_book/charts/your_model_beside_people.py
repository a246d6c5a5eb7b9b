"""Charts of the chapter on running a model: beside people, under other choices, with fewer pictures."""

import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape

import altair as alt
import pandas as pd

from erralign.measures import words_of
from erralign.plot.colours import BLACK, INK, MAGENTA, ORANGE
from erralign.plot.grammar import Plot, entitle, names, numbers, selector
from erralign.plot.html import Table, check_caption
from erralign.plot.theme import KINDS
from erralign_book.charts.grammar import beside_each_other, diamonds
from erralign_book.charts.looks import BY_SHAPE
from erralign_book.charts.pictures import figure

ROW, WIDTH, HEIGHT = 24, 180, 330  # pixels: a row; a panel
MEASURES, WHO = ("EC", "MA", "CLES"), {"model-human": "people", "model-model": "networks"}


def pictures(files: Mapping[str, bytes], words: Sequence[str], caption: str) -> Table:
    """Show pictures side by side, each with words below it."""
    check_caption(caption)
    named = [(name, text, b64encode(files[name]).decode()) for name, text in zip(files, words, strict=True)]
    shown = "".join(
        f'<figure><img alt="{escape(name)}: {escape(text)}" src="data:image/png;base64,{content}">'
        f"<figcaption>{escape(text)}</figcaption></figure>"
        for name, text, content in named
    )
    return Table(
        figure(shown, caption, credit=""), "\n".join([caption, *(f"{name}: {text}" for name, text, _ in named)])
    )


def beside(pairs: pd.DataFrame, networks: Sequence[str], title: str) -> alt.ConcatChart:
    """Draw a network, the reader's choice, with each person and each other network, in a panel per measure."""
    swapped = pairs.rename(columns={"system_a": "system_b", "system_b": "system_a"})
    rows = pd.concat([swapped, pairs]).rename(columns={"system_b": "own", "system_a": "with"}).query("own in @networks")
    panels = list[alt.LayerChart]()
    for measure in MEASURES:
        part = rows[["own", "with", "kind"]].assign(value=rows[measure])
        part[["low", "high"]] = rows[[f"{measure}_low", f"{measure}_high"]]
        part = part.sort_values(["kind", "value"], ascending=[True, False])
        part["place"] = part.groupby("own").cumcount() + part["kind"].map({"model-human": 2, "model-model": 4})
        heads = part[part["own"] == networks[0]].groupby("kind").agg(n=("place", "size"), place=("place", "min"))
        heads["label"] = "with " + heads["n"].astype(str) + " " + heads.index.map(WHO)
        heads["place"] -= 1.4
        axes = numbers("value", measure, tickCount=4), numbers("place", ends=(part["place"].max() + 1, 0))
        plot = Plot(part, axes[0], axes[1] | {"axis": None}, look=("kind", KINDS), columns=0, where="datum.own === own")
        plot.hover = ["with", "value", "low", "high"]
        plot.spans(along="x").points(40).where = ""
        plot.words("label", heads, x=0, align="left", color=INK, fontSize=13, fontWeight="bold")
        panels.append(plot.drawn().properties(width=WIDTH, height=HEIGHT))
    about = f"{', '.join(MEASURES)} of a network with each person and each other network, with intervals."
    chart = entitle(beside_each_other(panels, len(panels)), title, about, subtitle="lines: 95 % intervals")
    return chart.add_params(selector("own", list(networks), networks[0], "network"))


def shape_bias(systems: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of systems with people against their shape bias, and write beside the marks whose they are."""
    hover = ["system", "group", alt.Tooltip("shape_bias", format=".3f"), alt.Tooltip("EC", format=".3f")]
    axes = numbers("shape_bias", "shape bias", ends=(0, 1.04)), numbers("EC", "mean EC with people")
    plot = Plot(systems, *axes, look=("group", BY_SHAPE), hover=hover, columns=0)
    nets = systems[systems["group"] == "networks"].nlargest(2, "shape_bias")
    top = systems[systems["group"] == "people"].nlargest(1, "EC")
    own = systems[systems["group"] == "yours"].nsmallest(1, "EC")
    plot.points(70).points(100, systems[systems["group"] == "yours"])
    for rows, label, looks in (
        (top, "people", {"color": ORANGE, "dx": -12, "align": "right"}),
        (nets[:1], "ResNet-50 on redrawn pictures", {"color": INK, "dx": -12, "align": "right"}),
        (nets[1:], "other published networks", {"color": INK, "dx": 12, "dy": 10, "align": "left"}),
        (own, "Lite0, Lite1 and Lite2", {"color": MAGENTA, "dy": 16, "align": "left"}),
    ):
        plot.words("label", rows.assign(label=label), fontWeight="bold", **looks)
    return plot.done(title, f"Mean EC with people of {len(systems)} systems, by shape bias.", 300)


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
