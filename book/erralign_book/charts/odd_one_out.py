"""A game: which of three is the odd one out? A reader answers, then sees what people and a network chose."""

import json
from html import escape

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE, GREY, ORANGE, PAPER
from erralign.plot.grammar import Plot, names, shares
from erralign.plot.tables import Table
from erralign.plot.theme import BAND

PLACES = ("first", "second", "third")
SHARES = [f"people_{place}" for place in PLACES]


# Of 100 by 100; eyes and noses are filled.
DRAWINGS = {
    "cat": (
        "M22 62L24 20L42 34Q50 32 58 34L76 20L78 62Q74 86 50 86Q26 86 22 62Z"
        "M50 71q-5 7-10 3M50 71q5 7 10 3M12 60l18 4M10 73l20-2M88 60l-18 4M90 73l-20-2",
        "M36 54a3 3 0 1 0 6 0a3 3 0 1 0-6 0M58 54a3 3 0 1 0 6 0a3 3 0 1 0-6 0M45 65h10l-5 6z",
    ),
    "dog": (
        "M32 26Q50 16 68 26Q76 40 74 60Q70 86 50 88Q30 86 26 60Q24 40 32 26Z"
        "M32 26Q14 22 12 48Q14 68 26 60M68 26Q86 22 88 48Q86 68 74 60M50 70v7q-6 6-12 2M50 77q6 6 12 2",
        "M37 48a3 3 0 1 0 6 0a3 3 0 1 0-6 0M57 48a3 3 0 1 0 6 0a3 3 0 1 0-6 0M42 64a8 6 0 1 0 16 0a8 6 0 1 0-16 0",
    ),
    "cup": (
        "M20 34h52v30q0 20-20 20h-12q-20 0-20-20zM72 42h8q11 0 11 11t-11 12h-9"
        "M12 91h70M38 24q-5-6 0-12M54 24q-5-6 0-12",
        "",
    ),
}


def drawings(title: str) -> Table:
    """Draw three things, one of which is the odd one out."""
    drawn = "".join(
        f'<div><svg viewBox="0 0 100 100" role="img" aria-label="{name}"><path d="{lines}"/>'
        f'<path d="{filled}" class="filled"/></svg><b>{name}</b></div>'
        for name, (lines, filled) in DRAWINGS.items()
    )
    html = f'<figure class="pictures"><figcaption>{escape(title)}</figcaption><div>{drawn}</div></figure>'
    return Table(html, ", ".join(DRAWINGS))


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
    buttons = "".join(f'<button type="button">{escape(row[place])}<span></span></button>' for place in PLACES)
    people = escape(json.dumps([round(row[share], 4) for share in SHARES]))
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
        rings = plot.base(x=before).mark_point(size=60, color=GREY, fill=PAPER, opacity=1)
        plot.spans(before, "accuracy", color=GREY, strokeWidth=1).draw(rings)
    plot.spans(color=BLUE).points(color=BLUE)
    ends = pd.DataFrame({"accuracy": [1 / 3, people["majority"]], "name": ["a guess", "noise ceiling"]})
    middle = pd.DataFrame({"accuracy": [of_people.mean()], "name": ["another person"]})
    # On a phone the names of neighbours would touch on one line.
    plot.words("name", ends, y=-8, color=GREY).words("name", middle, y=-24, color=ORANGE)
    about = "Share of triplets on which a system chooses what a person chose, with 95 % intervals."
    words = "ring: before; point: after, with 95 % intervals" if before else "lines: 95 % intervals"
    return plot.done(title, about, alt.Step(34), words)
