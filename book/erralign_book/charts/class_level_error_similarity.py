"""Charts of the chapter on class-level error similarity: values by luck, and by the number of errors."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.grammar import Plot, factors, numbers
from erralign.plot.parts import finish, layer
from erralign_book.charts.grammar import DOTS, heap_of, observed_at
from erralign_book.charts.looks import CHANCE, cases

OF_DRAWS = "points: means; upright lines: the middle 95 % of the simulations"


def beside_luck(values: np.ndarray, observed: float, name: str, title: str) -> alt.LayerChart:
    """Draw the values of shuffled tables as a heap of dots, and the observed one beside it."""
    heap, _, room = heap_of(values, np.ptp(values) / 40, "CLES")
    about = f"A heap of {DOTS} values of shuffled tables, and a line at the observed {observed:.3f}."
    under = f"each dot stands for {len(values) / DOTS:,.0f} of {len(values):,} pairs of shuffled tables"
    drawn = layer(heap, *observed_at(observed, name, align="left", dx=6))
    return finish(drawn, title, about, room, subtitle=under)


def by_number(simulated: pd.DataFrame, number: str, value: str, title: str) -> alt.LayerChart:
    """Draw how a measure of simulated systems moves with a number, such as that of errors: one line per case."""
    *first, last = simulated["case"].unique()
    looks = cases(first) | {last: CHANCE}
    known = {"middle": f"mean {value}", "low": "2.5 %", "high": "97.5 %"}
    hover = ["case", alt.Tooltip("number", title=number, format=",d")]
    hover += [alt.Tooltip(name, title=words, format=".3f") for name, words in known.items()]
    x = factors("number", number, sorted(simulated["number"].unique().tolist()), ",d", padding=14)
    y = numbers("middle", value, scale={"zero": False})
    plot = Plot(simulated, x, y, look=("case", looks), hover=hover).lines().spans().points(80)
    about = f"{value} of simulated systems against {number}, a line for each of: {'; '.join(looks)}."
    return plot.done(title, about, 280, OF_DRAWS)
