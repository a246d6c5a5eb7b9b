"""A game: which of three is the odd one out? A reader answers, then sees what people and a network chose."""

import json
import re
from collections.abc import Sequence
from functools import cache
from html import escape

import altair as alt
import pandas as pd

from erralign.files import place
from erralign.plot.colours import BLUE, GREY, ORANGE
from erralign.plot.grammar import Plot, names, shares
from erralign.plot.html import Table
from erralign.plot.theme import BAND
from erralign_book.charts.pictures import figure

PLACES = ("first", "second", "third")
SHARES = [f"people_{each}" for each in PLACES]
SYMBOL = re.compile(r'<symbol id="([^"]+)"(.*?)</symbol>')


@cache
def _symbols() -> dict[str, str]:
    """Return the drawing of each thing."""
    sheet = place("things.svg").read_text(encoding="utf-8")
    return {name.replace("-", " "): rest for name, rest in SYMBOL.findall(sheet)}


def drawing(name: str) -> str:
    """Return a drawing of a thing, as part of a page."""
    return f'<svg aria-hidden="true" width="72"{_symbols()[name]}</svg>'


def drawings(things: Sequence[str], title: str) -> Table:
    """Draw things, one of which is the odd one out."""
    drawn = "".join(f"<div>{drawing(name)}<b>{escape(name)}</b></div>" for name in things)
    return Table(figure(drawn, title, credit=""), ", ".join(things))


def odd_one_out_game(triplets: pd.DataFrame, network: str, title: str) -> Table:
    """Let a reader choose the odd one out of some triplets, and compare each choice with people's and a network's."""
    rows = "".join(_row(row) for row in triplets.to_dict("records"))
    html = (
        f'<figure class="odd-one-out" role="group" aria-label="{escape(title)}"'
        f' data-network="{escape(network)}"><figcaption>{escape(title)}</figcaption><ol>{rows}</ol></figure>'
    )
    words, every = triplets[list(PLACES)].to_numpy(), range(len(triplets))
    chosen = {"most people": triplets[SHARES].to_numpy().argmax(axis=1), network: triplets["network"]}
    shown = triplets[list(PLACES)].assign(**{who: words[every, places] for who, places in chosen.items()})
    return Table(html, shown.to_string(index=False))


def _row(row: dict) -> str:
    things = [row[each] for each in PLACES]
    buttons = "".join(
        f'<button type="button">{drawing(thing)}{escape(thing)}<span></span></button>' for thing in things
    )
    people = escape(json.dumps([round(row[each], 4) for each in SHARES]))
    return f'<li data-people="{people}" data-model="{row["network"]}"><div>{buttons}</div></li>'


def accuracy_of_systems(
    systems: pd.DataFrame, people: pd.Series, title: str, *, before: str | None = None
) -> alt.LayerChart:
    """Draw how often systems choose like a person, beside another person and the ceiling, and what it was before."""
    best_first = systems.sort_values("accuracy", ascending=False)["system"].tolist()
    hover = ["system", "accuracy", "low", "high", *([before] if before else [])]
    x = shares("accuracy", "triplets answered as a person did", ends=(0.3, 0.72), grid=True)
    plot = Plot(systems[hover], x, names("system", best_first), hover=hover)
    of_people = people[["least", "most"]].astype(float).round(4)
    band = alt.Chart(of_people.to_frame().T).mark_rect(color=ORANGE, opacity=BAND)
    plot.draw(band.encode(alt.X(**x | {"shorthand": "least:Q"}), x2="most:Q"))
    plot.level(*of_people, color=ORANGE).dashed(1 / 3, people["majority"], strokeWidth=1)
    if before:
        plot.spans(before, "accuracy", color=GREY, strokeWidth=1).ticks(before, height=14)
    plot.spans(color=BLUE).points(90, color=BLUE, shape="square")
    ends = pd.DataFrame({"accuracy": [1 / 3, people["majority"]], "name": ["a guess", "noise ceiling"]})
    middle = pd.DataFrame({"accuracy": [of_people.mean()], "name": ["another person"]})
    # On a phone the names of neighbours would touch on one line.
    plot.words("name", ends, y=-8, color=GREY).words("name", middle, y=-24, color=ORANGE)
    about = "Share of triplets on which a system chooses what a person chose, with 95 % intervals."
    probed = "grey tick: before, on the same triplets; point: after; people and ceiling: on other triplets"
    words = probed if before else "lines: 95 % intervals"
    return plot.done(title, about, alt.Step(34), words)
