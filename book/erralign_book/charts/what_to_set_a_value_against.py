"""Two people who see alike and are noisy, beside a network without noise; and what a value can be set against."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, MAGENTA, ORANGE, PALE, PAPER
from erralign.plot.grammar import CHOSEN, Plot, numbers, shares
from erralign.plot.tables import Table
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import set_apart, slider
from erralign_book.charts.looks import SHEER, WITH_PEOPLE, with_guests
from erralign_book.charts.pictures import figure, picture
from erralign_book.papers import klein2025

# Silhouettes that are easy or hard for people and networks, and which of them each names in our example.
PICTURES = {
    "easy": ("elephant4", "bicycle1", "cat6", "chair6", "bottle8"),
    "hard": ("bear7", "boat8", "bird2", "oven6", "truck2"),
}
NAMED = {"Ann": "1011100010", "Ben": "1111001000", "network": "1111100000"}
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}
LEAST, HEIGHT = -0.15, 340  # where the axis of EC begins, and how high it is
BELOW, PERSON, ROW = 88, 7, 20  # pixels below the axis where failures begin, of a person, and of B


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann, Ben and the network name: people four of five easy ones, one hard."""
    cells = "<b></b>" + "".join(f"<b>{len(names)} {kind} pictures</b>" for kind, names in PICTURES.items())
    drawn = [picture(f"stimuli/silhouettes/{name}", name.rstrip("0123456789")) for name in sum(PICTURES.values(), ())]
    cells += f"<b></b>{''.join(drawn)}"
    for name, row in NAMED.items():
        whose = "machines" if name == "network" else "people"
        tiles = "".join(f'<i class="{whose}{" wrong" * (each == "0")}"></i>' for each in row)
        cells += f"<b>{name}</b>{tiles}"
    html = figure(cells, title, "Filled: names it; frame: fails. The answers are made up<br>")
    return Table(html.replace("<div>", '<div class="ten">', 1), pd.Series(NAMED).to_string())


def noise(title: str) -> alt.LayerChart:
    """Draw the EC of Ann with Ben and with a network for a noise to choose.

    With a noise of q people miss easy pictures, half of all, in a share q, and name hard ones in a share q; the network
    names exactly the easy ones. Half of the answers are right, so that EC is twice the share of agreement less 1.
    """
    q = np.linspace(0, 0.5, 51).round(2)
    values = {"Ben": 2 * (q**2 + (1 - q) ** 2) - 1, "the network": 1 - 2 * q}
    curves = pd.concat([pd.DataFrame({"noise": q, "EC": EC, "partner": name}) for name, EC in values.items()])
    x = numbers("noise", "how often Ann misses an easy picture", format="%")
    y = numbers("EC", "EC with Ann", ends=(0, 1))
    plot = Plot(curves, x, y, look=("partner", PARTNERS), hover=["partner", "noise", "EC"], columns=0)
    plot.lines().level(0.0, along="y")
    here = plot.base().transform_filter("abs(datum.noise - q) < 0.001")
    plot.draw(here.mark_point(filled=True, opacity=1, size=120).encode(**plot.shape, tooltip=plot.hover))
    words = here.transform_calculate(words="datum.partner + ' ' + format(datum.EC, '.2f')")
    for name, (across, up) in {"Ben": (0.08, 0.3), "the network": (0.38, 0.6)}.items():  # no curve comes there
        at = words.transform_filter(f"datum.partner === '{name}'").mark_text(fontSize=14, fontWeight="bold")
        plot.draw(at.encode(x=alt.datum(across), y=alt.datum(up), text="words:N", **plot.colour))
    about = "EC of Ann with Ben, who sees as she does, and with a network, by how noisy people are."
    plot.params = [slider("q", "noise of people", 0.2, (0.05, 0.45), 0.05)]
    plot.params += [alt.param(name="q_words", expr="format(q, '.0%')")]
    return plot.done(title, about, 260)


