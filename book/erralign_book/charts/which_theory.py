"""Theories of thinking, language models and people: where they fail as people do, and whether as people do."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, NAVY, ORANGE, PAPER
from erralign.plot.grammar import Plot, entitle, names, numbers
from erralign.plot.theme import BAND, Look
from erralign_book.charts.grammar import beside_each_other
from erralign_book.papers.theories import FAVOURITE, PERSON, RULES

LOOKS = {
    "a person": Look(ORANGE),
    PERSON: Look(ORANGE),
    FAVOURITE: Look(ORANGE, "cross"),
    "theory": Look(BLUE, "square"),
    "language model": Look(NAVY, "triangle-up"),
}
LABELS = {
    FAVOURITE: "most frequent",
    "Llama-3-8B, step by step": "Llama, step by step",
    "Llama-3-8B, trained": "Llama, trained",
}
WIDTH, ROW = 165, 36  # of a panel and a row, in pixels
ALWAYS = "any"  # the rule of what does not predict sets


def errs_like_people(systems: pd.DataFrame, people: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw MA against EC with people, each person as a point, and systems with intervals, rule by rule.

    Systems are theories, language models in one reading, and two rows of people, of which each has a look of its own.
    """
    of_people = systems["kind"] == "people"
    shown = systems.dropna(subset=["EC", "MA"]).assign(
        look=systems["kind"].mask(of_people, systems["system"]),
        rule=systems["rule"].where(systems["kind"] == "theory", ALWAYS),
        label=systems["system"].replace(LABELS).where(~systems["system"].str.contains("-1.4B|examples"), ""),
    )
    cloud = people.assign(look="a person", rule=ALWAYS, system="a person")[["look", "rule", "system", "EC", "MA"]]
    axes = numbers("EC", "EC: fails where people fail"), numbers("MA", "MA: draws their wrong conclusions")
    columns = list(dict.fromkeys([*cloud, *shown]))
    every = pd.concat([shown, cloud]).reindex(columns=columns)[["look", "rule", "system", "EC", "MA"]]
    hover, where = ["system", "EC", "MA"], f"datum.rule == rule || datum.rule == '{ALWAYS}'"
    plot = Plot(every, *axes, look=("look", LOOKS), hover=hover, where=where)
    plot.menu("rule", RULES, RULES[0], "where a theory predicts several conclusions ")
    plot.points(24, cloud, opacity=BAND)
    for name, along in (("EC", "x"), ("MA", "y")):
        plot.spans(f"{name}_low", f"{name}_high", along=along, data=shown, strokeWidth=1.2)
    plot.points(90, shown).words("label", shown, align="left", dx=8, dy=-8)
    about = f"MA against EC with people: a cloud of {len(people)} people, and points of theories and models."
    under = "crosses: 95 % intervals over forms and people; triangles without a name: Pythia-1.4B"
    return plot.done(title, about, 460, under)


def leads_by_rule(found: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw the lead of a theory over a person under each rule, with its interval, in one panel per group of people."""
    shown = found.assign(row=found["rule"] + ": over " + found["over"], rule=pd.Categorical(found["rule"], RULES))
    shown = shown.sort_values(["over", "rule"])
    order, hover, panels = list(shown["row"].unique()), ["row", "value", "low", "high"], list[alt.LayerChart]()
    for people, part in shown.groupby("people"):
        label = "split(datum.label, ': ')" if not panels else "stacked ? split(datum.label, ': ') : ''"
        rows = names("row", order, scale={"domain": order}, labelLimit=190, labelExpr=label, ticks=False)
        x = numbers("value", f"lead in MA, people of {people}", ends=(-0.15, 0.25), ticks=[-0.1, 0, 0.1, 0.2])
        plot = Plot(part[hover], x, rows, hover=hover).level(0).spans(color=BLACK)
        plot.points(110, part[part["low"] > 0], shape="diamond", color=BLACK)
        plot.points(110, part[part["low"] <= 0], shape="diamond", color=BLACK, filled=False, fill=PAPER)
        panels.append(plot.drawn().properties(width=WIDTH, height=alt.Step(ROW)))
    about = "Leads in MA of one theory over a person, with intervals, by rule and people."
    under = "lines: 95 % intervals; filled: it leaves out 0; hollow: it contains 0"
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle=under)
