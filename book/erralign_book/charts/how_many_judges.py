"""Panels of judges: what they are worth by size, and how much better than one judge they vote."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK
from erralign.plot.grammar import DASHED, Plot, names, numbers
from erralign.plot.theme import with_interval
from erralign_book.charts.grammar import diamonds
from erralign_book.papers.judges import RANDOM


def by_size(sizes: pd.DataFrame, whole: pd.Series, title: str) -> alt.LayerChart:
    """Draw the effective number of panels drawn at random against their size, with the interval of the whole panel."""
    drawn = sizes[sizes["how"] == RANDOM].assign(low=float("nan"), high=float("nan"))
    last = drawn["size"] == drawn["size"].max()
    drawn.loc[last, ["low", "high"]] = whole[["low", "high"]].to_numpy()
    axes = numbers("size", "judges", scale={"zero": True}), numbers("number", "effective number", ends=(0, 4))
    plot = Plot(drawn, *axes, hover=["size", "number", "low", "high"])
    independent = pd.DataFrame({"size": [1, 4], "number": [1, 4]})
    plot.lines(independent, color=GREY, strokeDash=DASHED)
    end = independent.tail(1).assign(label="if independent")
    plot.words("label", end, align="left", dx=8, dy=6, color=INK)
    plot.lines(color=BLUE).spans(along="y", color=BLUE).points(color=BLUE, shape="square")
    drawn["label"] = drawn["number"].map("{:.2f}".format)
    plot.words("label", drawn[last], dy=-14, dx=-6, align="right", fontSize=13, color=INK)
    plot.words("label", drawn[drawn["size"].eq(5)], dy=20, align="left", fontSize=13, color=INK)
    about = f"Effective number of panels of 1 to {drawn['size'].max()} judges drawn at random; it levels off below 3."
    return plot.done(title, about, 260, "upright line: 95 % interval for new queries")


def votes(gains: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how much more often than the best judge the vote of a panel is right, in points, a row per "panel"."""
    ends = gains[["value", "low", "high"]].to_numpy()
    shown = gains.assign(said=[with_interval(value, low, high, digits=1) for value, low, high in ends])
    rows = names("panel", shown["panel"].tolist(), ticks=False, domain=False, labelPadding=8)
    x = numbers("value", "vote minus best judge, in points", scale={"padding": 8}, grid=False)
    plot = Plot(shown, x, rows, hover=["panel", "value", "low", "high"])
    diamonds(plot.level(0, color=BLACK).spans(color=BLACK, strokeWidth=3), 110)
    ahead = shown["value"] > 0  # their words are on the left, so that none crosses the line at 0
    plot.words("said", shown[~ahead], dy=-18, fontSize=13, color=INK)
    plot.words("said", shown[ahead], x="low", dx=-14, align="right", fontSize=13, color=INK)
    about = f"How much better than the best judge panels of five vote: {'; '.join(shown['panel'])}."
    return plot.done(
        title, about, alt.Step(56), "lines: 95 % intervals; filled: it leaves out 0; hollow: it contains 0"
    )
