"""Agreement with people by accuracy, and with people of all ages, under what accuracies allow."""

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, INK, ORANGE, SILVER, SLATE
from erralign.plot.grammar import DASHED, Plot, names, numbers, shares
from erralign.plot.theme import KINDS
from erralign_book.charts.grammar import set_apart
from erralign_book.charts.looks import SEEN, SHEER, with_guests
from erralign_book.papers import gavrikov2025

GROUPS = dict.fromkeys([gavrikov2025.CNNS, gavrikov2025.STYLISED, "other older networks"], "older networks")
GROUPS[gavrikov2025.OPTIONS] = "newer models"
# Where names have room: of groups, and of the two older networks that are as accurate as most newer models.
NAMED = {"older networks": (0.23, 0.05), "newer models": (0.5, 0.265), "people": (0.73, 0.38)}
PARTNERS = {
    "resnet50-trained-on-SIN": ("ResNet-50", 0.155),
    "efficientnet_l2_noisy_student_475": ("Noisy Student", 0.185),
}


def by_accuracy(systems: pd.DataFrame, curve: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw each system's EC with people over its accuracy, and the curve of older networks, dashed beyond them."""
    axes = shares("accuracy", ends=(0, 0.9)), numbers("EC", "mean EC with the ten people", ends=(0, 0.42))
    looks = with_guests(SEEN, systems["group"])
    plot = Plot(systems, *axes, look=("group", looks), hover=["model", "year", "accuracy", "EC"], columns=0)
    older = systems[systems["group"] == "older networks"]
    last = older["accuracy"].max()
    plot.lines(curve[curve["accuracy"] <= last], color=SILVER, strokeWidth=4)
    plot.lines(curve[curve["accuracy"] >= last - 0.01], color=SILVER, strokeWidth=4, strokeDash=DASHED)
    plot.points(alt.expr("min(90, width / 4)"), systems[systems["group"] == "newer models"])
    plot.points(60, systems[systems["group"] == "people"])
    is_partner = older["model"].isin(PARTNERS)
    plot.points(28, older[~is_partner], opacity=SHEER).points(110, older[is_partner])
    at = older[is_partner].assign(right=0.6, name=older["model"].map(PARTNERS))
    at[["name", "low"]] = at["name"].to_list()
    line = plot.base(at).mark_rule(color=GREY, xOffset=6, yOffset=5).encode(x2="right:Q", y2="low:Q")
    plot.draw(line).words("name", at, x="right", y="low", align="left", dx=4, dy=3, color=INK)
    counts = systems["group"].value_counts()
    places = {f"{counts[group]} {group}": (*place, group) for group, place in NAMED.items()}
    said = pd.DataFrame(places, index=["accuracy", "EC", "group"]).T.rename_axis("label").reset_index()
    for group, colour, align in (
        ("older networks", INK, "left"),
        ("newer models", INK, "right"),
        ("people", ORANGE, "right"),
    ):
        plot.words("label", said[said["group"] == group], align=align, color=colour, fontSize=14, fontWeight="bold")
    set_apart(plot, "group", SEEN)
    about = f"EC with people for {len(systems)} systems by accuracy, and a curve through the older networks."
    return plot.done(title, about, 400, "curve: fitted to the older networks; dashed: beyond them")


def by_age(ages: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of models with people of each age, with intervals, on bars up to what accuracies allow."""
    hover = [alt.Tooltip("value", title="EC"), "low", "high", "people", "accuracy"]
    axes = names("age", title="age in years", labelAngle=0), numbers("value", "mean EC with the models", ends=(0, 1))
    plot = Plot(ages.assign(zero=0), *axes, hover=[*hover, alt.Tooltip("largest", title="EC at most")])
    plot.spans("zero", "largest", color=SILVER, opacity=SHEER, strokeWidth=14).spans(color=SLATE)
    about = "EC of vision-language models with people of five ages, with intervals, and the largest possible value."
    under = "whiskers: intervals; grey bar: up to what the accuracies allow"
    mixed = KINDS["model-human"]
    return plot.points(90, color=mixed.fill, shape=mixed.shape).done(title, about, 260, under)
