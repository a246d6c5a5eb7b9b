"""The curve of earlier networks in EC with people, and how far language models lie above it."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, PAPER
from erralign.plot.grammar import DASHED, Plot, numbers, shares
from erralign.plot.theme import with_interval
from erralign_book.charts.grammar import set_apart
from erralign_book.charts.looks import SEEN, with_guests
from erralign_book.papers import gavrikov2025

OLDER, NEWER = SEEN
GROUPS = dict.fromkeys([gavrikov2025.CNNS, gavrikov2025.STYLISED, "other older networks"], OLDER)
GROUPS[gavrikov2025.OPTIONS] = NEWER
BESIDE, NEAR = 0.0055, 0.003  # marks that are nearer in accuracy and height stand beside each other
WORDS = "triangle: language model; square: earlier network; thick bar: 95 % interval of the mean"
BAND = "grey: 95 % interval of the curve, for other networks"


def curve_of_older(older: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw earlier networks by accuracy and EC with people, and the curve through them, on to where none of them is."""
    last = older["accuracy"].max()
    x = shares("accuracy", "named correctly", ends=(0, 0.75), ticks=[0, 0.2, 0.4, 0.6])
    y = numbers("EC", "EC with people", ends=(0, 0.35), ticks=[0, 0.1, 0.2, 0.3], format=".1f", grid=False)
    hover = ["model", "year", "accuracy", "EC"]
    plot = Plot(older, x, y, look=("group", SEEN), hover=hover, columns=0)
    curve = gavrikov2025.curve(older, np.linspace(older["accuracy"].min(), 0.72, 80))
    curve = curve.rename(columns={"place": "accuracy"})
    plot.band(curve.assign(low=curve["EC"] - curve["high"], high=curve["EC"] + curve["high"]), color=GREY)
    plot.lines(curve[curve["accuracy"] <= last], color=BLACK)
    plot.lines(curve[curve["accuracy"] >= last], color=BLACK, strokeDash=DASHED)
    plot.points(alt.expr("width < 400 ? 60 : 110"), stroke=PAPER, strokeWidth=0.5)
    words = pd.DataFrame([{"accuracy": 0.75, "EC": 0.1, "words": "no earlier network|is as accurate"}])
    plot.words("words", words, align="right", color=INK, lineBreak="|")
    about = f"EC with people by accuracy of {len(older)} earlier networks."
    return plot.done(title, about, 320, f"a square: one network, mean over ten people; {BAND}")


def above_curve(systems: pd.DataFrame, lead: pd.Series, title: str) -> alt.LayerChart:
    """Draw how far systems lie above the curve of earlier networks, where the others are, and their mean, ``lead``."""
    older = systems[systems["group"] == OLDER]
    newer = systems.loc[systems["group"] == NEWER, "accuracy"]
    shown = systems[(systems["accuracy"] >= newer.min()) | ~systems["group"].isin(SEEN)].sort_values("accuracy")
    shown = shown.assign(gap=shown["EC"] - gavrikov2025.curve(older, shown["accuracy"].to_numpy())["EC"].to_numpy())
    apart = shown["accuracy"].diff()
    room = (BESIDE - apart / 2).where((apart < 2 * BESIDE) & (shown["gap"].diff().abs() < NEAR), 0)
    shown["place"] = shown["accuracy"] + room - room.shift(-1, fill_value=0)
    left, right = shown["place"].min() - 0.02, shown["place"].max() + 0.02
    x = shares("place", "named correctly", ends=(left, right), ticks=[0.2, 0.4, 0.5, 0.6, 0.8], domain=False)
    ends = min(-0.05, shown["gap"].min() - 0.02), max(0.07, shown["gap"].max() + 0.02)
    y = numbers("gap", "EC above the curve", ends=ends, ticks=[-0.1, -0.05, 0, 0.05, 0.1], format=".2f", grid=False)
    hover = ["model", "year", "accuracy", "EC", alt.Tooltip("gap", title="above the curve")]
    plot = Plot(shown, x, y, look=("group", with_guests(SEEN, systems["group"])), hover=hover, columns=0)
    plot.level(0, color=BLACK, strokeWidth=2).dashed(lead["value"], color=BLACK)
    plot.points(alt.expr("width < 400 ? 90 : 210"), shown[shown["group"].isin(SEEN)], stroke=PAPER, strokeWidth=0.5)
    set_apart(plot, "group", SEEN)
    mean = pd.DataFrame([{"place": right - 0.008, "gap": lead["value"]}])
    mean = mean.assign(low=lead["low"], high=lead["high"])
    plot.spans(data=mean, color=BLACK, strokeWidth=4)
    mean["words"] = f"mean of the {len(newer)}|{with_interval(lead['value'], lead['low'], lead['high'])}"
    fill = PAPER if lead["low"] < 0 < lead["high"] else BLACK
    plot.draw(plot.base(mean).mark_point(size=180, shape="diamond", opacity=1, fill=fill, stroke=BLACK, strokeWidth=3))
    plot.words(
        "words", mean, y="low", dy=16, dx=14, align="right", color=BLACK, fontWeight="bold", fontSize=13, lineBreak="|"
    )
    for end, dy, side in zip(ends, (-10, 12), ("less", "more"), strict=True):
        words = pd.DataFrame([{"place": left, "gap": end, "side": f"{side} EC than expected"}])
        plot.words("side", words, align="left", dx=4, dy=dy, color=INK)
    about = f"How far {len(shown)} systems lie above the curve of earlier networks in EC with people, by accuracy."
    return plot.done(title, about, 400, WORDS)
