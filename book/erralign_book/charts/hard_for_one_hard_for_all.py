"""Charts of the chapter on shared difficulty: what it does to error consistency, alone and by pooled conditions."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.grammar import Options, Plot, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS
from erralign_book.charts.error_consistency import SETS
from erralign_book.charts.looks import ACCURACIES, cases

STEPS = 41


def shared_difficulty(simulated: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the error consistency of two systems that share nothing but how hard each picture is."""
    levels = sorted(simulated["accuracy"].unique())
    formula = pd.concat([formula_of_difficulty(level, simulated["spread"].max()) for level in levels])
    shown = simulated.assign(accuracy=simulated["accuracy"].map("{:g}".format))
    looks, hover = cases(map("{:g}".format, levels), ACCURACIES[::2]), ["accuracy", "spread", "EC"]
    axes = numbers("spread", "spread of easiness (standard deviation)"), numbers("EC", "EC by shared difficulty alone")
    plot = Plot(shown, *axes, look=("accuracy", looks), hover=hover, columns=0).lines(formula)
    plot.points(70, shape="circle")
    ends = formula.groupby("accuracy").tail(1)
    ends = ends.assign(said=ends["accuracy"].replace(f"{levels[-1]:g}", f"accuracy {levels[-1]:g}"))
    plot.words("said", ends, align="left", dx=10, fontWeight="bold")
    about = f"Error consistency against the spread of easiness, at accuracies of {levels}; it grows."
    return plot.done(title, about, 260, "points: simulated; lines: the formula, by the accuracy of both")


def formula_of_difficulty(accuracy: float, most: float) -> pd.DataFrame:
    """Return the EC of two systems of one accuracy that share only difficulty: its variance over that of an answer."""
    spread = np.linspace(0, most, STEPS)
    return pd.DataFrame({"accuracy": f"{accuracy:g}", "spread": spread, "EC": spread**2 / (accuracy * (1 - accuracy))})


def from_points_to_ticks(
    means: pd.DataFrame, point: str, tick: str, axis: str, title: str, words: str
) -> alt.LayerChart:
    """Draw how far a value of each kind of pairs is from another one, a row per data set, the largest gain on top."""
    gain = (means[tick] - means[point]).groupby(means["data_set"]).mean()
    order = list(gain.sort_values(ascending=False, kind="stable").index)
    shown = means.round(3).assign(pairs=means["kind"].map(PAIRS)).replace({"data_set": SETS})
    x, beside = numbers(point, axis, scale={"zero": False}), alt.YOffset("pairs:N", sort=list(LOOKS_OF_PAIRS))
    y, hover = names("data_set", [SETS[name] for name in order]), ["data_set", "pairs", point, tick]
    look: Options = {"look": ("pairs", LOOKS_OF_PAIRS), "columns": 3, "title": "pairs"}
    plot = Plot(shown, x, y, hover=hover, offset=beside, **look)
    plot.spans(point, tick).ticks(tick, size=10).points(80)
    about = f"{axis} by data set and kind of pairs, in two ways: {point} and {tick}."
    return plot.done(title, about, 30 * len(order), words)
