"""Theories of thinking, a language model and people: where they fail as people do, and whether as people do."""

from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, NAVY, ORANGE, PAPER
from erralign.plot.grammar import Plot, entitle, names, numbers
from erralign.plot.theme import BAND, Look
from erralign_book.charts.grammar import beside_each_other, diamonds, labels_if
from erralign_book.papers.theories import DRAW, FAVOURITE, PERSON, RULES

LOOKS = {
    PERSON: Look(ORANGE),
    FAVOURITE: Look(ORANGE, "cross"),
    "theory": Look(BLUE, "square"),
    "language model": Look(NAVY, "triangle-up"),
}
LABELS = {PERSON: "a person", FAVOURITE: "most frequent", "Llama-3-8B, step by step": "Llama"}
# Where a name has room, whichever rule is chosen, on a phone, too; else it is on the right of its mark.
ABOVE, LEFT = ("a person", "Conversion"), ("most frequent", "Verbal Models")
WIDTH, ROW = 135, 36  # of a panel and a row, in pixels
ALWAYS = "any"  # the rule of what does not predict sets
SHOWN = [rule for rule in RULES if rule != DRAW]  # to draw one is on average to split evenly


def errs_like_people(systems: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw MA against EC with people, of systems with pale intervals, rule by rule.

    Systems are theories, one language model, and two rows of people, of which each has a look of its own.
    """
    shown = systems.dropna(subset=["EC", "MA"]).assign(
        look=systems["kind"].mask(systems["kind"] == "people", systems["system"]),
        rule=systems["rule"].where(systems["kind"] == "theory", ALWAYS),
        label=systems["system"].replace(LABELS),
    )
    x = numbers("EC", "EC: fails where people fail", ends=(-0.05, 0.45))
    y = numbers("MA", "MA: draws their wrong conclusions", ends=(-0.03, 0.53))
    limits = [f"{name}_{end}" for name in ("EC", "MA") for end in ("low", "high")]
    said = [alt.Tooltip(name, title=name.replace("_low", " from").replace("_high", " to")) for name in limits]
    where = f"datum.rule == rule || datum.rule == '{ALWAYS}'"
    plot = Plot(shown, x, y, look=("look", LOOKS), hover=["system", "EC", "MA", *said], where=where, columns=0)
    plot.menu("rule", SHOWN, SHOWN[0], "rule ")
    person = shown[shown["system"] == PERSON].iloc[0]
    plot.dashed(person["EC"], along="x", color=ORANGE).dashed(person["MA"], along="y", color=ORANGE)
    beyond = pd.DataFrame({"EC": [0.44], "MA": [0.52], "label": ["more of both"]})
    for name, along in (("EC", "x"), ("MA", "y")):
        plot.spans(f"{name}_low", f"{name}_high", along=along, strokeWidth=1.2, opacity=BAND)
    plot.points(90)
    above, left = (shown["label"].isin(some) for some in (ABOVE, LEFT))
    plot.where = ""
    plot.words("label", beyond, align="right", color=ORANGE)
    plot.where = where
    _write(plot, shown[above], dy=-14)
    _write(plot, shown[left], align="right", dx=-9)
    _write(plot, shown[~above & ~left], align="left", dx=9)
    about = "MA against EC with people, of theories, a language model and people, by the rule for sets of conclusions."
    under = "plus: people's most frequent answer; squares: theories; triangle: language model; pale: 95 % intervals"
    return plot.done(title, about, 460, under)


def _write(plot: Plot, shown: pd.DataFrame, **place: Any) -> None:
    """Write names beside their marks, each on paper, so that no line of an interval goes through it."""
    plot.words("label", shown, color=PAPER, stroke=PAPER, strokeWidth=5, fontWeight="bold", **place)
    plot.words("label", shown, fontWeight="bold", **place)


def leads_by_rule(found: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw the lead of a theory over a person under each rule, with its interval, in one panel per group of people."""
    hover, panels = ["rule", "value", "low", "high"], list[alt.LayerChart]()
    for people, part in found.groupby("people"):
        label = labels_if(first=not panels, words="split(datum.label, ', ')")
        rows = names("rule", SHOWN, labelLimit=190, labelExpr=label, ticks=False)
        axis = f"lead in MA, {people} ({'tested' if panels else 'chosen'} here)"
        x = numbers("value", axis, ends=(-0.15, 0.28), ticks=[0, 0.2])
        plot = Plot(part[hover], x, rows, hover=hover).level(0).spans(color=BLACK)
        panels.append(diamonds(plot, 110).drawn().properties(width=WIDTH, height=alt.Step(ROW)))
    about = "Leads in MA of one theory over a person, with intervals, by rule and people."
    under = "lines: 95 % intervals; filled: it leaves out 0; hollow: it contains 0"
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle=under)
