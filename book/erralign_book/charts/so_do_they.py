"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, PAPER, SILVER
from erralign.plot.grammar import Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import with_interval
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import OF_XU
from erralign_book.papers.klein2025.kinds import LARGER, OTHERS
from erralign_book.sources.photograph import cat

# What is drawn -> its picture among the assets; a photograph with noise needs none.
KINDS = {"distorted photographs and sketches": "", "line drawings": "edges/cat2", "silhouettes": "silhouettes/cat1"}
NETWORKS = {OF_XU: "lesson 3's 22", OTHERS: "25 others", LARGER: "10 with more data"}
BUNDLE, PIXELS = 9, 9  # rows from one set of networks to the next, with its name; pixels of a row
TENTHS = [-0.2, -0.1, 0, 0.1, 0.2, 0.3]
PAIRS = '<i class="compared"><span class="people">two people</span> <span class="both networks">mixed pair</span></i>'
SCALE = "".join(f'<em style="left:{250 * (place + 0.1):.0f}%">{place:g}</em>' for place in TENTHS[2:])
HOLLOW: dict[str, Any] = {"shape": "diamond", "filled": False, "fill": PAPER, "strokeWidth": 1.6}
UNDER = "lead over two networks, in EC"


def kinds() -> Table:
    """Show a picture of each kind, with its name."""
    shown = "".join(f"<div>{_example(kind)}<p>{kind}</p></div>" for kind in KINDS)
    return Table(figure(shown, "Three kinds of pictures"), "; ".join(KINDS))


def leads(rows: pd.DataFrame, compared: Sequence[str], title: str) -> Table:
    """Show how far two people lead a mixed pair: a column per kind of pictures, a row per question."""
    heads = zip(KINDS, compared, strict=True)
    drawn = "".join(f"<div>{_example(kind)}<b>{kind}</b>{who}</div>" for kind, who in heads)
    for asked, cells in rows.groupby("asked", sort=False):
        drawn += f'<p class="of-question">{asked}{PAIRS}</p>' + "".join(map(_cell, cells.to_dict("records")))
    drawn += '<p class="of-question">For the same reason?</p><p class="no-data">answers alone cannot say</p>'
    return Table(figure(f'<div class="leads">{drawn}</div>', title), rows.to_string(index=False))


def _example(kind: str) -> str:
    address = address_of(f"stimuli/{KINDS[kind]}") if KINDS[kind] else webp(uniform_noise(cat(), 0.15))
    return f'<img src="{address}" alt="an example of {kind}" width="224" height="224">'


def _cell(row: dict[Any, Any]) -> str:
    if row["few"]:
        return f'<div><p class="no-data">{row["few"]}</p></div>'
    assert TENTHS[1] <= row["low"] < row["high"] <= TENTHS[-1]
    both = f'<span class="people">{row["first"]:.2f}</span>'
    both += f'<span class="both {row["mark"]}">{row["second"]:.2f}</span>'
    at = ";".join(f"--{name}:{250 * (row[name] + 0.1):.1f}%" for name in ("low", "value", "high"))  # from -0.1 to 0.3
    lead, interval = with_interval(row["value"], row["low"], row["high"]).split(" ", 1)
    clear = "not clear" if row["verdict"] == "not clear" else "clear"
    strip = f'<p class="strip {clear.replace(" ", "-")}" style="{at}">{SCALE}<s></s><i></i></p>'
    return f'<div><p class="compared">{both}</p>{strip}<p><b>lead {lead}, {clear}</b> {interval}</p></div>'


def specifications(ways: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the lead over two networks, which is never clear: a line per way to choose, a bundle per set of networks."""
    table = ways.replace({"networks": NETWORKS}).sort_values("value")
    names = list(NETWORKS.values())
    table["row"] = -table.groupby("networks").cumcount() - BUNDLE * table["networks"].map(names.index)
    heads = pd.DataFrame({"said": names, "value": -0.25, "row": [1.5 - BUNDLE * place for place in range(len(names))]})
    ends = (table["row"].min() - 1, 4.5)
    y = numbers("row", ends=ends, ticks=[0], labels=False, grid=False, domain=False, tickSize=0) | {"title": None}
    x = numbers("value", UNDER, ends=(-0.25, 0.35), ticks=TENTHS, grid=False, format=".1f")
    hover = ["networks", "accuracies", "strengths", "value", "low", "high"]
    plot = Plot(table[[*hover, "row"]], x, y, hover=hover).level(0, along="x", color=BLACK)
    plot.words("said", heads, color=INK, align="left", fontWeight="bold", fontSize=13)
    for words, side in (("← networks ahead", "right"), ("people ahead →", "left")):
        at = pd.DataFrame({"said": [words], "value": [-0.02 if side == "right" else 0.02], "row": [3.6]})
        plot.words("said", at, color=INK, align=side, fontSize=13)
    plot.spans(along="x", color=SILVER, strokeWidth=1.6)
    plot.points(60, **HOLLOW, color=BLACK)
    about = f"{UNDER}, in {len(ways)} ways."
    return plot.done(title, about, PIXELS * (ends[1] - ends[0]), "a line: one way to choose, with its 95 % interval")
