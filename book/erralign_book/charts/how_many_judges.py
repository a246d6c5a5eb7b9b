"""Panels of judges: what they are worth by size, and what the vote of five is worth."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK
from erralign.plot.grammar import DASHED, Plot, names, numbers
from erralign_book.charts.grammar import diamonds
from erralign_book.papers.judges import ACCURATE, NUMBER, RANDOM, VOTE

FIVE = {
    ACCURATE: "the most accurate",
    VOTE: "chosen for their vote",
    RANDOM: "drawn at random",
    NUMBER: "chosen for the number",
}


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


def vote_of_five(sizes: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw what the vote of five judges gains over the best judge, on other queries, by how they were chosen."""
    shown = sizes[sizes["size"] == 5].set_index("how").loc[list(FIVE)]
    shown["five"] = shown.index.map(FIVE) + shown["number"].map(", worth {:.1f}".format)
    points = shown[["five", "vote"]].join(100 * shown[["gain", "low", "high"]])
    x = numbers("gain", "vote minus best judge, in points", ends=(-10, 4))
    y = names("five", points["five"].tolist(), labelLimit=190, labelExpr="split(datum.label, ', ')", ticks=False)
    plot = Plot(points, x, y, hover=list(points)).level(0).spans(color=BLACK)
    about = "Gain of the vote of five judges over the best judge, by how they were chosen, with their effective number."
    return diamonds(plot, 110).done(title, about, alt.Step(40), "lines: 95 % intervals; filled: it leaves out 0")
