"""How far two people are ahead of other pairs, on three kinds of pictures and in all ways to compare."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE, SLATE
from erralign.plot.grammar import Axis, Options, Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import number
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import FAIR, OF_XU
from erralign_book.papers.klein2025.kinds import LARGER, OTHERS
from erralign_book.sources.photograph import cat

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
# Pixels: of a line, and above the first of a kind for what it is named in; at the left, for words.
LINE, HEAD, GUTTER = 34, 58, 160
LEFT: Options = {"align": "left", "color": INK, "fontSize": 13, "lineBreak": "|"}
UNDER = "filled diamond: the interval leaves out 0"
BLOCKS = {OF_XU: "22|networks", OTHERS: "25 of|Klein et al.", LARGER: "10 more-data|networks"}  # of ways
CHOICES = ("networks", "strengths", "accuracies")  # what a way to compare chooses
# Pixels: of a lead of 1, from the top to the 0 of both panels, and to the end.
STEEP, ZEROS, HEIGHT = 320, (165, 320), 410


def kinds() -> Table:
    """Show a picture of each kind, with its name; of the first the answer is known, of the others it is asked."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p><p><b>{}</b></p></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS, ("yes", "?", "?"))
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
    """Draw the lead of two people over two kinds of pairs: an interval per way to compare, in a block per networks.

    Both panels have one scale, and a way has one place in both: in a block they are sorted by the lead over the second
    kind. Our way, that of the claim, has a grey ground.
    """
    *_, last = over.values()
    block = last["networks"].map([*BLOCKS].index)
    order = last.assign(block=block).sort_values(["block", "value"])[[*CHOICES, "block"]]
    order["way"] = np.arange(len(order)) + order["block"]  # room between blocks
    found = [_placed(rows.merge(order), name, zero) for (name, rows), zero in zip(over.items(), ZEROS, strict=True)]
    rows = pd.concat(found)
    # No lead over the first kind is below 0.
    leads = [(ZEROS[0], 0), (ZEROS[0], 0.2), (ZEROS[1], -0.2), (ZEROS[1], 0), (ZEROS[1], 0.2)]
    labels = {round(zero - STEEP * lead): number(lead, 1) for zero, lead in leads}
    shown: Axis = {"labelExpr": f"({labels})[datum.value]", "domain": False}
    y = numbers("top", ends=(HEIGHT, 0), ticks=[*labels], **shown) | {"title": None}
    x = numbers("way", ends=(-0.7, order["way"].max() + 0.7)) | {"axis": None}
    plot = Plot(rows, x, y, hover=["pair", *CHOICES, "value"])
    ours = pd.Series(FAIR | {"networks": OF_XU})[[*CHOICES]]
    mine = order[(order[[*CHOICES]] == ours).all(axis=1)]
    heads = pd.DataFrame({"low": [zero - STEEP / 3 for zero in ZEROS], "high": [ZEROS[0], HEIGHT], "pair": [*over]})
    heads["said"] = [f"{rows['clear'].sum()} of {len(rows)} clear" for rows in found]
    plot.spans(data=mine.merge(heads, "cross"), color=PALE, strokeWidth=13).level(*ZEROS, color=BLACK)
    diamonds(plot.spans(color=BLACK), 80, clear="datum.clear")
    for words, beside in (("pair", LEFT | {"x": 0}), ("said", LEFT | {"x": alt.expr("width"), "align": "right"})):
        plot.words(words, heads.rename(columns={"low": "top"}), dy=-10, fontWeight="bold", **beside)
    names = order.groupby("networks")["way"].mean().reset_index().replace(BLOCKS).assign(top=0)
    plot.words("networks", names, **LEFT | {"align": "center", "baseline": "top"})
    about = f"Of two people, {' and '.join(over)}, in {len(order)} ways to compare, with intervals."
    return plot.done(title, about, HEIGHT, f"{UNDER}; grey ground: as in the chart above")


def _placed(rows: pd.DataFrame, pair: str, zero: int) -> pd.DataFrame:
    places = zero - STEEP * rows[["value", "low", "high"]].set_axis(["top", "low", "high"], axis=1)
    shown = rows[["way", *CHOICES, "value"]].join(places)
    return shown.assign(pair=pair, clear=(rows["low"] > 0) | (rows["high"] < 0))
