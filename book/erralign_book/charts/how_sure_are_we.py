"""Charts of the chapter on uncertainty: draws from a hat, the intervals that they leave, and what these promise."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE, PAPER, SILVER, SLATE
from erralign.plot.grammar import Plot, finish, layer, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS, halves, number, with_interval
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import BOTH, DIFFERENCES
from erralign_book.charts.pictures import figure, picture

OUTCOMES = ("both wrong", "only the person", "only the network", "both right")
SCALE = alt.Scale(domain=OUTCOMES, range=(halves(BOTH), ORANGE, BLUE, PALE))
# Eight of the 160 pictures, by who was wrong.
SEEN = {
    "only the person": ("cat8",),
    "both wrong": ("truck3", "dog6"),
    "only the network": ("car9", "bird3"),
    "both right": ("elephant2", "chair8", "bicycle2"),
}
FRAMES = dict(zip(SEEN, ("people", "both", "machines", ""), strict=True))
WHO_FAILS = dict(zip(SEEN, ("person", "both", "network", "neither"), strict=True))
# Upside down, with an opening and a band: a path in a square from −1 to 1.
HAT = "M-1,-.5A1,.3,0,0,1,1,-.5Q.95,-.3,.6,-.22L.5,.75Q0,.95,-.5,.75L-.6,-.22Q-.95,-.3,-1,-.5Z"
HAT += "M.6,-.52A.6,.15,0,0,0,-.6,-.52A.6,.15,0,0,0,.6,-.52ZM-.58,-.06L-.56,.12Q0,.3,.56,.12L.58,-.06Q0,.12,-.58,-.06Z"
DOT, FOOT = 11, 44  # pixels of a dot, and below dots
SAID: dict[str, Any] = {"fontSize": 13, "color": INK}
BOLD: dict[str, Any] = SAID | {"fontWeight": "bold"}


def cards(title: str, seed: int) -> Table:
    """Show eight cards in a hat, each framed for who of person and network was wrong, and how often a draw has each."""
    kinds = [kind for kind, names in SEEN.items() for _ in names]
    cells = "".join(f'<b style="--n: {kinds.count(kind)}">{WHO_FAILS[kind]}</b>' for kind in SEEN)
    drawn = np.bincount(np.random.default_rng(seed).integers(8, size=8), minlength=8)
    said = []
    for name, times in (("in the hat", np.ones(8, int)), ("one draw", drawn)):
        counts = np.array([times[np.array(kinds) == kind].sum() for kind in OUTCOMES])
        said.append(_with_ec(name, counts))
        for kind, card, n in zip(kinds, sum(SEEN.values(), ()), times, strict=True):
            often, never = f' data-n="×{n}"' if n > 1 else "", " never" if n == 0 else ""
            image = picture(f"stimuli/silhouettes/{card}", card[:-1])
            cells += f'<span class="{FRAMES[kind]}{never}"{often}>{image}</span>'
        drawing = f'<svg viewBox="-1 -1 2 2" aria-hidden="true"><path d="{HAT}"/></svg>' if "hat" in name else ""
        cells += f"<p>{drawing}{said[-1]}</p>"
    html = figure(cells, title, "Eight of the 160 cards; above them, who was wrong<br>")
    return Table(html.replace("<div>", '<div class="hat">', 1), "; ".join(said))


def hat(counted: np.ndarray, draws: np.ndarray, limits: Any, title: str) -> alt.LayerChart:
    """Show a dot for the EC of each draw so far, and once there are enough of them the limits that all leave.

    The four counts are in the order of ``OUTCOMES``, the draws one per row. The reader chooses how many are shown.
    """
    n, draws = len(draws), draws[:100]
    heap = pd.DataFrame({"EC": np.round(kappa(*draws.T), 2), "draw": np.arange(len(draws)) + 1})
    heap["said"] = [_with_ec(f"draw {n}", counts) for n, counts in enumerate(draws, 1)]
    foot, seen = DOT * (heap["EC"].value_counts().max() + 2), round(float(kappa(*counted)), 4)
    heap["top"], end = foot - DOT * (heap.groupby("EC").cumcount() + 0.5), foot + FOOT
    x, y, size = _axes([0, *heap["EC"], *limits], end, 0.01)
    colour = alt.when("datum.draw === draws").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    dot = alt.Chart(heap).transform_filter("datum.draw <= draws").encode(x, y, color=colour, tooltip=["EC"])
    now = alt.Chart(heap).transform_filter("datum.draw === draws").encode(x=alt.datum(seen), text="said:N")
    ends = pd.DataFrame([limits], columns=["EC", "end"]).assign(top=foot + 6)
    under, over = _marked(seen, ends, n, x, y)
    marks = [dot.mark_point(filled=True, opacity=1, size=size), now.mark_text(**BOLD, align="right", dx=-8, y=4)]
    late = (bar.transform_filter("draws > 39") for bar in over)
    chart = layer(*under, *marks, *late).add_params(slider("draws", "draws", 60, (1, len(draws)), 1))
    return finish(chart, title, f"EC in {len(draws)} draws.", end, subtitle="a dot is a draw, the last one is strong")


def clouds(seen: float, draws: pd.DataFrame, limits: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show, for each kind of cards, a dot for the EC of each draw, and a bar for what 95 % of all draws have."""
    heap = (50 * draws[:60]).round().div(50).melt(var_name="what", value_name="EC").dropna()
    high = DOT * heap.value_counts(["what", "EC"]).max() + 24
    end = (high + FOOT) * len(limits) + 28
    ends = limits.set_axis(["EC", "end"], axis=1).assign(top=34 + high + (high + FOOT) * np.arange(len(limits)))
    heap["top"] = heap["what"].map(ends["top"]) - 6 - DOT * (heap.groupby(["what", "EC"]).cumcount() + 0.5)
    x, y, size = _axes([0, *heap["EC"], *limits.to_numpy().ravel()], end, 0.02)
    dots = alt.Chart(heap.round(4)).mark_point(filled=True, opacity=1, size=size, color=SILVER).encode(x, y)
    hats = alt.Chart(ends.assign(what=ends.index, top=ends["top"] - high)).encode(x=alt.datum(0), y=y)
    words = hats.mark_text(**BOLD, align="left", dx=36).encode(text="what:N")
    hats = hats.mark_point(shape=HAT, size=600, filled=True, opacity=1, color=INK, xOffset=18)
    under, over = _marked(seen, ends, len(draws), x, y, high)
    chart, about = layer(*under, dots, *over, hats, words), f"EC in {len(draws)} draws of each kind of cards."
    return finish(chart, title, about, end, subtitle="a dot is a draw")


