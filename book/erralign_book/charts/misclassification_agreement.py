"""The pictures of the lesson on misclassification agreement: which wrong words match, and how many would by chance."""

from dataclasses import replace
from itertools import product

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, SILVER
from erralign.plot.grammar import finish, layer, numbers
from erralign.plot.html import Table
from erralign.plot.theme import WHOSE
from erralign_book.charts.error_consistency import BOLD
from erralign_book.charts.grammar import slider
from erralign_book.set_pieces.signature import UNDECIDED, steps, still

KEY = "filled: “knife”; a line below: the words match"
SAID = "filled half: “knife” (left: people’s word, right: networks’)"
ACROSS, TILE, BAND = 20, 20, 62  # tiles in a row; pixels of one, and from a row of people to the next
ROWS, BELOW, HIGH = {"people": 26, "networks": 48, "same": 70}, 150, 176  # pixels down to rows, to bars, and of these


def words_on_silhouettes(title: str) -> Table:
    """Show the silhouettes that fool both, sorted by whether people's and networks' commonest wrong words match."""
    return still(replace(steps()[2], sentence=title, key=SAID))


def guessers(matches: np.ndarray, own: int, said: str, title: str) -> alt.LayerChart:
    """Draw on how many questions guessers match, as bars of a hundred pairs, and mark the number of our own pair."""
    counted = pd.Series(matches).value_counts(normalize=True).mul(100).round(1).rename_axis("matches")
    bars = alt.Chart(counted[counted > 0].reset_index(name="draws"))
    told, about = alt.Chart(pd.DataFrame({"said": [said]})), "How many pairs of guessers match how often."
    chart = _bars(bars, told, own, range(0, 17, 4), 0)
    return finish(chart, title, about, HIGH, subtitle="on a bar: how many of 100 pairs of guessers")


def shuffles(said: pd.DataFrame, ways: np.ndarray, title: str) -> alt.LayerChart:
    """Draw on which pictures the words of the last shuffle match people's, and below how many shuffles match how often.

    ``said`` has the words of people and of networks, a row per picture; "tie" is none. ``ways`` has networks' words in
    new orders, a row per shuffle: the reader chooses how many are made.
    """
    people, networks = said[["people", "networks"]].to_numpy(str).T
    same, own = ((words == people) & (people != UNDECIDED) for words in (ways, networks))
    made = pd.DataFrame({"way": np.arange(len(ways)) + 1, "matches": same.sum(axis=1)})
    own = int(own.sum())
    often = (made["matches"] >= own).cumsum().astype(str) + " of " + made["way"].astype(str)
    told = alt.Chart(pd.DataFrame({"way": made["way"], "said": f"{own} or more:|" + often + "|shuffles"}))
    told = told.transform_filter("datum.way === way")
    bars = alt.Chart(made).transform_filter("datum.way <= way")
    bars = bars.transform_aggregate(draws="count()", groupby=["matches"])
    ticks = range(min(6, made["matches"].min() // 2 * 2), max(own, made["matches"].max()) + 1, 2)
    heap = _bars(bars, told, own, ticks, BELOW)
    chart = layer(*_tiles(made, people == "knife", ways == "knife", same), heap)
    chart = chart.resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "shuffles", len(ways), (1, len(ways)), 1))
    about = f"On which of {len(said)} pictures words match in the last shuffle, and how many shuffles match how often."
    return finish(chart, title, about, BELOW + HIGH, subtitle=KEY)


def _tiles(made: pd.DataFrame, first: np.ndarray, second: np.ndarray, same: np.ndarray) -> list[alt.Chart]:
    """Draw a tile per picture for people and for networks, filled for "knife", with a line where both say the same."""
    made = made.assign(said="the last shuffle: " + made["matches"].astype(str) + " match; mean of ")
    made["said"] += made["way"].astype(str) + ": " + (made["matches"].cumsum() / made["way"]).round(1).astype(str)
    for name, knives in (("people", np.tile(first, (len(same), 1))), ("networks", second), ("same", same)):
        made[name] = ["".join(row) for row in np.where(knives, "1", "0")]  # a shuffle is one row of the table
    shown, n = alt.Chart(made).transform_filter("datum.way === way"), same.shape[1]
    marks = [shown.mark_text(**BOLD, align="left", color=INK).encode(x=alt.value(0), y=alt.value(8), text="said:N")]
    down = f"{BAND} * floor(datum.place / {ACROSS})"
    parts = {name: f"split(datum.{name}, '')" for name in ROWS}
    tiles = shown.transform_calculate(**parts, place=f"sequence({n})").transform_flatten([*parts, "place"])
    tiles = tiles.transform_calculate(at=f"datum.place % {ACROSS}", right="datum.at + 0.86")
    tiles = tiles.encode(alt.X("at:Q", axis=None, scale=alt.Scale(domain=[0, ACROSS], nice=False)), x2="right:Q")
    for name, top in ROWS.items():
        high, colour = (5, BLACK) if name == "same" else (TILE, WHOSE[name].colour)
        row = tiles.transform_calculate(top=f"{top} + {down}", foot=f"datum.top + {high}")
        row = row.mark_rect(fill=colour, stroke=colour, strokeWidth=int(name in WHOSE))
        dark = alt.when(f"datum.{name} === '1'").then(alt.value(1)).otherwise(alt.value(0))
        marks.append(row.encode(alt.Y("top:Q", axis=None, scale=None), y2="foot:Q", fillOpacity=dark))
    bands = product(("people", "networks"), range(0, BAND * -(-n // ACROSS), BAND))
    names = pd.DataFrame([(name, ROWS[name] + TILE / 2 + down) for name, down in bands], columns=["row", "top"])
    named = alt.Chart(names).mark_text(**BOLD, align="right", color=INK)
    return [*marks, named.encode(x=alt.value(-6), y=alt.Y("top:Q", axis=None, scale=None), text="row:N")]


def _bars(bars: alt.Chart, told: alt.Chart, own: int, ticks: range, top: int) -> alt.LayerChart:
    """Draw how many ("draws") match how often, framed from our own number on, with a flag."""
    bars = bars.transform_calculate(start="datum.matches - 0.46", end="datum.matches + 0.46")
    ends, foot = (ticks[0] - 0.5, ticks[-1] + 2.5), top + HIGH
    x = numbers("start", "matches by chance", ends=ends, ticks=ticks, grid=False, labelPadding=8)
    y = alt.Y("draws:Q", axis=None, scale=alt.Scale(nice=False, range=[foot, top + 18]))
    far = alt.when(f"datum.matches >= {own}").then(alt.value(2)).otherwise(alt.value(0))
    rows = bars.mark_rect(fill=SILVER, stroke=BLACK).encode(alt.X(**x), y, x2="end:Q", y2=alt.datum(0), strokeWidth=far)
    high = bars.transform_filter("datum.draws >= 0.5").mark_text(fontSize=13, dy=-9, color=INK)
    high = high.encode(alt.X(**x | {"shorthand": "matches:Q"}), y, text=alt.Text("draws:Q", format=".0f"))
    flag = told.encode(x=alt.XDatum(own - 0.46), y=alt.value(foot - 125))
    pole = flag.mark_rule(strokeWidth=2, color=BLACK).encode(y2=alt.value(foot))
    words = flag.mark_text(**BOLD, align="left", dx=6, dy=6, color=INK, lineBreak="|").encode(text="said:N")
    return layer(rows, high, pole, words)
