"""How far two people are ahead of other pairs, on three kinds of pictures and with three groups of networks."""

import altair as alt
import pandas as pd

from erralign.plot.colours import PAPER, SILVER, SLATE
from erralign.plot.grammar import Options, Plot
from erralign.plot.html import Table
from erralign.plot.theme import KINDS as PAIRS
from erralign.plot.theme import number
from erralign_book.charts import looks
from erralign_book.charts.grammar import LEFT, PHONE, in_blocks, parted
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.sources.photograph import cat

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
APART = 0.85  # on the axis, from the 0 of values to that of leads
LOOKS = dict(zip(("two people", "mixed pair", "two networks"), PAIRS.values(), strict=True))
LOOKS["mixed pair, 100-million"] = looks.NEWER  # pairs of the networks that learned from more are triangles
LOOKS |= looks.WITH_PEOPLE  # of lesson 4
GLYPH: Options = {"filled": True, "opacity": 1, "size": 110}
UNDER = "circle: two people; diamond: their lead, filled if its interval leaves out 0"


def kinds() -> Table:
    """Show a picture of each kind, with its name; of the first the answer is known, of the others it is asked."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p><b class="so">{}</b></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    asked = '<span class="unknown">?</span><span class="known">not clear</span>'
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS, ("clearly", asked, asked))
    return Table(figure("".join(shown), "Are two people clearly ahead of a mixed pair?"), "; ".join(KINDS))


def leads(rows: pd.DataFrame, title: str, of: str = "two people", under: str = UNDER) -> alt.LayerChart:
    """Draw, below each thing ``asked``, two people beside other ``pairs``, and their lead, or ``why`` there is none.

    In their place may be others, ``of`` which there is a look; then each row has the mark of its pairs before its name.
    """
    indent = 0 if of == "two people" else 20
    ticks = (0, 0.2, 0.4, 0.6, APART, APART + 0.2)
    plot = in_blocks(rows, rows["high"].max() + APART + 0.18, ticks, APART, indent=indent)
    rows = plot.table
    pairs = pd.concat([rows.assign(value=rows["first"], pairs=of), rows.assign(value=rows["second"])])
    pairs = pairs.dropna(subset="value").assign(said=lambda all: [number(value, 2) for value in all["value"]])
    marks = Plot(pairs, plot.x, plot.y, look=("pairs", LOOKS), hover=["pairs", "value"], columns=0)
    marks.spans("second", "first", along="x", data=rows, color=SILVER, strokeWidth=7)
    off = parted("first", "second", 7)
    marks.points(170, stroke=PAPER, strokeWidth=1, yOffset=off)  # so that the split mark is seen whole
    if_below = "datum.value < max(datum.first, datum.second) ?"
    beside: Options = {"align": alt.expr(f"{if_below} 'right' : 'left'"), "dx": alt.expr(f"{if_below} -11 : 11")}
    marks.words("said", **LEFT | beside, dy=off).words("why", rows.assign(value=0), **LEFT | {"color": SLATE})
    if indent:
        glyphs = marks.base(rows.drop(columns="value")).mark_point(**GLYPH, yOffset=alt.expr(f"{PHONE} ? -23 : 0"))
        marks.draw(glyphs.encode(x=alt.value(7), **marks.shape))
    about = f"Values of {of} and of other pairs, and leads of {of}."
    return plot.draw(*marks.layers).done(title, about, plot.y["scale"]["domain"][0], under)
