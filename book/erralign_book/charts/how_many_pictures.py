"""Charts of the chapter on planning: how far experiments spread, by the number of their trials."""

import altair as alt
import pandas as pd

from erralign.plot.parts import dots, finish, layer, line_at, whisker
from erralign.plot.theme import colour
from erralign_book.charts.looks import ACCURACIES, cases
from erralign_book.charts.parts import DASHED, logarithmic

MEASURED = "measured error consistency"
TRIALS = logarithmic("place", "trials", [100, 200, 400, 800, 1600], ",")


def measured_by_trials(experiments: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw where measured error consistency lies, by the number of trials and accuracy (Klein et al., Figure 3)."""
    shown = experiments[["n_trials", "accuracy", "mean", "low", "high"]].round(4)
    steps = shown["accuracy"].rank(method="dense")
    # Side by side on a logarithmic axis.
    base = alt.Chart(shown.assign(place=(shown["n_trials"] * 1.055 ** (steps - steps.mean())).round(2)))
    base = base.encode(
        TRIALS,
        colour("accuracy", cases(sorted(shown["accuracy"].unique()), ACCURACIES[::2]), title="accuracy of both"),
        tooltip=["n_trials", "accuracy", "mean", "low", "high"],
    )
    points = dots(base, 40).encode(y=alt.Y("mean:Q", title=MEASURED))
    truth = line_at(experiments["EC"].iloc[0], MEASURED, strokeDash=DASHED)
    about = "Means and middle 95 % of measured error consistency by number of trials and accuracy of both systems."
    drawn = layer(truth, whisker(base, MEASURED, strokeWidth=2), points)
    return finish(drawn, title, about, 300, subtitle="dashed: the true value")


def power_by_pictures(found: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often a difference is found, by the number of pictures, with a line for each number of people."""
    shown = found.assign(people=found["people"].astype(str) + " people", power=found["power"].round(3))
    base = alt.Chart(shown[["people", "pictures", "power"]]).encode(
        logarithmic("pictures", "pictures", sorted(found["pictures"].unique()), ","),
        alt.Y("power:Q", title="found in this share of experiments", scale=alt.Scale(domain=[0, 1])),
        colour("people", cases(shown["people"].unique(), ACCURACIES)),
        tooltip=["people", "pictures", "power"],
    )
    about = "Power by number of pictures, a line for each number of people."
    return finish(
        layer(line_at(0.8, "found in this share of experiments", strokeDash=DASHED), base.mark_line(), dots(base, 40)),
        title,
        about,
        280,
    )
