"""How far two people are ahead of other pairs, on three kinds of pictures and with three groups of networks."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS as PAIRS
from erralign.plot.theme import number, with_interval
from erralign_book.charts import looks
from erralign_book.charts.grammar import PHONE, diamonds
from erralign_book.charts.pictures import CREDIT, address_of, figure, webp
from erralign_book.datasets.photograph import cat
from erralign_book.distortions import uniform_noise

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
LOOKS = dict(zip(("two people", "mixed pair", "two networks"), PAIRS.values(), strict=True))
LOOKS["mixed pair, 100-million"] = looks.NEWER  # pairs of the networks that learned from more are triangles
LEFT: Options = {"align": "left", "color": INK, "fontSize": 13}
LINE, LANE, LETTER = 48, 24, 7  # pixels of a row, of its ground, of a letter
VALUE, SAID, TICKS, ENDS = 62, 66, (0, 0.1, 0.2, 0.3), (-0.13, 0.3)  # pixels of a value, of a lead; of the axis


def kinds() -> Table:
    """Show a picture of each kind, with its name; of the first the answer is known, of the others it is asked."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p><b class="so">{}</b></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    asked = '<span class="unknown">?</span><span class="known" hidden>not clear</span>'
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS, ("clearly", asked, asked))
    credit = f"{CREDIT}; photograph: Stefan van der Walt, CC0"
    return Table(figure("".join(shown), "Are two people clearly ahead of a mixed pair?", "", credit), "; ".join(KINDS))


def leads(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """List rows by "name": two people's EC, that of the "pairs" beside it, and the lead with its verdict."""
    rows = rows.assign(top=LINE * (np.arange(len(rows)) + 0.75), clear=np.where(rows["low"] > 0, "clear", "not clear"))
    limits = rows[["value", "low", "high"]]
    rows["difference"] = [with_interval(value, low, high) for value, low, high in limits.to_numpy()]
    rows["lead"] = rows["difference"].str.partition(" ")[0]
    left = f"({PHONE} ? 0 : {LETTER * max(map(len, KINDS))})"  # of lanes; on a phone names are above them
    ends, bottom = (min(limits.min().min(), ENDS[0]), max(limits.max().max(), ENDS[1])), rows["top"].max() + LINE / 2
    start, end = (alt.expr(place) for place in (f"{left} + {2 * VALUE}", f"width - {SAID}"))
    room: Options = {"range": [alt.expr(f"{left} + {2 * VALUE + 8}"), end]}
    plain: Options = {"grid": False, "domain": False, "tickSize": 0, "format": ".1~f", "orient": "top"}
    x = numbers("value", "lead of two people in EC", ends=ends, ticks=TICKS, scale=room, **plain)
    first = rows.assign(said=rows["first"], pairs="two people", at=0)
    values = pd.concat([first, rows.assign(said=rows["second"], at=VALUE)])
    values["said"] = [number(value, 2) for value in values["said"]]
    y = numbers("top", ends=(bottom, 0)) | {"axis": None}
    plot = Plot(values.drop(columns="value"), x, y, look=("pairs", LOOKS), hover=["difference"], columns=0)
    lanes = rows.assign(over=rows["top"] - LANE / 2, under=rows["top"] + LANE / 2)
    ground = plot.base(lanes.drop(columns="value"), y="over").mark_rect(color=PALE).encode(y2="under:Q")
    plot.draw(ground.encode(x=alt.value(start), x2=alt.X2Value(end)))
    lines = lanes[["top", "over", "under"]].merge(pd.DataFrame({"value": TICKS}), "cross")
    plot.spans("over", "under", data=lines, color=BLACK, opacity=alt.expr("datum.value ? 0.25 : 1"), strokeWidth=1)
    diamonds(plot.spans(along="x", data=lanes, color=BLACK), alt.expr(f"{PHONE} ? 130 : 200"), lanes, strokeWidth=2)
    named = rows.drop(columns="value")
    for column, weight, dy in (("lead", "bold", -8), ("clear", "normal", 8)):
        plot.words(column, named, x=alt.expr("width"), dy=dy, fontWeight=weight, **LEFT | {"align": "right"})
    plot.points(140, x=alt.expr(f"{left} + datum.at + 12")).words("said", x=alt.expr(f"{left} + datum.at + 22"), **LEFT)
    plot.words("name", named, x=0, dy=alt.expr(f"{PHONE} ? -23 : 0"), **LEFT)
    return plot.done(title, "EC of two people and of other pairs, and leads of two people.", bottom)
