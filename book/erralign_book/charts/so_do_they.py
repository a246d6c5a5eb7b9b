"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, MAGENTA
from erralign.plot.grammar import Plot, numbers
from erralign.plot.tables import Table
from erralign.plot.words import number, with_interval
from erralign_book.charts.findings import FILLED, ZERO
from erralign_book.charts.grammar import slider
from erralign_book.charts.pictures import figure, picture, webp
from erralign_book.distortions import uniform_noise
from erralign_book.sources.photograph import cat

LEAST, MOST = -0.1, 0.33  # ends of the strip of leads
TICKS = (-0.1, 0, 0.1, 0.2, 0.3)
KEY = "Line: 95 % interval of the lead; hollow: it contains 0; leads are computed before rounding<br>"
ROW, GAP = 10, 4  # pixels of a row, and rows above a strip
# What somebody would write above a finding.
HEADLINES = {"more": "“People are ahead”", "less": "“Networks are ahead”", "not clear": "“No clear difference”"}
SHORT = {"Xu et al.'s 22 networks": "22 by Xu et al.", "25 other networks": "25 others"}
SHORT |= {"networks trained on more data": "more data", "strengths in use": "the benchmark’s"}
CHOICES = ["networks", "accuracies", "near-copies", "strengths"]


def leads_by_kind(rows: pd.DataFrame, title: str) -> Table:
    """Show a picture of each kind, the EC of two people and of a mixed pair, and on a strip how far apart they are."""
    drawn = "".join(map(_kind, rows.to_dict("records")))
    ticks = "".join(f"<span {_at(tick)}>{number(tick, 1)}</span>" for tick in TICKS)
    axis = f'<p class="axis">two people’s lead, in EC</p><p class="strip axis" {_at(0)}>{ticks}</p>'
    return Table(figure(f'<div class="leads">{drawn}{axis}</div>', title, KEY), rows.to_string(index=False))


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
    """Draw the lead under all choices, a strip for each set of networks; the reader takes one way."""
    strips = list(ways["networks"].unique())
    table = pd.concat([ways[ways["networks"] == strip].sort_values("value") for strip in strips], ignore_index=True)
    strip = table["networks"].map(strips.index)
    table[CHOICES] = table[CHOICES].replace(SHORT)
    table = table.assign(way=table.index + 1, row=table.index + GAP * (strip + 1), strip=strip * (12 + GAP) + 1)
    table = table.assign(start=table["row"] - 0.5, end=table["row"] + 0.5)
    table["clear"] = np.where(table["verdict"] == "not clear", *reversed(FILLED))
    table["said"] = (
        table["verdict"].map(HEADLINES) + "\n" + list(map(with_interval, table["value"], table["low"], table["high"]))
    )
    x = numbers("value", "lead of two people, in EC", scale={"padding": 8})
    y = numbers("row", ends=(table["end"].max(), 0)) | {"axis": None}
    hover = [*CHOICES, "value", "low", "high"]
    plot = Plot(table, x, y, look=("clear", FILLED), columns=0)
    mine = "datum.way === way"
    plot.spans(along="x", color=alt.expr(f"{mine} ? '{MAGENTA}' : '{GREY}'")).level(0, along="x", color=BLACK)
    plot.points(55, stroke=alt.expr(f"{mine} ? '{MAGENTA}' : '{BLACK}'"), strokeWidth=2)
    names = plot.base(table.drop_duplicates("strip"), y="strip").encode(x=alt.value(0), text="networks:N")
    plot.draw(names.mark_text(align="left", color=INK, fontSize=14, fontWeight="bold"))
    said = plot.base(table, y="strip").transform_filter(mine).encode(x=ZERO, text="said:N")
    plot.draw(said.mark_text(align="left", dx=8, dy=-6, color=MAGENTA, fontSize=14, fontWeight="bold", lineBreak="\n"))
    rows = plot.base(y="start").mark_rect(fill="transparent")
    plot.draw(rows.encode(x=alt.value(0), x2=alt.value("width"), y2="end:Q", tooltip=hover))
    chosen = ["none", *table[CHOICES[1:]].agg(", ".join, axis=1)]
    plot.params += [slider("way", "way", 0, (0, len(table)), 1), alt.param(name="way_words", expr=f"{chosen}[way]")]
    about = (
        "Leads with intervals under all choices, sorted in a strip for each set of networks, and the reader's choice."
    )
    return plot.done(
        title, about, ROW * table["end"].max(), "lines: 95 % intervals; filled: it leaves out 0; press one"
    )
