"""What a value can be set against: two people who slip, pictures that are hard for all, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.plot.colours import BLACK, BLUE, INK, MAGENTA, ORANGE, PALE, PAPER, SILVER
from erralign.plot.grammar import Plot, finish, layer, numbers, shares
from erralign.plot.tables import Table
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import set_apart, slider
from erralign_book.charts.how_sure_are_we import FILL, ON_IT, OUTCOMES
from erralign_book.charts.looks import WITH_PEOPLE, with_guests
from erralign_book.charts.pictures import figure, picture
from erralign_book.papers import klein2025

# Silhouettes that are easy or hard for people and networks, and which of them each names in our example.
PICTURES = {
    "easy": ("elephant4", "bicycle1", "cat6", "chair6", "bottle8"),
    "hard": ("bear7", "boat8", "bird2", "oven6", "truck2"),
}
NAMED = {"Ann": "1011101010", "Ben": "1011000001", "network": "1011100100"}
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}
GROUPS = {"CNNs of 2020": "older CNNs", klein2025.LARGER: "trained on more data"}


def one_line(values: dict[str, float], title: str) -> alt.LayerChart:
    """Draw chance, a mixed pair, its largest possible value and two people on a line, in this order."""
    shown = pd.DataFrame(values.items(), columns=["what", "EC"]).assign(row=0)
    shown["words"] = [f"{name} {EC:.2f}" for name, EC in values.items()]
    mark, pair, people = Look(BLACK, "diamond"), KINDS["model-human"], KINDS["human-human"]
    looks = dict(zip(values, (mark, pair, mark, people), strict=True))
    hidden = {"shorthand": "row:Q", "axis": None, "scale": {"domain": [-1, 1]}}
    plot = Plot(
        shown, numbers("EC", ends=(0, 0.6), grid=False), hidden, look=("what", looks), hover=["words"], columns=0
    )
    plot.level(0, color=SILVER).points(160)
    for row, (align, dy) in enumerate((("left", 22), ("center", -18), ("center", 22), ("center", -18))):
        plot.words("words", shown.loc[[row]], align=align, dx=-6 * (align == "left"), dy=dy, fontSize=14, color=INK)
    return plot.done(title, f"{', '.join(shown['words'])}.", 90)


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann, Ben and the network name."""
    cells = "<b></b>" + "".join(f"<b>{len(names)} {kind} pictures</b>" for kind, names in PICTURES.items())
    drawn = [picture(f"stimuli/silhouettes/{name}", name.rstrip("0123456789")) for name in sum(PICTURES.values(), ())]
    cells += f"<b></b>{''.join(drawn)}"
    for name, row in NAMED.items():
        whose = "machines" if name == "network" else "people"
        tiles = "".join(f'<i class="{whose}{" wrong" * (each == "0")}"></i>' for each in row)
        cells += f"<b>{name}</b>{tiles}"
    html = figure(cells, title, "Filled: names it; frame: fails. The answers are made up<br>")
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
    # The names of the curves are beside their ends, and there is room for a value on the left.
    scale = {"domain": [0, q[-1]], "nice": False, "range": [40, alt.ExprRef("width - 105")]}
    x = numbers("slips", "how often people slip", scale=scale, format="%", grid=False)
    y = numbers("EC", "EC with Ann", ends=(0, 1), scale={"range": [alt.ExprRef("height"), 22]}, grid=False)
    plot = Plot(curves, x, y, look=("partner", PARTNERS), hover=["partner", "slips", "EC"], columns=0)
    with_network = curves[curves["partner"] == "the network"]
    plot.lines(curves[curves["partner"] == "Ben"])
    plot.lines(with_network, color=ORANGE, strokeDash=[8, 8])
    plot.lines(with_network, color=BLUE, strokeDash=[8, 8], strokeDashOffset=8)
    here = "abs(datum.slips - q) < 0.001"
    chosen = plot.base().transform_filter(here)
    plot.draw(chosen.mark_rule(color=MAGENTA, strokeWidth=2).encode(y=alt.value(0), y2=alt.value("height")))
    size = alt.expr("datum.partner === 'Ben' ? 90 : 220")  # both are seen where the curves meet
    plot.draw(chosen.mark_point(filled=True, opacity=1, size=size).encode(**plot.shape, tooltip=plot.hover))
    bold: Any = {"fontSize": 14, "fontWeight": "bold", "color": INK}
    upper, lower = {"align": "left", "dx": 8, "dy": -15}, {"align": "right", "dx": -8, "dy": 14}
    beside: dict[str, Any] = {"datum.above": upper, "!datum.above": lower}
    for side, place in beside.items():
        plot.draw(chosen.transform_filter(side).mark_text(**bold, **place).encode(text=alt.Text("EC:Q", format=".2f")))
    plot.words("partner", curves[curves["slips"] == q[-1]], align="left", dx=12, **bold)
    plot.params = [slider("q", "how often people slip", 0.3, (0, 0.35), 0.05)]
    plot.params += [alt.param(name="q_words", expr="format(q, '.0%')")]
    about = "EC of Ann with Ben, to whom the same pictures are easy, and with a network, by how often people slip."
    return plot.done(title, about, 260)


