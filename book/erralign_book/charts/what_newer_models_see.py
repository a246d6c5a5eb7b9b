"""The curve of earlier networks in EC with people, and how far vision-language models lie above it."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, PAPER, SILVER
from erralign.plot.grammar import DASHED, Options, Plot, numbers, shares
from erralign.plot.theme import KINDS, number
from erralign_book.charts.grammar import diamonds, set_apart
from erralign_book.charts.looks import SEEN, with_guests
from erralign_book.papers import gavrikov2025

OLDER, NEWER = SEEN
GROUPS = dict.fromkeys([gavrikov2025.CNNS, gavrikov2025.STYLISED, "other older networks"], OLDER)
GROUPS[gavrikov2025.OPTIONS] = NEWER
PAIR = {"two people": KINDS["human-human"]}
HEIGHT = 300  # pixels
HOVER = alt.Tooltip("gap", title="above the curve")
GREY_IS = "grey: 95 % interval|of the curve, with|other networks"
SAID: Options = {"color": INK, "fontSize": 13, "lineBreak": "|"}
END = 0.72  # where the curve ends
SEEN_AT = (0.35, 0.45, 0.55, 0.65)  # accuracies of newer models


def above_curve(systems: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the curve through earlier networks, on to where none of them is, and what lies above and below it."""
    older = systems[systems["group"] == OLDER]
    at = gavrikov2025.curve(older, systems["accuracy"].to_numpy())["EC"].to_numpy()
    people = gavrikov2025.systems_with_people().query("group == 'people'")[["accuracy", "EC"]].mean()
    two = people.to_frame().T.assign(**dict.fromkeys(["group", "model"], *PAIR))
    shown = pd.concat([systems.assign(curve=at, gap=systems["EC"] - at), two], ignore_index=True)
    x = shares("accuracy", "named correctly", ends=(0, max(0.85, shown["accuracy"].max() + 0.03)))
    tall = (min(0, shown["EC"].min()), max(0.36, shown["EC"].max() + 0.03))
    y = numbers("EC", "EC with people", ends=tall, ticks=[0, 0.1, 0.2, 0.3], format=".1f", grid=False)
    looks = with_guests(SEEN | PAIR, shown["group"])
    plot = Plot(shown, x, y, look=("group", looks), hover=["model", "year", "accuracy", "EC", HOVER], columns=0)
    last, ends = older["accuracy"].max(), np.linspace(older["accuracy"].min(), END, 80)
    curve = gavrikov2025.curve(older, ends).rename(columns={"place": "accuracy"})
    plot.band(curve.assign(low=curve["EC"] - curve["high"], high=curve["EC"] + curve["high"]), color=GREY)
    plot.lines(curve[curve["accuracy"] <= last], color=BLACK)
    plot.lines(curve[curve["accuracy"] >= last], color=BLACK, strokeDash=DASHED)
    edge = curve[curve["accuracy"] >= last].iloc[[0, 0]]
    said = ["dashed: beyond all|earlier networks", GREY_IS]
    words = edge.assign(words=said, curve=0.0, low=[0.045, (edge["EC"] - edge["high"]).iloc[0] - 0.005])
    plot.spans("curve", "EC", data=edge.assign(curve=0.0), color=GREY, strokeWidth=1)
    plot.words("words", words, y="low", align="left", dx=6, baseline="top", **SAID)
    plot.spans("curve", "EC", data=shown.dropna(subset="gap"), color=INK, strokeWidth=1)
    size = alt.expr(f"(datum.group === '{OLDER}' ? 64 : 140) * (width < 400 ? 0.6 : 1)")
    set_apart(plot.points(size, stroke=PAPER, strokeWidth=0.5), "group", SEEN | PAIR)
    plot.words("model", two, dx=22, dy=-16, align="right", color=INK, fontSize=13)
    about = f"EC with people by accuracy of {len(systems)} systems, and how far newer ones lie above the others' curve."
    return plot.done(title, about, HEIGHT)


def distances(models: pd.DataFrame, older: pd.DataFrame, lead: pd.Series, title: str) -> alt.LayerChart:
    """Draw how far each newer model lies above the curve, the line at 0, and at the right their mean with limits."""
    scale: Options = {"domain": SEEN_AT[::3], "range": [0, alt.expr("width - 80")]}
    x = shares("accuracy", "named correctly", ticks=SEEN_AT, scale=scale)
    y = numbers("gap", "EC above the curve", ends=(-0.05, 0.085), format=".2~f", grid=False)
    plot = Plot(models.assign(curve=0.0), x, y, look=("group", SEEN), hover=["model", HOVER], columns=0)
    curve = gavrikov2025.curve(older, np.linspace(*SEEN_AT[::3], 40)).rename(columns={"place": "accuracy"})
    plot.band(curve, color=GREY, clip=True).level(0, color=BLACK, strokeWidth=2)
    size, at = alt.expr("width < 400 ? 110 : 160"), alt.expr("width - 40")
    plot.spans("curve", "gap", color=SILVER, strokeWidth=1).points(size, stroke=PAPER, strokeWidth=0.5)
    said = f"mean|{number(lead['value'], 2)}"
    means = lead[["value", "low", "high"]].to_frame().T.rename(columns={"value": "gap"}).assign(words=said)
    mean = Plot(means, x, y, hover=[HOVER, "low", "high"])
    diamonds(mean.spans(along="y", color=BLACK, strokeWidth=3, x=at), 260, x=at)
    plot.draw(*mean.words("words", y="low", x=at, dy=8, baseline="top", fontWeight="bold", **SAID).layers)
    under = "a triangle per model; grey: 95 % interval of the curve; hollow: the mean’s interval contains 0"
    return plot.done(title, "How far newer models lie above the curve.", HEIGHT, under)
