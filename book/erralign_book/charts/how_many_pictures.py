"""Charts of the chapter on intervals and planning: how often they contain the truth, how many pictures it takes."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK
from erralign.plot.grammar import Plot, factors, names, numbers
from erralign_book.charts.looks import ACCURACIES, cases

LANES = {False: (GREY, -6), True: (BLACK, 6)}  # of worlds, and of those that ask more of a method


def coverage_by_method(found: pd.DataFrame, methods: Sequence[str], title: str) -> alt.LayerChart:
    """Draw how often intervals contain the truth: a dot per simulated world, a row per method, in this order.

    ``found`` has "method", "coverage", and "hard", which says where few joint errors are expected.
    """
    y = names("method", list(methods), ticks=False, labelPadding=8, labelLimit=250)
    words, inside = "intervals with the true EC (stretched scale)", "format(1 - datum.value, '.0%')"
    scale = {"type": "log", "reverse": True, "nice": False, "padding": 10}  # of misses, so that 93 is not 97
    x = numbers("missed", words, ticks=[0.6, 0.4, 0.2, 0.1, 0.05, 0.02], scale=scale, labelExpr=inside, grid=False)
    hover = [column for column in found if column != "hard"]
    shown = found.assign(missed=1 - found["coverage"])
    plot = Plot(shown, x, y, hover=hover).level(0.05, color=BLACK)
    for hard, rows in shown.groupby("hard"):
        ink, lane = LANES[bool(hard)]
        plot.points(40, rows, color=ink, yOffset=lane)
    about = f"Coverage of intervals in simulated worlds: {'; '.join(methods)}."
    under = "a dot: a simulated world; strong: fewer than five joint errors expected; line: 95 %"
    return plot.done(title, about, alt.Step(34), under)


def width_by_pictures(experiments: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how far apart measured values of error consistency are, by the number of pictures and accuracy."""
    hover = ["pictures", "accuracy", "width", "low", "high"]
    shown = experiments.rename(columns={"n_trials": "pictures"})[hover]
    accuracies = sorted(shown["accuracy"].unique())
    looks = cases(accuracies, ACCURACIES[::2])
    x = factors("pictures", "pictures", sorted(shown["pictures"].unique().tolist()), ",")
    y = numbers("width", "width of the middle 95 %", scale={"domainMin": 0})
    plot = Plot(shown, x, y, look=("accuracy", looks), hover=hover, columns=0)
    plot.lines().points(60)
    beside = [(400, {"align": "right", "dx": -8, "dy": 16})] + 2 * [(200, {"align": "left", "dx": 6, "dy": -12})]
    for accuracy, (pictures, where) in zip(accuracies, beside, strict=True):
        named = shown[shown["accuracy"].eq(accuracy) & shown["pictures"].eq(pictures)]
        named = named.assign(label=f"both right on {100 * float(accuracy):.0f} %")
        plot.words("label", named, fontSize=13, color=INK, **where)
    about = "Width of the middle 95 % of measured error consistency by number of pictures, a line for each accuracy."
    return plot.done(title, about, 280)
