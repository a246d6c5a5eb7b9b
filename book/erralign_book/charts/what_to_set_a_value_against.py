"""What a value can be set against: two people who slip, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK, ORANGE, PALE, PAPER
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import OLDER, WITH_PEOPLE, with_guests
from erralign_book.charts.pictures import figure, picture
from erralign_book.papers import klein2025

# Silhouettes that are easy or hard for people and networks, and which of them each names in our example.
EASY, HARD = ("elephant4", "bicycle1", "cat6", "chair6", "bottle8"), ("bear7", "boat8", "bird2", "oven6", "truck2")
NAMED = {"Ann": "1010101000", "Ben": "1110100101", "network": "1011100010"}
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "network": KINDS["model-human"]}
BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
LOOKS = WITH_PEOPLE | {"four as accurate as the ten": OLDER}
GROUPS = dict(zip((*klein2025.GROUPS.values(), klein2025.LARGER, klein2025.EQUAL), LOOKS, strict=True))


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann, Ben and a network name, with a line where it is as Ann."""
    ann, rows = NAMED["Ann"], '<b></b><b style="--n: 6">5 easy pictures</b><b style="--n: 5">5 hard pictures</b>'
    rows += "".join(picture(f"stimuli/silhouettes/{name}", name[:-1]) for name in EASY + HARD)
    for name, row in NAMED.items():
        same = [said == hers for said, hers in zip(row, ann, strict=True)]
        whose, count = ("people", "machines")[name == "network"], f"{sum(same)} as Ann" * (row != ann)
        rows += f'</div><div class="ten"><b>{name}</b>'
        for said, usual, alike in zip(row, "1111100000", same, strict=True):
            slip = " slip" * (whose == "people" and said != usual)
            rows += f'<i class="{whose}{slip}{" wrong" * (said == "0")}{" same" * (alike and row != ann)}"></i>'
        rows += f"<b>{count}</b>"
    key = "coloured: wrong; striped: a slip; line below: as Ann<br>"
    return Table(figure(f'<div class="ten">{rows}</div>', title, key), pd.Series(NAMED).to_string())


def ceiling(pairs: pd.DataFrame, person: int, start: int, title: str) -> alt.LayerChart:
    """Draw on which pictures a network is wrong that is so wherever a person is, and how often they are alike.

    ``pairs`` has accuracies of networks, what chance gives (in percent, as of the ``person``) and the largest EC.
    """
    wrong, rows = 100 - person, []
    order = ["person", "network", "alike", "by chance", "EC at most", "ceiling"]
    looks = dict(zip(order, map(Look, (PALE, PALE, BLACK, GREY, PAPER, PAPER)), strict=True))
    for right, chance, most in pairs[["accuracy", "chance", "largest"]].to_numpy():
        alike = right + wrong
        said = [f"right on {person} %", f"right on {right:g} %", f"on at most {alike:g} %", f"on {chance:g} %"]
        said += [f"({alike:g} − {chance:g})/(100 − {chance:g}) = {most:.2f}", ""]
        ends = [(wrong, 100), (wrong, alike), (0, alike), (0, chance), (0, 0), (0, 100 * most)]
        rows += [(right, row, *each, words) for row, each, words in zip(order, ends, said, strict=True)]
    bars = pd.DataFrame(rows, columns=["accuracy", "row", "begin", "end", "said"])
    x = numbers("begin", "EC (last row)", ends=(0, 100), ticks=(0, 50, 100), labelExpr="datum.value / 100", grid=False)
    y = names("row", order, scale={"domain": order}, domain=False, tickOpacity=0, minExtent=84, labelFontWeight="bold")
    plot = Plot(bars, x, y, look=("row", looks), columns=0, where="datum.accuracy === accuracy")
    for row, colour in {"person": ORANGE, "network": BLUE}.items():  # what is wrong is seen beside what is right
        under = plot.base(bars[bars["row"] == row].assign(begin=0, end=100))
        plot.draw(under.mark_bar(fill=colour, height={"band": 0.95}).encode(x2="end:Q"))
    ink = alt.when("!datum.begin && datum.end").then(alt.value(PAPER)).otherwise(alt.value(INK))
    words = plot.base().mark_text(**BOLD, align="left", dx=8).encode(color=ink, text="said:N")
    frame = plot.base(bars[bars["row"] == "ceiling"]).mark_bar(filled=False, stroke=BLACK, strokeWidth=2)
    plot.bars("end").draw(words, frame.encode(x2="end:Q"))
    plot.params = [slider("accuracy", "accuracy of the network, %", start, (40, person), 5)]
    about = "Bars of where a person and a network are right, wrong and alike, and the largest EC, by accuracy."
    return plot.done(title, about, 28 * len(order))


