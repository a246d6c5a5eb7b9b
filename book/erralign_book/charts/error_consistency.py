"""Charts of what error consistency can be: a tunnel to move it in, real pairs, and their limits."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, PALE_GREY, PAPER, PURPLE, SILVER, VERMILION
from erralign.plot.parts import CHOSEN, dots, finish, layer, selector
from erralign.plot.theme import BAND, KINDS, PAIRS, PAIRS_OF_KIND, colour_of_kinds, shape_of_kinds
from erralign_book.charts.looks import WITH_PEOPLE
from erralign_book.charts.parts import DASHED, DRAGGABLE, marked, slider

STEP = 0.005  # of accuracy, along the limits
DIAMOND = 0.7, 0.28  # accuracy and EC of the partner to drag, at first
# What the reader has set, worked out by the browser. A pair that is dragged stops at the limits; above 0 the copy model
# says how it comes about.
DERIVED = {
    "apart": "p_a * (1 - across) + across * (1 - p_a)",
    "ec_least": "(abs(p_a + across - 1) - 1 + apart) / apart",
    "ec_most": "(apart - abs(p_a - across)) / apart",
    "ec_now": "min(ec_most, max(ec_least, 2 * up - 1))",
    "copied": "max(0, ec_now) * apart / (2 * p_a * (1 - p_a))",
    "alone": "(across - copied * p_a) / max(1 - copied, 0.001)",
    "both_wrong": "(1 - p_a) * (1 - across) + ec_now * apart / 2",
}
SAID = (  # in lines that fit on a phone
    "['A is right on ' + format(p_a, '.0%') + ' of the pictures, B on ' + format(across, '.0%') + '.',"
    " ec_now < 0 ? 'No copying leads below 0:' : 'B copies A on ' + format(copied, '.0%') + ' of the pictures'"
    " + (copied > 0.995 ? '.' : ';'),"
    " ec_now < 0 ? 'B fails where A does not.' : copied > 0.995 ? ''"
    " : 'on the others it is right on ' + format(alone, '.0%') + '.',"
    " 'Both right ' + format(p_a + across - 1 + both_wrong, '.0%') + ' · only A '"
    " + format(1 - across - both_wrong, '.0%'),"
    " 'both wrong ' + format(both_wrong, '.0%') + ' · only B ' + format(1 - p_a - both_wrong, '.0%'),"
    " 'Possible at these accuracies: EC ' + format(ec_least, '.2f') + ' to ' + format(ec_most, '.2f')]"
)
WITH = "mean EC with people"


def tunnel(pairs: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw what EC one system can have with partners of every accuracy, what it has, and a pair that readers drag."""
    partners = _partners_of_each(pairs)
    of_system = partners.groupby("system")["p_a"].first()
    choices = [
        selector("system", list(of_system.index), start, "A is"),
        slider("across", "accuracy of B", DIAMOND[0], (0.02, 0.98), 0.01),
        slider("up", "EC of A and B", (1 + DIAMOND[1]) / 2, (0, 1), 0.01),
        alt.param(name="up_words", expr="replace(format(ec_now, '.2f'), '-', '−')"),
        alt.param(name="p_a", expr=f"({of_system.round(5).to_dict()})[system]"),
    ]
    derived = [alt.param(name=name, expr=expression) for name, expression in DERIVED.items()]
    drawn = layer(*_walls(), *_path(), *_partners(partners), *_handle()).add_params(*choices, *derived)
    about = (
        "Error consistency of one system with partners of every accuracy: impossible values are filled, real partners "
        "are points, and a pair that two sliders move says what copying leads to it."
    )
    words = "grey: impossible; diamond: a partner to drag; line: B as it copies more"
    return finish(drawn, title, about, 460, subtitle=words)


def _place(x: str, y: str) -> tuple[alt.X, alt.Y]:
    share, height = alt.Scale(domain=[0, 1], nice=False), alt.Scale(domain=[-1, 1], nice=False)
    across = alt.X(x, title="accuracy of the partner, B", scale=share, axis=alt.Axis(format="%", grid=False))
    return across, alt.Y(y, title="EC of A and B", scale=height, axis=alt.Axis(grid=False))


