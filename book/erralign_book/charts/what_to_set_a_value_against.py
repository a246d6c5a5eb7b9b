"""Networks by accuracy and EC with people, beside two people: what a page shows of a guest."""

from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE, PAPER
from erralign.plot.grammar import Options, Plot, numbers, shares
from erralign_book.charts.looks import WITH_PEOPLE, with_guests
from erralign_book.papers import klein2025

BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
GROUPS = dict(zip((*klein2025.GROUPS.values(), klein2025.LARGER, klein2025.EQUAL), WITH_PEOPLE, strict=True))
# Names are where no networks are.
BESIDE: dict[str, Options] = {"CNNs": {"align": "left", "dx": 16, "dy": 30}}
BESIDE |= {"100-million networks": {"align": "right", "dx": -24, "dy": -26}, "two people": {"dy": 26}}
CROSS = "M-1,-.05H-.05V-1H.05V-.05H1V.05H.05V1H-.05V.05H-1Z"  # a path in a square from −1 to 1


def beside_two_people(systems: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw networks, and means of groups as crosses, by accuracy and EC; a line is at the EC of two people."""
    every = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    means = every.groupby("group", sort=False)[["accuracy", "EC"]].mean().reset_index()
    means["said"] = means["group"].str.replace("n n", "n|n") + means["EC"].map(": {:.2f}".format)
    means["said"] = means["said"].str.replace("people: ", "people:|")  # narrow, to be below nothing but its circle
    x = shares("accuracy", "pictures named correctly", scale={"zero": False, "padding": 16})
    ends = min(0.1, every["EC"].min()), every["EC"].max() + 0.05
    y = numbers("EC", "mean EC with people", ends=ends, format=".1f", grid=False)
    looks = with_guests(WITH_PEOPLE, means["group"])
    plot = Plot(means, x, y, look=("group", looks), hover=["group", "accuracy", "EC"], columns=0)
    is_people, is_known = means["group"] == "two people", every["group"].isin([*WITH_PEOPLE][1:])
    plot.level(*means.loc[is_people, "EC"], color=ORANGE)
    edge: Options = {"stroke": PAPER, "strokeWidth": 1}  # so that each is seen on those below it
    area = "(datum.group === '100-million networks' ? 2.3 : 1) * (width < 500 ? 0.7 : 1)"  # of triangles as of squares
    small, large = alt.expr(f"90 * {area}"), alt.expr(f"380 * {area}")
    every = every[is_known]
    plot.points(small, every, **edge)
    for colour, wide in ((PAPER, 5), (BLACK, 2)):  # a cross hides no network
        plot.points(1600, means.query("group in @every.group"), shape=CROSS, color=colour, strokeWidth=wide)
    plot.points(large, means.query("group not in @every.group"), stroke=PAPER, strokeWidth=2)
    for group in means["group"]:
        plot.words("said", means[means["group"] == group], lineBreak="|", **BOLD | BESIDE.get(group, {"dy": 20}))
    about = f"Networks and groups by accuracy and EC with people. Means: {'; '.join(means['said']).replace('|', ' ')}."
    under = "small: a network; cross: the mean of a group"
    return plot.done(title, about, 320, under)