def slips(title: str, mistaken: float) -> alt.LayerChart:
    """Draw the EC of Ann with Ben and with a network, by how often people slip; here a network never does.

    Half of the pictures are easy. With slips q people miss easy pictures in a share q, and name hard ones in a share q;
    the network takes the share ``mistaken`` of easy ones for hard, and as many hard ones for easy. Half of all answers
    are right, so that EC is twice the share of agreement less 1.
    """
    q = np.linspace(0, 0.35, 8).round(2)
    both = {"network": (1 - 2 * q) * (1 - 2 * mistaken), "Ben": (1 - 2 * q) ** 2}
    curves = pd.concat(pd.DataFrame({"slips": q, "EC": EC, "partner": name}) for name, EC in both.items())
    curves["said"] = curves["partner"] + curves["EC"].map(": {:.2f}".format)
    x = numbers("slips", "how often people slip", ends=(-0.02, 0.45), format="%", ticks=[0, 0.1, 0.2, 0.3], grid=False)
    y = numbers("EC", "EC with Ann", ends=(0, 1.05), ticks=[0, 0.2, 0.4, 0.6, 0.8, 1], grid=False)
    plot = Plot(curves, x, y, look=("partner", PARTNERS), hover=["partner", "slips", "EC"], columns=0)
    plot.lines(strokeWidth=1.5, interpolate="monotone").points(70)
    for name, align, side in (("network", "left", 1), ("Ben", "right", -1)):
        at = curves[(curves["partner"] == name) & (curves["slips"] == 0.3)]
        plot.points(260, at).words("said", at, align=align, dx=6 * side, dy=-16 * side, **BOLD)
    about = "EC of Ann with Ben, to whom the same pictures are easy, and with a network, by how often people slip."
    return plot.done(title, about, 260)


def yardsticks(systems: pd.DataFrame, data_set: str, title: str, *, ceilings: bool = True) -> alt.LayerChart:
    """Draw a bar for each group, its mark at its mean EC with people, in an outline that ends at the ceiling."""
    of_set = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    means = of_set.groupby("group", sort=False)[["accuracy", "EC", "largest"]].mean().reset_index().assign(foot=0)
    means["said"] = means["group"] + means["EC"].map(": {:.2f}".format)
    each = means[["accuracy", "largest"]].to_numpy()
    means["limit"] = [f"right on {100 * right:.0f} %: ceiling {most:.2f}" for right, most in each]
    looks = with_guests(LOOKS, means["group"])
    scale = {"domain": [0, means["largest" if ceilings else "EC"].max() + 0.04], "nice": False}
    x, y = numbers("EC", "mean EC with people", scale=scale, grid=False), names("group", list(means["group"]))
    plot = Plot(means, x, y | {"axis": None}, look=("group", looks), hover=[*means.columns[:4]], columns=0)
    for name, look in looks.items():
        plot.draw(plot.base(means[means["group"] == name]).mark_bar(height=6, fill=look.colour).encode(x2="foot:Q"))
    if ceilings:
        limit = plot.base(x="largest")
        frame = limit.mark_bar(height=24, filled=False, stroke=GREY, strokeWidth=1.5).encode(x2="foot:Q")
        plot.draw(frame, limit.mark_text(fontSize=13, align="right", dy=22).encode(text="limit:N"))
    said = plot.base().mark_text(**BOLD, align="left", dy=-21).encode(x=alt.datum(0), text="said:N")
    about = f"A bar per group: {'; '.join(means['said'])}."
    return plot.points(420).draw(said).done(title, about, (74 if ceilings else 50) * len(means))
