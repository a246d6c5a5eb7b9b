"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, MAGENTA, PAPER, SILVER
from erralign.plot.grammar import Plot, numbers
from erralign.plot.tables import Table
from erralign.plot.words import number, with_interval
from erralign_book.charts.pictures import figure, picture, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import FAIR, MIXED
from erralign_book.sources.photograph import cat

LEAST, MOST, TICKS = -0.12, 0.33, (-0.1, 0, 0.1, 0.2, 0.3)  # ends and numbers of the strip
KEY = "Line: 95 % interval of the lead; triangle: network trained on more data<br>"
BLOCKS = {  # whom two people are compared with: what the block is called
    MIXED: "over a mixed pair",
    "Xu et al.'s 22 networks": "over two networks\nof Xu et al.’s 22",
    "25 other networks": "over two networks\nof 25 others",
    "networks trained on more data": "over two networks\nwith more data",
}
WAYS_KEY = "A line is one way to choose: its 95 % interval, without a correction; thick: clear"
CHOICES = {"networks": "networks", "accuracies": "accuracies", "near-copies": "copies", "strengths": "strengths"}
SAID = {"more": "Two people lead", "less": "Two networks lead", "not clear": "No clear lead"}


def leads_by_kind(rows: pd.DataFrame, title: str) -> Table:
    """Show a picture of each kind, the EC of two people and of a mixed pair, and on a strip the lead of two people."""
    drawn = "".join(map(_kind, rows.to_dict("records")))
    ticks = "".join(f"<span {_at(tick)}>{number(tick, 1)}</span>" for tick in TICKS)
    axis = f'<p class="axis"></p><p class="strip axis">{ticks}</p><p></p><p>two people’s lead, in EC</p>'
    return Table(figure(f'<div class="leads" {_at(0)}>{drawn}{axis}</div>', title, KEY), rows.to_string(index=False))


def _at(low: float, high: float = 0) -> str:
    """Say where on the strip something is, or where it begins and ends."""
    low, high = ((each - LEAST) / (MOST - LEAST) for each in (low, high))
    return f'style="--low:{low:.1%};--high:{high:.1%}"'


def _kind(row: dict[Any, Any]) -> str:
    about = f"an example of {row['kind']}"
    noisy = f'<img src="{webp(uniform_noise(cat(), 0.15))}" alt="{about}" width="224" height="224">'
    shown = picture(f"stimuli/{row['picture']}", about) if row["picture"] else noisy
    people, mixed = row["first"], row["second"]
    words = f'<i class="people"></i> two people {people:.2f}<br><i class="both"></i> mixed pair {mixed:.2f}'
    lead, interval = with_interval(row["value"], row["low"], row["high"]).split(" ", 1)
    marks = f"<s {_at(row['low'], row['high'])}></s><i {_at(row['value'])}></i>"
    clear = "not clear" if row["verdict"] == "not clear" else "clear"
    marks += f"<span {_at(row['value'])}><b>{lead}</b> {interval}, {clear}</span>"
    strip = f'<p class="strip {row["verdict"].replace(" ", "-")}">{marks}</p>'
    return f"<div>{shown}<p><b>{row['kind']}</b>{words}</p></div>{strip}"


def specifications(mixed: pd.DataFrame, ways: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the lead under all choices, a block for mixed pairs and one for each set of networks, from high to low.

    The reader makes the choices for two networks, and sees what would have been published.
    """
    table = pd.concat([mixed.assign(block=MIXED), ways.assign(block=ways["networks"])])
    at = table["block"].map(list(BLOCKS).index)
    table = table.assign(at=at).sort_values(["at", "value"], ascending=[True, False]).rename(columns=CHOICES)
    table["row"] = -np.arange(len(table)) - 10 * table["at"]
    parts = table[["verdict", "value", "low", "high"]].to_numpy()
    table["said"] = [f"{SAID[verdict]}\n{with_interval(*lead)}" for verdict, *lead in parts]
    x = numbers("value", "two people’s lead, in EC", ends=(-0.23, 0.33), format=".1f", grid=False)
    y = numbers("row", " ", ends=(table["row"].min() - 1, 10), labels=False, tickSize=0, domain=False, grid=False)
    plot = Plot(table, x, y, hover=[*CHOICES.values(), "value", "low", "high"])
    clear = table[table["verdict"] != "not clear"]
    plot.level(0, along="x", color=BLACK, strokeWidth=2).spans(along="x", color=SILVER)
    plot.spans(data=clear, along="x", color=BLACK, strokeWidth=4)
    heads = table.groupby("at", as_index=False)[["row", "block"]].first().replace({"block": BLOCKS})
    counts = zip(table.groupby("at").size(), clear.groupby("at").size().reindex(heads["at"], fill_value=0), strict=True)
    heads["block"] += [f"\n{n_clear} of {n} clear" for n, n_clear in counts]
    bold: dict[str, Any] = {"color": INK, "fontWeight": "bold", "fontSize": 13, "align": "left"}
    plot.words("block", heads.assign(row=heads["row"] + 7.5, value=-0.23), lineBreak="\n", **bold)
    plot.words("words", pd.DataFrame([{"value": 0, "row": 8.5, "words": "two people lead →"}]), dx=8, **bold)
    own = table[table["at"] > 0]
    for name, label in zip(CHOICES.values(), CHOICES, strict=True):
        options = list(dict.fromkeys(own[name]))
        plot.menu(name, options, FAIR.get(label, options[0]), label)
    plot.where = " && ".join(f"datum.{name} === {name}" for name in CHOICES.values())
    look: dict[str, Any] = {"color": MAGENTA, "shape": "diamond", "strokeWidth": 3}
    unclear = own["verdict"] == "not clear"
    plot.spans(data=own, along="x", color=MAGENTA, strokeWidth=5).points(220, own[~unclear], **look)
    plot.points(220, own[unclear], **look, filled=False, fill=PAPER)
    above = own.assign(row=own.groupby("at")["row"].transform("max") + 5, value=0)
    plot.words("said", above, **bold | {"color": MAGENTA, "dx": 8, "lineBreak": "\n"})
    return plot.done(title, f"Leads of two people over two networks in {len(ways)} ways.", 490, WAYS_KEY)
