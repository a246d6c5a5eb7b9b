"""What a value can be set against: the largest possible EC, as accurate networks, and two people who slip."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE, PAPER
from erralign.plot.grammar import Options, Plot, finish, layer, numbers, shares
from erralign.plot.html import Table
from erralign.plot.theme import KINDS
from erralign_book.charts.grammar import in_both_colours, slider, tiles
from erralign_book.charts.looks import WITH_PEOPLE, with_guests
from erralign_book.charts.pictures import figure, picture
from erralign_book.on_site import OnSite
from erralign_book.papers import klein2025

# Silhouettes that are easy or hard for people and networks, and which of them each names in our example.
EASY, HARD = ("elephant4", "bicycle1", "cat6", "chair6", "bottle8"), ("bear7", "boat8", "bird2", "oven6", "truck2")
NAMED = {"Ann": "1010101000", "Ben": "1110100101", "network": "1011100010"}
PARTNERS = {"Ann and Ben": KINDS["human-human"], "Ann and network": KINDS["model-human"]}
BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
LEFT = BOLD | {"align": "left"}
GROUPS = dict(zip((*klein2025.GROUPS.values(), klein2025.LARGER, klein2025.EQUAL), WITH_PEOPLE, strict=True))
# Names are where no networks are.
BESIDE: dict[str, Options] = {"CNNs": {"align": "left", "dx": 16, "dy": 30}}
BESIDE |= {"100-million networks": {"align": "right", "dx": -24, "dy": -26}, "two people": {"dy": 26}}
CROSS = "M-1,-.05H-.05V-1H.05V-.05H1V.05H.05V1H-.05V.05H-1Z"  # a path in a square from −1 to 1
TILE = 5  # percent: what one of twenty pictures is
HIGH, UNDER = 220, 136  # pixels of a curve, and of the tiles and words above it
AT = "datum.at === at"  # where a slider is


def ten_pictures(title: str) -> Table:
    """Show ten pictures, which of them Ann, Ben and a network name, why some not as usual, and a line where as Ann."""
    ann, rows = NAMED["Ann"], '<b></b><b style="--n: 6">5 easy for people</b><b style="--n: 5">5 hard for people</b>'
    rows += "".join(picture(f"stimuli/silhouettes/{name}", name[:-1]) for name in EASY + HARD)
    for name, row in NAMED.items():
        same = [said == hers for said, hers in zip(row, ann, strict=True)]
        whose = ("people", "machines")[name == "network"]
        why = "≠" if whose == "machines" else "slip"
        rows += f'</div><div class="ten"><b>{name}</b>'
        for said, alike, seen in zip(row, same, "1111100000", strict=True):
            told = f' data-n="{why}"' * (said != seen)
            rows += f'<i class="{whose}{" wrong" * (said == "0")}{" same" * (alike and row != ann)}"{told}></i>'
        rows += f"<b>{f'as Ann: {sum(same)} of 10' * (row != ann)}</b>"
    key = "invented answers; coloured: wrong; ≠: seen differently; line below: as Ann<br>"
    words = f"{title}\n1: named, 0: not; five easy pictures, then five hard ones\n{pd.Series(NAMED).to_string()}"
    return OnSite(figure(f'<div class="ten">{rows}</div>', title, key), words)


def ceiling(pairs: pd.DataFrame, person: int, title: str) -> alt.LayerChart:
    """Draw on which pictures a network is wrong that is so wherever a person is, and below the largest EC as a curve.

    ``pairs`` has accuracies of networks, what chance gives (in percent, as of the ``person``) and the largest EC.
    """
    shown = _as_wrong_as_possible(pairs["accuracy"], person)
    rows = tiles(alt.Chart(shown).transform_filter(AT), {"person": ORANGE, "network": BLUE}, 100 // TILE)
    words = alt.Chart(_sums(pairs, person)).transform_filter(AT).mark_text(fontSize=14, align="left", color=INK)
    rows += [words.encode(x=alt.value(0), y=alt.value(y), text=f"{name}:N") for name, y in (("agree", 76), ("sum", 98))]
    chart = layer(*rows, _curve(pairs, person)).resolve_scale(x="independent", y="independent")
    start = int(shown["at"].min())
    chart = chart.add_params(slider("at", "accuracy of the network, %", start, (start, person), TILE))
    about = "Twenty pictures that a person and a network name, and the largest EC by the accuracy of the network."
    return finish(chart, title, about, UNDER + HIGH, subtitle="a tile is 5 of 100 pictures; coloured: wrong")


def _sums(pairs: pd.DataFrame, person: int) -> pd.DataFrame:
    """Work out the largest EC in words, by the accuracy of the network."""
    rows = []
    for right, chance, most in pairs[["accuracy", "chance", "largest"]].to_numpy():
        agree, by_chance = (f"{share:g}" for share in (100 - person + right, chance))
        said = f"overlap on at most {agree} %, by chance on {by_chance} %"
        rows.append((right, said, f"EC at most ({agree} − {by_chance})/(100 − {by_chance}) = {most:.2f}"))
    return pd.DataFrame(rows, columns=["at", "agree", "sum"])


def _curve(pairs: pd.DataFrame, person: int) -> alt.LayerChart:
    """Draw the largest EC by the accuracy of the network, where the person's is, and where the slider is."""
    rows = pairs.assign(at=pairs["accuracy"], share=pairs["accuracy"] / 100, top=1)
    rows["most"] = rows["largest"].map("{:.2f}".format)
    ends = rows["share"].min(), person / 100
    x = shares("share", "accuracy of the network", ends=ends, ticks=(0.5, 0.6, 0.7, 0.8, 0.9))
    high = {"domain": [0, 1], "nice": False, "range": [UNDER + HIGH, UNDER]}
    ticks = (0, 0.2, 0.4, 0.6, 0.8, 1)
    plot = Plot(rows, x, numbers("largest", "largest possible EC", ticks=ticks, scale=high, grid=False))
    plot.draw(plot.base().mark_area(color=PALE).encode(y2="top:Q")).lines(color=BLACK, strokeWidth=3)
    beyond = pd.DataFrame({"share": [0.72], "largest": [0.75], "said": ["impossible"]})
    looks: dict[str, Any] = {"shape": "square", "fill": KINDS["model-human"].fill}
    hers = pd.DataFrame({"share": [person / 100], "largest": [0], "top": [1], "said": [f"person: {person} %"]})
    plot.spans("largest", "top", data=hers, color=ORANGE, strokeWidth=3)
    plot.words("said", hers, align="right", dx=-8, dy=-10, **BOLD)
    plot.words("said", beyond, color=INK, fontSize=14).where = AT
    aside = {"dx": alt.expr("at > 90 ? -14 : 14"), "align": alt.expr("at > 90 ? 'right' : 'left'")}  # within the axes
    return plot.points(280, **looks).words("most", **BOLD | aside, dy=16).drawn()


