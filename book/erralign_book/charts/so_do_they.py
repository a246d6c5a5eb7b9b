"""How far two people are ahead of other pairs, on three kinds of pictures and with three groups of networks."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, INK, SILVER
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS as PAIRS
from erralign.plot.theme import number, with_interval
from erralign_book.charts import looks
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.sources.photograph import cat

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
# Pixels: of a line, above the first of a block for its head, and at the left for words, which a phone has above lines.
LINE, HEAD, GUTTER, PHONE = 46, 36, 240, "width < 500"
APART = 0.85  # on the axis, from the 0 of values to that of leads
# Pairs of the networks that learned from more are triangles.
LOOKS = dict(zip(("two people", "mixed pair", "two networks"), PAIRS.values(), strict=True))
LOOKS |= {"mixed pair, 100-million": looks.NEWER, "two 100-million networks": looks.LARGE._replace(colour=BLUE)}
LEFT: Options = {"align": "left", "color": INK, "fontSize": 13}
UNDER = "circle: two people; diamond: their lead, filled if its interval leaves out 0"


def kinds() -> Table:
    """Show a picture of each kind, with its name; of the first the answer is known, of the others it is asked."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p><b class="so">{}</b></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    asked = '<span class="unknown">?</span><span class="known">not clear</span>'
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS, ("clearly", asked, asked))
    return Table(figure("".join(shown), "Are two people clearly ahead of a mixed pair?"), "; ".join(KINDS))


def leads(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw, below each thing ``asked``, two people beside other ``pairs``, and their lead, or ``why`` there is none."""
    at, first = np.arange(len(rows)), ~rows["asked"].duplicated()
    limits = rows[["value", "low", "high"]]
    written = [with_interval(*each) for each in limits.to_numpy()]
    rows = rows.assign(**limits + APART, lead=written, said=[each.partition(" ")[0] for each in written])
    rows = rows.assign(top=LINE * at + HEAD * first.cumsum() + LINE / 2, clear=limits["low"] * limits["high"] > 0)
    bottom = rows["top"].max() + LINE / 2
    scale: Options = {"range": [alt.expr(f"{PHONE} ? 16 : {GUTTER}"), alt.expr("width")]}
    label = f"format(datum.value - (datum.value > 0.6) * {APART}, '.1~f')"
    axis: Options = {"orient": "top", "grid": False, "values": [0, 0.2, 0.4, APART, APART + 0.2]}
    x = numbers("value", ends=(0, rows["high"].max() + 0.14), scale=scale, labelExpr=label, **axis) | {"title": None}
    y = numbers("top", ends=(bottom, 0)) | {"axis": None}
    pairs = pd.concat([rows.assign(value=rows["second"]), rows.assign(value=rows["first"], pairs="two people")])
    pairs = pairs.dropna(subset="value").assign(said=lambda all: [number(value, 2) for value in all["value"]])
    plot = Plot(pairs, x, y, look=("pairs", LOOKS), hover=["pairs", "value"], columns=0)
    blocks = rows.groupby("asked", sort=False)["top"].agg(top="min", low="min", high="max").reset_index()
    blocks = blocks.assign(low=blocks["low"] - LINE / 2, high=blocks["high"] + LINE / 2, ahead="lead")
    plot.spans(along="y", data=blocks.assign(value=APART), color=BLACK, strokeWidth=1.5)
    plot.spans("second", "first", along="x", data=rows, color=SILVER, strokeWidth=7).points(170)
    if_below = "datum.value < max(datum.first, datum.second) ?"
    beside: Options = {"align": alt.expr(f"{if_below} 'right' : 'left'"), "dx": alt.expr(f"{if_below} -11 : 11")}
    plot.words("said", **LEFT | beside)
    known, bare, plot.hover = rows.dropna(subset="value"), rows.drop(columns="value"), ["lead"]
    diamonds(plot.spans(along="x", data=known, color=BLACK, strokeWidth=3), 200, known, clear="datum.clear")
    plot.words("said", known, x="high", dx=9, fontWeight="bold", **LEFT)
    plot.words("name", bare, x=0, dy=alt.expr(f"{PHONE} ? -22 : 0"), **LEFT)
    plot.words("why", rows.assign(value=0), dx=8, **LEFT)
    above: Options = {"dy": alt.expr(f"{PHONE} ? -46 : -36"), "fontWeight": "bold"}
    plot.words("asked", blocks, x=0, **LEFT | above)
    plot.words("ahead", blocks.assign(value=APART), **LEFT | above | {"align": "center"})
    return plot.done(title, "Values of two people and of other pairs, and leads of two people.", bottom, UNDER)
