"""The pictures of the lesson on misclassification agreement: which wrong words match, and how many would by chance."""

from dataclasses import replace

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE_GREY, PAPER
from erralign.plot.grammar import entitle, layer
from erralign.plot.html import Table
from erralign_book.charts.error_consistency import BOLD, heap_of_ways
from erralign_book.charts.grammar import beside_each_other, slider
from erralign_book.charts.signature import UNDECIDED, steps, still
from erralign_book.papers.geirhos2020 import HABIT

ROWS, HIGH, HEAD = 20, 12, 20  # of the words: rows below each other, pixels of a row, and above all of them
SIDES = {"people": (0, ORANGE), "networks": (84, BLUE)}  # pixels to the column of each, and its hue
WIDE, BESIDE, ALL = 70, 166, 320  # pixels of a column, from one block of rows to the next, of both blocks
KEY = [
    "a dot is a shuffle; the black one is shown in words, in two halves,",
    "by people's word; a black bar marks the same word",
]
HEAP, FIRST = 250, 30  # pixels of the heap beside them; the shuffles in it before the reader makes more


def words_on_silhouettes(title: str) -> Table:
    """Show the silhouettes that fool both, sorted by whether people's and networks' commonest wrong words match."""
    return still(replace(steps()[2], sentence=title))


def shuffles(said: pd.DataFrame, ways: np.ndarray, title: str) -> alt.ConcatChart:
    """Draw a dot for each shuffle of networks' words, by how many match people's, and beside them the last shuffle.

    ``said`` has the words of people and of networks, a row per picture; "tie" is none. ``ways`` has networks' words in
    new orders, a row per shuffle: the reader chooses how many are made.
    """
    people, networks = said[list(SIDES)].to_numpy(str).T
    same, own = ((words == people) & (people != UNDECIDED) for words in (ways, networks))
    what, looks = "words that match", {"top": 16, "across": 2, "digits": 0, "wide": HEAP}
    heap, high = heap_of_ways(same.sum(axis=1), int(own.sum()), "counted", what, **looks)
    shuffled, bars = (_of_this_way(np.where(same, "match", "") if bar else ways) for bar in (False, True))
    bars = bars.transform_filter("datum.word").transform_calculate(end=f"datum.left + {WIDE + 10}")
    bars = bars.transform_calculate(left=f"datum.left + {WIDE + 4}").mark_rect(color=BLACK)
    words = layer(*_column("people", _of_this_way(people[None])), *_column("networks", shuffled), _placed(bars))
    panels = heap.properties(width=HEAP, height=high), words.properties(width=ALL, height=HEAD + ROWS * HIGH)
    chart = beside_each_other(panels, 2)
    chart = chart.add_params(slider("way", "shuffles", FIRST, (1, len(ways)), 1))
    about = f"A dot for each shuffle of {len(said)} words, by how many match people's, and the words of the last one."
    return entitle(chart, title, about, subtitle=KEY)


def _of_this_way(ways: np.ndarray) -> alt.Chart:
    """Chart the runs of one word: those of the shuffle that is shown, or of what no shuffle changes."""
    new = np.ones(ways.shape, dtype=bool)
    new[:, 1:] = ways[:, 1:] != ways[:, :-1]
    new[:, ::ROWS] = True  # no run goes on from one block of rows to the next
    way, start = np.nonzero(new)
    long = np.diff(np.append(np.flatnonzero(new), ways.size))
    table = pd.DataFrame({"way": way + 1, "start": start, "long": long, "word": ways[new]})
    block = f"floor(datum.start / {ROWS})"
    chart = alt.Chart(table).transform_filter("datum.way === way" if len(ways) > 1 else "true")
    chart = chart.transform_calculate(
        left=f"{BESIDE} * {block}", top=f"{HEAD} + {HIGH} * (datum.start - {ROWS} * {block})"
    )
    return chart.transform_calculate(bottom=f"datum.top + {HIGH} * datum.long", end=f"datum.left + {WIDE}")


def _placed(chart: alt.Chart) -> alt.Chart:
    """Place rectangles by their pixels."""
    x, y = (alt.X("left:Q", axis=None, scale=None), alt.Y("top:Q", axis=None, scale=None))
    return chart.encode(x, y, x2="end:Q", y2="bottom:Q")


def _column(side: str, chart: alt.Chart) -> list[alt.Chart]:
    """Draw words below each other as tiles, the favourite strong and a tie grey, under the name of who says them."""
    down, hue = SIDES[side]
    chart = chart.transform_calculate(left=f"datum.left + {down}", end=f"datum.end + {down}")
    is_word = "datum.word === '{}'".format
    fill = alt.when(is_word(UNDECIDED)).then(alt.value(PALE_GREY)).otherwise(alt.value(hue))
    strong = alt.when(f"{is_word(HABIT)} || {is_word(UNDECIDED)}").then(alt.value(1)).otherwise(alt.value(0.35))
    tiles = _placed(chart.mark_rect(stroke=PAPER, strokeWidth=1)).encode(fill=fill, opacity=strong)
    ink = alt.when(is_word(HABIT)).then(alt.value(PAPER)).otherwise(alt.value(INK))
    x, y = (alt.X("left:Q", axis=None, scale=None), alt.Y("middle:Q", axis=None, scale=None))
    words = chart.transform_calculate(middle="(datum.top + datum.bottom) / 2").mark_text(
        align="left", dx=5, fontSize=12
    )
    heads = chart.transform_filter(f"datum.top === {HEAD}").mark_text(**BOLD, align="left", text=side)
    return [tiles, words.encode(x, y, text="word:N", color=ink), heads.encode(x, y=alt.value(9))]
