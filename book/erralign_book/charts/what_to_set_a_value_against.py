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
NAMED = {"Ann": "1010101010", "Ann again": "1011100001", "network": "1111001000", "network again": "1111001000"}
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}
BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
GROUPS = {"CNNs of 2020": "older CNNs", klein2025.LARGER: "trained on more data"}


def thermometer(values: dict[str, float], title: str) -> alt.LayerChart:
    """Draw a bar from chance to the largest possible value of a mixed pair, filled to its value; and two people beyond.

    The values are of the pair, of its ceiling, and of two people.
    """
    (pair, value), (ceiling, most), (people, beyond) = values.items()
    x = alt.X("EC:Q", title="EC", axis=alt.Axis(tickCount=3, grid=False), scale=alt.Scale(domain=[0, 0.6]))
    bars = [
        alt.Chart(pd.DataFrame({"EC": [round(end, 4)], "start": 0}))
        .mark_rect(color=colour, y=top, y2=bottom)
        .encode(x, x2="start:Q")
        for end, colour, top, bottom in ((most, PALE, 34, 62), (value, ORANGE, 34, 48), (value, BLUE, 48, 62))
    ]
    places: list[Any] = [("chance 0", 0, "left", 82), (f"{pair} {value:.2f}", value, "center", 18)]
    places += [(f"{ceiling} {most:.2f}", most, "center", 82), (f"{people} {beyond:.2f}", beyond, "left", 49)]
    at = [alt.Chart(pd.DataFrame({"EC": [round(EC, 4)], "words": said})).encode(x) for said, EC, *_ in places]
    words = [
        each.mark_text(**BOLD, align=align, dx=14 * (each is at[-1]), y=y).encode(text="words:N")
        for each, (*_, align, y) in zip(at, places, strict=True)
    ]
    end = at[2].mark_rule(strokeWidth=3, color=BLACK, y=34, y2=62)
    person = at[3].mark_point(filled=True, opacity=1, size=220, color=ORANGE, y=48)
    about = ", ".join(said for said, *_ in places)
    return finish(layer(*bars, end, person, *words), title, f"{about}.", 95)


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann and a network name, each asked twice."""
    cells = "<b></b>" + "".join(f"<b>{len(names)} {kind} pictures</b>" for kind, names in PICTURES.items())
    drawn = [picture(f"stimuli/silhouettes/{name}", name.rstrip("0123456789")) for name in sum(PICTURES.values(), ())]
    cells += f"<b></b>{''.join(drawn)}"
    for name, row in NAMED.items():
        whose = "machines" if "network" in name else "people"
        tiles = "".join(f'<i class="{whose}{" wrong" * (each == "0")}"></i>' for each in row)
        cells += f"<b>{name.split()[-1]}</b>{tiles}"
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
    size = alt.expr("datum.group === 'older CNNs' ? 90 : 120")  # of a triangle, which looks smaller than a square
    set_apart(plot.points(size, stroke=PAPER, strokeWidth=0.5), "group", WITH_PEOPLE)
    said = of_set[of_set["group"].isin(WITH_PEOPLE)].groupby("group")[["accuracy", "EC"]].median().reset_index()
    said["group"] = said["group"].str.replace(" on ", " on\n")
    bold = {"color": INK, "fontSize": 13, "fontWeight": "bold"}
    places: list[Any] = [{"dx": alt.expr("-0.07 * width"), "dy": 88, "align": "right"}, {"dx": -14, "dy": 40}]
    for row, place in enumerate(places):
        plot.words("group", said[row : row + 1], lineBreak="\n", **{"align": "left"} | place | bold)
    vgg = of_set[of_set["system"] == "vgg11-bn"].assign(system="VGG-11")
    end, start = (alt.expr(f"scale('y', datum.EC) + {room}") for room in (50, 9))
    plot.draw(plot.base(vgg).mark_rule(color=BLACK, strokeWidth=1.5, y=start, y2=end))
    plot.words("system", vgg, dy=60, **bold)
    corner = pd.DataFrame({"name": ["impossible"], "accuracy": 0.03, "EC": 0.9})
    plot.words("name", corner, color=INK, align="left", fontSize=16)
    about = (
        f"Mean EC with people by accuracy of {len(of_set)} networks on {data_set}, each below the largest possible one."
    )
    return plot.done(title, about, 340)
