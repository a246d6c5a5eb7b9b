"""Charts of the chapter on the six tests: what each test looks at, and how measures pass it."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, SILVER, SLATE
from erralign.plot.grammar import DASHED, Plot, entitle, names, numbers, shares
from erralign.plot.theme import Look, colour_of_values
from erralign_book.charts.grammar import beside_each_other

SIDE = 160  # pixels of a panel: three of them are as wide as the text
STEP = 21  # pixels from one row to the next
Blocks = tuple[np.ndarray, list[str]]  # how alike each two are, and the group of each
ALIKE = "likeness, as a rank"
WHAT = {  # a measure compares
    "behaviour": Look(BLACK, "circle"),
    "representations": Look(SLATE, "diamond"),
    "accuracy alone": Look(SILVER, "square"),
}


def ranks_of_pairs(similarity: np.ndarray, *, larger_is_more_similar: bool = True) -> np.ndarray:
    """Turn the values of a measure into ranks from 0, the least alike pair, to 1, the most alike."""
    signed = np.array(similarity if larger_is_more_similar else -similarity, float)
    np.fill_diagonal(signed, np.nan)
    ranks = pd.Series(signed.ravel()).rank().to_numpy().reshape(signed.shape)
    least = float(np.nanmin(ranks, initial=ranks.size))
    return (ranks - least) / max(float(np.nanmax(ranks, initial=least)) - least, 1)


def six_tests(
    pairs: Mapping[str, pd.DataFrame], groups: Mapping[str, Blocks], layers: np.ndarray, title: str
) -> alt.ConcatChart:
    """Draw what each of the six tests looks at, one panel per test."""
    of_layers = {"6 Layers": (layers, [str(place + 1) for place in range(len(layers))])}
    panels = [_points(*each) for each in pairs.items()]
    panels += [_blocks(heading, *each) for heading, each in {**groups, **of_layers}.items()]
    about = "Three panels: likeness of pairs against their difference; three: likeness of each two systems or layers."
    return entitle(beside_each_other(panels, 3), title, about)


def _points(heading: str, pairs: pd.DataFrame) -> alt.LayerChart:
    x = shares("difference", pairs.attrs["title"], tickCount=3)
    y = numbers("alike", ALIKE, ends=(0, 1), tickCount=3, grid=False)
    hover = [alt.Tooltip("difference", format=".1%"), alt.Tooltip("alike", title=ALIKE, format=".2f")]
    plot = Plot(pairs[["difference", "alike"]], x, y, hover=hover).points(42, color=BLACK)
    return plot.drawn().properties(width=SIDE, height=SIDE, title=heading)


def _blocks(heading: str, ranks: np.ndarray, groups: list[str]) -> alt.LayerChart:
    """Draw a square per two systems, with the name of a group in the middle of its systems."""
    last = len(ranks)
    row, column = (place.ravel() for place in np.indices(ranks.shape))
    named, far = np.array(groups), {"row_end": row + 1, "column_end": column + 1}
    cells = pd.DataFrame({"row": row, "column": column, "alike": ranks.ravel().round(3)} | far)
    cells = cells.assign(first=named[row], second=named[column]).dropna()
    middles = {name: float(np.flatnonzero(named == name).mean() + 0.5) for name in dict.fromkeys(groups)}
    words = " : ".join(f"abs(datum.value - {at:g}) < 0.01 ? '{name}'" for name, at in middles.items())
    bare: Any = {"labelExpr": f"{words} : ''", "grid": False, "tickSize": 0, "domain": False}
    ends = {"column": (0, last), "row": (last, 0)}
    x, y = (numbers(f, ends=at, values=list(middles.values()), **bare) | {"title": None} for f, at in ends.items())
    plot = Plot(cells, x, y, hover=["first", "second", alt.Tooltip("alike", title=ALIKE, format=".2f")])
    plot.tiles(colour_of_values("alike", "rank"), alt.X2("column_end:Q"), alt.Y2("row_end:Q"))
    return plot.drawn().properties(width=SIDE, height=SIDE, title=heading)


def scores_of_measures(scores: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how measures pass a test on a data set, both of the reader's choice, beside the levels of chance."""
    columns = ["test", "data", "measure", "compares", "value", "low", "high", "chance", "constant"]
    shown = scores[columns].dropna(subset="value").round(4)
    tests, data = (list(dict.fromkeys(shown[name])) for name in ("test", "data"))
    rows = int(shown.groupby(["test", "data"])["measure"].nunique().max())
    ends = shown[["value", "low", "high", "chance"]].clip(-1, 1).to_numpy(dtype=float)
    around = (float(np.nanmin(ends)) - 0.02, float(np.nanmax(ends)) + 0.02)
    x = numbers("value", "score", ends=around, scale={"clamp": True})
    y = names("measure", alt.EncodingSortField("value", order="descending"))
    hover = ["measure", *(alt.Tooltip(name, format=".2f") for name in ("value", "low", "high", "chance"))]
    where = "datum.test === test && datum.data === data_set"
    plot = Plot(shown, x, y, look=("compares", WHAT), hover=hover, where=where, columns=3, title="compares")
    of = alt.Chart(shown).transform_filter(where)
    for column, dashes in {"chance": DASHED, "constant": [1, 2]}.items():
        there = of.transform_filter(f"isValid(datum.{column})")  # not all tests have it
        level = there.mark_rule(color=GREY, strokeWidth=1.5, strokeDash=dashes)
        plot.draw(level.encode(alt.X(**x | {"shorthand": f"mean({column}):Q"})))
    plot.spans().points().menu("test", tests, tests[0], "test").menu("data_set", data, data[0], "data")
    about = f"Scores of {shown['measure'].nunique()} measures in {len(tests)} tests on {len(data)} data sets."
    return plot.done(title, about, STEP * rows, "dashed: chance; dotted: a measure that is the same for all pairs")