def mosaics(named: dict[str, float], title: str) -> alt.LayerChart:
    """Draw two halves of pictures as areas, in each of which a person and a network name the same share, and both.

    The person fails at the right, the network below: where shares multiply, the two borders are a straight cross.
    """
    blocks = {name: np.outer([1 - p, p], [1 - p, p]).ravel() for name, p in named.items()}
    blocks["together"] = np.mean(list(blocks.values()), axis=0)
    # Where each begins, and how large it is: the two halves are beside each other, and below them is what they make.
    places = [(0, 0.08, 0.49, 0.38), (0.51, 0.08, 0.49, 0.38), (0, 0.56, 1, 0.44)]
    areas, heads = [], []
    for (name, cells), (start, top, width, height) in zip(blocks.items(), places, strict=True):
        both, person, network, neither = cells
        x, above, beside = neither + network, person / (person + both), neither / (neither + network)
        ends = np.array([(x, 1, above, 1), (x, 1, 0, above), (0, x, beside, 1), (0, x, 0, beside)])
        placed = ends * [width, width, height, height] + [start, start, top, top]
        each = pd.DataFrame(placed, columns=["left", "right", "top", "bottom"]).assign(outcome=list(OUTCOMES))
        areas.append(each.assign(share=cells, inside=name))
        heads.append((start, top, f"{name}: EC {kappa(*cells):.2f}"))
    shown = pd.concat(areas, ignore_index=True).round(4)
    shown["words"] = shown["share"].map("{:.0%}".format).str.replace("%", "\u00a0%")
    named_here = shown["inside"] == "together"
    shown.loc[named_here, "words"] = shown["outcome"].str.replace("the ", "") + "\n" + shown["words"]
    base = alt.Chart(shown).encode(
        alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, 1])),
        alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[1, 0])),
    )
    rects = base.mark_rect(stroke=PAPER, strokeWidth=3).encode(
        FILL,
        x2="right:Q",
        y2="bottom:Q",
        tooltip=["outcome", alt.Tooltip("share", format=".1%")],
    )
    middle = base.transform_calculate(left="(datum.left + datum.right) / 2", top="(datum.top + datum.bottom) / 2")
    lift = alt.expr("indexof(datum.words, '\\n') > 0 ? -7 : 0")
    said = middle.mark_text(fontSize=13, fontWeight="bold", lineBreak="\n", dy=lift).encode(ON_IT, text="words:N")
    over = alt.Chart(pd.DataFrame(heads, columns=["left", "top", "words"])).encode(x="left:Q", y="top:Q")
    heading = over.mark_text(align="left", dy=-10, fontSize=14, fontWeight="bold", color=INK).encode(text="words:N")
    about = f"Three oblongs, each parted into four areas: {', '.join(blocks)}."
    under = "area: share of pictures; the person fails at the right, the network below"
    return finish(layer(rects, said, heading), title, about, 400, subtitle=under)


def yardsticks(systems: pd.DataFrame, limits: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw networks' mean EC with people by accuracy, and above each how much more its accuracy allows."""
    of_set = systems[(systems["data_set"] == data_set) & (systems["group"] != "people")]
    of_set = of_set.replace({"group": GROUPS})
    ends = pd.DataFrame({"accuracy": [0, 1], "largest": 0})
    limits = pd.concat([limits[limits["data_set"] == data_set], ends]).sort_values("accuracy").assign(top=1)
    up = numbers("EC", "mean EC with ten people", ends=(min(0, of_set["EC"].min()), 1), format=".2f", grid=False)
    hover = ["system", "accuracy", "EC", alt.Tooltip("largest", title="at most")]
    looks = "group", with_guests(WITH_PEOPLE, of_set["group"])
    plot = Plot(of_set, shares("accuracy", "accuracy", ends=(0, 1)), up, look=looks, hover=hover, columns=0)
    plot.band(limits, "largest", "top", color=PALE, opacity=1)
    plot.draw(plot.base(limits, y="largest").mark_line(color=BLACK, strokeWidth=2))
    plot.spans("EC", "largest", color=SILVER, strokeWidth=1.5)
    set_apart(plot.points(90, stroke=PAPER, strokeWidth=0.5), "group", WITH_PEOPLE)
    said = of_set[of_set["group"].isin(WITH_PEOPLE)].groupby("group")[["accuracy", "EC"]].median().reset_index()
    said["group"] = said["group"].str.replace(" on ", " on\n")
    bold = {"color": INK, "fontSize": 13, "fontWeight": "bold"}
    places: list[Any] = [{"dx": alt.expr("-0.07 * width"), "dy": 88, "align": "right"}, {"dx": -14, "dy": 40}]
    for row, place in enumerate(places):
        plot.words("group", said[row : row + 1], lineBreak="\n", **{"align": "left"} | place | bold)
    vgg = of_set[of_set["system"] == "vgg11-bn"].assign(system="VGG-11")
    lower = alt.expr("scale('y', datum.EC) + 50")
    plot.draw(plot.base(vgg).mark_rule(color=BLACK, strokeWidth=1.5, y2=lower))
    plot.points(170, vgg, stroke=BLACK, strokeWidth=2.5).words("system", vgg, dy=60, **bold)
    corner = pd.DataFrame({"name": ["impossible"], "accuracy": 0.03, "EC": 0.9})
    plot.words("name", corner, color=INK, align="left", fontSize=16)
    about = (
        f"Mean EC with people by accuracy of {len(of_set)} networks on {data_set}, each below the largest possible one."
    )
    return plot.done(title, about, 340)
