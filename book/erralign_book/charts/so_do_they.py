"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, PAPER, SILVER
from erralign.plot.grammar import Options, Plot, numbers
from erralign.plot.html import Table
from erralign_book.charts.looks import NEWER, OLDER, PEOPLE
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import OF_XU
from erralign_book.papers.klein2025.kinds import LARGER, OTHERS
from erralign_book.sources.photograph import cat

KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
LOOKS = {"two people": PEOPLE, OF_XU: OLDER, LARGER: NEWER}  # a mixed pair by its networks
NETWORKS = {OF_XU: "Xu's 22 networks", OTHERS: "25 other networks", LARGER: "the ten of these 25 with more data"}
HEAD, ROW, EMPTY = 40, 72, 48  # pixels of a question, and of a row below it with and without marks
BUNDLE, PIXELS = 10, 7  # rows from one set of networks to the next, with its name; pixels of a row
TENTHS = [tenth / 10 for tenth in range(-3, 7)]
LEFT: Options = {"align": "left", "color": INK, "fontSize": 14}
BOLD: Options = {"fontWeight": "bold", "fontSize": 13, "color": BLACK}
HOLLOW: Options = {"shape": "diamond", "filled": False, "fill": PAPER, "color": BLACK, "strokeWidth": 2}
ACROSS: Options = {"grid": False, "orient": "top", "format": ".1f"}
UP: Options = {"ticks": [0], "labels": False, "grid": False, "domain": False, "tickSize": 0}


def kinds() -> Table:
    """Show a picture of each kind, with its name."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS)
    return Table(figure("".join(shown), "Three kinds of pictures"), "; ".join(KINDS))


def leads(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw two people and a mixed pair on one axis, and their lead as a line: a row per question and kind of pictures.

    ``said`` are words for the lead, or why there is none; on a phone they stand below the kind of pictures.
    """
    below = rows["mixed pair"].isna().map({True: EMPTY, False: ROW}).shift(fill_value=ROW)
    rows = rows.assign(top=HEAD * (1 + rows["asked"].factorize()[0]) + below.cumsum() - 20)
    known = rows[rows["mixed pair"].notna()]
    marks = known.melt(["networks", "kind", "top"], ["mixed pair", "two people"], "pair")
    marks["look"] = marks["networks"].where(marks["pair"] == "mixed pair", "two people")
    marks["said"] = marks["pair"].mask(marks["pair"].duplicated(), "") + marks["value"].map(" {:.2f}".format)
    height = int(rows["top"].max())
    y = numbers("top", ends=(height, 0), **UP) | {"title": None}
    x = numbers("value", "mean EC or MA", ends=(0, 0.65), ticks=TENTHS[3:], **ACROSS)
    plot = Plot(marks, x, y, look=("look", LOOKS), hover=["kind", "pair", "value"], columns=0)
    plot.level(0, along="x", color=BLACK)
    plot.words("asked", rows.drop_duplicates("asked"), x=8, dy=8 - ROW, **LEFT | BOLD | {"fontSize": 16})
    plot.words("kind", rows, x=8, dy=alt.expr("width < 400 ? -40 : -25"), **LEFT)
    plot.words("said", rows, x=alt.expr("width < 400 ? 8 : 250"), dy=alt.expr("width < 400 ? -22 : -25"), **LEFT)
    plot.spans("mixed pair", "two people", along="x", data=known, color=GREY)
    plot.spans("mixed pair", "two people", along="x", data=known.query("verdict == 'more'"), color=BLACK, strokeWidth=8)
    plot.points(190)
    for pair, align, dx in (("mixed pair", "right", -11), ("two people", "left", 11)):
        plot.words("said", marks[marks["pair"] == pair], align=align, dx=dx, **BOLD)
    about = f"Mean EC and MA of two people and of a mixed pair on {len(KINDS)} kinds of pictures, with the lead."
    return plot.done(title, about, height)


def specifications(ways: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the lead over two networks: a thin line per way to choose, a bundle per set of networks, its mean thick."""
    table = ways[["networks", "value", "low", "high"]].sort_values("value")
    table["row"] = BUNDLE * table["networks"].map(list(NETWORKS).index) + table.groupby("networks").cumcount()
    means = table.groupby("networks").mean().reset_index().replace({"networks": NETWORKS})
    y = numbers("row", ends=(BUNDLE * len(NETWORKS) - 3, -4), **UP) | {"title": None}
    x = numbers("value", "← networks ahead (EC) people ahead →", ends=(-0.35, 0.35), ticks=TENTHS[:7], **ACROSS)
    plot = Plot(table, x, y, hover=["networks", "value", "low", "high"]).level(0, along="x", color=BLACK)
    plot.spans(along="x", color=SILVER, strokeWidth=1.5).spans(along="x", data=means, color=BLACK, strokeWidth=5)
    plot.points(170, means, **HOLLOW).words("networks", means.drop(columns="value"), x=4, dy=-31, **LEFT | BOLD)
    about = f"Leads of two people over two networks in {len(ways)} ways, and their means."
    return plot.done(title, about, PIXELS * (BUNDLE * len(NETWORKS) + 1), "thin: one way; thick: the mean of six")
