"""Charts of the chapter on the six tests: what one of them looks at, and how measures pass it."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, SILVER, SLATE
from erralign.plot.grammar import DASHED, Plot, names, numbers
from erralign.plot.theme import Look, colour_of_values

SIDE = 300  # pixels of fifteen tiles: less than a phone
STEP = 21  # pixels from one row to the next
ALIKE = "likeness, as a rank"
WHAT = {  # a measure compares
    "behaviour": Look(BLACK, "square"),
    "representations": Look(GREY, "square"),
    "accuracy alone": Look(BLACK, "cross"),
}


def ranks_of_pairs(similarity: np.ndarray, *, larger_is_more_similar: bool = True) -> np.ndarray:
    """Turn the values of a measure into ranks from 0, the least alike pair, to 1, the most alike."""
    signed = np.array(similarity if larger_is_more_similar else -similarity, float)
    np.fill_diagonal(signed, np.nan)
    ranks = pd.Series(signed.ravel()).rank().to_numpy().reshape(signed.shape)
    least = float(np.nanmin(ranks, initial=ranks.size))
    return (ranks - least) / max(float(np.nanmax(ranks, initial=least)) - least, 1)


def tiles_of_groups(ranks: np.ndarray, groups: list[str], title: str) -> alt.LayerChart:
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
    plot.tiles(colour_of_values("alike", ALIKE), alt.X2("column_end:Q"), alt.Y2("row_end:Q"))
    starts = [groups.index(name) for name in middles]
    inside = pd.DataFrame({"row": starts, "column": starts, "end": [*starts[1:], last]})
    frame = plot.base(inside).mark_rect(filled=False, stroke=BLACK, strokeWidth=3)
    plot.draw(frame.encode(alt.X2("end:Q"), alt.Y2("end:Q")))
    about = f"Likeness of each two of {last} systems, with a frame round each of {len(middles)} groups."
    return plot.done(title, about, SIDE, "a tile: two networks; in frames: both of one group", width=SIDE)


def beside_luck(scores: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw a measure's score in each test, over a bar that says how far luck reaches."""
    y = names("test", scores["test"].tolist())
    hover = ["test", *(alt.Tooltip(name, format=".2f") for name in ("value", "low", "high"))]
    plot = Plot(scores, numbers("value", "score", grid=False), y, hover=hover)
    plot.spans(data=scores.dropna(), color=SILVER, strokeWidth=12).points(80, color=BLACK, shape="square")
    about = f"Scores in {len(scores)} tests, with bars for what shuffled networks score."
    return plot.done(title, about, alt.Step(30), "square: the score; grey bar: the middle 95 % by luck")


def scores_of_measures(scores: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw how measures pass a test on a data set, both of the reader's choice, beside the levels of chance."""
    columns = ["test", "data", "measure", "compares", "value", "low", "high", "chance"]
    shown = scores[columns].dropna(subset="value").round(4)
    tests, data = (list(dict.fromkeys(shown[name])) for name in ("test", "data"))
    rows = int(shown.groupby(["test", "data"])["measure"].nunique().max())
    limits = ["low", "high"]
    shown[limits] = shown[limits].clip(-1, 1)
    x = numbers("value", "score", scale={"zero": False, "padding": 8})
    y = names("measure", alt.EncodingSortField("value", order="descending"))
    hover = ["measure", *(alt.Tooltip(name, format=".2f") for name in ("value", "low", "high", "chance"))]
    where = "datum.test === test && datum.data === data_set"
    plot = Plot(shown, x, y, look=("compares", WHAT), hover=hover, where=where, columns=3, title="compares")
    of = alt.Chart(shown).transform_filter(where)
    level = of.transform_filter("isValid(datum.chance)").encode(alt.X(**x | {"shorthand": "mean(chance):Q"}))
    plot.draw(level.mark_rule(color=GREY, strokeWidth=1.5, strokeDash=DASHED))
    plot.draw(level.mark_text(y=-8, text="chance", color=SLATE, fontWeight="bold", fontSize=13))
    plot.spans().points().menu("test", tests, start, "test").menu("data_set", data, data[0], "data")
    about = f"Scores of {shown['measure'].nunique()} measures in {len(tests)} tests on {len(data)} data sets."
    under = "mark: mean over networks and random starts; line: 95 % interval, for other random starts only"
    return plot.done(title, about, STEP * rows, under)
