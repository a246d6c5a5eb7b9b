"""The board as a chart and as a table: every system beside people, by each yardstick, and no order of its own."""

import altair as alt
import pandas as pd

from erralign import plot
from erralign.measures import limit_columns
from erralign.plot.parts import finish, layer, selector, whisker
from erralign.plot.theme import BAND, only
from erralign_book.charts.looks import ON_THE_BOARD
from erralign_book.charts.parts import DASHED, marked

YARDSTICKS = {"EC": "EC", "H": "share of the largest EC", "MA": "MA", "CLES": "CLES"}
VALUES = {"accuracy": "accuracy", "EC": "EC", "EC_reach": "EC within reach", "H": YARDSTICKS["H"]}
VALUES |= {"MA": "MA", "MA_reach": "MA within reach", "CLES": "CLES"}
FACTS = {"prompt": "prompt", "unread": "unread, %", "nearest": "nearest", "same": "same answers, %"}
ORIGIN = {"paper": "answers from", "licence": "licence", "reason": "remark"}


def beside_people(systems: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw each system's accuracy and, as the reader chooses, one measure of its agreement with people."""
    ends = ("", *limit_columns("")[:2])
    columns = ["system", "family", "accuracy", *(f"{name}{end}" for name in YARDSTICKS for end in ends)]
    named = dict(zip(("value", "low", "high"), (f"datum[measure + '{end}']" for end in ends), strict=True))
    base = alt.Chart(systems[columns].round(4)).transform_calculate(**named)
    people = base.transform_filter("datum.family === 'people'").encode(alt.Y("value:Q"))
    base = base.transform_filter("family === 'all' || datum.family === family || datum.family === 'people'")
    base = base.encode(alt.X("accuracy:Q", title="accuracy"))
    looks = only(ON_THE_BOARD, systems["family"])
    points = marked(base, "family", looks, 50, columns=2)
    numbers = [alt.Tooltip(f"{name}:Q", format=".3f") for name in ("accuracy", *named)]
    points = points.encode(alt.Y("value:Q", title="mean with people"), tooltip=["system", "family", *numbers])
    level = people.mark_rule(strokeDash=DASHED, strokeWidth=1.5, color=looks["people"].colour)
    lines = whisker(base, "mean with people", opacity=BAND).encode(color=points.encoding.color)
    chosen = selector("measure", list(YARDSTICKS), start, "measure", words=_winners(systems))
    families = ["all", *(name for name in looks if name != "people")]
    words = "dashed: people with each other; lines: 95 % intervals"
    about = f"{len(systems) - 1} models by accuracy and by their mean agreement with people, one measure at a time."
    drawn = layer(level, lines, points).add_params(chosen, selector("family", families, "all", "shown"))
    return finish(drawn, title, about, 380, subtitle=words)


def _winners(systems: pd.DataFrame) -> list[str]:
    """Say of each measure who is first by it, and how often that system is right: the best need not be accurate."""
    first = systems.loc[systems[list(YARDSTICKS)].idxmax()]
    right = (100 * first["accuracy"]).map("{:.0f} % right".format)
    named = zip(YARDSTICKS.values(), first["system"], right, strict=True)
    return [f"{words} (first: {system}, {accurate})" for words, system, accurate in named]


def listed(systems: pd.DataFrame) -> pd.DataFrame:
    """Return the board as readers see it: the oldest system first, numbers with their intervals, and whose they are."""
    rows = systems.sort_values(["year", "system"], na_position="first")
    table = pd.DataFrame({"family": rows["family"], "year": rows["year"].map("{:.0f}".format)})
    for name, words in VALUES.items():
        limits = rows[[name, *(f"{name}{end}" for end in limit_columns("")[:2])]]
        table[words] = [plot.with_interval(*row) for row in limits.to_numpy()]
    rows = rows.assign(unread=(100 * rows["unread"]).round(1), same=(100 * rows["same_answers"]).round(1))
    facts = rows[[*FACTS, *ORIGIN]].rename(columns=FACTS | ORIGIN)
    facts["licence"] = facts["licence"].str.partition(" (")[0]
    table = table.join(facts.dropna(axis=1, how="all")).set_axis(rows["system"].rename("system"))
    return table.replace(["nan", "undefined"], None)
