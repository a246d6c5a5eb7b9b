"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, PALE, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import Axis, Plot, finish, layer, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS, number, with_interval
from erralign_book.charts.grammar import slider
from erralign_book.charts.how_sure_are_we import WALL, wall, walls

ROW, START, SIDE = 24, 8, 22  # pixels of a row of tiles; how many ways are tried at first; pixels of a row of pairs
DOT, ACROSS = 10, 5  # pixels from one dot to the next, dots beside each other
UNDER = "tiles that stand out are wrong; a dot is one way to place the mistakes"
BELOW = 22  # pixels between an axis and its numbers, for what points to places on it
# The fourteen sets, by what was done to their pictures.
SETS = {
    "stylized": "repainted",
    "power-equalisation": "waves equalised",
    "colour": "colour or grey",
    "false-colour": "false colours",
    "rotation": "turned",
    "sketch": "sketches",
    "uniform-noise": "noise",
    "low-pass": "blur",
    "contrast": "low contrast",
    "eidolonI": "wobbly outlines",
    "phase-scrambling": "waves shifted",
    "high-pass": "fine lines only",
    "eidolonII": "broken outlines",
    "eidolonIII": "dissolved outlines",
}
# Of pairs, as the mean says them; people are drawn last, on top.
KINDS = {"networks": "two networks ", "mixed": "a person and a network ", "people": "two people "}


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str, lead: pd.Series | None = None) -> alt.LayerChart:
    """Draw one measure's means over kinds of pairs, and the lead of two people as a line; below, paler, each data set.

    The mean lead, with the limits of its interval, is told above.
    """
    wide = values.rename(columns=PAIRS, index=SETS).filter(list(KINDS))
    wide = wide.loc[(wide["people"] - wide["mixed"]).sort_values(ascending=False).index]
    wide = pd.concat([wide.mean().to_frame("mean").T, wide]).rename_axis("data_set").reset_index()
    marks = wide.melt("data_set", var_name="pairs")
    marks["said"] = marks["pairs"].map(KINDS) + [number(value, 2) for value in marks["value"]]
    bold = {"condition": {"test": "slice(datum.value, 0, 4) === 'mean'", "value": "bold"}, "value": "normal"}
    order = [" ", "mean", "", *wide["data_set"][1:]]
    plain: Axis = {"domain": False, "ticks": False, "labelFontSize": 13, "labelPadding": 8}
    y = names("data_set", order, scale={"domain": order}, labelFontWeight=bold, **plain)
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure)]
    x = numbers("value", f"mean {measure}", scale={"zero": True}, orient="top", grid=False)
    plot = Plot(marks, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=0)
    zero = plot.base(pd.DataFrame({"value": [0], "data_set": "mean", "last": wide["data_set"].iloc[-1]}))
    plot.draw(zero.mark_rule(color=BLACK, strokeWidth=1.5).encode(y2="last:N"))
    for part, opacity, width in ((slice(0, 1), 1, 7), (slice(1, None), 0.5, 3)):
        of_sets = marks[marks["data_set"].isin(wide["data_set"][part])]
        plot.spans("mixed", "people", data=wide[part], color=SILVER, strokeWidth=width, opacity=opacity)
        plot.points(22 * width + 40, of_sets, opacity=opacity)
    for pairs in wide.columns[1:]:
        mean = marks.query("data_set == 'mean' and pairs == @pairs")
        plot.words("said", mean, dy=-18 if pairs == "mixed" else 20, fontSize=14, fontWeight="bold", color=BLACK)
    about = f"Mean {measure} by data set for pairs: {', '.join(map(str, wide.columns[1:]))}."
    ahead = "" if lead is None else f"on average two people lead by {with_interval(*lead)}; "
    under = f"{ahead}pale: each set of pictures, sorted by that lead"
    return plot.done(title, about, SIDE * len(order), under)


