"""The chart of the chapter on misclassification agreement: which wrong words match, and how many would by chance."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK, ORANGE, PALE_GREY, PAPER
from erralign.plot.grammar import finish, layer
from erralign_book.charts.error_consistency import BOLD, heap_of_ways
from erralign_book.charts.grammar import slider
from erralign_book.charts.pictures import address_of

SEEN, SIDE = ("keyboard3", "oven4", "bird2", "oven6", "truck2"), 52  # pictures above their columns, and their pixels
HIGH = 60  # pixels of a tile
WIDE = alt.expr("width < 560 ? 0 : 1")  # not on a phone


def matching_words(said: pd.DataFrame, ways: np.ndarray, title: str) -> alt.LayerChart:
    """Draw a column for each picture, with the word of people and of networks, and a bar below those that match.

    Strong is the word that networks say most; a "tie" is no word. ``ways`` are networks' words, shuffled, one per row:
    the reader chooses how many, the last is shown, and each leaves a dot. A single way is drawn below some pictures.
    """
    people, n = said["people"].to_numpy(str), len(said)
    favourite, top = said["networks"].mode()[0], SIDE + 40 if len(ways) == 1 else 0
    match = ((ways == people) & (people != "tie")).sum(axis=1)
    table = pd.DataFrame({"way": np.arange(len(ways)) + 1, "networks": ways.tolist(), "match": match})
    now = alt.Chart(table).transform_filter("datum.way === way").transform_calculate(said="datum.match + ' match'")
    cells = now.transform_calculate(place=f"sequence({n})", people=str(people.tolist()))
    cells = cells.transform_flatten(["place", "people", "networks"])
    cells = cells.transform_calculate(end="datum.place + 0.92", middle="datum.place + 0.46")
    x: dict[str, Any] = {"axis": None, "scale": alt.Scale(domain=[0, n], nice=False)}
    start, marks = alt.X("place:Q", **x), []
    for side, hue, down in (("people", ORANGE, top + 18), ("networks", BLUE, top + 104)):
        is_word = f"datum.{side} === '{{}}'".format
        fill = alt.when(is_word("tie")).then(alt.value(PALE_GREY)).otherwise(alt.value(hue))
        strong = alt.when(is_word(favourite)).then(alt.value(1)).otherwise(alt.value(0.35))
        tiles = cells.mark_rect().encode(start, x2="end:Q", y=alt.value(down), y2=alt.value(down + HIGH))
        ink = alt.when(is_word(favourite)).then(alt.value(PAPER)).otherwise(alt.value(INK))
        word = cells.mark_text(angle=270, fontSize=12, opacity=WIDE).encode(alt.X("middle:Q", **x), text=f"{side}:N")
        name = now.mark_text(**BOLD, align="left", text=f"{side}: {favourite} {(said[side] == favourite).sum()}")
        marks += [tiles.encode(fill=fill, opacity=strong), word.encode(y=alt.value(down + HIGH / 2), color=ink)]
        marks.append(name.encode(x=alt.value(0), y=alt.value(9 if side == "people" else down - 9)))
    same = cells.transform_filter("datum.people === datum.networks && datum.people !== 'tie'").mark_rect(color=BLACK)
    marks.append(same.encode(start, x2="end:Q", y=alt.value(top + 168), y2=alt.value(top + 173)))
    marks.append(now.mark_text(**BOLD, align="left").encode(x=alt.value(0), y=alt.value(top + 184), text="said:N"))
    if len(ways) == 1:
        marks, height, control = [*marks, *_seen(said, top, x)], top + 194, alt.param(name="way", value=1)
    else:
        own = int(((said["people"] == said["networks"]) & (people != "tie")).sum())
        heap, height = heap_of_ways(match, own, "counted", what="words that match", top=220, across=5, digits=0)
        marks, control = [*marks, heap], slider("way", "shuffles", len(ways), (1, len(ways)), 1)
    chart = layer(*marks).resolve_scale(x="independent", y="independent").add_params(control)
    about = f"Two rows of {n} tiles, coloured by wrong word, with a bar below columns that match."
    under = f"a column is a silhouette; faint: any word but “{favourite}”; grey: a tie"
    return finish(chart, title, about, height, subtitle=under)


def _seen(said: pd.DataFrame, top: int, x: dict[str, Any]) -> list[alt.Chart]:
    """Show a few of the pictures above their columns, each with what people say."""
    seen = said.assign(place=np.arange(len(said)) + 0.46).loc[[f"{name}.png" for name in SEEN]]
    seen["url"] = [address_of(f"stimuli/silhouettes/{name}") for name in SEEN]
    drawn = alt.Chart(seen.assign(at=np.linspace(9, len(said) - 3, len(SEEN)))).encode(alt.X("at:Q", **x))
    lines = drawn.mark_rule(color=GREY).encode(x2="place:Q", y=alt.value(SIDE + 36), y2=alt.value(top + 18))
    words = drawn.mark_text(fontSize=12, color=INK).encode(y=alt.value(SIDE + 27), text="people:N")
    return [lines, words, drawn.mark_image(width=SIDE, height=SIDE).encode(y=alt.value(SIDE / 2 + 18), url="url:N")]
