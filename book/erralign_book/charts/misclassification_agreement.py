"""The pictures of the lesson on misclassification agreement: which wrong words match, and how many would by chance."""

from dataclasses import replace

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK, ORANGE, PALE, PAPER, SILVER, SLATE
from erralign.plot.grammar import finish, layer, numbers
from erralign.plot.html import Table
from erralign_book.charts.error_consistency import BOLD
from erralign_book.charts.grammar import slider
from erralign_book.charts.signature import UNDECIDED, steps, still
from erralign_book.papers.geirhos2020 import HABIT

# Whose words, from the top: the tile of the favourite word, and the mark of any other.
SIDES = {"people": (ORANGE, "circle"), "networks": (BLUE, "square")}
KEY = f"full: “{HABIT}”; dot: another word; empty: a tie; black bar: the same word; below, a dot is a shuffle"
LEFT = 66  # pixels to the first tile, for the names
ACROSS = "(width < 500 ? 20 : 40)"  # tiles in a row; a phone has two rows of each side
HIGH = f"({ACROSS} === 20 ? 21 : 42)"  # pixels of a tile
TILE = f"((width - {LEFT}) / {ACROSS})"
FOOT, DOT, FIRST = 304, 10, 30  # pixels to the foot of the heap, of a dot; shuffles before the reader makes more


def words_on_silhouettes(title: str) -> Table:
    """Show the silhouettes that fool both, sorted by whether people's and networks' commonest wrong words match."""
    return still(replace(steps()[2], sentence=title))


def shuffles(said: pd.DataFrame, ways: np.ndarray, title: str) -> alt.LayerChart:
    """Draw people's words above networks' last shuffle, and below a dot per shuffle by how many match, the last black.

    ``said`` has the words of people and of networks, a row per picture; "tie" is none. ``ways`` has networks' words in
    new orders, a row per shuffle: the reader chooses how many are made.
    """
    people, networks = said[list(SIDES)].to_numpy(str).T
    same, own = ((words == people) & (people != UNDECIDED) for words in (ways, networks))
    strips = [*_strip("people", people[None]), *_strip("networks", ways), _bars(same)]
    chart = layer(layer(*strips), _heap(same.sum(axis=1), int(own.sum())))
    chart = chart.resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "shuffles", FIRST, (1, len(ways)), 1))
    about = f"The {len(said)} words of each side in the last shuffle, and a dot per shuffle by how many match."
    return finish(chart, title, about, FOOT, subtitle=KEY)


def _tiles(ways: np.ndarray, down: str) -> alt.Chart:
    """Chart a tile per picture, so many pixels ``down``: of the shuffle that is shown, or of what none changes.

    A shuffle is one row of the table, a letter per picture.
    """
    table = pd.DataFrame({"way": np.arange(len(ways)) + 1, "letters": ["".join(way) for way in ways]})
    chart = alt.Chart(table).transform_filter("datum.way === way" if len(ways) > 1 else "true")
    chart = chart.transform_calculate(letter="split(datum.letters, '')", at=f"sequence({ways.shape[1]})")
    chart = chart.transform_flatten(["letter", "at"])
    chart = chart.transform_calculate(
        left=f"{LEFT} + {TILE} * (datum.at % {ACROSS})",
        top=f"{down} + (2 * {HIGH} + 16) * floor(datum.at / {ACROSS})",
    )
    return chart.transform_calculate(
        zero="0", right=f"datum.left + {TILE}", across=f"datum.left + {TILE} / 2", middle=f"datum.top + {HIGH} / 2"
    )


def _placed(chart: alt.Chart, x: str, y: str) -> alt.Chart:
    """Place marks by their pixels."""
    return chart.encode(alt.X(f"{x}:Q", axis=None, scale=None), alt.Y(f"{y}:Q", axis=None, scale=None))


def _strip(side: str, words: np.ndarray) -> list[alt.Chart]:
    """Draw words as tiles beside each other: the favourite filled, a dot for any other, nothing for a tie."""
    (hue, shape), down = SIDES[side], f"{list(SIDES).index(side)} * ({HIGH} + 2)"
    letters = np.where(words == HABIT, "k", np.where(words == UNDECIDED, "-", "o"))
    chart = _tiles(letters, down).transform_calculate(bottom=f"datum.top + {HIGH}")
    fill = alt.when("datum.letter === 'k'").then(alt.value(hue)).otherwise(alt.value(PALE))
    tiles = _placed(chart.mark_rect(stroke=PAPER, strokeWidth=2).encode(fill=fill), "left", "top")
    tiles = tiles.encode(x2="right:Q", y2="bottom:Q")
    dots = chart.transform_filter("datum.letter === 'o'").mark_point(filled=True, opacity=1, shape=shape, color=hue)
    names = chart.transform_filter(f"datum.at % {ACROSS} === 0").mark_text(**BOLD, align="left", text=side, color=INK)
    return [tiles, _placed(dots.encode(size=alt.value(36)), "across", "middle"), _placed(names, "zero", "middle")]


def _bars(same: np.ndarray) -> alt.Chart:
    """Draw a bar below each place at which both sides say the same word."""
    chart = _tiles(np.where(same, "1", "0"), f"2 * ({HIGH} + 2)").transform_filter("datum.letter === '1'")
    chart = chart.transform_calculate(bottom="datum.top + 5", left="datum.left + 1", right="datum.right - 1")
    return _placed(chart.mark_rect(color=BLACK), "left", "top").encode(x2="right:Q", y2="bottom:Q")


def _heap(matches: np.ndarray, own: int) -> alt.LayerChart:
    """Heap a dot per shuffle, two beside each other, with lines at the pair's own number and at the mean."""
    dots = pd.DataFrame({"way": np.arange(len(matches)) + 1, "matches": matches})
    level = dots.groupby("matches").cumcount()
    dots["side"], dots["top"] = 0.65 * DOT * (2 * (level % 2) - 1), FOOT - DOT * (level // 2 + 0.6)
    ends, highest = (matches.min() - 1, matches.max() + 1), int(dots["top"].min()) - 30
    x = numbers("place", "words that match", ends=ends, ticks=range(ends[0] + 1, ends[1]), grid=False)
    y = numbers("top", ends=(FOOT, 0)) | {"axis": None}
    made = alt.Chart(dots).transform_filter("datum.way <= way")
    look = alt.when("datum.way === way").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    heap = made.transform_calculate(place=f"datum.matches + {np.ptp(ends)} * datum.side / width")
    heap = heap.mark_point(filled=True, opacity=1, size=70).encode(alt.X(**x), alt.Y(**y), color=look)
    now = dots[["way"]].assign(counted=own, mean=(matches.cumsum() / dots["way"]).round(1), top=highest)
    shown = alt.Chart(now).transform_filter("datum.way === way")
    marks: list[alt.Chart] = []
    for name, ink, align, dx in (("mean", GREY, "right", -6), ("counted", BLACK, "left", 6)):
        line = shown.transform_calculate(said=f"'{name} ' + datum.{name}")
        line = line.encode(alt.X(**x | {"shorthand": f"{name}:Q"}), alt.Y(**y))
        words = line.mark_text(**BOLD | {"color": SLATE, "align": align, "dx": dx, "dy": 6}).encode(text="said:N")
        marks += [line.mark_rule(strokeWidth=2, color=ink).encode(y2=alt.value(FOOT)), words]
    return layer(*marks, heap)
