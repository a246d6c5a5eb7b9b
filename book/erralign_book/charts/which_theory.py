"""Theories of thinking, language models and people: where they fail as people do, and whether as people do."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE, NAVY, ORANGE, SLATE
from erralign.plot.grammar import Plot, numbers
from erralign.plot.theme import Look
from erralign_book.papers.theories import RULES

LOOKS = {
    "a person": Look(ORANGE),
    "another person, mean": Look(SLATE, "square"),
    "theory": Look(BLUE),
    "language model": Look(NAVY, "triangle-up"),
}


def errs_like_people(systems: pd.DataFrame, people: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw MA against EC with people, each person as a point, and systems with intervals, rule by rule."""
    cloud = people.assign(kind="a person", rule="each")
    shown = pd.concat([systems, cloud], ignore_index=True)
    axes = numbers("EC", "EC: fails where people fail"), numbers("MA", "MA: draws their wrong conclusion")
    hover = ["system", "EC", "EC_low", "EC_high", "MA", "MA_low", "MA_high"]
    where = "datum.rule == rule || datum.rule == 'each'"
    plot = Plot(shown, *axes, look=("kind", LOOKS), hover=hover, where=where, columns=2)
    plot.menu("rule", RULES, RULES[0], "where a theory predicts several conclusions")
    named = systems.assign(low_of=0.0)
    plot.points(24, cloud, opacity=0.35).spans("EC_low", "EC_high", along="x", data=named, strokeWidth=1.5)
    plot.spans("MA_low", "MA_high", along="y", data=named, strokeWidth=1.5).points(90, named)
    plot.words("system", named, align="left", dx=8, dy=-8)
    about = f"MA against EC with people: a cloud of {len(people)} people, and points of theories and models."
    return plot.done(title, about, 420, "crosses: 95 % intervals over forms and people")