def _computed(numbers: alt.SequenceGenerator, **columns: str) -> alt.Chart:
    """Return a chart of what the browser works out from a sequence, each column from those before it."""
    base = alt.Chart(numbers)
    for name, expression in columns.items():
        base = base.transform_calculate(**{name: expression})
    return base


def _walls() -> list[alt.Chart]:
    """Fill what is impossible for A and a partner of each accuracy, and mark chance."""
    limits = {end: DERIVED[end].replace("apart", f"({DERIVED['apart']})") for end in ("ec_least", "ec_most")}
    limits = {end: limit.replace("across", "datum.b") for end, limit in limits.items()}
    base = _computed(alt.sequence(0, 1 + STEP / 2, STEP, as_="b"), **limits).mark_area(color=PALE_GREY)
    ends = {"ec_most": 1, "ec_least": -1}
    walls = [base.encode(*_place("b:Q", f"{end}:Q"), y2=alt.datum(most)) for end, most in ends.items()]
    chance = alt.Chart(pd.DataFrame({"EC": [0]})).mark_rule(color=GREY, strokeDash=DASHED)
    words = _computed(alt.sequence(0, 1, 1, as_="only"), b="p_a > 0.5 ? 0.02 : 0.75", EC="0.88")
    words = words.mark_text(align="left", fontSize=15, fontWeight="bold", color=GREY, text="impossible")
    return [*walls, chance.encode(y="EC:Q"), words.encode(*_place("b:Q", "EC:Q"))]


def _path() -> list[alt.Chart]:
    """Draw the way of a pair from no copying, at 0, to all of it, at the tip."""
    way = {
        "b": "datum.c * p_a + (1 - datum.c) * alone",
        "EC": "2 * datum.c * p_a * (1 - p_a) / (p_a * (1 - datum.b) + datum.b * (1 - p_a))",
    }
    line = _computed(alt.sequence(0, 1.001, 0.02, as_="c"), **way).transform_filter("ec_now >= 0")
    return [line.mark_line(color=PURPLE, strokeWidth=2).encode(*_place("b:Q", "EC:Q"), order="c:Q")]


