"""The board as a chart with guests: every system beside people, by each yardstick."""

import altair as alt
import pandas as pd

from erralign.measures import limit_columns
from erralign.plot.theme import BAND, only
from erralign_book.charts.grammar import set_apart
from erralign_book.charts.looks import ON_THE_BOARD, with_guests
from erralign_book.charts.marks import DASHED, Plot, numbers

YARDSTICKS = {"EC": "EC", "H": "share of the largest EC", "MA": "MA", "CLES": "CLES"}


def beside_people(systems: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw each system's accuracy and, as the reader chooses, one measure of its agreement with people."""
    ends = ("", *limit_columns("")[:2])
    columns = ["system", "family", "accuracy", *(f"{name}{end}" for name in YARDSTICKS for end in ends)]
    named = dict(zip(("value", "low", "high"), (f"datum[measure + '{end}']" for end in ends), strict=True))
    hover = ["system", "family", *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("accuracy", *named))]
    axes = numbers("accuracy"), numbers("value", "measure, mean with people")
    looks = only(with_guests(ON_THE_BOARD, systems["family"]), systems["family"])
    plot = Plot(systems[columns], *axes, look=("family", looks), hover=hover, computed=named)
    plot.where = "family === 'all' || datum.family === family || datum.family === 'people'"
    people = plot.base(systems.loc[systems["family"] == "people", columns], x="none")
    plot.draw(people.mark_rule(strokeDash=DASHED, strokeWidth=1.5, color=looks["people"].colour))
    set_apart(plot.spans(opacity=BAND, strokeWidth=1).points(80), "family", ON_THE_BOARD)
    plot.menu("measure", YARDSTICKS, start, "measure", winners(systems))
    plot.menu("family", ["all", *(name for name in looks if name != "people")], "all", "shown")
    about = f"{len(systems) - 1} models by accuracy and by their mean agreement with people, one measure at a time."
    return plot.done(title, about, 380, "dashed: people with each other; lines: 95 % intervals")


def winners(systems: pd.DataFrame) -> list[str]:
    """Say of each measure who is first by it, and how often that system is right: the best need not be accurate."""
    first = systems.loc[systems[list(YARDSTICKS)].idxmax()]
    right = (100 * first["accuracy"]).map("{:.0f} % right".format)
    named = zip(YARDSTICKS.values(), first["system"], right, strict=True)
    return [f"{words} (first: {system}, {accurate})" for words, system, accurate in named]
