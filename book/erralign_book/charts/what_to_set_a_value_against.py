"""What a value can be set against: two people who slip, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
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
AGREES = ' style="box-shadow: inset 0 -7px var(--pst-color-text-base)"'  # a thick line in a tile
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}
BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
SMALL: dict[str, Any] = {"fontSize": 13}
INSIDE = SMALL | {"color": PAPER, "align": "left", "dx": 4}
GROUPS = dict(zip((*klein2025.GROUPS.values(), klein2025.LARGER), WITH_PEOPLE, strict=True))


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann, asked twice, Ben and a network name."""
    heads = "".join(f'<b style="--n: 5">{len(names)} {kind} pictures</b>' for kind, names in PICTURES.items())
    drawn = [picture(f"stimuli/silhouettes/{name}", name.rstrip("0123456789")) for name in sum(PICTURES.values(), ())]
    cells = f"{heads}{''.join(drawn)}"
    for name, row in NAMED.items():
        whose = "machines" if "network" in name else "people"
        same = [n for n, one in enumerate(row) if name != "Ann" and one == NAMED["Ann"][n]]
        tiles = (f'<i class="{whose}{" wrong" * (one == "0")}"{AGREES * (n in same)}></i>' for n, one in enumerate(row))
        cells += f"<b>{name}{f': agrees with Ann on {len(same)} of 10' * bool(same)}</b>{''.join(tiles)}"
    html = figure(
        cells,
        title,
        "Coloured: fails; grey: names it; underlined: same result as Ann’s first time. Answers are made up<br>",
    )
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
    for side, align, dx, dy in (("datum.above", "left", 10, -14), ("!datum.above", "right", -10, 15)):
        words = chosen.transform_filter(side).mark_text(**BOLD | {"align": align, "dx": dx, "dy": dy})
        plot.draw(words.encode(text=alt.Text("EC:Q", format=".2f")))
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
    for name, top in ((halves[0], 100), (halves[1], 100), ("", 178)):
        part = shown[shown.index == name] if name else shown
        a, b = part["person"], part["network"]
        chance = (a.sum() * b.sum() + (~a).sum() * (~b).sum()) / len(part)
        agree, left = part["agree"].sum(), part["left"].min()
        EC = f"{'' if name else 'together '}EC {kappa(*pd.crosstab(a, b).to_numpy().ravel()):.2g}"
        bars = alt.Chart(pd.DataFrame({"left": left, "agree": [left + agree], "by chance": left + chance})).encode(x)
        for end, y, colour, n in (("agree", top, BLACK, agree), ("by chance", top + 22, GREY, chance)):
            bar, words = bars.mark_rect(color=colour), bars.mark_text(**INSIDE, text=f"{n:g} {end}")
            marks += [
                bar.encode(x2=f"{end}:Q", y=alt.value(y), y2=alt.value(y + 19)),
                words.encode(y=alt.value(y + 10)),
            ]
        for y, how, text in ((4, SMALL, f"{len(part)} {name}" * bool(name)), (top + 46, BOLD, EC)):
            marks.append(bars.mark_text(**how, align="left", baseline="top", text=text).encode(y=alt.value(y)))
    about = f"Tiles for {len(wrong)} pictures, half of them {halves[1]}: on which a person and a network fail."
    return finish(layer(*marks), title, about, 244, subtitle="coloured: fails; the answers are made up")


def yardsticks(systems: pd.DataFrame, data_set: str, title: str) -> Table:
    """Set the mean EC of each group with people beside its ceiling."""
    of_set = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    means = of_set.groupby("group", sort=False)[["EC", "largest"]].mean().rename_axis(None)
    means["share, %"] = 100 * means["EC"] / means["largest"]
    return table(
        means.rename(columns={"EC": "mean EC", "largest": "ceiling"}),
        title,
        digits={"mean EC": 3, "ceiling": 3, "share, %": 0},
    )
