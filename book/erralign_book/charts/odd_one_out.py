"""A game: which of three is the odd one out? A reader answers, then sees what people and a network chose."""

import json
from html import escape

import altair as alt
import pandas as pd

from erralign.plot.colours import DARK, GREY, LILAC, PAPER, PURPLE, VERMILION
from erralign.plot.parts import dots, finish, layer
from erralign.plot.tables import Table
from erralign.plot.theme import BAND
from erralign_book.charts.parts import DASHED, span

PLACES = ("first", "second", "third")
SHARES = [f"people_{place}" for place in PLACES]


def odd_one_out_game(triplets: pd.DataFrame, network: str, title: str) -> Table:
    """Let a reader choose the odd one out of some triplets, and compare each choice with people's and a network's."""
    colours = {"people": VERMILION, "mine": LILAC}
    style = "; ".join(f"--light-{name}: {each}; --dark-{name}: {DARK[each]}" for name, each in colours.items())
    rows = "".join(_row(row) for row in triplets.to_dict("records"))
    html = (
        f'<figure class="odd-one-out" role="group" aria-label="{escape(title)}" style="{style}"'
        f' data-network="{escape(network)}"><figcaption>{escape(title)}</figcaption><ol>{rows}</ol></figure>'
    )
    words, every = triplets[list(PLACES)].to_numpy(), range(len(triplets))
    chosen = {"most people": triplets[SHARES].to_numpy().argmax(axis=1), network: triplets["network"]}
    shown = triplets[list(PLACES)].assign(**{who: words[every, places] for who, places in chosen.items()})
    return Table(html, shown.to_string(index=False))


def _row(row: dict) -> str:
    buttons = "".join(f'<button type="button">{escape(row[place])}<span></span></button>' for place in PLACES)
    people = escape(json.dumps([round(row[share], 4) for share in SHARES]))
    return f'<li data-people="{people}" data-model="{row["network"]}"><div>{buttons}</div></li>'


def accuracy_of_systems(
    systems: pd.DataFrame, people: pd.Series, title: str, *, before: str | None = None
) -> alt.LayerChart:
    """Draw how often systems choose like a person, beside another person and the ceiling, and what it was before."""
    scale = alt.Scale(domain=[0.3, 0.72], nice=False)
    x = alt.X("accuracy:Q", title="triplets answered as a person did", axis=alt.Axis(format="%"), scale=scale)
    best_first = systems.sort_values("accuracy", ascending=False)["system"].tolist()
    y = alt.Y("system:N", title=None, sort=best_first)
    known = ["system", "accuracy", "low", "high", *([before] if before else [])]
    base = alt.Chart(systems[known].round(4)).encode(y)
    points = dots(base, 60, color=PURPLE).encode(x, tooltip=known)
    drawn = [span(base, x, strokeWidth=2, color=PURPLE), points]
    if before:
        x_before = alt.X(f"{before}:Q", title=x["title"], scale=scale)
        rings = base.mark_point(size=60, color=GREY, fill=PAPER, opacity=1).encode(x_before)
        drawn = [span(base, x, before, "accuracy", color=GREY), rings, *drawn]
    x_of = alt.X("level:Q", scale=scale, title=x["title"])
    ends = pd.DataFrame({"level": [1 / 3, people["majority"]], "name": ["a guess", "noise ceiling"]}).round(4)
    levels = alt.Chart(ends).mark_rule(color=GREY, strokeDash=DASHED).encode(x_of)
    of_people = pd.DataFrame({"level": people[["least", "most"]].astype(float)}).round(4)
    whole = alt.X("min(level):Q", scale=scale, title=x["title"])
    band = alt.Chart(of_people).mark_rect(color=VERMILION, opacity=BAND).encode(whole, x2="max(level):Q")
    edges = alt.Chart(of_people).mark_rule(color=VERMILION, strokeWidth=1.5).encode(x_of)
    middle = pd.DataFrame({"level": [people[["least", "most"]].mean()], "name": ["another person"]}).round(4)
    # On a phone the names of neighbours would touch on one line.
    names = [
        alt.Chart(rows).mark_text(y=y, fontSize=12, color=hue).encode(x_of, text="name:N")
        for rows, y, hue in ((ends, -8, GREY), (middle, -24, VERMILION))
    ]
    about = "Share of triplets on which a system chooses what a person chose, with 95 % intervals."
    words = "ring: before; point: after, with 95 % intervals" if before else "lines: 95 % intervals"
    return finish(layer(band, edges, levels, *drawn, *names), title, about, alt.Step(34), subtitle=words)
