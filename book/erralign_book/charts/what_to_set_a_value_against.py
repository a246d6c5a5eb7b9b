"""What a value can be set against: two people who slip, and the largest possible EC."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK, LEVELS, ORANGE, PALE, PAPER
from erralign.plot.grammar import Plot, finish, layer, names, numbers
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
# From what an EC is worked out: pictures that are right, wrong, alike, and alike by chance; words are on paper.
STEPS = {"right": Look(PALE), "people": Look(ORANGE), "machines": Look(BLUE), "alike": Look(BLACK)}
STEPS |= {"by chance": Look(GREY)} | dict.fromkeys(("", "EC"), Look(PAPER))
BOLD: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": INK}
LOOKS = WITH_PEOPLE | {"four less-data networks": OLDER}
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
    wrong, parts = 100 - person, []
    for right, chance, most in pairs[["accuracy", "chance", "largest"]].to_numpy():
        alike = right + wrong
        parts += [
            (right, "person", "people", 0, wrong, ""),
            (right, "person", "right", wrong, 100, f"right on {person} %"),
            (right, "network", "machines", 0, wrong, ""),
            (right, "network", "right", wrong, alike, f"right on {right:g} %"),
            (right, "network", "machines", alike, 100, ""),
            (right, "alike", "alike", 0, alike, f"on at most {alike:g} %"),
            (right, "by chance", "by chance", 0, chance, f"on {chance:g} %"),
            (right, "EC at most", "", 0, 0, f"({alike:g} − {chance:g})/(100 − {chance:g}) = {most:.2f}"),
            (right, "ceiling", "EC", 0, 100 * most, ""),
        ]
    about = "Bars of where a person and a network are right, wrong and alike, and the largest EC, by accuracy."
    return _worked(parts, slider("at", "accuracy of the network, %", start, (40, person), 5), title, about)


def difficulty(easy: np.ndarray, start: int, title: str) -> alt.LayerChart:
    """Draw on which pictures two people are wrong who have nothing in common but that one half is easy for both.

    Each names ``easy`` percent of that half, and as many fewer of the other, regardless of the other person.
    """
    parts: list[Any] = []
    for named in easy.tolist():
        at, alike, halves = _halves(named / 100)
        heads = {0: f"easy half: {named} %", 50: f"hard half: {100 - named} %"}
        parts += [(named, "named", "", left, left, words) for left, words in heads.items()]
        parts += [(named, *bar, "") for bar in halves]
        parts += [
            (named, "alike", "alike", at, 100 - at, f"on {alike:.0f} %"),
            (named, "by chance", "by chance", at, at + 50, "on 50 %"),
            (named, "EC", "", 0, 0, f"({alike:.0f} − 50)/(100 − 50) = {(alike - 50) / 50:.2f}"),
            (named, " ", "EC", 0, 2 * (alike - 50), ""),
        ]
    about = "Bars of where two people are right, wrong and alike, and their EC, by how many easy pictures they name."
    move = slider("at", "named of the easy half, %", start, (easy[0], easy[-1]), easy[1] - easy[0])
    return _worked(parts, move, title, about)


def _halves(named: float) -> tuple[float, float, list[tuple]]:
    """Return where pictures begin on which both are alike, how many these are, and bars of who is right and wrong.

    From left to right: easy pictures on which one is wrong, those on which both are, those on which neither is; then
    the hard ones in the reverse order.
    """
    one, both = 50 * named * (1 - named), 50 * (1 - named) ** 2
    bars = [(name, "right", *ends) for name in ("Ann", "Ben") for ends in ((0, 49.7), (50.3, 100))]
    for name, left, right in (("Ann", 0, 100 - 2 * one), ("Ben", one, 100 - one)):
        wrong = (left, left + one), (2 * one, 2 * one + both), (50.3, 100 - 2 * one - both), (right, right + one)
        bars += [(name, "people", *ends) for ends in wrong]
    return 2 * one, 100 - 4 * one, bars


def _worked(parts: list[tuple], move: alt.Parameter, title: str, about: str) -> alt.LayerChart:
    """Draw bars and words from which an EC is worked out, row by row, for each place of a slider; its bar is last.

    A part says where the slider is, its row, what it is, where it begins and ends, and its words.
    """
    bars = pd.DataFrame(parts, columns=["at", "row", "step", "begin", "end", "said"])
    order = list(bars["row"].unique())
    x = numbers("begin", "EC (last row)", ends=(0, 100), ticks=(0, 50, 100), labelExpr="datum.value / 100", grid=False)
    y = names("row", order, scale={"domain": order}, domain=False, tickOpacity=0, minExtent=84, labelFontWeight="bold")
    plot = Plot(bars, x, y, look=("step", STEPS), columns=0, where="datum.at === at")
    on_dark = alt.when("datum.step === 'alike' || datum.step === 'by chance'")
    words = plot.base(bars[bars["said"] != ""]).mark_text(**BOLD, align="left", dx=8)
    words = words.encode(color=on_dark.then(alt.value(PAPER)).otherwise(alt.value(INK)), text="said:N")
    frame = plot.base(bars[bars["step"] == "EC"]).mark_bar(filled=False, stroke=BLACK, strokeWidth=2)
    plot.bars("end").draw(words, frame.encode(x2="end:Q"))
    plot.params = [move]
    return plot.done(title, about, 28 * len(order), "coloured: wrong")


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


def yardsticks(systems: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw a bar for each group, its mark at its mean EC with people."""
    means = _means(systems, data_set)
    plot = _bars_of_EC(means, [0, means["EC"].max() + 0.04])
    means["said"] = means["group"] + means["EC"].map(": {:.2f}".format)
    said = plot.base(means).mark_text(**BOLD, align="left", dy=-21).encode(x=alt.datum(0), text="said:N")
    return plot.draw(said).done(title, _told(means), 50 * len(means))


