"""What a value can be set against: two people who slip, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE, PAPER, SILVER
from erralign.plot.grammar import Plot, finish, layer, names, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS, Look, number
from erralign_book.charts.grammar import slider
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
SMALL: dict[str, Any] = {"fontSize": 13}
GROUPS = dict(zip((*klein2025.GROUPS.values(), klein2025.LARGER, klein2025.EQUAL), WITH_PEOPLE, strict=True))


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
    plot.draw(chosen.mark_rule(color=BLACK, strokeWidth=2).encode(y=alt.value(14), y2=alt.value("height")))
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


def blurred(wrong: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw on which pictures a person and a network fail, by half of the pictures, and their EC in each and together.

    ``wrong`` has a column for each of the two, and for each picture a row named for its half.
    """
    halves = list(dict.fromkeys(wrong.index))
    left = np.arange(len(wrong)) + (wrong.index == halves[1])  # with a gap between the halves
    shown = wrong.assign(left=left + 0.05, right=left + 0.95, agree=wrong["person"] == wrong["network"])
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, len(wrong) + 1], nice=False))
    marks: list[Any] = []
    for name, top, high, colour in (("person", 24, 24, ORANGE), ("network", 52, 24, BLUE), ("agree", 82, 4, BLACK)):
        fill = alt.when(f"datum.{name}").then(alt.value(colour)).otherwise(alt.value(PALE if high > 4 else PAPER))
        tiles = alt.Chart(shown).mark_rect(cornerRadius=2).encode(x, x2="right:Q", fill=fill)
        word = alt.Chart(pd.DataFrame([name], columns=["row"])).mark_text(**BOLD | SMALL, align="left", text=name)
        marks.append(tiles.encode(y=alt.value(top), y2=alt.value(top + high)))
        marks.append(word.encode(x=alt.value(-62), y=alt.value(top + high / 2)))
    for name, top in ((halves[0], 92), (halves[1], 92), ("", 144)):
        part = shown[shown.index == name] if name else shown
        a, b = part["person"], part["network"]
        chance = (a.sum() * b.sum() + (~a).sum() * (~b).sum()) / len(part)
        said = f"{'' if name else 'together '}{part['agree'].sum()} agree, by chance {chance:g}"
        EC = f"EC {kappa(*pd.crosstab(a, b).to_numpy().ravel()):.2g}"
        bracket = alt.Chart(part[["left", "right"]].agg({"left": "min", "right": "max"}).to_frame().T).encode(x)
        marks.append(bracket.mark_rule(color=BLACK, strokeWidth=2).encode(x2="right:Q", y=alt.value(top)))
        for y, how, text in (
            (4, SMALL, f"{len(part)} {name}" * bool(name)),
            (top + 6, SMALL, said),
            (top + 22, BOLD, EC),
        ):
            marks.append(bracket.mark_text(**how, align="left", baseline="top", text=text).encode(y=alt.value(y)))
    about = f"Tiles for {len(wrong)} pictures, half of them {halves[1]}: on which a person and a network fail."
    return finish(layer(*marks), title, about, 182, subtitle="coloured: fails; the answers are made up")


def yardsticks(systems: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw the mean ceiling of each group's EC with people as a track, filled as far as its mean EC."""
    of_set = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    means = of_set.groupby("group")[["accuracy", "EC", "largest"]].mean()
    looks = with_guests(WITH_PEOPLE, means.index)
    means = means.reindex([name for name in looks if name in means.index]).reset_index()
    means["name"] = means["group"] + means["accuracy"].map(", right on {:.0%}".format).str.replace("%", "\u00a0%")
    means["share"] = (means["EC"] / means["largest"]).map("{:.0%} of\nits ceiling".format).str.replace("%", "\u00a0%")
    means["said"] = [number(EC, 2) for EC in means["EC"]]
    x = numbers("EC", "mean EC with people", ends=(0, 1), format=".1f", grid=False)
    y = names("group", list(means["group"])) | {"axis": None}
    plot = Plot(means.assign(zero=0), x, y, look=("group", looks), columns=0)
    plot.spans("zero", "largest", color=PALE, strokeWidth=20).spans("zero", "EC", color=SILVER, strokeWidth=20)
    plot.points(260, stroke=PAPER, strokeWidth=1)
    beside: dict[str, Any] = {"align": "left", **BOLD, **SMALL}
    plot.words("name", x="zero", dy=-22, **beside).words("said", dx=13, **beside)
    plot.words("share", x="largest", dx=8, dy=-7, lineBreak="\n", **beside)
    about = f"Mean EC with people on {data_set} of {len(means)} groups, each as a part of the largest possible one."
    return plot.done(title, about, 62 * len(means), "filled: mean EC; the whole track: its ceiling")
