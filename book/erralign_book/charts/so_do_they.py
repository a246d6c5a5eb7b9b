"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, MAGENTA, PAPER, SILVER
from erralign.plot.grammar import Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import number, with_interval
from erralign_book.charts.pictures import figure, picture, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import FAIR
from erralign_book.sources.photograph import cat

LEAST, MOST, TICKS = -0.12, 0.33, (-0.1, 0, 0.1, 0.2, 0.3)  # ends and numbers of the strip
KEY = "Line: 95 % interval of the lead; in a mixed pair a triangle is a network trained on more data<br>"
BLOCKS = {False: "over a mixed pair", True: "over two networks"}  # whom two people are compared with
WAYS_KEY = "A line is one way to choose: its 95 % interval, without a correction; thick: clear"
CHOICES = {"networks": "networks", "accuracies": "accuracies", "near-copies": "copies", "strengths": "strengths"}
SAID = {"more": "You: two people lead", "less": "You: two networks lead", "not clear": "You: no clear lead"}


def leads_by_kind(rows: pd.DataFrame, title: str) -> Table:
    """Show two people, a mixed pair and their lead: a row per kind of pictures, under the question that it answers."""
    drawn = "".join(map(_kind, rows.to_dict("records")))
    ticks = "".join(f"<span {_at(tick)}>{number(tick, 1)}</span>" for tick in TICKS)
    axis = f'<p class="axis"></p><p class="strip axis">{ticks}</p><p></p><p>lead of two people</p>'
    return Table(figure(f'<div class="leads" {_at(0)}>{drawn}{axis}</div>', title, KEY), rows.to_string(index=False))


def _at(low: float, high: float = 0) -> str:
    """Say where on the strip something is, or where it begins and ends."""
    low, high = ((each - LEAST) / (MOST - LEAST) for each in (low, high))
    return f'style="--low:{low:.1%};--high:{high:.1%}"'


def _kind(row: dict[Any, Any]) -> str:
    asked, _, answer = row["asked"].partition("? ")
    heading = f'<p class="of-question"><b>{asked}?</b> {answer}</p>' if asked else ""
    if not row["kind"]:
        return heading
    about = f"an example of {row['kind']}"
    noisy = f'<img src="{webp(uniform_noise(cat(), 0.15))}" alt="{about}" width="224" height="224">'
    shown = picture(f"stimuli/{row['picture']}", about) if row["picture"] else noisy
    people, mixed = row["first"], row["second"]
    of = "both" if row["newer"] else "both square"
    words = f'<i class="people"></i> two people {people:.2f}<br><i class="{of}"></i> mixed pair {mixed:.2f}'
    lead, interval = with_interval(row["value"], row["low"], row["high"]).split(" ", 1)
    marks = f"<s {_at(row['low'], row['high'])}></s><i {_at(row['value'])}></i>"
    clear = "not clear" if row["verdict"] == "not clear" else "clear"
    marks += f"<span {_at(row['value'])}><b>{lead}</b> {interval}, {clear}</span>"
    strip = f'<p class="strip {row["verdict"].replace(" ", "-")}">{marks}</p>'
    return f"{heading}<div>{shown}<p><b>{row['kind']}</b>{words}</p></div>{strip}"


def specifications(mixed: pd.DataFrame, ways: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the lead under all choices, over mixed pairs and over two networks, each from high to low.

    The reader makes the choices, and sees in both blocks what would have been published.
    """
    table = pd.concat([mixed.assign(at=False), ways.assign(at=True)])
    table = table.sort_values(["at", "value"], ascending=[True, False]).rename(columns=CHOICES)
    table["row"] = -np.arange(len(table)) - 9 * table["at"]
    parts = table[["verdict", "value", "low", "high"]].to_numpy()
    table["said"] = [f"{SAID[verdict]}: {with_interval(*lead)}" for verdict, *lead in parts]
    x = numbers("value", "lead of two people, in EC", ends=(-0.23, 0.33), format=".1f", grid=False)
    y = numbers("row", " ", ends=(table["row"].min() - 1, 10), labels=False, tickSize=0, domain=False, grid=False)
    plot = Plot(table, x, y, hover=[*CHOICES.values(), "value", "low", "high"])
    clear = table[table["verdict"] != "not clear"]
    ends = table.groupby("at")["row"].agg(["min", "max"]).assign(value=0).reset_index()
    plot.spans("min", "max", along="y", data=ends, color=BLACK, strokeWidth=2).spans(along="x", color=SILVER)
    plot.spans(data=clear, along="x", color=BLACK, strokeWidth=4)
    heads = table.groupby("at", as_index=False)[["row"]].first()
    counts = zip(BLOCKS.items(), table.groupby("at").size(), clear.groupby("at").size(), strict=True)
    heads["block"] = [f"{name}: {n_clear} of {n} clear" for (_, name), n, n_clear in counts]
    bold: dict[str, Any] = {"color": INK, "fontWeight": "bold", "fontSize": 13, "align": "left"}
    plot.words("block", heads.assign(row=heads["row"] + 6, value=-0.23), **bold)
    for name, label in zip(CHOICES.values(), CHOICES, strict=True):
        options = list(dict.fromkeys(table.loc[table["at"], name]))
        plot.menu(name, options, FAIR.get(label, options[0]), label)
    plot.where = " && ".join(f"datum.{name} === {name}" for name in CHOICES.values())
    plot.where = plot.where.replace("datum.copies", "(datum.at ? datum.copies : copies)")  # a mixed pair has none
    look: dict[str, Any] = {"color": MAGENTA, "shape": "diamond", "strokeWidth": 3}
    unclear = table["verdict"] == "not clear"
    plot.spans(data=table, along="x", color=MAGENTA, strokeWidth=5).points(220, table[~unclear], **look)
    plot.points(220, table[unclear], **look, filled=False, fill=PAPER)
    above = table.assign(row=table.groupby("at")["row"].transform("max") + 3, value=-0.23)
    plot.words("said", above, **bold | {"color": MAGENTA})
    return plot.done(title, f"Leads of two people over two networks in {len(ways)} ways.", 490, WAYS_KEY)
