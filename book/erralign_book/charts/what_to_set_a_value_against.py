"""What a value can be set against: two people who slip, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, MAGENTA, ORANGE, PALE, PAPER, SILVER
from erralign.plot.grammar import Plot, numbers, shares
from erralign.plot.html import Table
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import set_apart, slider
from erralign_book.charts.looks import WITH_PEOPLE, with_guests
from erralign_book.charts.pictures import figure, picture
from erralign_book.papers import klein2025

# Silhouettes that are easy or hard for people and networks, and which of them each names in our example.
PICTURES = {
    "easy": ("elephant4", "bicycle1", "cat6", "chair6", "bottle8"),
    "hard": ("bear7", "boat8", "bird2", "oven6", "truck2"),
}
NAMED = {"Ann": "1010101010", "Ann again": "1011100001", "Ben": "1110100100", "network": "1111001000"}
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}
BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
GROUPS = dict(zip((klein2025.GROUPS["model-human"], klein2025.LARGER, klein2025.EQUAL), WITH_PEOPLE, strict=True))
PLACES = dict(zip(WITH_PEOPLE, ((0.42, 0.22), (0.74, 0.455), (0.7, 0.31)), strict=True))  # beside each group's marks


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann, asked twice, Ben and a network name."""
    cells = "<b></b>" + "".join(f"<b>{len(names)} {kind} pictures</b>" for kind, names in PICTURES.items())
    drawn = [picture(f"stimuli/silhouettes/{name}", name.rstrip("0123456789")) for name in sum(PICTURES.values(), ())]
    cells += f"<b></b>{''.join(drawn)}"
    for name, row in NAMED.items():
        whose = "machines" if "network" in name else "people"
        tiles = "".join(f'<i class="{whose}{" wrong" * (each == "0")}"></i>' for each in row)
        cells += f"<b>{name}</b>{tiles}"
    html = figure(cells, title, "Coloured: fails; grey: names it. The answers are made up<br>")
    return Table(html.replace("<div>", '<div class="ten">', 1), pd.Series(NAMED).to_string())


def slips(title: str, mistaken: float) -> alt.LayerChart:
    """Draw the EC of Ann with Ben and with a network, by how often people slip; here a network never does.

    Half of the pictures are easy. With slips q people miss easy pictures in a share q, and name hard ones in a share q;
    the network takes the share ``mistaken`` of easy ones for hard, and as many hard ones for easy. Half of all answers
    are right, so that EC is twice the share of agreement less 1.
    """
    q = np.linspace(0, 0.35, 36).round(2)
    ben, network = (1 - 2 * q) ** 2, (1 - 2 * q) * (1 - 2 * mistaken)
    curves = pd.concat(
        pd.DataFrame({"slips": q, "EC": EC, "partner": name, "above": above})
        for name, EC, above in (("the network", network, network > ben), ("Ben", ben, network <= ben))
    )
    scale = {"domain": [-0.02, q[-1]], "nice": False, "range": [0, alt.ExprRef("width - 110")]}
    x = numbers("slips", "how often people slip", scale=scale, format="%", ticks=[0, 0.1, 0.2, 0.3], grid=False)
    y = numbers("EC", "EC with Ann", ends=(0, 1), scale={"range": [alt.ExprRef("height"), 22]}, grid=False)
    plot = Plot(curves, x, y, look=("partner", PARTNERS), hover=["partner", "slips", "EC"], columns=0)
    plot.lines(strokeWidth=1.5).points(70, curves[(100 * curves["slips"]).round() % 5 == 0])
    chosen = plot.base().transform_filter("abs(datum.slips - q) < 0.001")
    handle = chosen.mark_rule(color=MAGENTA, strokeWidth=2).encode(y=alt.value(14), y2=alt.value("height"))
    head = chosen.mark_point(filled=True, opacity=1, size=200, color=MAGENTA, shape="triangle-down")
    plot.draw(handle, head.encode(y=alt.value(10)))
    size = alt.expr("datum.partner === 'Ben' ? 130 : 260")  # both are seen where the curves meet
    plot.draw(chosen.mark_point(filled=True, opacity=1, size=size).encode(**plot.shape, tooltip=plot.hover))
    upper, lower = {"align": "left", "dx": 10, "dy": -14}, {"align": "right", "dx": -10, "dy": 15}
    beside: dict[str, Any] = {"datum.above": upper, "!datum.above": lower}
    for side, place in beside.items():
        plot.draw(chosen.transform_filter(side).mark_text(**BOLD, **place).encode(text=alt.Text("EC:Q", format=".2f")))
    plot.words("partner", curves[curves["slips"] == q[-1]], align="left", dx=12, **BOLD)
    plot.params = [slider("q", "how often people slip", 0.3, (0, 0.35), 0.05)]
    plot.params += [alt.param(name="q_words", expr="format(q, '.0%')")]
    about = "EC of Ann with Ben, to whom the same pictures are easy, and with a network, by how often people slip."
    return plot.done(title, about, 260)


