"""Charts of the chapter on planning: how far experiments spread, by the number of their trials."""

import altair as alt
import pandas as pd

from erralign.plot.grammar import Plot, factors, numbers, shares
from erralign_book.charts.looks import ACCURACIES, cases


def measured_by_trials(experiments: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw where measured error consistency lies, by the number of trials and accuracy (Klein et al., Figure 3)."""
    hover = ["n_trials", "accuracy", "mean", "low", "high"]
    steps = experiments["accuracy"].rank(method="dense")
    # Side by side on a logarithmic axis.
    shown = experiments.assign(place=(experiments["n_trials"] * 1.055 ** (steps - steps.mean())).round(2))
    looks = cases(sorted(shown["accuracy"].unique()), ACCURACIES[::2])
    axes = factors("place", "trials", [100, 200, 400, 800, 1600], ","), numbers("mean", "measured error consistency")
    plot = Plot(shown[[*hover, "place"]], *axes, look=("accuracy", looks), hover=hover, title="accuracy of both")
    plot.dashed(experiments["EC"].iloc[0]).spans().points(40)
    about = "Means and middle 95 % of measured error consistency by number of trials and accuracy of both systems."
    return plot.done(title, about, 300, "dashed: the true value")


def power_by_pictures(found: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often a difference is found, by the number of pictures, with a line for each number of people."""
    hover = ["people", "pictures", "power"]
    looks = cases(map(str, found["people"].unique()), ACCURACIES)
    shown = found[hover].assign(people=found["people"].astype(str))
    x = factors("pictures", "pictures", sorted(found["pictures"].unique().tolist()), ",")
    y = shares("power", "experiments that find the difference", ends=(0, 1))
    plot = Plot(shown, x, y, look=("people", looks), hover=hover, title="people", columns=len(looks))
    plot.dashed(0.8).lines().points(40)
    about = "Share of experiments that find the difference, by number of pictures, a line for each number of people."
    return plot.done(title, about, 280, "dashed: four of five")