def _as_wrong_as_possible(accuracies: pd.Series, person: int) -> pd.DataFrame:
    """Return for each accuracy of a network tiles that are wrong: the person's, and the network's from both ends."""
    place, missed, parts = np.arange(100 // TILE), (100 - person) // TILE, []
    for right in accuracies[accuracies % TILE == 0]:
        wrong = (place < missed) | (place >= missed + right // TILE)
        parts.append(pd.DataFrame({"at": right, "place": place, "person": place < missed, "network": wrong}))
    return pd.concat(parts).astype(int)


def slips(title: str, mistaken: float) -> alt.LayerChart:
    """Draw the EC of Ann with Ben and with a network, by how often people slip; here a network never does.

    Half of the pictures are easy. With slips q people miss easy pictures in a share q, and name hard ones in a share q;
    the network takes the share ``mistaken`` of easy ones for hard, and as many hard ones for easy. Half of all answers
    are right, so that EC is twice the share of agreement less 1.
    """
    q = np.linspace(0, 0.5, 11).round(2)
    both = (1 - 2 * q) ** 2, (1 - 2 * q) * (1 - 2 * mistaken)
    curves = pd.concat(
        pd.DataFrame({"slips": q, "EC": EC, "pair": name}) for name, EC in zip(PARTNERS, both, strict=True)
    )
    curves["said"] = curves["EC"].map("{:.2f}".format)
    curves["at"] = (100 * curves["slips"]).round().astype(int)
    x = shares("slips", "how often people slip", ends=(-0.02, 0.56), ticks=[0, 0.1, 0.2, 0.3, 0.4, 0.5])
    high: Options = {"ends": (-0.12, 1.05), "ticks": [0, 0.2, 0.4, 0.6, 0.8, 1]}
    y = numbers("EC", **high, grid=False, domain=False)
    plot = Plot(curves, x, y, look=("pair", PARTNERS), hover=["pair", "slips", "EC"], columns=0)
    ann = curves["pair"] == "Ann and Ben"
    in_both_colours(plot.lines(curves[ann], interpolate="monotone", strokeWidth=3), curves[~ann], strokeWidth=3)
    # Names are where the curves begin, numbers at the marks, each on the side where no curve is.
    plot.words("pair", curves.query("pair == 'Ann and Ben' and slips == 0.05"), dx=12, dy=-8, **LEFT)
    named = curves.query("pair == 'Ann and network' and slips == 0").replace("Ann and ", "Ann and|", regex=True)
    plot.words("pair", named, dy=38, lineBreak="|", **LEFT)
    crossing = curves[np.isclose(curves["slips"], mistaken)][:1].assign(said=f"equal at {100 * mistaken:.0f} %")
    plot.points(420, crossing, shape="circle", filled=False, color=INK, strokeWidth=2)
    plot.words("said", crossing, dx=14, dy=-14, **LEFT)
    plot.where, plot.params = AT, [slider("at", "how often people slip, %", 30, (0, 50), 5)]
    ahead = curves["EC"] >= curves.groupby("slips")["EC"].transform("max")
    plot.points(300).words("said", curves[ahead], dx=10, dy=-14, **LEFT)
    plot.words("said", curves[~ahead], dx=-12, dy=14, align="right", **BOLD)
    about = "EC of Ann with Ben, to whom the same pictures are easy, and with a network, by how often people slip."
    under = f"made-up people; the network sees {100 * mistaken:.0f} % of the pictures differently"
    return plot.done(title, about, 280, under)


def beside_two_people(systems: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw networks, and means of groups as crosses, by accuracy and EC; a line is at the EC of two people."""
    every = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    means = every.groupby("group", sort=False)[["accuracy", "EC"]].mean().reset_index()
    means["said"] = means["group"].str.replace("n n", "n|n") + means["EC"].map(": {:.2f}".format)
    means["said"] = means["said"].str.replace("people: ", "people:|")  # narrow, to be below nothing but its circle
    x = shares("accuracy", "pictures named correctly", scale={"zero": False, "padding": 16})
    ends = min(0.1, every["EC"].min()), every["EC"].max() + 0.05
    y = numbers("EC", "mean EC with people", ends=ends, format=".1f", grid=False)
    looks = with_guests(WITH_PEOPLE, means["group"])
    plot = Plot(means, x, y, look=("group", looks), hover=["group", "accuracy", "EC"], columns=0)
    is_people, is_known = means["group"] == "two people", every["group"].isin([*WITH_PEOPLE][1:])
    plot.level(*means.loc[is_people, "EC"], color=ORANGE)
    edge: Options = {"stroke": PAPER, "strokeWidth": 1}  # so that each is seen on those below it
    area = "(datum.group === '100-million networks' ? 2.3 : 1) * (width < 500 ? 0.7 : 1)"  # of triangles as of squares
    small, large = alt.expr(f"90 * {area}"), alt.expr(f"380 * {area}")
    every = every[is_known]
    plot.points(small, every, **edge)
    for colour, wide in ((PAPER, 5), (BLACK, 2)):  # a cross hides no network
        plot.points(1600, means.query("group in @every.group"), shape=CROSS, color=colour, strokeWidth=wide)
    plot.points(large, means.query("group not in @every.group"), stroke=PAPER, strokeWidth=2)
    for group in means["group"]:
        plot.words("said", means[means["group"] == group], lineBreak="|", **BOLD | BESIDE.get(group, {"dy": 20}))
    about = f"Networks and groups by accuracy and EC with people. Means: {'; '.join(means['said']).replace('|', ' ')}."
    under = "small: a network; cross: the mean of a group"
    return plot.done(title, about, 320, under)
