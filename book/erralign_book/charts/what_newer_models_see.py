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
MEANS = {"CNNs": SEEN[OLDER], NEWER: SEEN[NEWER], "two people": KINDS["human-human"]}  # as their pairs look
# What has its name beside its mark -> on which side of it.
ASIDE = {"CNNs": 14, NEWER: -14, "two people": -14} | {"GPT-4V": -12, "MoE-LLaVA-Qwen": 12}
ASIDE |= dict.fromkeys(["InternVL Chat 1.1", "Gemini Pro Vision"], -12)
HALF = "half orange: a pair with people"
HEIGHT = 360
END, CROWDED = 0.72, 0.4  # where the curve ends; how much is seen of what the chart is not about


def means(title: str) -> alt.LayerChart:
    """Draw what CNNs, language models and people have on average, on the axes of the curve."""
    shown = _means()
    x, y = _axes(shown)
    plot = Plot(shown, x, y, look=("group", MEANS), hover=["group", "accuracy", "EC"], columns=0)
    plot.points(200, stroke=PAPER, strokeWidth=0.5)
    _named(plot, shown, shown["group"], shown["EC"].map(" {:.2f}".format))
    return plot.done(title, "Mean EC with people by mean accuracy, of three groups.", 150, HALF)


def above_curve(systems: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the curve through earlier networks, on to where none of them is, and what lies above and below it."""
    older = systems[systems["group"] == OLDER]
    at = gavrikov2025.curve(older, systems["accuracy"].to_numpy())["EC"].to_numpy()
    people = _means().iloc[-1:].assign(model="two people")
    shown = pd.concat([systems.assign(curve=at, gap=systems["EC"] - at), people], ignore_index=True)
    hover = ["model", "year", "accuracy", "EC", alt.Tooltip("gap", title="above the curve")]
    x, y = _axes(shown)
    plot = Plot(shown, x, y, look=("group", with_guests(SEEN | MEANS, shown["group"])), hover=hover, columns=0)
    last, ends = older["accuracy"].max(), np.linspace(older["accuracy"].min(), END, 80)
    curve = gavrikov2025.curve(older, ends).rename(columns={"place": "accuracy"})
    plot.band(curve.assign(low=curve["EC"] - curve["high"], high=curve["EC"] + curve["high"]), color=GREY)
    plot.lines(curve[curve["accuracy"] <= last], color=BLACK)
    plot.lines(curve[curve["accuracy"] >= last], color=BLACK, strokeDash=DASHED)
    said = ["grey: 95 % interval|of the curve, for other|earlier networks", "dashed: no|earlier network|is as accurate"]
    words = pd.DataFrame({"accuracy": 0.85, "EC": [0.19, 0.1], "words": said})
    plot.words("words", words, align="right", color=INK, lineBreak="|")
    old = shown[shown["group"] == OLDER]
    plot.points(alt.expr("width < 400 ? 30 : 60"), old, opacity=CROWDED)
    plot.spans("curve", "EC", data=shown.drop(old.index).dropna(subset="gap"), color=INK, strokeWidth=1.5)
    others = shown[shown["group"].isin(MEANS)]
    plot.points(alt.expr("width < 400 ? 150 : 200"), others, stroke=PAPER, strokeWidth=0.5)
    set_apart(plot, "group", SEEN | MEANS)
    _named(plot, others, others["model"].str.partition(" (")[0])
    about = f"EC with people by accuracy of {len(systems)} systems, and how far newer ones lie above the others' curve."
    return plot.done(title, about, HEIGHT, f"{HALF}; each language model has a stalk to the curve")


def _means() -> pd.DataFrame:
    names = dict(zip([gavrikov2025.CNNS, gavrikov2025.OPTIONS, "people"], MEANS, strict=True))
    systems = gavrikov2025.systems_with_people().replace({"group": names})
    return systems.groupby("group")[["accuracy", "EC"]].mean().loc[[*MEANS]].reset_index()


def _axes(shown: pd.DataFrame) -> tuple[Axis, Axis]:
    """Return the axes of both charts, with room for all that are shown."""
    x = shares("accuracy", "named correctly", ends=(0, max(0.85, shown["accuracy"].max() + 0.03)))
    ends = (min(0, shown["EC"].min()), max(0.36, shown["EC"].max() + 0.03))
    return x, numbers("EC", "EC with people", ends=ends, ticks=[0, 0.1, 0.2, 0.3], format=".1f", grid=False)


def _named(plot: Plot, rows: pd.DataFrame, names: pd.Series, more: pd.Series | str = "") -> None:
    """Write the names of some marks beside them."""
    for place, name in names[names.isin(ASIDE)].items():
        dx, row = ASIDE[name], rows.assign(words=names + more).loc[[place]]
        plot.words("words", row, dx=dx, align="right" if dx < 0 else "left", color=INK, fontSize=13)
