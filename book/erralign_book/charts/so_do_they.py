"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PAPER, SLATE
from erralign.plot.grammar import Plot, numbers
from erralign.plot.tables import Table
from erralign.plot.words import number, with_interval
from erralign_book.charts.pictures import figure, picture, webp
from erralign_book.distortions import uniform_noise
from erralign_book.sources.photograph import cat

LEAST, MOST = -0.1, 0.33  # ends of the strip of leads
TICKS = (-0.1, 0, 0.1, 0.2, 0.3)
KEY = "Line: 95 % interval of the lead; hollow: it contains 0; leads are computed before rounding; "
KEY += "the accuracies of the two of a pair differ by less than 0.05<br>"
SIDES = '<p></p><p class="strip sides" {}><b>mixed pairs lead</b><b>two people lead</b></p>'
NETWORKS = {  # those of a block, and what it is called
    "Xu et al.'s 22 networks": "22 networks by Xu et al.",
    "25 other networks": "25 other networks",
    "networks trained on more data": "10 of them, more data",
}
CHOICES = ["networks", "accuracies", "near-copies", "strengths"]
WAYS_KEY = "Line: 95 % interval, without a correction; filled: it leaves out 0; for each limit of accuracies "
WAYS_KEY += "four lines: thin if near-copies count as pairs, the upper of two alike for all strengths"


def leads_by_kind(rows: pd.DataFrame, title: str) -> Table:
    """Show a picture of each kind, the EC of two people and of a mixed pair, and on a strip how far apart they are."""
    drawn = "".join(map(_kind, rows.to_dict("records")))
    ticks = "".join(f"<span {_at(tick)}>{number(tick, 1)}</span>" for tick in TICKS)
    axis = f'<p class="axis"></p><p class="strip axis" {_at(0)}>{ticks}</p><p></p><p>two people’s lead, in EC</p>'
    return Table(
        figure(f'<div class="leads">{SIDES.format(_at(0))}{drawn}{axis}</div>', title, KEY), rows.to_string(index=False)
    )


def _at(*places: float) -> str:
    """Say where on the strip something is, or where it begins and ends."""
    at = [f"{100 * (place - LEAST) / (MOST - LEAST):.1f}%" for place in (*places, 0)]
    return f'style="--zero:{at[-1]};--low:{at[0]};--high:{at[-2]}"'


def _kind(row: dict[Any, Any]) -> str:
    about = f"an example of {row['kind']}"
    noisy = f'<img src="{webp(uniform_noise(cat(), 0.15))}" alt="{about}" width="224" height="224">'
    shown = picture(f"stimuli/{row['picture']}", about) if row["picture"] else noisy
    words = f'<i class="people"></i> two people {row["first"]:.2f}<br>'
    words += f'<i class="both"></i> mixed pair {row["second"]:.2f}'
    lead, interval = with_interval(row["value"], row["low"], row["high"]).split(" ", 1)
    at = _at(row["value"])
    marks = f"<s {_at(row['low'], row['high'])}></s><i {at}></i><span {at}><b>{lead}</b> {interval}</span>"
    strip = f'<p class="strip {row["verdict"].replace(" ", "-")}" {_at(0)}>{marks}</p>'
    return f"<div>{shown}<p><b>{row['kind']}</b>{words}</p></div>{strip}"


def specifications(ways: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the lead under all choices: a block for each set of networks, in it four lines for each limit."""
    table = ways.sort_values(CHOICES, key=lambda of: of.map({name: at for at, name in enumerate(NETWORKS)}).fillna(of))
    at = np.arange(len(table))
    table["row"] = -(at + at // 4 + 2 * (at // 12))  # room below a limit, and above a block for its name
    limits = table.iloc[::4].assign(value=-0.5)
    x = numbers("value", "two people’s lead, in EC", ends=(-0.5, 0.36), ticks=[-0.2, *TICKS], format=".1f", grid=False)
    y = numbers("row", " ", ends=(table["row"].min() - 1, 4.2), labels=False, tickSize=0, domain=False, grid=False)
    plot = Plot(table, x, y, hover=[*CHOICES, "value", "low", "high"])
    plot.level(0, along="x", color=BLACK, strokeWidth=2)
    is_clear, is_thin = table["verdict"] != "not clear", table["near-copies"] == "near-copies in"
    for thin, width in ((True, 1.5), (False, 3)):
        plot.spans(data=table[is_thin == thin], along="x", color=SLATE, strokeWidth=width)
    for clear, inside in ((True, BLACK), (False, PAPER)):
        plot.points(45, table[is_clear == clear], fill=inside, stroke=BLACK, strokeWidth=1.5, color=BLACK)
    plot.words("accuracies", limits.assign(row=limits["row"] - 1.5), align="left", color=INK)
    blocks = limits.iloc[::3].replace({"networks": NETWORKS})
    plot.words("networks", blocks.assign(row=blocks["row"] + 1.4), align="left", color=INK, fontWeight="bold")
    said = [f"{number(row['low'], 2)} to {number(row['high'], 4)}" for row in table[is_clear].to_dict("records")]
    plot.words("words", table[is_clear].assign(words=said, value=0.36), align="right", color=BLACK)
    for words, colour, side, dx in (("two networks lead", BLUE, "right", -8), ("two people lead", ORANGE, "left", 8)):
        place = pd.DataFrame([{"value": 0, "row": 3.7, "words": words}])
        plot.words("words", place, align=side, dx=dx, color=colour, fontWeight="bold")
    return plot.done(title, f"Leads of two people over two networks in {len(table)} ways.", 520, WAYS_KEY)
