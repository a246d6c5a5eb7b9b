"""How far two people are ahead of other pairs, on three kinds of pictures and with three groups of networks."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, SILVER
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS as PAIRS
from erralign.plot.theme import number, with_interval
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import OF_XU
from erralign_book.papers.klein2025.kinds import LARGER, OTHERS
from erralign_book.sources.photograph import cat

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
# Pixels: of a line, above the first of a block for its head, and at the left for words, which a phone has above lines.
LINE, HEAD, GUTTER, PHONE = 46, 36, 240, "width < 500"
APART = 0.8  # on the axis, from the 0 of values to that of leads
LOOKS = dict(zip(("two people", "mixed pair", "two networks"), PAIRS.values(), strict=True))
LEFT: Options = {"align": "left", "color": INK, "fontSize": 13}
UNDER = "diamond: the lead of two people, filled if its interval leaves out 0"
NETWORKS = {OF_XU: "22 networks", OTHERS: "25 other networks", LARGER: "ten 100-million networks"}


def kinds() -> Table:
    """Show a picture of each kind, with its name; of the first the answer is known, of the others it is asked."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p><p><b>{}</b></p></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    asked = '<span class="unknown">?</span><span class="known">not clear</span>'
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS, ("yes", asked, asked))
    return Table(figure("".join(shown), "Are two people clearly ahead of a mixed pair?"), "; ".join(KINDS))


def leads(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw, below each thing ``asked``, two people beside other ``pairs``, and their lead, or ``why`` there is none."""
    at, first = np.arange(len(rows)), ~rows["asked"].duplicated()
    limits = rows[["value", "low", "high"]]
    written = [with_interval(*each) for each in limits.to_numpy()]
    rows = rows.assign(**limits + APART, lead=written, said=[each.partition(" ")[0] for each in written])
    rows = rows.assign(top=LINE * at + HEAD * first.cumsum() + LINE / 2, clear=limits["low"] * limits["high"] > 0)
    scale: Options = {"range": [alt.expr(f"{PHONE} ? 16 : {GUTTER}"), alt.expr("width")]}
    label = f"format(datum.value - (datum.value > 0.6) * {APART}, '.1~f')"
    axis: Options = {"grid": False, "orient": "top", "domain": False, "values": [0, 0.2, 0.4, APART, APART + 0.2]}
    x = numbers("value", ends=(0, rows["high"].max() + 0.14), scale=scale, labelExpr=label, **axis) | {"title": None}
    y = numbers("top", ends=(rows["top"].max() + LINE / 2, 0)) | {"axis": None}
    pairs = pd.concat([rows.assign(value=rows["second"]), rows.assign(value=rows["first"], pairs="two people")])
    pairs = pairs.dropna(subset="value").assign(said=lambda all: [number(value, 2) for value in all["value"]])
    plot = Plot(pairs, x, y, look=("pairs", LOOKS), hover=["pairs", "value"], columns=2)
    plot.computed = {"name": f"{PHONE} ? datum.names : split(datum.names, ', ')"}
    zeros = rows.assign(value=APART, low=rows["top"] - 13, high=rows["top"] + 13, ahead="lead")
    plot.spans(along="y", data=zeros, color=BLACK, strokeWidth=1.5)
    plot.spans("second", "first", along="x", data=rows, color=SILVER, strokeWidth=7).points(170)
    if_below = "datum.value < max(datum.first, datum.second) ?"
    beside: Options = {"align": alt.expr(f"{if_below} 'right' : 'left'"), "dx": alt.expr(f"{if_below} -11 : 11")}
    plot.words("said", **LEFT | beside)
    known, bare, plot.hover = rows.dropna(subset="value"), rows.drop(columns="value"), ["lead"]
    diamonds(plot.spans(along="x", data=known, color=BLACK, strokeWidth=3), 200, known, clear="datum.clear")
    plot.words("said", known, x="high", dx=9, fontWeight="bold", **LEFT)
    up = alt.expr(f"{PHONE} ? -22 : -8 * (indexof(datum.names, ',') > 0)")
    plot.words("name", bare, x=0, dy=up, **LEFT).words("why", rows.assign(value=0), dx=8, **LEFT)
    above: Options = {"dy": alt.expr(f"{PHONE} ? -46 : -36"), "fontWeight": "bold"}
    plot.words("asked", bare[first], x=0, **LEFT | above)
    plot.words("ahead", zeros[first], **LEFT | above | {"align": "center"})
    about = "Values of two people and of other pairs, and leads of two people."
    return plot.done(title, about, rows["top"].max() + LINE / 2, UNDER).configure_legend(orient="top")


def ways(over: Mapping[str, pd.DataFrame], title: str) -> alt.LayerChart:
    """Draw two people beside two kinds of pairs, with each group of networks."""
    rows = pd.concat([each.assign(pairs=pairs) for pairs, each in over.items()], ignore_index=True)
    rows = rows.sort_values(["pairs", "networks"], key=lambda names: names.map([*over, *NETWORKS].index))
    asked = "two people and " + rows["pairs"].replace("mixed pair", "a mixed pair")
    return leads(rows.assign(asked=asked, names=rows["networks"].map(NETWORKS), why=""), title)