def yardsticks(systems: pd.DataFrame, limits: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw networks' mean EC with people by accuracy, above each what its accuracy allows, and two people's."""
    of_set = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    are_people = of_set["group"] == "people"
    people, of_set = of_set.loc[are_people, "EC"].mean(), of_set[~are_people]
    ends = pd.DataFrame({"accuracy": [0, 1], "largest": 0})
    limits = pd.concat([limits[limits["data_set"] == data_set], ends]).sort_values("accuracy").assign(top=1)
    up = numbers("EC", "mean EC with ten people", ends=(min(0, of_set["EC"].min()), 1), format=".2f", grid=False)
    hover = ["system", "accuracy", "EC", alt.Tooltip("largest", title="at most")]
    looks = "group", with_guests(WITH_PEOPLE, of_set["group"])
    plot = Plot(of_set, shares("accuracy", "accuracy", ends=(0, 1)), up, look=looks, hover=hover, columns=0)
    plot.band(limits, "largest", "top", color=PALE, opacity=1)
    plot.draw(plot.base(limits, y="largest").mark_line(color=BLACK, strokeWidth=2))
    plot.spans("EC", "largest", color=SILVER, strokeWidth=1.5).dashed(people, color=ORANGE)
    size = alt.expr("test(/^ten/, datum.group) ? 120 : 90")  # a triangle looks smaller than a square
    set_apart(plot.points(size, stroke=PAPER, strokeWidth=0.5), "group", WITH_PEOPLE)
    of_set["share"] = of_set["EC"] / of_set["largest"]
    said = of_set.groupby("group")[["accuracy", "EC", "share"]].mean().reindex(list(PLACES)).dropna().reset_index()
    said["group"] += said["share"].map("\nreach {:.0%}".format).str.replace("%", "\u00a0%")
    said[["accuracy", "EC"]] = [PLACES[name.split("\n")[0]] for name in said["group"]]
    said["group"] = said["group"].str.replace("trained on", "trained\non")
    bold = {"color": INK, "fontSize": 13, "fontWeight": "bold"}
    plot.words("group", said, lineBreak="\n", align="left", baseline="top", **bold)
    level = pd.DataFrame({"name": [f"two people {people:.2f}"], "accuracy": 0.01, "EC": people})
    plot.words("name", level, dy=-10, align="left", **bold | {"color": ORANGE})
    corner = pd.DataFrame({"name": ["impossible:\nabove the ceiling"], "accuracy": 0.03, "EC": 0.92})
    plot.words("name", corner, color=INK, align="left", fontSize=16, lineBreak="\n")
    about = (
        f"Mean EC with people by accuracy of {len(of_set)} networks on {data_set}, each below the largest possible one."
    )
    return plot.done(title, about, 340, "a square or triangle: one network; the line above it leads to its ceiling")
