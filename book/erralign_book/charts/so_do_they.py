"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, MAGENTA, PAPER, SLATE
from erralign.plot.grammar import Plot, numbers
from erralign.plot.tables import Table
from erralign.plot.words import number, with_interval
from erralign_book.charts.pictures import figure, picture, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import FAIR, MIXED
from erralign_book.sources.photograph import cat

MOST, TICKS = 0.7, (0, 0.2, 0.4, 0.6)  # end and numbers of the strip of EC
KEY = "Line: 95 % interval of the lead of two people, measured from the square; hollow: it reaches the square; "
KEY += "the accuracies of the two of a pair differ by less than 0.05<br>"
BLOCKS = {  # whom two people are compared with: what the block is called
    MIXED: "over a mixed pair",
    "Xu et al.'s 22 networks": "over two networks\nof Xu et al.’s 22",
    "25 other networks": "over two networks\nof 25 others",
    "networks trained on more data": "over two networks\nwith more data",
}
WAYS_KEY = "Line: 95 % interval, without a correction; filled: it leaves out 0; a line is one way to choose"
CHOICES = {"networks": "networks", "accuracies": "accuracies", "near-copies": "copies", "strengths": "strengths"}
SAID = {"more": "Two people lead", "less": "Two networks lead", "not clear": "No clear lead"}


def leads_by_kind(rows: pd.DataFrame, title: str) -> Table:
    """Show a picture of each kind, the EC of two people and of a mixed pair, and on a strip how far apart they are."""
    drawn = "".join(map(_kind, rows.to_dict("records")))
    ticks = "".join(f"<span {_at(tick)}>{number(tick, 1)}</span>" for tick in TICKS)
    axis = f'<p class="axis"></p><p class="strip axis">{ticks}</p><p></p><p>EC; 0 is chance</p>'
    return Table(figure(f'<div class="leads">{drawn}{axis}</div>', title, KEY), rows.to_string(index=False))


def _at(low: float, high: float = 0) -> str:
    """Say where on the strip something is, or where it begins and ends."""
    return f'style="--low:{low / MOST:.1%};--high:{high / MOST:.1%}"'


def _kind(row: dict[Any, Any]) -> str:
    about = f"an example of {row['kind']}"
    noisy = f'<img src="{webp(uniform_noise(cat(), 0.15))}" alt="{about}" width="224" height="224">'
    shown = picture(f"stimuli/{row['picture']}", about) if row["picture"] else noisy
    people, mixed = row["first"], row["second"]
    words = f'<i class="people"></i> two people {people:.2f}<br><i class="both"></i> mixed pair {mixed:.2f}'
    lead, interval = with_interval(row["value"], row["low"], row["high"]).split(" ", 1)
    marks = f'<s {_at(mixed + row["low"], mixed + row["high"])}></s><i class="both" {_at(mixed)}></i>'
    marks += f"<i {_at(people)}></i><span {_at(people)}>lead <b>{lead}</b> {interval}</span>"
    strip = f'<p class="strip {row["verdict"].replace(" ", "-")}">{marks}</p>'
    return f"<div>{shown}<p><b>{row['kind']}</b>{words}</p></div>{strip}"


def specifications(mixed: pd.DataFrame, ways: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the lead under all choices, a block for mixed pairs and one for each set of networks, from high to low.

    The reader makes the choices for two networks, and sees what would have been published.
    """
    table = pd.concat([mixed.assign(block=MIXED), ways.assign(block=ways["networks"])])
    at = table["block"].map(list(BLOCKS).index)
    table = table.assign(at=at).sort_values(["at", "value"], ascending=[True, False]).rename(columns=CHOICES)
    table["row"] = -np.arange(len(table)) - 5 * table["at"] - 3 * (table["at"] > 0)
    parts = table[["verdict", "value", "low", "high"]].to_numpy()
    table["said"] = [f"{SAID[verdict]}\n{with_interval(*lead)}" for verdict, *lead in parts]
    x = numbers("value", "two people’s lead, in EC", ends=(-0.23, 0.33), format=".1f", grid=False)
    y = numbers("row", " ", ends=(table["row"].min() - 1, 6), labels=False, tickSize=0, domain=False, grid=False)
    plot = Plot(table, x, y, hover=[*CHOICES.values(), "value", "low", "high"])
    plot.level(0, along="x", color=BLACK, strokeWidth=2).spans(along="x", color=SLATE)
    for inside, shown in ((BLACK, table), (PAPER, table[table["verdict"] == "not clear"])):
        plot.points(40, shown, fill=inside, stroke=BLACK, strokeWidth=1.5, color=BLACK)
    heads = table.groupby("at", as_index=False)[["row", "block"]].first().replace({"block": BLOCKS})
    bold: dict[str, Any] = {"color": INK, "fontWeight": "bold", "fontSize": 13, "align": "left"}
    plot.words("block", heads.assign(row=heads["row"] + 3.2, value=-0.23), lineBreak="\n", **bold)
    plot.words("words", pd.DataFrame([{"value": 0, "row": 5, "words": "two people lead →"}]), dx=8, **bold)
    own = table[table["at"] > 0]
    for name, label in zip(CHOICES.values(), CHOICES, strict=True):
        options = list(dict.fromkeys(own[name]))
        plot.menu(name, options, FAIR.get(label, options[0]), label)
    plot.where = " && ".join(f"datum.{name} === {name}" for name in CHOICES.values())
    plot.spans(data=own, along="x", color=MAGENTA, strokeWidth=5).points(90, own, color=MAGENTA)
    above = own.assign(row=own["row"].max() + 5, value=0)
    plot.words("said", above, **bold | {"color": MAGENTA, "dx": 8, "lineBreak": "\n"})
    return plot.done(title, f"Leads of two people over two networks in {len(ways)} ways.", 620, WAYS_KEY)
