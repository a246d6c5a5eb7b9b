"""Charts of the chapter on planning: how far experiments spread, by the number of their trials."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY
from erralign.plot.parts import dots, finish, layer, line_at, whisker
from erralign.plot.theme import legend, shape
from erralign_book.charts.looks import STUDIES, colour_of_accuracies
from erralign_book.charts.parts import DASHED, logarithmic

MEASURED = "measured error consistency"
TRIALS = logarithmic("place", "trials", [100, 200, 400, 800, 1600, 3200], ",")


def measured_by_trials(experiments: pd.DataFrame, marked: dict[str, Sequence[int]], title: str) -> alt.LayerChart:
    """Draw where measured error consistency lies, by the number of trials and accuracy (Klein et al., Figure 3)."""
    shown = experiments[["n_trials", "accuracy", "mean", "low", "high"]].round(4)
    steps = shown["accuracy"].rank(method="dense")
    # Side by side on a logarithmic axis.
    base = alt.Chart(shown.assign(place=(shown["n_trials"] * 1.055 ** (steps - steps.mean())).round(2)))
    base = base.encode(
        TRIALS,
        colour_of_accuracies(sorted(shown["accuracy"].unique())),
        tooltip=["n_trials", "accuracy", "mean", "low", "high"],
    )
    points = dots(base, 40).encode(y=alt.Y("mean:Q", title=MEASURED))
    truth = line_at(experiments["EC"].iloc[0], MEASURED, strokeDash=DASHED)
    about = "Means and middle 95 % of measured error consistency by number of trials and accuracy of both systems."
    drawn = layer(truth, whisker(base, MEASURED, strokeWidth=2), points, _studies(marked))
    return finish(drawn, title, about, 300, subtitle="dashed: the true value; below: trials in the literature")


def _studies(marked: dict[str, Sequence[int]]) -> alt.Chart:
    rows = pd.DataFrame([(study, n) for study, trials in marked.items() for n in trials], columns=["study", "place"])
    looks = shape("study", {study: STUDIES[place] for place, study in enumerate(marked)}, legend=legend(columns=1))
    marks, n_trials = dots(alt.Chart(rows), 60, color=GREY), alt.Tooltip("place", title="trials")
    return marks.encode(TRIALS, looks, y=alt.value("height"), tooltip=["study", n_trials])
