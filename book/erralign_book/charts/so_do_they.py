"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, MAGENTA, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import Plot, numbers
from erralign.plot.html import Table
from erralign.plot.theme import number, with_interval
from erralign_book.charts.pictures import figure, picture, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import FAIR, OF_XU
from erralign_book.papers.klein2025.kinds import LARGER, OTHERS
from erralign_book.sources.photograph import cat

LEAST, MOST, TICKS = -0.1, 0.65, (0, 0.2, 0.4, 0.6)  # ends and numbers of the strip
KEY = "A triangle is a network trained on more data; a diamond is the lead, hollow where not clear<br>"
SAID = {"more": "two people lead", "less": "two networks lead", "not clear": "no clear lead"}
# The choices, and what the rows of dots call them.
CHOICES = {
    "networks": {OF_XU: "lesson 3's 22 networks", OTHERS: "25 others", LARGER: "10 of these: more data"},
    "accuracies": {f"within {limit}": f"accuracies within {limit}" for limit in ("0.01", "0.02", "0.05")},
    "strengths": {"all strengths": "all strengths", "strengths in use": "a benchmark's strengths"},
}
TOP, BELOW, STEP, GAP = 0.42, -0.38, 0.047, 0.055  # where words stand, rows of dots begin, and steps down from there
TENTHS, PIXELS = (-0.2, -0.1, 0, 0.1, 0.2, 0.3), 400  # numbers of the axis; pixels of a lead of 1
HOLLOW: dict[str, Any] = {"shape": "diamond", "filled": False, "fill": PAPER}
UNDER = "lead in EC, with its 95 % interval; below it, in dots, what was chosen"


def leads_by_kind(rows: pd.DataFrame, title: str) -> Table:
    """Show two people, a mixed pair and their lead: a row per kind of pictures, under the question that it answers."""
    drawn = "".join(map(_kind, rows.to_dict("records")))
    zero = f"--zero:{-LEAST / (MOST - LEAST):.1%}"
    return Table(figure(f'<div class="leads" style="{zero}">{drawn}</div>', title, KEY), rows.to_string(index=False))


def _at(low: float, high: float = 0) -> str:
    """Say where on the strip something is, or where it begins and ends."""
    low, high = ((end - LEAST) / (MOST - LEAST) for end in (low, high))
    return f'style="--low:{low:.1%};--high:{high:.1%}"'


def _kind(row: dict[Any, Any]) -> str:
    asked, _, answer = row["asked"].partition("? ")
    heading = f'<p class="of-question"><b>{asked}?</b> {answer}</p>' if asked else ""
    if not row["kind"]:
        return f'{heading}<p class="no-data">no data</p>'
    ticks = "".join(f"<span {_at(tick)}>{number(tick, 1) if tick else 0}</span>" for tick in TICKS)
    heading += f'<p class="unit">{row["unit"]}</p><p class="strip axis">{ticks}</p>' if asked else ""
    about = f"an example of {row['kind']}"
    noisy = f'<img src="{webp(uniform_noise(cat(), 0.15))}" alt="{about}" width="224" height="224">'
    shown = picture(f"stimuli/{row['picture']}", about) if row["picture"] else noisy
    people, mixed = row["first"], row["second"]
    names = ("two people<br>", "mixed pair<br>") if row["unit"] == "mean EC" and asked else ("", "")
    marks = f"<s {_at(max(row['low'], LEAST), row['high'])}></s>"
    marks += f'<i class="both{"" if row["newer"] else " square"}" {_at(mixed)}></i><i class="people" {_at(people)}></i>'
    marks += f"<em {_at(people)}>{names[0]}{people:.2f}</em><em {_at(mixed)}>{names[1]}{mixed:.2f}</em>"
    lead, interval = with_interval(row["value"], row["low"], row["high"]).split(" ", 1)
    clear = "not clear" if row["verdict"] == "not clear" else "clear"
    at = _at(row["value"])
    marks += f'<i class="lead" {at}></i><span {at}>lead <b>{lead}</b> {interval}, {clear}</span>'
    return f'{heading}<div>{shown}<b>{row["kind"]}</b></div><p class="strip {clear.replace(" ", "-")}">{marks}</p>'


def specifications(ways: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the lead over two networks in each way to choose, from high to low, and below it in dots what was chosen."""
    table = ways.sort_values("value", ascending=False).replace(CHOICES)[[*CHOICES, "verdict", "value", "low", "high"]]
    table["said"] = [f"You: {SAID[verdict]}, {with_interval(*lead)}" for verdict, *lead in table.iloc[:, 3:].to_numpy()]
    table["way"], clear = np.arange(len(table)), table["verdict"] != "not clear"
    rows: dict[str, float] = {}  # of dots, and how high they are
    for each in CHOICES.values():
        rows |= {words: round(BELOW - GAP * len(rows) - STEP * place, 4) for place, words in enumerate(each.values())}
    grid = table.drop(columns="value").merge(pd.DataFrame(rows.items(), columns=["words", "value"]), how="cross")
    named = {str(at): words for words, at in rows.items()}
    label = f"datum.value > {BELOW} ? replace(format(datum.value, '.1f'), '-', '−') : {named}[datum.value]"
    plain: dict[str, Any] = {"labelExpr": label, "grid": False, "domain": False, "tickSize": 0, "labelFontSize": 13}
    ends, least = (-1, len(table)), min(rows.values()) - STEP
    y = numbers("value", ends=(least, TOP + STEP), ticks=[*TENTHS, *rows.values()], labelLimit=200, **plain)
    x = numbers("way", ends=ends) | {"axis": None}
    plot = Plot(table, x, y | {"title": None}, hover=[*CHOICES, "value", "low", "high"]).level(0, color=BLACK)
    dots = alt.expr(f"pow(min(11, 0.7 * width / {len(table) + 1}), 2)")
    bold: dict[str, Any] = {"fontWeight": "bold", "fontSize": 13}
    sides = {"value": [TOP - 0.06, BELOW + 0.12], "side": ["↑ two people ahead", "↓ two networks ahead"]}
    plot.points(dots, grid, color=PALE_GREY)
    plot.words("side", pd.DataFrame(sides).assign(way=ends[0]), color=INK, align="left", **bold)
    chosen = " && ".join(f"datum.{name} === {name}" for name in CHOICES)
    for plot.where, line, shade, size in (("", SILVER, BLACK, 110), (chosen, MAGENTA, MAGENTA, 200)):
        plot.spans(color=line, strokeWidth=size / 50)
        for kept, look in ((clear, {"shape": "diamond"}), (~clear, HOLLOW | {"strokeWidth": size / 70})):
            if kept.any():
                plot.points(size, table[kept], **look, color=shade)
        plot.points(dots, grid[grid[list(CHOICES)].eq(grid["words"], axis=0).any(axis=1)], color=shade)
    plot.words("said", table.assign(way=ends[1], value=TOP), color=MAGENTA, align="right", **bold)
    for name, options in CHOICES.items():
        plot.menu(name, options.values(), options.get(FAIR.get(name, ""), next(iter(options.values()))), name)
    return plot.done(title, f"Leads over two networks in {len(ways)} ways.", PIXELS * (TOP + STEP - least), UNDER)
