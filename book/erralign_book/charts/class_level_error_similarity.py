"""Charts of the chapter on class-level error similarity: values by luck, and by the number of errors."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import SLATE
from erralign.plot.parts import finish, layer, whisker
from erralign.plot.theme import colour, legend
from erralign_book.charts.how_sure_are_we import DOTS, heap_of
from erralign_book.charts.looks import CHANCE, cases
from erralign_book.charts.parts import logarithmic, marked

OF_DRAWS = "points: means; upright lines: the middle 95 % of the simulations"


def beside_luck(values: np.ndarray, observed: float, name: str, title: str) -> alt.LayerChart:
    """Draw the values of shuffled tables as a heap of dots, and the observed one beside it."""
    heap, _, room = heap_of(values, np.ptp(values) / 40, "CLES")
    seen = alt.Chart(pd.DataFrame({"observed": [round(float(observed), 4)]})).encode(x="observed:Q")
    rule = seen.mark_rule(color=SLATE, strokeWidth=3).encode(tooltip=["observed"])
    words = seen.mark_text(align="left", dx=6, y=8, text=name, fontSize=13, color=SLATE, fontWeight="bold")
    about = f"A heap of {DOTS} values of shuffled tables, and a line at the observed {observed:.3f}."
    under = f"each dot stands for {len(values) / DOTS:,.0f} of {len(values):,} pairs of shuffled tables"
    return finish(layer(heap, rule, words), title, about, room, subtitle=under)


def by_number(simulated: pd.DataFrame, number: str, value: str, title: str) -> alt.LayerChart:
    """Draw how a measure of simulated systems moves with a number, such as that of errors: one line per case."""
    *names, last = simulated["case"].unique()
    looks, words = cases(names) | {last: CHANCE}, legend(columns=1, labelLimit=420)
    base = alt.Chart(simulated.round(4)).encode(
        logarithmic("number", number, sorted(simulated["number"].unique().tolist()), ",d", padding=14),
        colour("case", looks, sort=list(looks), legend=words),
        tooltip=_hover(number, value),
    )
    line = base.mark_line(strokeWidth=2).encode(y=alt.Y("middle:Q", title=value, scale=alt.Scale(zero=False)))
    point = marked(base, "case", looks, 80, sort=list(looks), legend=words).encode(alt.Y("middle:Q", title=value))
    about = f"{value} of simulated systems against {number}, a line for each of: {'; '.join(looks)}."
    return finish(layer(line, whisker(base, value, strokeWidth=2), point), title, about, 280, subtitle=OF_DRAWS)


def _hover(number: str, value: str) -> list[alt.Tooltip]:
    values = {"middle": f"mean {value}", "low": "2.5 %", "high": "97.5 %"}
    drawn = [alt.Tooltip(name, title=words, format=".3f") for name, words in values.items()]
    return [alt.Tooltip("case"), alt.Tooltip("number", title=number, format=",d"), *drawn]
