"""The curve of earlier networks in EC with people, and how far language models lie above it."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, PAPER
from erralign.plot.grammar import DASHED, Plot, numbers, shares
from erralign_book.charts.grammar import set_apart
from erralign_book.charts.looks import SEEN, with_guests
from erralign_book.papers import gavrikov2025

OLDER, NEWER = SEEN
GROUPS = dict.fromkeys([gavrikov2025.CNNS, gavrikov2025.STYLISED, "other older networks"], OLDER)
GROUPS[gavrikov2025.OPTIONS] = NEWER
BAND = "grey: 95 % interval of the curve, for other networks"
WORDS = "triangle: language model, with a stalk to the curve; square: earlier network"
END, CROWDED = 0.72, 0.4  # where the curve ends; how much is seen of what the chart is not about


def curve_of_older(older: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw earlier networks by accuracy and EC with people, and the curve through them, on to where none of them is."""
    about = f"EC with people by accuracy of {len(older)} earlier networks."
    plot = _curve(older, older).points(alt.expr("width < 400 ? 60 : 110"), stroke=PAPER, strokeWidth=0.5)
    return plot.done(title, about, 320, f"a square: one network, mean over ten people; {BAND}")


def above_curve(systems: pd.DataFrame, title: str) -> alt.LayerChart:
    """Let newer systems drop into the chart of earlier networks, each with a stalk to their curve."""
    shown = _with_gaps(systems)
    plot = _curve(systems[systems["group"] == OLDER], shown, alt.Tooltip("gap", title="above the curve"))
    old, models = (shown[shown["group"] == group] for group in SEEN)
    plot.points(alt.expr("width < 400 ? 30 : 60"), old, opacity=CROWDED)
    plot.spans("curve", "EC", data=shown.drop(old.index), color=INK, strokeWidth=1.5)
    set_apart(plot.points(alt.expr("width < 400 ? 150 : 200"), models, stroke=PAPER, strokeWidth=0.5), "group", SEEN)
    about = f"EC with people by accuracy of {len(systems)} systems, and how far newer ones lie above the others' curve."
    return plot.done(title, about, 420, WORDS)


def _with_gaps(systems: pd.DataFrame) -> pd.DataFrame:
    curve = gavrikov2025.curve(systems[systems["group"] == OLDER], systems["accuracy"].to_numpy())["EC"].to_numpy()
    return systems.assign(curve=curve, gap=systems["EC"] - curve)


def _curve(older: pd.DataFrame, shown: pd.DataFrame, *hover: alt.Tooltip) -> Plot:
    """Draw the curve through earlier networks, on axes with room for all that are shown."""
    right, top = shown[["accuracy", "EC"]].max() + 0.03
    x = shares("accuracy", "named correctly", ends=(0, max(0.75, right)), ticks=[0, 0.2, 0.4, 0.6, 0.8])
    last, ends = older["accuracy"].max(), (min(0, shown["EC"].min()), max(0.35, top))
    y = numbers("EC", "EC with people", ends=ends, ticks=[0, 0.1, 0.2, 0.3], format=".1f", grid=False)
    looks, said = with_guests(SEEN, shown["group"]), ["model", "year", "accuracy", "EC", *hover]
    plot = Plot(shown, x, y, look=("group", looks), hover=said, columns=0)
    curve = gavrikov2025.curve(older, np.linspace(older["accuracy"].min(), END, 80))
    curve = curve.rename(columns={"place": "accuracy"})
    plot.band(curve.assign(low=curve["EC"] - curve["high"], high=curve["EC"] + curve["high"]), color=GREY)
    plot.lines(curve[curve["accuracy"] <= last], color=BLACK)
    plot.lines(curve[curve["accuracy"] >= last], color=BLACK, strokeDash=DASHED)
    words = pd.DataFrame([{"accuracy": END, "EC": 0.175, "words": "dashed: no|earlier network|is as accurate"}])
    return plot.words("words", words, align="right", color=INK, lineBreak="|")
