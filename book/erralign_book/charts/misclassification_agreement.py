"""The pictures of the lesson on misclassification agreement: which wrong words match, and how many would by chance."""

from dataclasses import replace

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE, PAPER, SILVER
from erralign.plot.grammar import Axis, finish, layer, numbers
from erralign.plot.html import Table
from erralign_book.charts.error_consistency import BOLD
from erralign_book.charts.grammar import slider
from erralign_book.charts.signature import UNDECIDED, steps, still

KEY = "above, a tile per silhouette, full where the words match; below, a dot per shuffle"
ROW, TILE, FOOT = 24, 32, 260  # pixels to the row of tiles, of its height, to the foot of the dots
DOT, FIRST = 7, 30  # pixels of a dot; shuffles before the reader makes more


def words_on_silhouettes(title: str) -> Table:
    """Show the silhouettes that fool both, sorted by whether people's and networks' commonest wrong words match."""
    return still(replace(steps()[2], sentence=title))


def shuffles(said: pd.DataFrame, ways: np.ndarray, title: str) -> alt.LayerChart:
    """Draw on which pictures the words of the last shuffle match people's, and below a dot per shuffle by how many do.

    ``said`` has the words of people and of networks, a row per picture; "tie" is none. ``ways`` has networks' words in
    new orders, a row per shuffle: the reader chooses how many are made.
    """
    people, networks = said[["people", "networks"]].to_numpy(str).T
    same, own = ((words == people) & (people != UNDECIDED) for words in (ways, networks))
    chart = layer(_row(same), _heap(same.sum(axis=1), int(own.sum())))
    chart = chart.resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "shuffles", FIRST, (1, len(ways)), 1))
    about = f"On which of {len(said)} pictures the words of the last shuffle match, and a dot per shuffle by how many."
    return finish(chart, title, about, FOOT, subtitle=KEY)


def _row(same: np.ndarray) -> alt.LayerChart:
    """Draw a tile per picture, black where both say the same word in the shuffle that is shown."""
    n = same.shape[1]
    letters = ["".join(row) for row in np.where(same, "1", "0")]  # a shuffle is one row of the table
    made = pd.DataFrame({"way": np.arange(len(same)) + 1, "letters": letters, "matches": same.sum(axis=1)})
    chart = alt.Chart(made).transform_filter("datum.way === way")
    words = chart.transform_calculate(said="'this shuffle: ' + datum.matches + ' match'")
    words = words.mark_text(**BOLD, align="left", color=INK).encode(x=alt.value(0), y=alt.value(8), text="said:N")
    tiles = chart.transform_calculate(letter="split(datum.letters, '')", at=f"sequence({n})")
    tiles = tiles.transform_flatten(["letter", "at"])
    tiles = tiles.transform_calculate(left=f"datum.at * width / {n}", right=f"(datum.at + 1) * width / {n}")
    fill = alt.when("datum.letter === '1'").then(alt.value(BLACK)).otherwise(alt.value(PALE))
    tiles = tiles.mark_rect(stroke=PAPER, strokeWidth=2).encode(alt.X("left:Q", axis=None, scale=None), fill=fill)
    return layer(words, tiles.encode(x2="right:Q", y=alt.value(ROW), y2=alt.value(ROW + TILE)))


def _heap(matches: np.ndarray, own: int) -> alt.LayerChart:
    """Heap a dot per shuffle over how many match; the pair's own number is marked below the axis, the mean told."""
    dots = pd.DataFrame({"way": np.arange(len(matches)) + 1, "matches": matches})
    dots["top"] = FOOT - DOT * (dots.groupby("matches").cumcount() + 0.6)
    ends = (min(matches.min(), own) - 1, max(matches.max(), own) + 1)
    ticks = range(ends[0] + 1, ends[1])
    mine: Axis = {"labelOverlap": False, "labelExpr": f"(datum.value === {own} ? '▲ ' : '') + datum.label"}
    x = numbers("matches", "words that match (▲ without a shuffle)", ends=ends, ticks=ticks, grid=False, **mine)
    y = numbers("top", ends=(FOOT, 0)) | {"axis": None}
    look = alt.when("datum.way === way").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    heap = alt.Chart(dots).transform_filter("datum.way <= way").mark_point(filled=True, opacity=1, size=40)
    means = dots[["way"]].assign(mean=(matches.cumsum() / dots["way"]).round(1))
    told = alt.Chart(means).transform_filter("datum.way === way").transform_calculate(said="'mean: ' + datum.mean")
    told = told.mark_text(**BOLD, align="left", color=INK).encode(x=alt.value(0), y=alt.value(84), text="said:N")
    return layer(heap.encode(alt.X(**x), alt.Y(**y), color=look), told)