def yardsticks(systems: pd.DataFrame, limits: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw EC with people by accuracy, with what chance gives, two people have, and a partner B could have at most.

    Below are pictures, sorted: where each person fails, and where B does if its EC with all of them is largest. A limit
    of the means has a kink where B is as accurate as one of the people.
    """
    up = numbers(
        "EC", "mean EC with ten people", ends=(LEAST, 0.9), ticks=(0, 0.25, 0.5, 0.75), format=".2f", grid=False
    )
    hover = ["system", "accuracy", "EC", alt.Tooltip("largest", title="at most")]
    systems = systems.replace({"group": {"CNNs of 2020": "older CNNs", klein2025.LARGER: "trained on more data"}})
    looks = "group", with_guests(WITH_PEOPLE, systems["group"])
    across = shares("accuracy", "accuracy", ends=(0, 1))
    plot = Plot(systems, across, up, look=looks, hover=hover, where=CHOSEN, columns=3)
    people = systems[systems["group"] == "people"]
    two = people.groupby("data_set", sort=False)["EC"].mean().round(2).reset_index()
    two = two.assign(accuracy=0.01, name="two people " + two["EC"].astype(str))
    chance = two.assign(accuracy=0.62, EC=0, name="chance")
    ends = pd.DataFrame({"accuracy": [0, 1], "largest": 0, "low": 0, "high": 0}).merge(two["data_set"], how="cross")
    limits = pd.concat([limits, ends])
    plot.band(limits)
    plot.draw(plot.base(limits, y="largest").mark_line(color=BLACK, strokeWidth=1))
    plot.draw(plot.base(two[["data_set", "EC"]]).mark_rule(color=ORANGE, strokeWidth=1.5))
    set_apart(plot.points(130, stroke=PAPER, strokeWidth=0.5, opacity=SHEER), "group", WITH_PEOPLE)
    plot.words("name", two, dy=-8, color=ORANGE, align="left").words("name", chance, color=INK)
    plot.words("name", two.assign(EC=0.84, accuracy=0.02, name="impossible"), color=INK, align="left", fontSize=14)
    b = plot.base(limits, y="largest").transform_filter("abs(datum.accuracy - b) < 0.001")
    said = b.transform_calculate(words="'B: at most ' + format(datum.largest, '.2f')")
    plot.draw(b.mark_point(shape="diamond", size=140, fill=MAGENTA, stroke=PAPER, opacity=1))
    said = said.mark_text(color=MAGENTA, align="right", dy=-10, fontSize=14, fontWeight="bold")
    plot.draw(said.encode(x=alt.value(alt.expr("max(b * width - 8, 110)")), text="words:N"))
    plot.draw(*_failures(people, across))
    plot.menu("data_set", two["data_set"], start, "data set")
    plot.params += [
        slider("b", "accuracy of B", 0.4, (0.01, 0.99), 0.01),
        alt.param(name="b_words", expr="format(b, '.0%')"),
    ]
    about = f"Mean error consistency with people against accuracy for {systems['system'].nunique()} systems, first on "
    about += f"{start}, below a line of the largest possible means, with a band of chance and a line for two people."
    return plot.done(title, about, HEIGHT, "below, all pictures, sorted: framed where people and B fail")


def _failures(people: pd.DataFrame, across: dict[str, Any]) -> list[alt.Chart]:
    """Draw all pictures in a row for each person and one for B, with a frame around those on which they fail."""
    ranked = people[["data_set", "accuracy"]].round(4).sort_values(["data_set", "accuracy"])
    ranked["rank"] = ranked.groupby("data_set").cumcount()
    foot = BELOW + PERSON * (int(ranked["rank"].max()) + 1) + 6
    each = alt.Chart(ranked).transform_filter(CHOSEN)
    b = alt.Chart(pd.DataFrame({"rank": [0]})).transform_calculate(accuracy="b")
    marks = []
    for name, rows, top, step, look in (("people", each, BELOW, PERSON, ORANGE), ("B", b, foot, ROW, MAGENTA)):
        begin = f"height + {top} + {step} * datum.rank"
        place = {"y": alt.value(alt.expr(begin)), "y2": alt.value(alt.expr(f"{begin} + {step - 2}"))}
        every = rows.mark_rect(color=PALE).encode(x=alt.value(0), x2=alt.value("width"), **place)
        wrong = rows.transform_calculate(end="1").mark_rect(fill=PAPER, stroke=look, strokeWidth=1.5)
        word = b.mark_text(align="right", fontSize=13, fontWeight="bold", color=look, text=name)
        middle = (top + (foot - 6 if name == "people" else top + step - 2)) / 2
        marks += [every, wrong.encode(alt.X(**across), x2="end:Q", **place)]
        marks.append(word.encode(x=alt.value(-8), y=alt.value(alt.expr(f"height + {middle}"))))
    return marks
