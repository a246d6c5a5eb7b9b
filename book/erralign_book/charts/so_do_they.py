"""How far two people are ahead of other pairs, on three kinds of pictures and in all ways to compare."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, SLATE
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign_book.charts.grammar import diamonds, in_columns
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import OF_XU
from erralign_book.papers.klein2025.kinds import LARGER, OTHERS
from erralign_book.sources.photograph import cat

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
# Pixels: of a line, and above the first of a kind for what it is named in; at the left, for words.
LINE, HEAD, GUTTER = 34, 58, 160
LEFT: Options = {"align": "left", "color": INK, "fontSize": 13, "lineBreak": "|"}
UNDER = "filled diamond: the interval leaves out 0"
NETWORKS = {OF_XU: "22 networks", OTHERS: "25 others", LARGER: "ten 100-million"}
STRENGTHS = {"all strengths": "all strengths", "strengths in use": "middle ones"}


def kinds() -> Table:
    """Show a picture of each kind, with its name; of the first the answer is known, of the others it is asked."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p><p><b>{}</b></p></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    asked = '<span class="asked">?</span><span class="known">not clear</span>'
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS, ("yes", asked, asked))
    return Table(figure("".join(shown), "Are two people clearly ahead of a mixed pair?"), "; ".join(KINDS))


def leads(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the lead of two people over a mixed pair: below the name of each kind of pictures, a line per question.

    Words stand in a gutter, so that the line at 0 is whole; where no value is known, what is ``said`` why is at 0.
    """
    rows = rows.sort_values("kind", key=lambda kinds: kinds.map(KINDS.index), kind="stable")
    at, first = np.arange(len(rows)), ~rows["kind"].duplicated()
    rows = rows.assign(top=LINE * at + HEAD * first.cumsum() + LINE / 2)
    height = rows["top"].max() + LINE / 2
    scale: Options = {"domain": [-0.1, 0.3], "nice": False, "range": [GUTTER, alt.expr("width")]}
    across: Options = {"grid": False, "orient": "top", "format": ".1f", "titleAnchor": "end"}
    x = numbers("value", "lead of two people", scale=scale, ticks=(0, 0.1, 0.2, 0.3), **across)
    y = numbers("top", ends=(height, 0)) | {"axis": None}
    known, bare = rows.dropna(), rows.drop(columns="value")
    plot = Plot(known, x, y, hover=["kind", "asked", "two people", "mixed pair", "value", "low", "high"])
    plot.level(0, along="x", color=BLACK).spans(along="x", color=BLACK, strokeWidth=4)
    diamonds(plot, 280).words("asked", bare, x=0, **LEFT).words("said", rows.fillna({"value": 0}), dx=8, **LEFT)
    heads = bare[first].assign(kind=bare["kind"].str.replace(" and", "|and"))
    names = heads.assign(top=heads["top"] - 16 * heads["kind"].str.count("[|]"))  # their last lines are level
    plot.words("kind", names, x=0, dy=-40, fontWeight="bold", **LEFT)
    plot.words("networks", heads, x=0, dy=-22, **LEFT | {"color": SLATE})
    return plot.done(title, "Leads of two people over a mixed pair, with intervals.", height, UNDER)


def ways(over: Mapping[str, pd.DataFrame], title: str) -> alt.LayerChart:
    """Draw the lead of two people over two kinds of pairs, a column each: a row per networks and strengths."""
    rows = pd.concat([each.assign(column=column) for column, each in enumerate(over.values())])
    keys = [(networks, strengths) for networks in NETWORKS for strengths in STRENGTHS]
    rows["row"] = [keys.index(key) for key in zip(rows["networks"], rows["strengths"], strict=True)]
    named = [f"{NETWORKS[networks]},|{STRENGTHS[strengths]}" for networks, strengths in keys]
    ends = rows["low"].min() - 0.01, rows["high"].max() + 0.01
    about = f"Of two people, {' and '.join(over)}, in {len(keys)} ways to compare, with intervals."
    plot = in_columns(rows, named, [words.replace(" over ", " over|") for words in over], ends, 0.2, "lead in EC")
    return plot.done(title, about, 400, UNDER)
