"""How far two people are ahead: on each kind of pictures, and in all ways of comparing them with two networks."""

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

OF_VALUES, OF_LEADS = (0, 0.62), (-0.1, 0.36)  # ends of the two strips of a row
KEY = "Circle: two people. Square: a mixed pair; triangle: one with a network trained on more data<br>"
# What is drawn -> its picture among the assets; a photograph with noise needs none.
KINDS = {"distorted photographs and sketches": "", "line drawings": "edges/cat2", "silhouettes": "silhouettes/cat1"}
# The choices, and what the chart calls them.
CHOICES = {
    "networks": {OF_XU: "lesson 3's 22 networks", OTHERS: "25 other networks", LARGER: "10 of these, with more data"},
    "accuracies": {f"within {limit}": f"within {limit}" for limit in ("0.01", "0.02", "0.05")},
    "strengths": {"all strengths": "all strengths", "strengths in use": "extremes left out"},
}
ROWS, PIXELS = (8, 2, 1), 24  # from one choice of each kind to the next; pixels of a row
TOP, TENTHS = 2.5, [-0.2, -0.1, 0, 0.1, 0.2, 0.3]
PLAIN: dict[str, Any] = {"grid": False, "domain": False, "tickSize": 0, "labelFontSize": 13, "labelLimit": 200}
CLEAR: dict[str, Any] = {"shape": "diamond"}
HOLLOW = CLEAR | {"filled": False, "fill": PAPER, "strokeWidth": 1.6}
UNDER = "lead over two networks, in EC"


def kinds() -> Table:
    """Show a picture of each kind, with its name."""
    shown = "".join(f"<div>{_example(kind)}<p>{kind}</p></div>" for kind in KINDS)
    return Table(figure(shown, "Three kinds of pictures"), "; ".join(KINDS))


def leads_by_kind(rows: pd.DataFrame, title: str) -> Table:
    """Show two people, a mixed pair and their lead: a row per kind of pictures, under the question that it answers."""
    drawn = "".join(map(_kind, rows.to_dict("records")))
    return Table(figure(f'<div class="leads">{drawn}</div>', title, KEY), rows.to_string(index=False))


def _example(kind: str) -> str:
    address = address_of(f"stimuli/{KINDS[kind]}") if KINDS[kind] else webp(uniform_noise(cat(), 0.15))
    return f'<img src="{address}" alt="an example of {kind}" width="224" height="224">'


def _at(ends: tuple[float, float], *values: float) -> str:
    """Say where on a strip something is, or where it begins and ends."""
    places = ((min(max(value, ends[0]), ends[1]) - ends[0]) / (ends[1] - ends[0]) for value in values)
    return "style='" + ";".join(f"--{name}:{at:.1%}" for name, at in zip(("low", "high"), places, strict=False)) + "'"


def _kind(row: dict[Any, Any]) -> str:
    asked, _, answer = row["asked"].partition("? ")
    heading = f'<p class="of-question"><b>{asked}?</b> {answer}</p>' if asked else ""
    if not row["kind"]:
        return f'{heading}<p class="no-data">no data</p>'
    if asked:
        for name, ends, step in ((f"mean {row['unit']}", OF_VALUES, 2), ("lead of two people", OF_LEADS, 1)):
            ticks = (f"<span {_at(ends, place * step / 10)}>{place * step / 10:g}</span>" for place in range(4))
            heading += f'<p class="strip axis"><b>{name}</b>{"".join(ticks)}</p>'
    values, mixed = "", "both" if row["newer"] else "both square"
    for look, value, lane in (("people", row["first"], -9), (mixed, row["second"], 9)):
        at = f"{_at(OF_VALUES, value)[:-1]};--lane:{lane}px'"
        values += f'<i class="{look}" {at}></i><em{" class=before" * (value > 0.45)} {at}>{value:.2f}</em>'
    lead, interval = with_interval(row["value"], row["low"], row["high"]).split(" ", 1)
    clear = "not clear" if row["verdict"] == "not clear" else "clear"
    said = f"<span><b>{lead}, {clear}</b><br>{interval}</span>"
    line = f'<s {_at(OF_LEADS, row["low"], row["high"])}></s><i class="lead" {_at(OF_LEADS, row["value"])}></i>{said}'
    strips = f'<p class="strip">{values}</p><p class="strip {clear.replace(" ", "-")}" {_at(OF_LEADS, 0)}>{line}</p>'
    return f"{heading}<div>{_example(row['kind'])}<b>{row['kind']}</b></div>{strips}"


def specifications(ways: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the lead over two networks in each way to choose, a row each, in a group for each set of networks."""
    table = ways.replace(CHOICES)[[*CHOICES, "value", "low", "high"]]
    order = {words: place for each in CHOICES.values() for place, words in enumerate(each.values())}
    table["row"] = -table[[*CHOICES]].map(order.get).mul(list(ROWS)).sum(axis=1)
    ends = (table["row"].min() - 0.7, TOP)
    said = {f"{row:g}": f"{limit}, {all_or}" for row, limit, all_or in table[["row", *[*CHOICES][1:]]].to_numpy()}
    heads = {f"{1 - ROWS[0] * place:g}": words for place, words in enumerate(CHOICES["networks"].values())}
    y = numbers("row", ends=ends, ticks=[*map(float, heads | said)], labelExpr=f"{heads | said}[datum.value]", **PLAIN)
    y["axis"]["labelFontWeight"] = {"condition": {"test": f"{heads}[datum.value]", "value": "bold"}, "value": "normal"}
    y["title"] = None
    x = numbers("value", UNDER, ends=(-0.25, 0.35), ticks=TENTHS, grid=False, format=".1f")
    plot = Plot(table, x, y, hover=[*CHOICES, "value", "low", "high"]).level(0, along="x", color=BLACK)
    for words, side in (("← networks ahead", "right"), ("people ahead →", "left")):
        at = pd.DataFrame({"said": [words], "value": [-0.02 if side == "right" else 0.02], "row": [2]})
        plot.words("said", at, color=INK, align=side, fontWeight="bold", fontSize=13)
    plot.spans(along="x", color=SILVER, strokeWidth=2.2)
    for kept, look in ((ways["verdict"] != "not clear", CLEAR), (ways["verdict"] == "not clear", HOLLOW)):
        if kept.any():
            plot.points(110, table[kept], **look, color=BLACK)
    about, height = f"{UNDER}, in {len(ways)} ways.", PIXELS * (ends[1] - ends[0])
    return plot.done(title, about, height, "within: how far accuracies may differ; lines: 95 % intervals")
