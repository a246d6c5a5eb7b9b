"""The curve of earlier networks in EC with people, and how far language models lie above it."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, PAPER
from erralign.plot.grammar import DASHED, Axis, Plot, numbers, shares
from erralign.plot.theme import KINDS
from erralign_book.charts.grammar import set_apart
from erralign_book.charts.looks import SEEN, with_guests
from erralign_book.papers import gavrikov2025

OLDER, NEWER = SEEN
GROUPS = dict.fromkeys([gavrikov2025.CNNS, gavrikov2025.STYLISED, "other older networks"], OLDER)
GROUPS[gavrikov2025.OPTIONS] = NEWER
PAIR = {"two people": KINDS["human-human"]}
NAMED = {
    "two people": (22, -16),
    "GPT-4V": (-10, -14),
    "Gemini Pro Vision": (-12, 0),
}  # pixels beside its mark
HEIGHT, WITHOUT_NEWER = 360, 250  # pixels
END = 0.72  # where the curve ends


def above_curve(systems: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the curve through earlier networks, on to where none of them is, and what lies above and below it."""
    older = systems[systems["group"] == OLDER]
    at = gavrikov2025.curve(older, systems["accuracy"].to_numpy())["EC"].to_numpy()
    people = gavrikov2025.systems_with_people().query("group == 'people'")[["accuracy", "EC"]].mean()
    two = people.to_frame().T.assign(**dict.fromkeys(["group", "model"], *PAIR))
    shown = pd.concat([systems.assign(curve=at, gap=systems["EC"] - at), two], ignore_index=True)
    hover = ["model", "year", "accuracy", "EC", alt.Tooltip("gap", title="above the curve")]
    x, y = _axes(shown)
    plot = Plot(shown, x, y, look=("group", with_guests(SEEN | PAIR, shown["group"])), hover=hover, columns=0)
    last, ends = older["accuracy"].max(), np.linspace(older["accuracy"].min(), END, 80)
    curve = gavrikov2025.curve(older, ends).rename(columns={"place": "accuracy"})
    plot.band(curve.assign(low=curve["EC"] - curve["high"], high=curve["EC"] + curve["high"]), color=GREY)
    plot.lines(curve[curve["accuracy"] <= last], color=BLACK)
    plot.lines(curve[curve["accuracy"] >= last], color=BLACK, strokeDash=DASHED)
    edge = curve[curve["accuracy"] >= last].iloc[[0, 0]]
    said = ["no earlier network|is more accurate", "grey: 95 % interval|of the curve, for other|earlier networks"]
    words = edge.assign(words=said, curve=0.0, low=[0.045, (edge["EC"] - edge["high"]).iloc[0] - 0.005])
    plot.spans("curve", "EC", data=edge.assign(curve=0.0), color=GREY, strokeWidth=1)
    plot.words("words", words, y="low", align="left", dx=6, baseline="top", color=INK, lineBreak="|")
    old = shown[shown["group"] == OLDER]
    plot.points(alt.expr("width < 400 ? 20 : 40"), old)
    stalks = shown.drop(old.index).dropna(subset="gap")
    if len(stalks):
        plot.spans("curve", "EC", data=stalks, color=INK, strokeWidth=1.5)
    others = shown[shown["group"].isin([NEWER, *PAIR])]
    plot.points(alt.expr("width < 400 ? 60 : 110"), others, stroke=PAPER, strokeWidth=0.5)
    set_apart(plot, "group", SEEN | PAIR)
    names = others["model"].str.partition(" (")[0]
    for name in names[names.isin(NAMED)]:
        (dx, dy), row = NAMED[name], others[names == name].assign(words=name)
        plot.words("words", row, dx=dx, dy=dy, align="right", color=INK, fontSize=13)
    about = f"EC with people by accuracy of {len(systems)} systems, and how far newer ones lie above the others' curve."
    return plot.done(title, about, HEIGHT if len(stalks) else WITHOUT_NEWER)


def _axes(shown: pd.DataFrame) -> tuple[Axis, Axis]:
    """Return the axes, with room for all that are shown."""
    x = shares("accuracy", "named correctly", ends=(0, max(0.85, shown["accuracy"].max() + 0.03)))
    ends = (min(0, shown["EC"].min()), max(0.36, shown["EC"].max() + 0.03))
    return x, numbers("EC", "EC with people", ends=ends, ticks=[0, 0.1, 0.2, 0.3], format=".1f", grid=False)
