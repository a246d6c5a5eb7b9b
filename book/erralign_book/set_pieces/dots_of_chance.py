"""Dots of chance: each way to place wrong answers is a dot, and the reader moves through them."""

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY
from erralign.plot.finishing import finish, layer
from erralign_book.charts.grammar import ROW, slider, tiles

DOT, ACROSS = 6, 5  # pixels from one dot to the next, dots beside each other
BOLD: dict[str, Any] = {"fontSize": 13, "fontWeight": "bold"}


def dots_of_chance(right: pd.DataFrame, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two systems overlap, for all ways to place the second one's wrong answers.

    ``right`` says on which pictures each is right, a column per system. A dot is a way that was tried, a black one
    a way in which as many overlap as in fact.
    """
    readers, (first, second) = list(map(str, right)), ~right.to_numpy().T
    ways = np.random.default_rng(seed).permutation(list(combinations(range(len(first)), second.sum())))
    rows = np.zeros((len(ways), len(first)), dtype=bool)
    np.put_along_axis(rows, ways, True, axis=1)
    rows = rows[np.argsort((rows == second).all(axis=1), kind="stable")]  # the reader's own way comes last
    tried = pd.DataFrame(dict(zip(("way", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    tried[readers] = np.column_stack([np.tile(first, len(rows)), rows.ravel()]).astype(int)  # shorter in the page
    shown = alt.Chart(tried.assign(way=tried["way"] + 1)).transform_filter("datum.way === way")
    rows_of_tiles = tiles(shown, dict.fromkeys(readers, BLACK), len(first))
    heap, height = _heap_of_ways((rows == first).sum(axis=1), readers[1])
    chart = layer(*rows_of_tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "ways tried", len(ways), (1, len(ways)), 1))
    about = f"Two rows of {len(first)} tiles, and a dot for each way to place wrong answers, by how many tiles overlap."
    under = f"a dot: one way to place {readers[1]}'s mistakes"
    return finish(chart, title, about, height, subtitle=under)


def _heap_of_ways(agreed: np.ndarray, reader: str) -> tuple[alt.LayerChart, int]:
    """Put a dot for each way into columns below the tiles; mark the mean, and the column of the last way, their own."""
    dots = pd.DataFrame({"way": np.arange(len(agreed)) + 1, "agree": agreed})
    dots["mean"] = (agreed.cumsum() / dots["way"]).round(2)
    level = dots.groupby("agree").cumcount()
    beside, dots["level"] = level % ACROSS, level // ACROSS
    dots["beside"] = (beside + 1) // 2 * (1 - 2 * (beside % 2))  # from the middle to both sides
    tallest, ticks = int(dots["level"].max()) + 1, sorted(set(agreed.tolist()))
    ends, height = (ticks[0] - 1, ticks[-1] + 1), 5 * ROW + DOT * tallest
    levels = {"domain": [-0.5, tallest - 0.5], "range": [height, height - DOT * tallest]}
    y: dict[str, Any] = {"shorthand": "level:Q", "title": "level", "axis": None, "scale": levels}
    x: dict[str, Any] = {"shorthand": "place:Q", "title": "pictures on which they overlap"}
    x |= {"axis": {"values": ticks, "tickCount": len(ticks)}, "scale": {"domain": list(ends), "nice": False}}
    shown = alt.Chart(dots).transform_filter("datum.way <= way")
    shown = shown.transform_calculate(
        place=f"datum.agree + {DOT} * {ends[1] - ends[0]} * datum.beside / width",
        said=f"(datum.way < {len(dots)} ? 'mean so far ' : 'mean ') + datum.mean",
    )
    at, now = shown.encode(alt.X(**x), alt.Y(**y)), f"datum.way === way && way < {len(dots)}"
    their = f"datum.agree === {agreed[-1]}"
    fill = alt.when(their).then(alt.value(BLACK)).otherwise(alt.value(GREY))
    ring = alt.when(now).then(alt.value(2)).otherwise(alt.value(0))
    last = shown.transform_filter("datum.way === way")
    mean = last.encode(alt.X(**x | {"shorthand": "mean:Q"}), y=alt.value(4 * ROW - 18))
    count = shown.transform_aggregate(n="count()", level="max(level)", groupby=["agree"])
    count = count.encode(alt.X(**x | {"shorthand": "agree:Q"}), alt.Y(**y))
    rare = f"datum.n < {len(dots) / 20} ? 'would be|a surprise' : ''"
    said = count.transform_filter(f"way === {len(dots)}").transform_calculate(
        said=f"{their} ? 'like {reader}’s:|no surprise' : {rare}"
    )
    marks = (
        mean.mark_rule(strokeWidth=2, color=BLACK).encode(y2=alt.value(height)),
        mean.mark_text(**BOLD, align="left", dx=6, dy=6).encode(text="said:N"),
        at.mark_point(opacity=1, stroke=BLACK).encode(fill=fill, strokeWidth=ring, size=alt.value(24)),
        count.transform_filter(f"!({their})").mark_text(fontSize=13, dy=-12).encode(text="n:Q"),
        count.transform_filter(their).mark_text(**BOLD, dy=-12).encode(text="n:Q"),
        said.mark_text(**BOLD, dy=-43, lineBreak="|").encode(text="said:N"),
    )
    return layer(*marks), height
