"""Agreement with people by accuracy, and with people of all ages, under what accuracies allow."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, PAPER, SILVER, SLATE
from erralign.plot.grammar import Plot, names, numbers, shares
from erralign.plot.theme import KINDS
from erralign_book.charts.grammar import set_apart, slider
from erralign_book.charts.looks import SEEN, SHEER, with_guests

STAR = "M0,.5L.6,.8L.5,.1L1,-.3L.3,-.4L0,-1L-.3,-.4L-1,-.3L-.5,.1L-.6,.8L0,.5Z"  # a shape that no system has


def by_accuracy(
    systems: pd.DataFrame, path: pd.DataFrame, fair: pd.DataFrame, star: pd.DataFrame | None, title: str
) -> alt.LayerChart:
    """Draw each system's EC with people over its accuracy, a path, and a star on it at an accuracy to choose.

    Fair partners of the newer models have a ring, if there are any.
    """
    axes = shares("accuracy", ends=(0, 0.9)), numbers("EC", "mean EC with people", ends=(0, 0.42))
    shown = systems.fillna({"year": "–", "label": ""}).sort_values("label")  # those with a label on top
    hover = ["model", "year", "accuracy", "EC"]
    plot = Plot(shown, *axes, look=("group", with_guests(SEEN, shown["group"])), hover=hover, corner="top-left")
    plot.lines(path, color=INK, strokeWidth=1, clip=True).points().words("label", align="left", dx=4, dy=16, color=INK)
    words = "line: path through the older networks"
    if len(fair):
        plot.draw(plot.base(fair).mark_point(size=190, color=INK, strokeWidth=1.5, opacity=1))
        words += "; rings: those as accurate as newer models"
    set_apart(plot, "group", SEEN)
    about = f"EC with people for {len(systems)} systems by accuracy, and a path through the older networks."
    if star is None:
        return plot.done(title, about, 330, words)
    here = plot.base(star.assign(label="an older network, as expected"))
    here = here.transform_filter("abs(100 * datum.accuracy - star) < 0.1")
    plot.draw(here.mark_point(size=420, shape=STAR, fill=BLACK, stroke=PAPER, strokeWidth=1.5, opacity=1))
    plot.draw(here.mark_text(align="left", dx=12, dy=14, color=INK, fontSize=12).encode(text="label:N"))
    ends = round(100 * star["accuracy"].min()), round(100 * star["accuracy"].max())
    chart = plot.done(title, about, 330, words)
    return chart.add_params(slider("star", "accuracy of an older network in %", 30, ends, 2))


def by_age(ages: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of models with people of each age, with intervals, on bars up to what accuracies allow."""
    hover = [alt.Tooltip("value", title="EC"), "low", "high", "people", "accuracy"]
    axes = names("age", title="age in years", labelAngle=0), numbers("value", "mean EC with the models", ends=(0, 1))
    plot = Plot(ages.assign(zero=0), *axes, hover=[*hover, alt.Tooltip("largest", title="EC at most")])
    plot.spans("zero", "largest", color=SILVER, opacity=SHEER, strokeWidth=14).spans(color=SLATE)
    about = "EC of vision-language models with people of five ages, with intervals, and the largest possible value."
    under = "whiskers: intervals; grey bar: up to what the accuracies allow"
    return plot.points(90, color=KINDS["model-human"].fill).done(title, about, 260, under)