def _partners_of_each(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return each pair twice, once for each of its systems."""
    columns = [
        {f"system_{a}": "system", f"accuracy_{a}": "p_a", f"system_{b}": "partner", f"accuracy_{b}": "p_b"}
        for a, b in (("a", "b"), ("b", "a"))
    ]
    both = pd.concat([pairs.rename(columns=names) for names in columns], ignore_index=True)
    person = both["partner"].str.startswith("person")
    both = both.assign(who=np.where(person, "with people", "with networks"))
    return both[["system", "partner", "kind", "who", "p_a", "p_b", "EC"]].round(5)


def _partners(partners: pd.DataFrame) -> list[alt.Chart]:
    """Draw real pairs, and say below them whom they are with."""
    base = alt.Chart(partners).transform_filter("datum.system === system")
    hover: list[Any] = ["system", "partner", alt.Tooltip("p_b", title="accuracy of the partner"), "EC"]
    points = marked(base, "kind", KINDS, 60, legend=None).encode(*_place("p_b:Q", "EC:Q"), tooltip=hover)
    words = base.transform_aggregate(b="mean(p_b)", least="min(EC)", groupby=["kind", "who"])
    words = words.mark_text(dy=18, fontSize=14, fontWeight="bold").encode(*_place("b:Q", "least:Q"), text="who:N")
    return [points, words]


def _handle() -> list[alt.Chart]:
    here = _computed(alt.sequence(0, 1, 1, as_="only"), b="across", EC="ec_now", words=SAID)
    point = here.mark_point(shape="diamond", size=260, opacity=1, fill=PURPLE, stroke=PAPER, strokeWidth=2)
    words = here.mark_text(align="left", baseline="bottom", fontSize=13, lineHeight=19)
    words = words.encode(x=alt.value(12), y=alt.value(341), text="words:N")
    return [words, point.encode(*_place("b:Q", "EC:Q")).properties(name=DRAGGABLE)]


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """Draw one measure's mean over three kinds of pairs, a row per data set: those where people lead networks first."""
    people, _, networks = PAIRS
    means = values.round(4).reset_index().melt("data_set", var_name="kind", value_name=measure).dropna()
    spans = pd.DataFrame({"people": values[people], "networks": values[networks]})
    spans = spans.assign(
        least=values.min(axis=1), most=values.max(axis=1), kind=values[[people, networks]].idxmax(axis=1)
    )
    order = list((spans["people"] - spans["networks"]).sort_values(ascending=False).index)
    y = alt.Y("data_set:N", title=None, sort=order)
    x = alt.X(f"{measure}:Q", title=f"mean {measure} of the pairs", scale=alt.Scale(zero=False))
    row = alt.Chart(spans.round(4).reset_index()).encode(y)
    whole = row.mark_rule(color=SILVER).encode(alt.X("least:Q", title=x["title"]), x2="most:Q")
    lead = row.mark_rule(strokeWidth=4).encode(colour_of_kinds(), x="people:Q", x2="networks:Q")
    points = dots(alt.Chart(means).transform_calculate(pairs=PAIRS_OF_KIND), 90).encode(
        x,
        y,
        colour_of_kinds(),
        shape_of_kinds(),
        tooltip=["data_set", "pairs:N", alt.Tooltip(measure, format=".3f")],
    )
    about = f"Mean {measure} by data set for pairs of people, of networks, and mixed pairs."
    words = "thick line: between people and networks; its colour says who is ahead"
    return finish(layer(whole, lead, points), title, about, 22 * len(order), subtitle=words)


def yardsticks(systems: pd.DataFrame, limits: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw EC with people against accuracy, with what chance gives, what accuracies allow and what two people have."""
    across = alt.X("accuracy:Q", title="accuracy", scale=alt.Scale(domain=[0, 1]))
    upright = alt.Y("EC:Q", title=WITH)
    hover: list[Any] = ["system", "accuracy", "EC", alt.Tooltip("largest", title="at most")]
    points = marked(alt.Chart(systems.round(4)).transform_filter(CHOSEN), "group", WITH_PEOPLE, 50, columns=2)
    points = points.encode(across, upright, tooltip=hover)
    two = systems[systems["group"] == "people"].groupby("data_set", sort=False)["EC"].mean().reset_index()
    lines, level = (alt.Chart(rows.round(4)).transform_filter(CHOSEN) for rows in (limits, two))
    band = lines.mark_area(color=GREY, opacity=BAND).encode(across, y=alt.Y("low:Q", title=WITH), y2="high:Q")
    possible = lines.mark_line(color=PURPLE, strokeWidth=2).encode(across, y="largest:Q")
    dashed = level.mark_rule(color=VERMILION, strokeWidth=1.5, strokeDash=DASHED).encode(y=upright)
    at_left = lines.transform_filter("abs(datum.accuracy - 0.75) < 0.001")
    names = [  # each where no points are
        base.mark_text(align="right", dy=dy, fontSize=12, color=hue).encode(alt.XDatum(at), y, text=alt.value(name))
        for base, at, y, dy, name, hue in (
            (at_left, 0.73, alt.Y("largest:Q", title=WITH), 0, "the most that is possible", PURPLE),
            (level, 0.16, upright, -8, "two people", VERMILION),
            (level, 0.95, alt.YDatum(0), 0, "chance", GREY),
        )
    ]
    data_set = selector("data_set", list(two["data_set"]), start)
    return finish(
        layer(band, possible, dashed, points, *names).add_params(data_set),
        title,
        f"Mean error consistency with people against accuracy for {systems['system'].nunique()} systems, below a line "
        "of the largest possible means, with a band of chance for means and a dashed line for two people.",
        340,
    )
