"""Charts of the chapter on uncertainty: draws, the intervals that they leave, and how often these are right."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.error_consistency import error_consistency
from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE_GREY, PAPER, SILVER, SLATE
from erralign.plot.grammar import Plot, finish, layer, numbers
from erralign.plot.theme import Look, colour, fill
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import CROWD, HELD

STEP, DOT = 0.03, 11  # of EC, between two columns of dots; pixels of a dot
ACROSS, TILE, ROOM = 20, 24, 10  # tiles in a line; pixels between two of them; pixels between tiles and dots
BOTH_RIGHT = "both right"
OUTCOMES = {
    "both wrong": Look(SLATE, "square", (ORANGE, BLUE)),
    "only the person wrong": Look(ORANGE, "square"),
    "only the network wrong": Look(BLUE, "square"),
    BOTH_RIGHT: Look(PALE_GREY, "square"),
}
WRONG = (0, 1), (0, 2)  # places of outcomes where the person is wrong, and where the network is
BEGUN = 60  # draws, so that a picture of the chart says what it is


def hat(
    kinds: np.ndarray, drawn: np.ndarray, values: np.ndarray, limits: tuple[float, float], title: str
) -> alt.LayerChart:
    """Show pictures as tiles, how often each came in a draw that the reader chooses, and a dot for each draw so far.

    ``kinds`` are the places of pictures in ``OUTCOMES``, ``drawn`` has a draw per row, the pictures that came, and
    ``values`` are what they give.
    """
    top = -(-len(kinds) // ACROSS) * TILE
    observed = error_consistency(np.zeros(len(kinds), int), *(np.isin(kinds, wrong).astype(int) for wrong in WRONG))
    heap, height = _dots(values, limits, observed)
    chart = layer(_tiles(kinds, drawn, top), heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("draws", "hats full (resamples)", BEGUN, (0, len(drawn)), 1))
    about = f"{len(kinds)} tiles, and a heap of dots that grows with each draw."
    under = "hollow: not drawn; a number: drawn so often; below: a dot for each resample, the last one strong"
    return finish(chart, title, about, top + ROOM + height, subtitle=under)


def _tiles(kinds: np.ndarray, drawn: np.ndarray, height: int) -> alt.LayerChart:
    often = [np.bincount(row, minlength=len(kinds)) for row in [np.arange(len(kinds)), *drawn]]
    draws = pd.DataFrame({"draw": range(len(often)), "often": ["".join(map(str, row)) for row in often]})
    shown = alt.Chart(draws).transform_filter("datum.draw === draws")
    shown = shown.transform_calculate(tile=f"sequence({len(kinds)})").transform_flatten(["tile"])
    shown = shown.transform_calculate(
        times="toNumber(datum.often[datum.tile])",
        picture=f"{[list(OUTCOMES)[kind] for kind in kinds]}[datum.tile]",
        column=f"datum.tile % {ACROSS}",
        row=f"floor(datum.tile / {ACROSS})",
    )
    x = alt.X("column:Q", axis=None, scale=alt.Scale(domain=[-0.7, ACROSS - 0.3], nice=False))
    lines = alt.Scale(domain=[-0.5, height / TILE - 0.5], range=[0, height], nice=False)
    shown = shown.encode(x, alt.Y("row:Q", axis=None, scale=lines))
    side = alt.expr(f"pow(0.8 * min({TILE}, width / {ACROSS}), 2)")
    edge = alt.Stroke("picture:N", legend=None, scale=colour("picture", OUTCOMES)["scale"])
    tiles = shown.mark_point(size=side, opacity=1, strokeWidth=1.5, shape="square").encode(
        fill("picture", OUTCOMES, legend=alt.Legend(columns=2)),
        edge,
        fillOpacity=alt.when("datum.times > 0").then(alt.value(1)).otherwise(alt.value(0)),
        tooltip=["picture:N", alt.Tooltip("times:Q", title="times drawn")],
    )
    ink = alt.when(f"datum.picture === '{BOTH_RIGHT}'").then(alt.value(INK)).otherwise(alt.value(PAPER))
    twice = shown.transform_filter("datum.times > 1").mark_text(fontSize=12)
    return layer(tiles, twice.encode(text="times:Q", color=ink))


def _dots(values: np.ndarray, limits: tuple[float, float], observed: float) -> tuple[alt.LayerChart, int]:
    """Heap a dot for each value, in the order in which they came, on the interval that remains when all are there."""
    dots = pd.DataFrame({"draw": np.arange(len(values)) + 1, "EC": (np.round(values / STEP) * STEP).round(4)})
    dots["level"] = dots.groupby("EC").cumcount()
    highest = int(dots["level"].max()) + 1
    height = (highest + 3) * DOT
    up = [alt.ExprRef("height"), alt.ExprRef(f"height - {height}")]  # a deck makes charts lower
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-1, highest + 2], range=up, nice=False))
    both = np.append(dots["EC"], limits)
    across = alt.Scale(domain=[both.min() - STEP, both.max() + STEP], nice=False)
    x = alt.X("EC:Q", title="error consistency", scale=across, axis=alt.Axis(grid=False))
    dot = (
        alt.Chart(dots)
        .mark_point(filled=True, size=80)
        .encode(
            x,
            y,
            color=alt.when("datum.draw === draws").then(alt.value(BLACK)).otherwise(alt.value(SILVER)),
            opacity=alt.when("datum.draw <= draws").then(alt.value(1)).otherwise(alt.value(0)),
            tooltip=["EC"],
        )
    )
    ends = alt.Chart(pd.DataFrame([limits], columns=["low", "high"]).round(4).assign(level=-1))
    bar = ends.mark_rule(strokeWidth=5, color=SLATE)
    own = pd.DataFrame({"EC": [observed], "level": highest + 0.5, "foot": -1, "words": f"observed: {observed:.2f}"})
    seen = alt.Chart(own.round(4)).encode(x, y)
    line = seen.mark_rule(strokeWidth=2, color=BLACK).encode(y2="foot:Q")
    name = seen.mark_text(dy=-8, fontSize=12, fontWeight="bold").encode(text="words:N")
    return layer(dot, bar.encode(y, x="low:Q", x2="high:Q", tooltip=["low", "high"]), line, name), height


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the intervals of repeated experiments, sorted by joint errors, against the value that each should hold."""
    intervals = intervals.sort_values(["joint_errors", "EC"])
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(experiment=range(1, len(held) + 1), outcome=np.where(held, *HELD))
    middle = shown.groupby("joint_errors")["experiment"].median().astype(int)
    written = f"({ {place: n for n, place in middle.items()} })[datum.value]"
    bare: Any = {"labelExpr": written, "labelOverlap": "greedy", "grid": False, "tickSize": 0}
    x = numbers("experiment", "joint errors", ticks=middle.tolist(), scale={"nice": False, "padding": 6}, **bare)
    hover = ["joint_errors", "EC", "low", "high", "outcome"]
    plot = Plot(shown, x, numbers("EC", "error consistency"), look=("outcome", HELD), hover=hover)
    # Faint lines part the numbers of joint errors.
    plot.level(*(shown.groupby("joint_errors")["experiment"].max().iloc[:-1] + 0.5), along="x", opacity=CROWD)
    plot.spans(strokeWidth=1.5).points(26, shape="circle").dashed(truth, color=SLATE)
    about = f"Intervals of {len(held)} experiments; {held.sum()} contain the true value, {truth:.2f}."
    return plot.done(title, about, 240, "sorted by joint errors, then by EC; dashed: the true value")