def beside_accuracy(systems: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw on how many pictures each group is right, and beside it its EC with people, in an outline to the ceiling."""
    means = _means(systems, data_set)
    means["right"], means["all"] = means["accuracy"].map("right on {:.0%}".format).str.replace("%", " %"), 1
    plot = _bars_of_EC(means, [0, means["largest"].max() + 0.04], range=[alt.expr("0.4 * width"), alt.expr("width")])
    limit = plot.base(x="largest").mark_bar(height=24, filled=False, stroke=GREY, strokeWidth=1.5)
    plot.draw(limit.encode(x2="foot:Q"))
    means["limit"] = means["EC"].map("{:.2f}".format) + means["largest"].map(", ceiling {:.2f}".format)
    ends = {"domain": [0, 1], "nice": False, "range": [0, alt.expr("0.3 * width")]}
    x = numbers("accuracy", scale=ends, ticks=[0, 0.5, 1], format="%", grid=False, orient="bottom")
    share = Plot(means, x, plot.y)
    for end, fill in (("all", PALE), ("accuracy", LEVELS[2])):  # an amount, as orange and blue mean wrong elsewhere
        share.draw(share.base(x=end).mark_bar(height=24, fill=fill).encode(x2="foot:Q"))
    for of, field, down in ((share, "group", -23), (share, "right", 24), (plot, "limit", 24)):
        bold = BOLD | {"fontWeight": "bold" if field == "group" else "normal"}
        words = of.base(means).mark_text(**bold, align="left", dy=down)
        of.draw(words.encode(x=alt.datum(0), text=f"{field}:N"))
    chart = layer(share.drawn(), plot.drawn()).resolve_scale(x="independent")
    return finish(chart, title, _told(means), 76 * len(means))


def _means(systems: pd.DataFrame, data_set: str) -> pd.DataFrame:
    of_set = systems[systems["data_set"] == data_set].replace({"group": GROUPS})
    means = of_set.groupby("group", sort=False)[["accuracy", "EC", "largest"]].mean()
    return means.reset_index().assign(foot=0)


def _bars_of_EC(means: pd.DataFrame, ends: list[float], **scale: Any) -> Plot:
    looks, hover = with_guests(LOOKS, means["group"]), ["group", "accuracy", "EC", "largest"]
    x = numbers("EC", "mean EC with people", ends=ends, scale=scale, grid=False, orient="bottom")
    y = names("group", list(means["group"])) | {"axis": None}
    plot = Plot(means, x, y, look=("group", looks), hover=hover, columns=0)
    for name, look in looks.items():
        plot.draw(plot.base(means[means["group"] == name]).mark_bar(height=6, fill=look.colour).encode(x2="foot:Q"))
    return plot.points(420)


def _told(means: pd.DataFrame) -> str:
    each = means[["group", "EC"]].to_numpy()
    return f"A bar per group: {'; '.join(f'{group}: {EC:.2f}' for group, EC in each)}."