def _axes(values: Sequence[float], height: float, step: float) -> tuple[alt.X, alt.Y, alt.ExprRef]:
    """Return the axes of dots in columns a step apart, and the size of a dot."""
    low, high = min(values) - 0.02, max(values) + 0.02
    x = alt.X("EC:Q", title="EC", scale=alt.Scale(domain=[low, high], nice=False), axis=alt.Axis(grid=False))
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False))  # a deck makes charts lower
    return x, y, alt.expr(f"pow(min({DOT - 1}, width * {step / (high - low):.5f}), 2)")


def _marked(seen: float, ends: pd.DataFrame, n: int, x: alt.X, y: alt.Y, high: int = 0) -> tuple[list[alt.Chart], ...]:
    """Mark chance and what was counted above the ends of n draws in each row; from the second on, rows are so high."""
    under, rows = [], pd.DataFrame({"foot": ends["top"], "top": np.where(np.arange(len(ends)), ends["top"] - high, 0)})
    for at, name, wide in ((seen, "counted", 4), (0, "chance", 1.5)):
        place = alt.Chart(rows.assign(EC=round(float(at), 4))).encode(x, y)
        under.append(place.mark_rule(strokeWidth=wide, color=SLATE).encode(y2="foot:Q"))
        under.append(place.transform_filter("datum.top === 0").mark_text(**SAID, align="left", dx=6, dy=4, text=name))
    said = [f"95 % of all {n:,} draws: {number(low, 2)} to {number(end, 2)}" for low, end in ends[["EC", "end"]].values]
    bar = alt.Chart(ends.round(4).assign(words=said)).encode(x, y)
    rule = bar.mark_rule(strokeWidth=5, color=SLATE).encode(x2="end:Q")
    return under, [rule, bar.mark_text(**BOLD, align="left", dy=15).encode(text="words:N")]


def _with_ec(name: str, counts: np.ndarray) -> str:
    return f"{name}: EC {number(float(kappa(*counts)), 2)}"


