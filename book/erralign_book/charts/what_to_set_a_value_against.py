"""What a value can be set against: two people who slip, pictures that are hard for all, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.plot.colours import BLACK, INK, MAGENTA, ORANGE, PALE, PAPER, SILVER
from erralign.plot.grammar import Plot, finish, layer, numbers, shares
from erralign.plot.tables import Table
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import set_apart, slider
from erralign_book.charts.how_sure_are_we import ALONG_A_WALL, FILL, OUTCOMES
from erralign_book.charts.looks import WITH_PEOPLE, with_guests
from erralign_book.charts.pictures import figure, picture
from erralign_book.papers import klein2025

# Silhouettes that are easy or hard for people and networks, and which of them each names in our example.
PICTURES = {
    "easy": ("elephant4", "bicycle1", "cat6", "chair6", "bottle8"),
    "hard": ("bear7", "boat8", "bird2", "oven6", "truck2"),
}
NAMED = {"Ann": "1010101010", "Ann again": "1011100001", "network": "1111001000", "network again": "1111001000"}
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}
BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
GROUPS = {"CNNs of 2020": "older CNNs", klein2025.LARGER: "trained on more data"}


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann and a network name, each asked twice."""
    cells = "<b></b>" + "".join(f"<b>{len(names)} {kind} pictures</b>" for kind, names in PICTURES.items())
    drawn = [picture(f"stimuli/silhouettes/{name}", name.rstrip("0123456789")) for name in sum(PICTURES.values(), ())]
    cells += f"<b></b>{''.join(drawn)}"
    for name, row in NAMED.items():
        whose = "machines" if "network" in name else "people"
        tiles = "".join(f'<i class="{whose}{" wrong" * (each == "0")}"></i>' for each in row)
        cells += f"<b>{name.split()[-1]}{', or Ben' * (name == 'Ann again')}</b>{tiles}"
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


def two_halves(named: dict[str, float], title: str) -> alt.LayerChart:
    """Draw a hundred pictures of each of two kinds as tiles, coloured for who fails, and below them their EC.

    A person and a network name the same share of a kind, and whether one fails says nothing about the other.
    """
    blocks = [np.outer([1 - p, p], [1 - p, p]).ravel() for p in named.values()]
    high = wide = 10
    left, top = np.divmod(np.arange(100), high)
    end = 2 * wide + 1
    kinds = [pd.Series(100 * cells, list(OUTCOMES)).round().astype(int)[list(ALONG_A_WALL)] for cells in blocks]
    tiles = pd.concat(
        pd.DataFrame({"left": left + start, "top": top, "outcome": kind.index.repeat(kind)})
        for start, kind in zip((0, end - wide), kinds, strict=True)
    )
    places = pd.DataFrame({"left": [0, end - wide, 0], "right": [wide, end, end], "top": [high + 0.4] * 2 + [16]})
    places["middle"] = places[["left", "right"]].mean(axis=1)
    places["words"] = [
        f"{who}agree on {cells[[0, 3]].sum():.0%}\n"
        f"by chance {cells[:2].sum() ** 2 + cells[2:].sum() ** 2:.0%}\nEC {abs(kappa(*cells)):.2f}"
        for who, cells in zip(("", "", "together "), [*blocks, np.mean(blocks, axis=0)], strict=True)
    ]
    places["name"] = [*(f"{name}: each names {share:.0%}" for name, share in named.items()), ""]
    places = places.round(4).replace("%", "\u00a0%", regex=True)
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, end], nice=False))
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[2 * high + 0.5, -1.5], nice=False))
    rects = alt.Chart(tiles).transform_calculate(right="datum.left + 1", bottom="datum.top + 1")
    rects = rects.mark_rect(stroke=PAPER, strokeWidth=1.5).encode(x, y, FILL, x2="right:Q", y2="bottom:Q")
    below = alt.Chart(places).encode(y=y)
    line = below.mark_rule(strokeWidth=2, color=BLACK).encode(x, x2="right:Q")
    words = below.mark_text(**BOLD, lineBreak="\n", baseline="top", dy=7).encode(
        alt.X("middle:Q", axis=None), text="words:N"
    )
    heads = below.mark_text(**BOLD, align="left").encode(x, y=alt.value(8), text="name:N")
    about = f"Two hundreds of tiles: {', '.join(named)}."
    return finish(
        layer(rects, line, words, heads), title, about, 260, subtitle="a tile is a picture, coloured for who fails"
    )


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
    size = alt.expr("datum.group === 'older CNNs' ? 90 : 120")  # of a triangle, which looks smaller than a square
    set_apart(plot.points(size, stroke=PAPER, strokeWidth=0.5), "group", WITH_PEOPLE)
    own = of_set[of_set["group"].isin(WITH_PEOPLE)]
    said = (
        own.assign(share=own["EC"] / own["largest"]).groupby("group")[["accuracy", "EC", "share"]].mean().reset_index()
    )
    said["group"] += said["share"].map("\nreach {:.0%} of\ntheir ceiling".format).str.replace("%", "\u00a0%")
    said["group"] = said["group"].str.replace("trained on ", "trained on\n")
    bold = {"color": INK, "fontSize": 13, "fontWeight": "bold"}
    clear = alt.expr("datum.accuracy < 0.5 ? 0 : 0.07 * width")  # of the other group's marks
    plot.words("group", said, lineBreak="\n", dx=clear, dy=50, **bold)
    level = pd.DataFrame({"name": [f"two people {people:.2f}"], "accuracy": 0.01, "EC": people})
    plot.words("name", level, dy=-10, align="left", **bold | {"color": ORANGE})
    corner = pd.DataFrame({"name": ["impossible"], "accuracy": 0.03, "EC": 0.9})
    plot.words("name", corner, color=INK, align="left", fontSize=16)
    about = (
        f"Mean EC with people by accuracy of {len(of_set)} networks on {data_set}, each below the largest possible one."
    )
    return plot.done(title, about, 340)
