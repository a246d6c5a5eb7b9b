"""Agreement with people by accuracy, and with people of all ages, under what accuracies allow."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, MAGENTA, PAPER, SILVER, SLATE
from erralign.plot.grammar import Plot, names, numbers, shares
from erralign.plot.theme import KINDS
from erralign_book.charts.grammar import set_apart, slider
from erralign_book.charts.looks import SEEN, SHEER, with_guests
from erralign_book.papers import gavrikov2025

STAR = "M0,.5L.6,.8L.5,.1L1,-.3L.3,-.4L0,-1L-.3,-.4L-1,-.3L-.5,.1L-.6,.8L0,.5Z"  # a shape that no system has
NEW = 150  # square pixels of the mark of a newer model
GROUPS = dict.fromkeys([gavrikov2025.CNNS, gavrikov2025.STYLISED, "other older networks"], "older networks")
GROUPS[gavrikov2025.OPTIONS] = "newer models"
NAMED = {"older networks": (0.58, 0.06), "newer models": (0.49, 0.26), "people": (0.73, 0.38)}  # where names have room


def by_accuracy(systems: pd.DataFrame, path: pd.DataFrame, title: str, *, star: bool = False) -> alt.LayerChart:
    """Draw each system's EC with people over its accuracy, a path, and a star on it at an accuracy to choose."""
    axes = shares("accuracy", ends=(0, 0.9)), numbers("EC", "mean EC with people", ends=(0, 0.42))
    looks = with_guests(SEEN, systems["group"])
    plot = Plot(systems, *axes, look=("group", looks), hover=["model", "year", "accuracy", "EC"], columns=0)
    plot.lines(path, color=INK, strokeWidth=1, clip=True)
    for group, size in {"older networks": 40, "newer models": NEW, "people": 60}.items():
        plot.points(size, systems[systems["group"] == group])
    named = systems.dropna(subset="label")
    plot.points(NEW, named, stroke=PAPER).words("label", named, align="left", dx=6, dy=16, color=INK)
    counts = systems["group"].value_counts()
    places = {f"{counts[group]} {group}": place for group, place in NAMED.items()}
    said = pd.DataFrame(places, index=["accuracy", "EC"]).T.rename_axis("label").reset_index()
    plot.words("label", said, align="right", color=INK, fontSize=14, fontWeight="bold")
    set_apart(plot, "group", SEEN)
    about = f"EC with people for {len(systems)} systems by accuracy, and a path through the older networks."
    if not star:
        return plot.done(title, about, 330)
    here = plot.base(path).transform_filter("abs(100 * datum.accuracy - star) < 0.1")
    plot.draw(here.mark_point(size=420, shape=STAR, fill=MAGENTA, stroke=PAPER, strokeWidth=1.5, opacity=1))
    ends = round(100 * path["accuracy"].min()), round(100 * path["accuracy"].max())
    choice = slider("star", "accuracy of your older network in %", 30, ends, 2)
    return plot.done(title, about, 360, "star: your older network").add_params(choice)


def above_path(gaps: pd.DataFrame, mean: pd.Series, title: str) -> alt.LayerChart:
    """Draw how far models lie above the path, by accuracy, and at the right the mean of newer ones, with interval."""
    x = shares("accuracy", ends=(0.34, 0.72), ticks=(0.4, 0.5, 0.6))
    y = numbers("gap", "EC above the path", ends=(-0.04, 0.06))
    plot = Plot(gaps, x, y, look=("group", SEEN), hover=["model", "accuracy", "EC", "gap"], columns=0).level(0)
    at = pd.DataFrame({"accuracy": [0.69], "gap": mean["value"], "low": mean["low"], "high": mean["high"]})
    at["label"] = f"mean {mean['value']:.2f}"
    for group, size in {"older networks": 70, "newer models": NEW}.items():
        plot.points(size, gaps[gaps["group"] == group])
    plot.words("label", gaps.dropna(subset="label"), align="left", dx=10, dy=4, color=INK, lineBreak=", ")
    plot.spans(data=at, along="y", color=BLACK, strokeWidth=3)
    plot.draw(plot.base(at).mark_point(size=110, fill=PAPER, stroke=BLACK, strokeWidth=2.5, opacity=1))
    plot.words("label", at, align="left", dx=12, color=INK)
    path = pd.DataFrame({"accuracy": [0.46], "gap": [0], "label": "the path"})
    plot.words("label", path, dy=12, color=INK)
    under = "line: 95 % interval of the mean; hollow: it contains 0"
    return plot.done(title, f"How far {len(gaps)} models lie above the path.", 240, under)


def by_age(ages: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of models with people of each age, with intervals, on bars up to what accuracies allow."""
    hover = [alt.Tooltip("value", title="EC"), "low", "high", "people", "accuracy"]
    axes = names("age", title="age in years", labelAngle=0), numbers("value", "mean EC with the models", ends=(0, 1))
    plot = Plot(ages.assign(zero=0), *axes, hover=[*hover, alt.Tooltip("largest", title="EC at most")])
    plot.spans("zero", "largest", color=SILVER, opacity=SHEER, strokeWidth=14).spans(color=SLATE)
    about = "EC of vision-language models with people of five ages, with intervals, and the largest possible value."
    under = "whiskers: intervals; grey bar: up to what the accuracies allow"
    mixed = KINDS["model-human"]
    return plot.points(90, color=mixed.fill, shape=mixed.shape).done(title, about, 260, under)