def experiments(intervals: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the interval of each experiment, first those without joint errors: black where it lies below 0."""
    shown = intervals.assign(seen=intervals["joint_errors"] > 0, below=intervals["high"] < 0)
    shown = shown.sort_values(["seen", "below", "high"], ascending=[True, False, True])
    shown["place"] = np.arange(len(shown)) + 3 * shown["seen"]  # with a gap between
    columns = shown["place"].max() + 1
    x, y = numbers("place", ends=[-1, columns]), numbers("low", "EC", grid=False, ends=[-0.15, 0.75])
    plot = Plot(shown, x | {"axis": None}, y, columns=0)
    plot.level(0, color=BLACK)
    for below, colour in ((True, BLACK), (False, SILVER)):
        rows = plot.base(shown[shown["below"] == below], y="low")
        plot.draw(rows.mark_rule(color=colour, strokeWidth=alt.expr(f"width / {columns} * 0.6")).encode(y2="high:Q"))
    groups = shown.groupby("seen", as_index=False)
    said = groups.agg(place=("place", "min"), end=("place", "max"), n=("below", "size"), below=("below", "sum"))
    said["who"] = np.where(said["seen"], "one or more seen", "no joint error seen")
    said["words"] = [f"{m} of {n} lie below 0" if m else f"all {n} contain 0" for n, m in said[["n", "below"]].values]
    bracket = plot.base(said.assign(low=0, place=said["place"] - 0.4, end=said["end"] + 0.4))
    plot.draw(bracket.mark_rule(strokeWidth=2, color=BLACK).encode(x2="end:Q", y=alt.value(40)))
    for field, at, how in (("who", 8, SAID), ("words", 26, BOLD)):
        plot.draw(bracket.mark_text(**how, align="left").encode(y=alt.value(at), text=f"{field}:N"))
    about = f"The intervals of {len(shown)} experiments, of which {(~shown['below']).sum()} contain 0."
    return plot.done(title, about, 260, "each line is the interval of one simulated experiment")


def videos(counts: np.ndarray, title: str) -> alt.LayerChart:
    """Show each video as a block of tiles, one per frame; ``counts`` has a row for each of ``OUTCOMES``."""
    kinds = pd.DataFrame(counts.T, columns=list(OUTCOMES))
    each = [np.repeat(list(OUTCOMES), row) for row in kinds.to_numpy()]
    tiles = pd.DataFrame(each).rename_axis("video").reset_index().melt("video", var_name="place", value_name="outcome")
    left, top = 4 * tiles["video"] + tiles["place"] % 3, tiles["place"] // 3
    tiles = tiles.assign(left=left, top=top, right=left + 1, bottom=top + 1).dropna()
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, tiles["right"].max()], nice=False))
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[tiles["bottom"].max(), 0], range=[130, 20], nice=False))
    key = alt.Fill("outcome:N", scale=SCALE, title=None, legend=alt.Legend(symbolType="square"))
    drawn = alt.Chart(tiles).mark_rect(stroke=PAPER, strokeWidth=2).encode(key, x=x, x2="right:Q", y=y, y2="bottom:Q")
    mostly = kinds.idxmax(axis=1).map(WHO_FAILS)
    said = pd.DataFrame({"left": 4 * kinds.index, "words": mostly})[mostly.ne(mostly.shift())]
    words = alt.Chart(said).mark_text(**BOLD, align="left").encode(x=x, y=alt.value(8), text="words:N")
    about = f"Tiles for the frames of {len(kinds)} videos, coloured for who of a person and a network fails."
    under = "a block is a video, a tile a frame; above them, who mostly fails"
    return finish(layer(drawn, words), title, about, 132, subtitle=under)


def leads(seen: pd.DataFrame, draws: pd.DataFrame, title: str) -> alt.LayerChart:
    """Join the EC of two networks in each draw, strong where the first is not ahead, over the intervals of both.

    Below is the lead, the third row, on an axis of its own: its 0 is under the EC of the second network.
    """
    lines = draws.set_axis(["EC", "high"], axis=1).assign(top=32, below=122)
    x, y, _ = _axes([*lines["EC"], *lines["high"]], 216, 1)
    x["axis"]["orient"] = "top"
    colour = alt.when("datum.EC > datum.high").then(alt.value(SILVER)).otherwise(alt.value(BLACK))
    drawn = alt.Chart(lines.round(4)).mark_rule().encode(x, y, x2="high:Q", y2="below:Q", color=colour)
    words, foot = [f"{name} {with_interval(*row)}" for name, *row in seen.itertuples()], seen["EC"].iloc[1]
    ends = seen.add([0, 0, foot], axis=0).assign(top=[32, 122, 184], beside=[12, 142, 204], said=words).round(4)
    at = alt.Chart(ends).encode(x, y)
    points = [
        alt.Chart(rows).mark_point(filled=True, opacity=1, size=200, shape=look.shape, color=look.fill).encode(x, y)
        for rows, look in ((ends[:2], KINDS["model-human"]), (ends[2:], DIFFERENCES[0]))
    ]
    named = at.transform_calculate(top="datum.beside").mark_text(**BOLD).encode(text="said:N")
    marks = layer(drawn, at.mark_rule(strokeWidth=5, color=SLATE).encode(x="low:Q", x2="high:Q"), *points, named)
    own = alt.X("lead:Q", scale=alt.Scale(domain=[end - foot for end in x["scale"]["domain"]], nice=False))
    zero = alt.Chart(pd.DataFrame({"lead": [0], "top": 160, "foot": 216})).mark_rule(strokeWidth=1.5, color=SLATE)
    chart = layer(marks, zero.encode(own, y, y2="foot:Q")).resolve_scale(x="independent")
    return finish(chart, title, f"{' and '.join(words)}.", 216, subtitle="each line is a draw")
