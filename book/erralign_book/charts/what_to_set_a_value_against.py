"""What a value can be set against: two people who slip, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK, ORANGE, PALE, PAPER
from erralign.plot.grammar import Plot, finish, layer, numbers
from erralign.plot.html import Table, table
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import WITH_PEOPLE
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
TOGETHER, CHANCE = "together", alt.X("chance:Q", axis=None)
GROUPS = dict(zip((*klein2025.GROUPS.values(), klein2025.LARGER), WITH_PEOPLE, strict=True))


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann, asked twice, Ben and a network name."""
    rows, ann = "<b></b>", NAMED["Ann"]
    for kind, names in PICTURES.items():
        drawn = [picture(f"stimuli/silhouettes/{name}", name.rstrip("0123456789")) for name in names]
        rows += f"<span><b>{len(names)} {kind} pictures</b>{''.join(drawn)}</span>" + "<b></b>" * (kind == "hard")
    for name, row in NAMED.items():
        same, whose, tiles = list(map(str.__eq__, row, ann)), ("people", "machines")[name == "network"], ""
        for n, (said, usual) in enumerate(zip(row, "1111100000", strict=True)):
            words = "= " * (same[n] and row != ann) + "slip" * (said != usual and whose == "people")
            tiles += "</span><span>" * (n == 5) + f'<i class="{whose}{" wrong" * (said == "0")}">{words}</i>'
        count = f"{sum(same)} of {len(ann)} as Ann" * (row != ann)
        rows += f'</div><div class="ten"><b>{name}</b><span>{tiles}</span><b>{count}</b>'
    key = "Coloured: missed; grey: named; =: as Ann the first time; answers are made up<br>"
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
    plot.draw(chosen.mark_rule(color=BLACK, strokeWidth=2).encode(y=alt.value(14), y2=alt.value("height")))
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


def blurred(wrong: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw on which pictures a person and a network fail, by half of the pictures, and their EC in each and together.

    ``wrong`` has a column for each of the two, and for each picture a row named for its half.
    """
    halves = list(dict.fromkeys(wrong.index))
    left = np.arange(len(wrong)) + (wrong.index == halves[1])  # with a gap between the halves
    shown = wrong.assign(left=left + 0.05, right=left + 0.95)
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, len(wrong) + 1], nice=False))
    marks: list[Any] = []
    for name, top, colour in (("person", 24, ORANGE), ("network", 52, BLUE)):
        fill = alt.when(f"datum.{name}").then(alt.value(colour)).otherwise(alt.value(PALE))
        tiles = alt.Chart(shown).mark_rect(cornerRadius=2).encode(x, x2="right:Q", fill=fill)
        marks.append(tiles.encode(y=alt.value(top), y2=alt.value(top + 24)))
    words = alt.Chart(pd.DataFrame({"row": ["person", "network", TOGETHER], "top": [36, 64, 154]}))
    words = words.encode(x=alt.value(-62), y=alt.Y("top:Q", axis=None, scale=None), text="row:N")
    marks.append(words.mark_text(**BOLD | SMALL, align="left"))
    for name, top in ((halves[0], 86), (halves[1], 86), (TOGETHER, 144)):
        part = shown if name == TOGETHER else shown.loc[[name]]
        a, b, start = part["person"], part["network"], part["left"].min()
        agree, chance = (a == b).sum(), (a.sum() * b.sum() + (~a).sum() * (~b).sum()) / len(part)
        at = pd.DataFrame({"left": [start], "agree": start + agree, "chance": start + chance})
        bar, EC = alt.Chart(at).encode(x, y=alt.value(top + 10)), (agree - chance) / (len(part) - chance)
        marks += [
            bar.mark_rule(color=GREY, strokeWidth=20).encode(x2="agree:Q"),
            bar.mark_text(**SMALL, color=PAPER, align="left", dx=4, text=f"{agree} agree"),
            bar.mark_text(**SMALL, align="left", text=f"{len(part)} {name}" * (top < 100)).encode(y=alt.value(12)),
            bar.mark_tick(color=BLACK, orient="vertical", size=30, thickness=3).encode(CHANCE),
            bar.mark_text(**SMALL, align="right", dy=24, dx=2, text=f"{chance:g} by chance").encode(CHANCE),
            bar.mark_text(**BOLD, align="left", dx=7, text=f"EC {EC:.2g}").encode(alt.X("agree:Q", axis=None)),
        ]
    about = f"Tiles for {len(wrong)} pictures, half of them {halves[1]}: on which a person and a network fail."
    return finish(layer(*marks), title, about, 180, subtitle="coloured: fails; the answers are made up")


def yardsticks(systems: pd.DataFrame, data_set: str, title: str) -> Table:
    """Set the mean EC of each group with people beside its ceiling."""
    of_set = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    means = of_set.groupby("group", sort=False)[["accuracy", "EC", "largest"]].mean().rename_axis(None)
    means = means.assign(accuracy=100 * means["accuracy"], share=100 * means["EC"] / means["largest"])
    heads = {"accuracy": "right, %", "EC": "mean EC", "largest": "ceiling", "share": "EC, % of it"}
    return table(means.rename(columns=heads), title, digits=dict(zip(heads.values(), (0, 2, 2, 0), strict=True)))
