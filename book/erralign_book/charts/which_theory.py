"""Theories of thinking, language models and people: where they fail as people do, and whether as people do."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE, NAVY, ORANGE
from erralign.plot.grammar import Plot, numbers
from erralign.plot.theme import BAND, Look
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
    names = list(dict.fromkeys([*cloud, *shown]))
    every = pd.concat([shown, cloud]).reindex(columns=names)[["look", "rule", "system", "EC", "MA"]]
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
