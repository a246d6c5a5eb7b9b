"""Agreement with people by accuracy, and how far it is above that of older networks."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, ORANGE, PAPER, SILVER
from erralign.plot.grammar import DASHED, Axis, Plot, finish, layer, numbers, shares
from erralign.plot.words import number
from erralign_book.charts.grammar import set_apart
from erralign_book.charts.looks import CROWD, SEEN, with_guests
from erralign_book.papers import gavrikov2025

GROUPS = dict.fromkeys([gavrikov2025.CNNS, gavrikov2025.STYLISED, "other older networks"], "older networks")
GROUPS[gavrikov2025.OPTIONS] = "newer models"
# Where names have room: of groups, and of the two older networks that are as accurate as most newer models.
NAMED = {
    "older networks": (0.23, 0.05, "left", INK),
    "newer models": (0.5, 0.265, "right", INK),
    "people": (0.73, 0.38, "right", ORANGE),
}
PARTNERS = {
    "resnet50-trained-on-SIN": ("ResNet-50", 0.155),
    "efficientnet_l2_noisy_student_475": ("Noisy Student", 0.185),
}
MEAN = 0.95  # where on the axis the newer models' mean stands, right of all systems
UPPER, HEIGHT = 300, 480  # pixels of the upper part, and of both
WORDS = "curve: fitted to the older networks, dashed beyond them; strong: those as accurate as the weakest newer model"


def by_accuracy(systems: pd.DataFrame, curve: pd.DataFrame, lead: pd.Series, title: str) -> alt.LayerChart:
    """Draw each system's EC with people over its accuracy, a curve of older networks, and how far above it all are.

    ``lead`` is how far newer models are above it, with limits.
    """
    shown = systems.assign(gap=systems["EC"] - np.interp(systems["accuracy"], curve["accuracy"], curve["EC"]))
    axis, ends = (
        shares("accuracy", ends=(0, 1), ticks=[0, 0.2, 0.4, 0.6, 0.8]),
        (shown["gap"].min() - 0.01, shown["gap"].max() + 0.01),
    )
    y = numbers("EC", "mean EC with people (the others)", ends=(0, 0.42), scale={"range": [UPPER, 0]})
    below: Axis = {"format": ".2f", "orient": "left", "tickCount": 4, "scale": {"range": [HEIGHT, UPPER + 30]}}
    hover = ["model", "year", "accuracy", "EC", alt.Tooltip("gap", title="above the curve")]
    looks: Axis = {"look": ("group", with_guests(SEEN, systems["group"])), "hover": hover, "columns": 0}
    plot = Plot(shown, axis, y, **looks)
    strip = Plot(shown, axis, numbers("gap", "above the curve", ends=ends, **below), **looks)
    groups = dict(list(shown.groupby("group")))
    older = groups["older networks"]
    last, strong = older["accuracy"].max(), older["accuracy"] > groups["newer models"]["accuracy"].min()
    plot.lines(curve[curve["accuracy"] <= last], color=SILVER, strokeWidth=4)
    plot.lines(curve[curve["accuracy"] >= last - 0.01], color=SILVER, strokeWidth=4, strokeDash=DASHED)
    mean = pd.DataFrame([{"accuracy": MEAN, "gap": lead["value"], "low": lead["low"], "high": lead["high"]}])
    mean["words"] = f"newer|models:|{number(lead['value'], 2)}"
    strip.level(0).spans(data=mean, color=BLACK, strokeWidth=3)
    look: Any = {"fill": PAPER if lead["low"] < 0 < lead["high"] else BLACK, "stroke": BLACK, "strokeWidth": 2.5}
    mark = strip.base(mean).mark_point(size=90, opacity=1, **look)
    strip.draw(mark).words("words", mean, y="high", dy=-40, color=BLACK, fontWeight="bold", lineBreak="|")
    for part in (plot, strip):
        part.points(45, older[~strong], opacity=CROWD).points(120, older[strong], stroke=PAPER, strokeWidth=1)
        part.points(alt.expr("min(90, width / 4)"), groups["newer models"]).points(60, groups["people"])
        set_apart(part, "group", SEEN)
    partners = shown[shown["model"].isin(PARTNERS)]
    at = partners.assign(right=0.6, name=partners["model"].map(PARTNERS))
    at[["name", "low"]] = at["name"].to_list()
    line = plot.base(at).mark_rule(color=GREY, xOffset=6, yOffset=5).encode(x2="right:Q", y2="low:Q")
    plot.draw(line).words("name", at, x="right", y="low", align="left", dx=4, dy=3, color=INK)
    for group, (right, up, align, colour) in NAMED.items():
        word = pd.DataFrame({"accuracy": [right], "EC": up, "label": f"{len(groups[group])} {group}"})
        plot.words("label", word, align=align, color=colour, fontSize=14, fontWeight="bold")
    about = f"EC with people by accuracy for {len(shown)} systems, and how far above the curve of older networks."
    chart = layer(plot.drawn(), strip.drawn()).resolve_scale(y="independent")
    return finish(chart, title, about, HEIGHT, subtitle=WORDS)
