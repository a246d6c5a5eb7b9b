"""Charts of the chapter on intervals and planning: how often they contain the truth, how many pictures it takes."""

from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, GREY
from erralign.plot.grammar import Plot, factors, names, numbers
from erralign_book.charts.looks import ACCURACIES, cases

LANES = {False: (GREY, -6), True: (BLACK, 6)}  # of worlds, and of those that ask more of a method


def coverage_by_method(found: pd.DataFrame, title: str, harder: str = "") -> alt.LayerChart:
    """Draw how often intervals contain the truth: a dot per simulated world, a row per method, under what it is of.

    ``found`` has "of" (a heading, or "" for none), "method" and "coverage"; where it has "hard", ``harder`` says which
    worlds these are.
    """
    shown = found.assign(row=found["of"] + "|" + found["method"]).drop(columns=["of", "method"])
    order = [row for of, part in shown.groupby(found["of"], sort=False) for row in (of, *part["row"].unique()) if row]
    bold = {"condition": {"test": "indexof(datum.value, '|') < 0", "value": "bold"}, "value": "normal"}
    words: Any = {"labelPadding": 8, "labelExpr": "split(datum.value, '|')[1] || datum.value", "labelFontWeight": bold}
    y = names("row", order, scale={"domain": order}, ticks=False, labelLimit=250, **words)
    x = numbers("coverage", "coverage", ends=(-0.02, 1.01), ticks=[0, 0.25, 0.5, 0.75, 0.95], format="%", grid=False)
    hover = [column for column in shown if column not in ("row", "hard")]
    plot = Plot(shown, x, y, hover=hover).level(0.95, color=BLACK)
    for hard, rows in shown.groupby("hard") if harder else [(False, shown)]:
        ink, lane = LANES[bool(hard)]
        plot.points(40, rows, color=ink, yOffset=lane if harder else 0)
    about = f"Coverage of intervals in simulated worlds: {'; '.join(row.replace('|', ' ').strip() for row in order)}."
    under = f"a dot: a simulated world{f'; bold: {harder}' if harder else ''}; line: 95 %, as promised"
    return plot.done(title, about, alt.Step(30 if harder else 24), under)


def width_by_pictures(experiments: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how far apart measured values of error consistency are, by the number of pictures and accuracy."""
    hover = ["pictures", "accuracy", "width", "low", "high"]
    shown = experiments.rename(columns={"n_trials": "pictures"})[hover]
    looks = cases(sorted(shown["accuracy"].unique()), ACCURACIES[::2])
    x = factors("pictures", "pictures", sorted(shown["pictures"].unique().tolist()), ",")
    y = numbers("width", "width of the middle 95 %", scale={"domainMin": 0})
    plot = Plot(shown, x, y, look=("accuracy", looks), hover=hover, columns=3, title="accuracy")
    plot.lines().points(60)
    about = "Width of the middle 95 % of measured error consistency by number of pictures, a line for each accuracy."
    return plot.done(title, about, 280)
