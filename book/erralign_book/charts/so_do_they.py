"""How far two people are ahead of a mixed pair on each kind of pictures."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PAPER
from erralign.plot.grammar import Options, Plot, entitle, numbers
from erralign.plot.html import Table
from erralign_book.charts.grammar import beside_each_other
from erralign_book.charts.looks import NEWER, OLDER, PEOPLE
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import OF_XU
from erralign_book.papers.klein2025.kinds import LARGER
from erralign_book.sources.photograph import cat

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
LOOKS = {"two people": PEOPLE, OF_XU: OLDER, LARGER: NEWER}  # a mixed pair by its networks
# Pixels: of a panel, nearly as high as wide so that it stays so on a phone, and of a row; where both values stand.
SIDE, ROW, COLUMN = 309, 74, 262
AXIS: Options = {"domain": [-0.1, 0.3], "nice": False, "range": [96, 246]}
LEFT: Options = {"align": "left", "color": INK, "fontSize": 13, "lineBreak": "\n"}
ACROSS: Options = {"grid": False, "orient": "top", "format": ".1f", "titleAnchor": "start"}
DIAMOND: Options = {"shape": "diamond", "color": BLACK}


def kinds() -> Table:
    """Show a picture of each kind, with its name."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS)
    return Table(figure("".join(shown), "Three kinds of pictures"), "; ".join(KINDS))


def leads(rows: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw the lead of two people over a mixed pair: a panel per question, a row per kind of pictures.

    Right of the leads stand both values, or, where no value is known, what is ``said`` why.
    """
    panels = [_leads(part, str(asked)) for asked, part in rows.groupby("asked", sort=False)]
    about, under = "Leads of two people over a mixed pair, with intervals.", "filled diamond: the interval leaves out 0"
    return entitle(beside_each_other(panels, 2), title, about, subtitle=under)


def _leads(rows: pd.DataFrame, asked: str) -> alt.LayerChart:
    lines = rows["kind"].str.replace(" (?!sketches)", "\n", regex=True)
    rows = rows.assign(top=ROW * np.arange(len(rows)) + ROW / 2, name=lines)
    marks = rows.melt(["networks", "kind", "top"], ["two people", "mixed pair"], "pair", "mean").dropna()
    marks["look"] = marks["networks"].where(marks["pair"] == "mixed pair", "two people")
    marks["said"] = marks["mean"].map("{:.2f}".format)
    marks["top"] += marks["pair"].map({"two people": -11, "mixed pair": 11})
    x = numbers("value", "lead of two people", scale=AXIS, ticks=(0, 0.1, 0.2, 0.3), **ACROSS)
    y = numbers("top", ends=(ROW * len(rows), 0)) | {"axis": None}
    plot = Plot(marks, x, y, look=("look", LOOKS), hover=["kind", "said"], columns=0)
    plot.level(0, along="x", color=BLACK).points(160, x=COLUMN).words("said", x=COLUMN + 13, **LEFT)
    known, bare = rows.dropna(), rows.drop(columns="value")
    plot.spans(along="x", data=known, color=BLACK, strokeWidth=4).points(320, known[known["low"] > 0], **DIAMOND)
    plot.points(280, known[known["low"] < 0], **DIAMOND, filled=False, fill=PAPER)
    plot.words("name", bare, x=0, dy=-10, fontWeight="bold", **LEFT).words("said", bare, x=COLUMN - 8, dy=-16, **LEFT)
    return plot.drawn().properties(title=asked, width=SIDE, height=ROW * len(rows))
