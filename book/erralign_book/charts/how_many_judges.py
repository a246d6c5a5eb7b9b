"""Panels of judges: what they are worth by size."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE, GREY, INK
from erralign.plot.grammar import DASHED, Plot, numbers
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
    about = f"Effective number of panels of 1 to {drawn['size'].max()} judges drawn at random; it levels off below 3."
    return plot.done(title, about, 260, "upright line: 95 % interval for new queries")
