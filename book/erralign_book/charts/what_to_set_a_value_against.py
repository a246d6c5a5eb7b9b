"""What a value can be set against: two people who slip, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS, Look, halves
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import OLDER, WITH_PEOPLE, with_guests
from erralign_book.charts.pictures import figure, picture
from erralign_book.papers import klein2025

# Silhouettes that are easy or hard for people and networks, and which of them each names in our example.
PICTURES = {
    "easy": ("elephant4", "bicycle1", "cat6", "chair6", "bottle8"),
    "hard": ("bear7", "boat8", "bird2", "oven6", "truck2"),
}
USUAL = "1111100000"  # what people name unless they slip
NAMED = {"Ann": "1010101010", "Ann again": "1011100001", "Ben": "1110100100", "network": "1111001000"}
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}
BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
SMALL: dict[str, Any] = {"fontSize": 13}
GROUPS = dict(zip((*klein2025.GROUPS.values(), klein2025.LARGER), WITH_PEOPLE, strict=True))


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann, asked twice, Ben and a network name, with a line where it is as Ann."""
    ann, rows = NAMED["Ann"], '<b></b><b style="--n: 6">5 easy pictures</b><b style="--n: 5">5 hard pictures</b>'
    rows += "".join(picture(f"stimuli/silhouettes/{name}", name[:-1]) for name in sum(PICTURES.values(), ()))
    for name, row in NAMED.items():
        same = [said == hers for said, hers in zip(row, ann, strict=True)]
        whose, count = ("people", "machines")[name == "network"], f"{sum(same)} of {len(ann)}" * (row != ann)
        rows += f'</div><div class="ten"><b>{name}</b>'
        for said, usual, alike in zip(row, USUAL, same, strict=True):
            slip = " slip" * (whose == "people" and said != usual)
            rows += f'<i class="{whose}{slip}{" wrong" * (said == "0")}{" same" * (alike and row != ann)}"></i>'
        rows += f"<b>{count}</b>"
    key = "Coloured: missed; a dot: a slip; a line below: as Ann the first time; answers are made up<br>"
    return Table(figure(f'<div class="ten">{rows}</div>', title, key), pd.Series(NAMED).to_string())


def slips(title: str, mistaken: float) -> alt.LayerChart:
    """Draw the EC of Ann with Ben and with a network, by how often people slip; here a network never does.

    Half of the pictures are easy. With slips q people miss easy pictures in a share q, and name hard ones in a share q;
    the network takes the share ``mistaken`` of easy ones for hard, and as many hard ones for easy. Half of all answers
    are right, so that EC is twice the share of agreement less 1.
    """
    q = np.linspace(0, 0.35, 36).round(2)
    ben, network = (1 - 2 * q) ** 2, (1 - 2 * q) * (1 - 2 * mistaken)
    both = ("the network", network, network > ben), ("Ben", ben, network <= ben)
    curves = pd.concat(pd.DataFrame({"slips": q, "EC": EC, "partner": name, "above": up}) for name, EC, up in both)
    scale = {"domain": [-0.02, q[-1]], "nice": False, "range": [0, alt.ExprRef("width - 110")]}
    x = numbers("slips", "how often people slip", scale=scale, format="%", ticks=[0, 0.1, 0.2, 0.3], grid=False)
    y = numbers("EC", "EC with Ann", ends=(0, 1), scale={"range": [alt.ExprRef("height"), 22]}, grid=False)
    plot = Plot(curves, x, y, look=("partner", PARTNERS), hover=["partner", "slips", "EC"], columns=0)
    plot.lines(strokeWidth=1.5).points(70, curves[(100 * curves["slips"]).round() % 5 == 0])
    chosen = plot.base().transform_filter("abs(datum.slips - q) < 0.001")
    plot.draw(chosen.mark_rule(color=BLACK, strokeWidth=2).encode(y=alt.value(22), y2=alt.value("height")))
    size = alt.expr("datum.partner === 'Ben' ? 130 : 260")  # both are seen where the curves meet
    plot.draw(chosen.mark_point(filled=True, opacity=1, size=size).encode(**plot.shape, tooltip=plot.hover))
    for side, align, dx, dy in (("datum.above", "left", 10, -14), ("!datum.above", "right", -10, 15)):
        words = chosen.transform_filter(side).mark_text(**BOLD | {"align": align, "dx": dx, "dy": dy})
        plot.draw(words.encode(text=alt.Text("EC:Q", format=".2f")))
    plot.words("partner", curves[curves["slips"] == q[-1]], align="left", dx=12, **BOLD)
    meet = plot.base(pd.DataFrame({"slips": [mistaken], "EC": (1 - 2 * mistaken) ** 2, "foot": 0}))
    words = meet.mark_text(**SMALL, align="right", dx=-6, text="equal").encode(y=alt.datum(0.05))
    plot.draw(meet.mark_rule(color=BLACK, strokeDash=[3, 3]).encode(y2="foot:Q"), words)
    plot.params = [slider("q", "how often people slip", 0.3, (0, 0.35), 0.05)]
    plot.params += [alt.param(name="q_words", expr="format(q, '.0%')")]
    about = "EC of Ann with Ben, to whom the same pictures are easy, and with a network, by how often people slip."
    return plot.done(title, about, 260)


def yardsticks(systems: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw a bar for each group that ends at its mean EC with people, in an outline that ends at the ceiling."""
    of_set = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    means = of_set.groupby("group", sort=False)[["EC", "largest"]].mean().reset_index().assign(foot=0)
    each = zip(means["group"], means["EC"], means["largest"], strict=True)
    means["said"] = [f"{name}: {EC:.2f} of {most:.2f} ({100 * EC / most:.0f} %)" for name, EC, most in each]
    looks = with_guests(WITH_PEOPLE | {klein2025.EQUAL: OLDER}, means["group"])
    scale = {"domain": [0, max(0.85, means["largest"].max())], "nice": False}
    x, y = numbers("EC", "mean EC with people", scale=scale, grid=False), names("group", list(means["group"]))
    plot = Plot(means, x, y | {"axis": None}, look=("group", looks), hover=["group", "EC", "largest"], columns=0)
    for name, look in looks.items():
        fill = halves(look.split, down=True) if look.split else look.colour
        bar = plot.base(means[means["group"] == name]).mark_bar(height=16, fill=fill)
        plot.draw(bar.encode(x2="foot:Q", tooltip=plot.hover))
    outline = plot.base(x="largest").mark_bar(height=17, filled=False, stroke=BLACK, strokeWidth=2)
    words = plot.base(means[:1], x="largest").mark_text(**SMALL, align="right", dx=-8, text="ceiling")
    said = plot.base().mark_text(**BOLD, align="left", dy=-19).encode(x=alt.datum(0), text="said:N")
    plot.draw(outline.encode(x2="foot:Q"), words, said)
    return plot.done(title, f"A bar per group, of its ceiling: {'; '.join(means['said'])}.", 54 * len(means))
