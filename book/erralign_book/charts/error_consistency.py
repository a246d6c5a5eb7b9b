"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, PALE, PAPER, SILVER
from erralign.plot.grammar import Axis, Plot, finish, layer, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS, number, with_interval
from erralign_book.charts.grammar import slider
from erralign_book.charts.how_sure_are_we import WALL, wall, walls

ROW, SIDE = 24, 22  # pixels of a row of tiles, and of a row of pairs
DOT, ACROSS = 7, 7  # pixels from one dot to the next, dots beside each other
BOLD: dict[str, Any] = {"fontSize": 13, "fontWeight": "bold"}
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
    for part, opacity, width in ((slice(0, 1), 1, 7), (slice(1, None), 0.8, 3)):
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
    rows = (table, "counted", 0), (chance.round(), "by chance, rounded", WALL)
    tiles = pd.concat(wall(n.ravel(), name, top, person="people", network="networks") for n, name, top in rows)
    height = 2 * WALL - ROW
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False))
    chart = walls(alt.Chart(tiles).encode(y=y), max(2, int(table.sum()) // 40))
    about = f"Two rows of {table.sum()} tiles: how many were counted of four kinds, and how many chance gives."
    return finish(chart, title, about, height, subtitle=f"a tile is a picture, coloured for who {who}")


def by_chance(right: pd.DataFrame, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two readers agree, for all ways to place the second one's wrong answers.

    ``right`` says on which pictures each is right, a column per reader. A dot is a way that was tried, and black now.
    """
    readers, (first, second) = list(map(str, right)), ~right.to_numpy().T
    ways = np.array(list(combinations(range(len(first)), second.sum())))
    rows = np.zeros((len(ways), len(first)), dtype=bool)
    np.put_along_axis(rows, np.random.default_rng(seed).permutation(ways), True, axis=1)
    tried = pd.DataFrame(dict(zip(("way", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    tried[readers] = np.column_stack([np.tile(first, len(rows)), rows.ravel()])
    shown = alt.Chart(tried.assign(way=tried["way"] + 1)).transform_filter("datum.way === way")
    x = alt.X("start:Q", axis=None, scale=alt.Scale(domain=[0, len(first)], nice=False))
    row = shown.transform_calculate(start="datum.place + 0.04", end="datum.place + 0.96").mark_rect(cornerRadius=2)
    black = [f"datum['{name}']" for name in readers]
    layers = zip((0, ROW, 2 * ROW + 6), (ROW - 4, ROW - 4, 3), [*black, " === ".join(black)], strict=True)
    words = alt.Chart(pd.DataFrame({"row": [readers[0], "this way", "agree"], "top": [10, 34, 55]}))
    words = words.encode(y=alt.Y("top:Q", axis=None, scale=None), text="row:N")
    tiles: list[Any] = [words.mark_text(align="left", **BOLD).encode(x=alt.value(-60))]
    for top, high, is_black in layers:
        fill = alt.when(is_black).then(alt.value(BLACK)).otherwise(alt.value(PALE if high > 3 else PAPER))
        tiles.append(row.encode(x, x2="end:Q", fill=fill, y=alt.value(top), y2=alt.value(top + high)))
    own = int((first == second).sum())
    heap, height = _heap_of_ways((rows == first).sum(axis=1), own, " and ".join(readers))
    chart = layer(*tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "ways tried", 60, (1, len(ways)), 1))
    about = f"Two rows of {len(first)} tiles, and a dot for each way to place wrong answers, by how many tiles agree."
    return finish(chart, title, about, height, subtitle="a dot is one way to place Stranger's mistakes")


def _heap_of_ways(agreed: np.ndarray, own: int, pair: str) -> tuple[alt.LayerChart, int]:
    """Put a dot for each way into columns, and point to the pair's own column and to the mean."""
    dots = pd.DataFrame({"way": np.arange(len(agreed)) + 1, "agree": agreed})
    level = dots.groupby("agree").cumcount()
    across, dots["level"] = level % ACROSS, level // ACROSS
    dots["beside"] = (across + 1) // 2 * (1 - 2 * (across % 2))  # from the middle to both sides
    tallest, ticks = int(dots["level"].max()) + 1, sorted(set(agreed.tolist()))
    ends = ticks[0] - 1, ticks[-1] + 1
    x = numbers("place", "tiles that agree", ends=ends, ticks=ticks, grid=False, labelPadding=BELOW, titlePadding=10)
    height = 4 * ROW + DOT * tallest
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-0.5, tallest - 0.5], range=[height, 4 * ROW]))
    look = alt.when("datum.way === way").then(alt.value(BLACK)).otherwise(alt.value(GREY))
    place = f"datum.agree + {DOT * (ends[1] - ends[0])} * datum.beside / width"
    heap = alt.Chart(dots).transform_filter("datum.way <= way").transform_calculate(place=place)
    marks = [heap.mark_point(filled=True, opacity=1, size=30).encode(alt.X(**x), y, color=look)]
    now = dots[["way"]].assign(mean=(agreed.cumsum() / dots["way"]).round(2), own=own)
    now["top"] = np.ceil((agreed == own).cumsum() / ACROSS) + 0.9  # above the pair's own column
    shown = alt.Chart(now).transform_filter("datum.way === way")
    at_own: tuple[Any, ...] = ("own", alt.Y("top:Q", axis=None), f"'{pair}'", "right", 2 * DOT, -15)
    at_mean: tuple[Any, ...] = ("mean", alt.value(height + BELOW / 2 + 2), "'mean so far ' + datum.mean", "left", 9, 0)
    for place, up, words, align, dx, dy in (at_own, at_mean):
        base = shown.transform_calculate(place=f"datum.{place}", words=words).encode(alt.X(**x), y=up)
        text = base.mark_text(**BOLD, align=align, dx=dx, dy=dy).encode(text="words:N")
        marks += [base.mark_tick(orient="vertical", size=14, thickness=2, color=BLACK), text]
    return layer(*marks), height
