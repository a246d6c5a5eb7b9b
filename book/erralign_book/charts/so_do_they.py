"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, MAGENTA, PALE, PAPER, SLATE
from erralign.plot.grammar import Plot, finish, layer, names, numbers
from erralign.plot.tables import Table
from erralign.plot.words import number, with_interval
from erralign_book.charts.findings import FILLED
from erralign_book.charts.grammar import slider
from erralign_book.charts.pictures import figure, picture, webp
from erralign_book.distortions import uniform_noise
from erralign_book.sources.photograph import cat

LEAST, MOST = -0.1, 0.33  # ends of the strip of leads
TICKS = (-0.1, 0, 0.1, 0.2, 0.3)
KEY = "Line: 95 % interval of the lead; hollow: it contains 0; leads are computed before rounding<br>"
CURVE, ROW = 190, 16  # pixels: how high the curve is, and a row of cells
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
    """Draw the lead under all choices from left to right, and below it what was chosen; the reader takes one column."""
    table = ways.sort_values("value", ignore_index=True)
    table = table.assign(way=table.index + 1, start=table.index + 0.5, end=table.index + 1.5)
    table["clear"] = np.where(table["verdict"] == "not clear", *reversed(FILLED))
    table["said"] = (
        table["verdict"].map(HEADLINES) + "\n" + list(map(with_interval, table["value"], table["low"], table["high"]))
    )
    table[CHOICES] = table[CHOICES].replace(SHORT)
    options = [(name, option) for name in CHOICES for option in [*sorted(table[name].unique()), " " * len(name)]][:-1]
    cells = pd.concat(
        [table[["start", "end", "way"]].assign(option=o, on=table[c] == o) for c, o in options if o.strip()]
    )
    x = numbers("way", f"{len(table)} ways, sorted by the lead", ends=(0.5, len(table) + 0.5), labels=False, grid=False)
    x["axis"] |= {"ticks": False, "domain": False}
    ends = table["low"].min() - 0.02, table["high"].max() + 0.08
    y = numbers("value", "lead of two people, in EC", ends=ends, scale={"range": [CURVE, 0]}, titleY=CURVE / 2)
    plot = Plot(table, x, y, look=("clear", FILLED), columns=0)
    mine = "datum.way === way"
    plot.spans(color=alt.expr(f"{mine} ? '{MAGENTA}' : '{GREY}'")).level(0, color=BLACK)
    plot.points(alt.expr("min(60, pow(width / 40, 2))"), stroke=alt.expr(f"{mine} ? '{MAGENTA}' : '{BLACK}'"))
    said = alt.Chart(table[["way", "said"]]).transform_filter(mine)
    said = said.mark_text(align="left", color=MAGENTA, fontSize=14, fontWeight="bold", lineBreak="\n", lineHeight=17)
    plot.draw(said.encode(x=alt.value(4), y=alt.value(8), text="said:N"))
    height = CURVE + ROW * len(options)
    rows = names("option", scale={"domain": [option for _, option in options], "range": [CURVE + ROW, height]})
    rows["axis"] |= {"ticks": False, "domain": False, "orient": "left"}
    below = Plot(cells, x, rows)
    fill = alt.expr(f"!datum.on ? '{PALE}' : {mine} ? '{MAGENTA}' : '{SLATE}'")
    below.draw(below.base(x="start").mark_rect(fill=fill, stroke=PAPER, strokeWidth=1.5).encode(x2="end:Q"))
    hover = [*CHOICES, "value", "low", "high"]
    columns = plot.base(x="start").mark_rect(fill="transparent")
    columns = columns.encode(x2="end:Q", y=alt.value(0), y2=alt.value("height"), tooltip=hover)
    both = layer(plot.draw(columns).drawn(), below.drawn()).resolve_scale(y="independent")
    in_words = alt.param(name="way_words", expr="way || 'none'")
    chart = both.add_params(slider("way", "way", 0, (0, len(table)), 1), in_words)
    about = "Leads with intervals under all choices, sorted, with what was chosen for each, the reader's among them."
    under = "lines: 95 % intervals; filled: it leaves out 0; press a way to read its headline"
    return finish(chart, title, about, height, subtitle=under)
