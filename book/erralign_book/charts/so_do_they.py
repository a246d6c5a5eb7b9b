"""How far two people are ahead of other pairs, on three kinds of pictures and with three groups of networks."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE, SLATE
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS as PAIRS
from erralign.plot.theme import number, with_interval
from erralign_book.charts import looks
from erralign_book.charts.grammar import PHONE, diamonds
from erralign_book.charts.pictures import CREDIT, address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.sources.photograph import cat

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
LOOKS = dict(zip(("two people", "mixed pair", "two networks"), PAIRS.values(), strict=True))
LOOKS["mixed pair, 100-million"] = looks.NEWER  # pairs of the networks that learned from more are triangles
LOOKS |= looks.WITH_PEOPLE  # of lesson 4
LEFT: Options = {"align": "left", "color": INK, "fontSize": 13}
LINE, LANE, HEAD, LETTER = 48, 24, 32, 7  # pixels of a line in a block, of its ground, above the first, of a letter
VALUE, TICKS, ENDS = 62, (0, 0.1, 0.2, 0.3), (-0.13, 0.3)  # pixels of a value beside its mark; of the axis


def kinds() -> Table:
    """Show a picture of each kind, with its name; of the first the answer is known, of the others it is asked."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p><b class="so">{}</b></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    asked = '<span class="unknown">?</span><span class="known" hidden>not clear</span>'
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS, ("clearly", asked, asked))
    credit = f"{CREDIT}; photograph: Stefan van der Walt, CC0"
    return Table(figure("".join(shown), "Are two people clearly ahead of a mixed pair?", "", credit), "; ".join(KINDS))


def leads(
    rows: pd.DataFrame, title: str, of: str = "two people", filled: str = "the interval of the lead leaves out 0"
) -> alt.LayerChart:
    """List rows by "name" below the heads of their blocks, "asked": two values, and the lead of the first.

    What the first is ``of`` has a look, and so have the "pairs" of the second; a row without a lead says "why".
    ``filled`` says what a filled mark means.
    """
    heads, limits = ~rows["asked"].duplicated(), rows[["value", "low", "high"]]
    rows = rows.assign(top=LINE * (np.arange(len(rows)) + 0.5) + HEAD * heads.cumsum())
    rows["difference"] = [with_interval(value, low, high, 2) for value, low, high in limits.to_numpy()]
    left = f"({PHONE} ? 0 : {LETTER * rows['name'].str.len().max()})"  # of lanes; on a phone names are above them
    ends, bottom = (min(limits.min().min(), ENDS[0]), max(limits.max().max(), ENDS[1])), rows["top"].max() + LINE / 2
    room: Options = {"range": [alt.expr(f"{left} + {2 * VALUE + 8}"), alt.expr("width - 44")]}
    plain: Options = {"grid": False, "domain": False, "tickSize": 0, "format": ".1~f", "orient": "top"}
    x = numbers("value", f"lead of {of}", ends=ends, ticks=TICKS, scale=room, **plain)
    values = pd.concat([rows.assign(said=rows["first"], pairs=of, at=0), rows.assign(said=rows["second"], at=VALUE)])
    values = values.dropna(subset="said").drop(columns="value")
    values["said"] = [number(value, 2) for value in values["said"]]
    y = numbers("top", ends=(bottom, 0)) | {"axis": None}
    plot = Plot(values, x, y, look=("pairs", LOOKS), hover=["difference"], columns=0)
    lanes = rows.assign(over=rows["top"] - LANE / 2, under=rows["top"] + LANE / 2)
    shown = lanes.dropna(subset="value").assign(said=lambda all: all["difference"].str.partition(" ")[0])
    ground = plot.base(shown.drop(columns="value"), y="over").mark_rect(color=PALE).encode(y2="under:Q")
    plot.draw(ground.encode(x=alt.value(alt.expr(f"{left} + {2 * VALUE}")), x2=alt.X2Value(alt.expr("width - 44"))))
    lines = shown[["top", "over", "under"]].merge(pd.DataFrame({"value": TICKS}), "cross")
    plot.spans("over", "under", data=lines, color=BLACK, opacity=alt.expr("datum.value ? 0.25 : 1"), strokeWidth=1)
    diamonds(plot.spans(along="x", data=shown, color=BLACK), alt.expr(f"{PHONE} ? 130 : 200"), shown, strokeWidth=2)
    plot.words("said", shown.drop(columns="value"), x=alt.expr("width"), fontWeight="bold", **LEFT | {"align": "right"})
    plot.points(140, x=alt.expr(f"{left} + datum.at + 12")).words("said", x=alt.expr(f"{left} + datum.at + 22"), **LEFT)
    why = rows.drop(columns="value")
    plot.words("why", why, x=alt.expr(f"{left} + 6"), **LEFT | {"color": SLATE})
    plot.words("name", why, x=0, dy=alt.expr(f"{PHONE} ? -23 : 0"), **LEFT)
    plot.words("asked", why[heads], x=0, dy=alt.expr(f"{PHONE} ? -43 : -29"), fontWeight="bold", **LEFT)
    return plot.done(title, f"Values of {of} and of other pairs, and leads of {of}.", bottom, f"filled: {filled}")
