"""Panels of judges: what they are worth by size, and what the vote of five is worth."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK
from erralign.plot.grammar import DASHED, Plot, names, numbers, shares
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
    return plot.done(title, about, 260, "bar: 95 % interval for new queries")


def vote_of_five(sizes: pd.DataFrame, best: float, title: str) -> alt.LayerChart:
    """Draw how often the vote of five judges is right, on other queries, by how they were chosen."""
    shown = sizes[(sizes["there"] == "elsewhere") & (sizes["size"] == 5)]
    shown = shown.assign(five=shown["how"].map(FIVE), label=shown["number"].map("worth {:.1f}".format))
    x = shares("vote", "their vote is right", ends=(0.46, 0.58), ticks=[0.46, 0.5, 0.54, 0.58])
    plot = Plot(shown, x, names("five", list(FIVE.values())), hover=["five", "number", "vote"])
    plot.dashed(best, color=BLACK).points(90, color=BLUE, shape="square")
    plot.words("label", align="left", dx=10, color=BLUE)
    about = "Share of right votes of five judges, by how they were chosen, with their effective number."
    return plot.done(title, about, alt.Step(34), "five judges; dashed: the best judge alone")
