"""One finding under all choices: its values in order, and below them the choices that gave each."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, PURPLE
from erralign.plot.parts import finish, layer, line_at, whisker
from erralign.plot.theme import Look, colour, legend
from erralign_book.charts.looks import SHEER
from erralign_book.charts.parts import line_through, ticks_at
from erralign_book.papers.leads import choices_of

ABOVE, ROW, GAP = 180, 16, 9  # pixels: the height of the values, of one option, and between two choices
CLEAR = {"interval leaves out 0": Look(PURPLE), "interval contains 0": Look(GREY)}


def specifications(leads: pd.DataFrame, title: str, axis: str) -> alt.LayerChart:
    """Draw leads from the lowest to the highest, with intervals, over the choices behind each."""
    choices = choices_of(leads)
    clear = (leads["low"] > 0) | (leads["high"] < 0)
    shown = leads.drop(columns=["se", "df"]).assign(place=range(len(leads)), clear=list(CLEAR)[1])
    shown["clear"] = shown["clear"].mask(clear, next(iter(CLEAR)))
    own = " and ".join(shown.loc[shown["ours"], "value"].map("{:.2f}".format))
    least, most = leads["value"].min(), leads["value"].max()
    about = f"Values from {least:.2f} to {most:.2f}, ours {own}, over marks of their choices."
    rows = _rows(shown, choices)
    bottom = max(rows.values()) + ROW / 2
    chart = layer(_values(shown, choices, axis), _matrix(shown, choices, rows, bottom))
    words = "diamond: our choices; points: like with like; lines: intervals"
    return finish(chart.resolve_scale(y="independent"), title, about, bottom, subtitle=words)


def _rows(shown: pd.DataFrame, choices: list[str]) -> dict[str, float]:
    """Return at what height each option is marked: ours first, with a gap between choices."""
    rows, height = {}, ABOVE + ROW / 2
    for choice in choices:
        height += GAP
        ours, options = (sorted(part[choice].dropna().unique()) for part in (shown[shown["ours"]], shown))
        for option in dict.fromkeys([*ours, *options]):
            rows[option] = height
            height += ROW
    return rows


def _base(table: pd.DataFrame) -> alt.Chart:
    return alt.Chart(table).encode(alt.X("place:Q", axis=None, scale=alt.Scale(nice=False, zero=False, padding=7)))


def _values(shown: pd.DataFrame, choices: list[str], axis: str) -> alt.LayerChart:
    base = _base(shown.round(4).fillna(dict.fromkeys(choices, "–"))).encode(
        colour("clear", CLEAR, legend=legend(columns=1))
    )
    y = alt.Y("value:Q", title=axis, scale=alt.Scale(range=[ABOVE, 0]))
    known = [alt.Tooltip("n", title="data sets"), *choices]
    rule = whisker(base, axis, strokeWidth=1.5, opacity=SHEER)
    point = base.mark_point(filled=True, opacity=1).encode(
        y,
        shape=alt.when(alt.datum.ours).then(alt.value("diamond")).otherwise(alt.value("circle")),
        size=alt.when(alt.datum.ours).then(alt.value(190)).otherwise(alt.value(110)),
        tooltip=["value", "low", "high", *known],
    )
    return layer(line_at(0, axis), rule, point)


def _matrix(shown: pd.DataFrame, choices: list[str], rows: dict[str, float], bottom: float) -> alt.LayerChart:
    marks = shown.melt(["place", "clear", "ours"], choices, value_name="option").dropna(subset="option")
    marks["height"] = marks["option"].map(rows)
    names = {f"{height:g}": option for option, height in rows.items()}
    words = f"({names})[datum.value]"
    axis = ticks_at([*rows.values()], labelExpr=words, orient="left", ticks=False, domain=False)
    y = alt.Y("height:Q", title=None, axis=axis, scale=alt.Scale(domain=[0, bottom], range=[0, bottom], nice=False))
    ticks = _base(marks).mark_tick(thickness=3, height=10, orient="vertical", opacity=1)
    line = _base(shown.loc[shown["ours"], ["place"]]).mark_rule(color=GREY, strokeDash=[2, 2])
    line = line.encode(y=alt.value(0), y2=alt.value(bottom))
    return layer(line, ticks.encode(y, colour("clear", CLEAR), tooltip=["option"]))


def strips(findings: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw one row a finding: a point for each way of computing it, dark where it is clear, ours a diamond."""
    clear = (findings["low"] > 0) | (findings["high"] < 0)
    shown = findings[["finding", "value", "low", "high", "ours"]].round(4)
    shown = shown.assign(clear=clear.map(dict(zip((True, False), CLEAR, strict=True))))
    y = alt.Y("finding:N", title=None, sort=list(findings["finding"].unique()), axis=alt.Axis(labelLimit=190))
    x = alt.X("value:Q", title="difference", scale=alt.Scale(padding=8))  # so that no mark is cut
    base = alt.Chart(shown).encode(
        x, y, colour("clear", CLEAR, legend=legend(columns=1)), tooltip=["value", "low", "high"]
    )
    ways = base.transform_filter("!datum.ours").mark_tick(thickness=2, height=16, opacity=SHEER)
    ours = base.transform_filter("datum.ours").mark_point(filled=True, shape="diamond", size=190, opacity=1)
    about = "Values of each finding under all choices, and whether their intervals leave out 0."
    drawn, under = [line_through(0, x), ways], None
    if shown["ours"].any():  # the page cannot draw a mark without rows
        drawn, under = [*drawn, ours], "diamond: our choices"
    return finish(layer(*drawn), title, about, alt.Step(44), subtitle=under)