def beside_chance(table: np.ndarray, title: str, who: str) -> alt.LayerChart:
    """Draw four counts as a wall of tiles, in the order of ``OUTCOMES``, and below it what chance would give."""
    chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    tiles = pd.concat(
        wall(cells.ravel(), name, top, person="people", network="networks")
        for cells, name, top in ((table, "counted", 0), (chance.round(), "by chance, rounded", WALL))
    )
    height = 2 * WALL - ROW
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False))
    chart = walls(alt.Chart(tiles).encode(y=y), max(2, int(table.sum()) // 40))
    about = f"Two rows of {table.sum()} tiles: how many were counted of four kinds, and how many chance gives."
    return finish(chart, title, about, height, subtitle=f"a tile is a picture, coloured for who {who}")


def by_chance(right: pd.DataFrame, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two readers agree, for all ways to place the second one's wrong answers.

    ``right`` says on which pictures each is right, a column per reader. A dot is a way, grey once tried, and black now.
    """
    readers, (first, second) = list(map(str, right)), ~right.to_numpy().T
    ways = np.array(list(combinations(range(len(first)), second.sum())))
    rows = np.zeros((len(ways), len(first)), dtype=bool)
    np.put_along_axis(rows, np.random.default_rng(seed).permutation(ways), True, axis=1)
    tried = pd.DataFrame(dict(zip(("way", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    tried[readers] = np.column_stack([np.tile(first, len(rows)), rows.ravel()])
    shown = alt.Chart(tried.assign(way=tried["way"] + 1)).transform_filter("datum.way === way")
    x: Axis = {"shorthand": "start:Q", "axis": None, "scale": {"domain": [0, len(first)], "nice": False}}
    tiles = []
    agree = " === ".join(f"datum['{name}']" for name in readers)
    rows_of: list[tuple[int, int, str, Any]] = [(0, ROW - 4, f"datum['{readers[0]}']", readers[0])]
    rows_of += [(ROW, ROW - 4, f"datum['{readers[1]}']", alt.expr("'way ' + way")), (2 * ROW + 6, 3, agree, "agree")]
    for top, high, is_black, words in rows_of:
        fill = alt.when(is_black).then(alt.value(BLACK)).otherwise(alt.value(PALE if high > 3 else PAPER))
        row = shown.transform_calculate(start="datum.place + 0.04", end="datum.place + 0.96").mark_rect(cornerRadius=2)
        ends = {"y": alt.value(top), "y2": alt.value(top + high)}
        word = alt.Chart(pd.DataFrame({"row": [top]})).mark_text(
            text=words, align="left", fontWeight="bold", fontSize=13
        )
        tiles.append(row.encode(alt.X(**x), x2="end:Q", fill=fill, **ends))
        tiles.append(word.encode(x=alt.value(-60), y=alt.value(top + high / 2)))
    agreed = (rows == first).sum(axis=1)
    heap, height = _heap_of_ways(agreed, int((first == second).sum()), " and ".join(readers))
    chart = layer(*tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "ways tried", START, (1, len(ways)), 1))
    about = f"Two rows of {len(first)} tiles, and a dot for each way to place wrong answers, by how many tiles agree."
    return finish(chart, title, about, height, subtitle=UNDER)


def _heap_of_ways(agreed: np.ndarray, own: int, pair: str) -> tuple[alt.LayerChart, int]:
    """Put a dot for each way into columns, and point to the pair's own column and to the mean."""
    dots = pd.DataFrame({"way": np.arange(len(agreed)) + 1, "agree": agreed})
    level = dots.groupby("agree").cumcount()
    dots["beside"], dots["level"] = level % ACROSS - (ACROSS - 1) / 2, level // ACROSS
    tallest, ticks = int(dots["level"].max()) + 1, sorted(set(agreed.tolist()))
    ends = ticks[0] - 1, ticks[-1] + 1
    x = numbers("place", "pictures on which they agree", ends=ends, ticks=ticks, grid=False, labelPadding=BELOW)
    height = 4 * ROW + DOT * tallest
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-0.5, tallest - 0.5], range=[height, 4 * ROW]))
    look = alt.when("datum.way === way").then(alt.value(BLACK)).when("datum.way < way").then(alt.value(GREY))
    place = f"datum.agree + {DOT * (ends[1] - ends[0])} * datum.beside / width"
    heap = alt.Chart(dots).transform_calculate(place=place).mark_point(filled=True, opacity=1, size=50)
    marks = [heap.encode(alt.X(**x), y, color=look.otherwise(alt.value(PALE_GREY)))]
    above, below = height - DOT * (1 + (agreed == own).sum() / ACROSS), height + BELOW / 2 + 2
    beside: tuple[Any, ...] = {"align": "right", "dx": 2 * DOT, "dy": -15}, {"align": "left", "dx": 9}
    mean = agreed.mean()
    points = (own, above, pair), (mean, below, f"mean of all ways: {mean:g}")
    for (at, up, words), how in zip(points, beside, strict=True):
        base = alt.Chart(pd.DataFrame({"place": [at], "words": [words]})).encode(alt.X(**x), y=alt.value(up))
        marks.append(base.mark_tick(orient="vertical", size=14, thickness=2, color=BLACK))
        marks.append(base.mark_text(fontSize=13, fontWeight="bold", **how).encode(text="words:N"))
    return layer(*marks), height
