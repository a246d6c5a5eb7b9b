"""Charts of the chapter on planning: how far experiments spread, by the number of their trials."""

import altair as alt
import pandas as pd

from erralign.plot.grammar import Plot, factors, numbers
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
