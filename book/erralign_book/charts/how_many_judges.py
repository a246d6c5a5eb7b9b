"""Panels of judges: what they are worth by size, what their vote is worth, and what a wrong key would explain."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, DEEP, GREY, NAVY
from erralign.plot.grammar import DASHED, Plot, numbers, shares
from erralign.plot.theme import Look
from erralign_book.papers.judges import ACCURATE, LEAST, NUMBER, RANDOM, VOTE

CHOSEN = {
    RANDOM: Look(GREY, "square"),
    ACCURATE: Look(DEEP, "square"),
    VOTE: Look(BLUE, "triangle-up"),
    NUMBER: Look(NAVY, "diamond"),
}


def by_size(sizes: pd.DataFrame, whole: pd.Series, title: str) -> alt.LayerChart:
    """Draw the effective number of panels drawn at random against their size, with the interval of the whole panel."""
    drawn = sizes[sizes["how"] == RANDOM].assign(low=float("nan"), high=float("nan"))
    last = drawn["size"] == drawn["size"].max()
    drawn.loc[last, ["low", "high"]] = whole[["low", "high"]].to_numpy()
    axes = numbers("size", "judges", scale={"zero": True}), numbers("number", "effective number", ends=(0, 6))
    plot = Plot(drawn, *axes, hover=["size", "number", "low", "high"])
    independent = pd.DataFrame({"size": [1, 6], "number": [1, 6]})
    plot.lines(independent, color=GREY, strokeDash=DASHED)
    plot.lines(color=BLUE).spans(along="y", color=BLUE).points(color=BLUE, shape="square")
    about = f"Effective number of panels of 1 to {drawn['size'].max()} judges drawn at random; it levels off below 3."
    return plot.done(title, about, 260, "dashed: independent judges; bar: 95 % interval, by query")


def worth_and_vote(sizes: pd.DataFrame, best: float, title: str) -> alt.LayerChart:
    """Draw how often the vote of a panel is right against its effective number, measured on other queries."""
    shown = sizes[(sizes["there"] == "elsewhere") & sizes["size"].isin([1, 3, 5, 7, 9])]
    labels = shown[shown["size"] > 1].assign(label=shown["size"].astype(str))
    # The most accurate judges' points lie close together.
    labels = labels[(labels["how"] != ACCURATE) | labels["size"].isin([5, 7])]
    axes = numbers("number", "effective number"), shares("vote", "their vote is right", scale={"zero": False})
    plot = Plot(shown, *axes, look=("how", CHOSEN), hover=["how", "size", "number", "vote"], columns=2)
    plot.dashed(best, along="y", color=BLACK).lines().points(70).words("label", labels, dy=-12)
    about = "Share of right votes against effective number of panels of 1 to 9 judges, by how they were chosen."
    return plot.done(title, about, 280, "numbers: judges of the panel; dashed: the judge that is best on all pairs")


def by_key(judges: pd.DataFrame, models: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the effective number by how often the key would be right, for judges and for models on MMLU-Pro."""
    looks = {"33 judges": Look(BLUE), "28 models, MMLU-Pro": Look(NAVY)}
    found = dict(zip(looks, (judges, models), strict=True))
    parts = pd.concat({name: table.dropna(subset="number") for name, table in found.items()}, names=["systems"])
    shown = parts.reset_index("systems").query("number < 12")
    band = shown[(shown["systems"] == "33 judges") & (shown["high"] < 12)]
    least = {name: table.set_index("what").loc[LEAST, "right"] for name, table in found.items()}
    allowed = shown[shown["right"] >= shown["systems"].map(least)]
    x = shares("right", "how often the key would be right", ends=(0.55, 1))
    plot = Plot(shown, x, numbers("number", "effective number", ends=(0, 12)), look=("systems", looks))
    plot.band(band, color=BLUE).lines(strokeDash=DASHED).lines(allowed, strokeWidth=4)
    about = "Effective number of judges and models against the accuracy that their key would have; it rises below 0.7."
    return plot.done(title, about, 260, "solid: what the data allow; dashed: ruled out; band: 95 % interval, by query")
