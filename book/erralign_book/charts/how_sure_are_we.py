"""Charts of the chapter on uncertainty: draws from a hat, the intervals that they leave, and what these promise."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE, PAPER, SILVER, SLATE
from erralign.plot.grammar import Plot, finish, layer, names, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS, Look, halves, number, with_interval
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import BOTH
from erralign_book.charts.pictures import figure, picture

OUTCOMES: dict[str, Any] = {
    "both wrong": halves(BOTH),
    "only the person": ORANGE,
    "only the network": BLUE,
    "both right": PALE,
}
SCALE = alt.Scale(domain=list(OUTCOMES), range=list(OUTCOMES.values()))
FILL = alt.Fill("outcome:N", scale=SCALE, legend=None)
ALONG_A_WALL = {
    "only the person": "only {person}",
    "both wrong": "both",
    "only the network": "only {network}",
    "both right": "neither",
}
# Eight of the 160 pictures, by who was wrong.
SEEN = {
    "only the person": ("cat8",),
    "both wrong": ("truck3", "dog6"),
    "only the network": ("car9", "bird3"),
    "both right": ("elephant2", "chair8", "bicycle2"),
}
FRAMES = dict(zip(SEEN, ("people", "both", "machines", ""), strict=True))
WHO_FAILS = dict(zip(SEEN, ("person", "both", "network", "neither"), strict=True))
HIGH, TILE, DOT = 4, 13, 11  # tiles in a column; pixels of a tile and of a dot
ROW = 60  # pixels, of an interval with its name
HEAD, FOOT, WALL = 24, 44, 24 + HIGH * TILE + 44  # pixels above and below a wall, and of both with it
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
        cells += f"<p>{said[-1]}</p>"
    html = figure(cells, title, "Eight of the 160 cards; the heading says who was wrong<br>")
    return Table(html.replace("<div>", '<div class="hat">', 1), "; ".join(said))


def hat(counted: np.ndarray, draws: np.ndarray, limits: Any, title: str) -> alt.LayerChart:
    """Show a dot for the EC of each draw so far, and once there are enough of them the limits that all leave.

    The four counts are in the order of ``OUTCOMES``, the draws one per row. The reader chooses how many are shown.
    """
    heap = pd.DataFrame({"EC": np.round(kappa(*draws.T), 2), "draw": np.arange(len(draws)) + 1})
    heap["said"] = [_with_ec(f"draw {n}", counts) for n, counts in enumerate(draws, 1)]
    foot, seen = DOT * (heap["EC"].value_counts().max() + 2), round(float(kappa(*counted)), 4)
    heap["top"], end = foot - DOT * (heap.groupby("EC").cumcount() + 0.5), foot + FOOT
    low, high = min(0, heap["EC"].min(), *limits) - 0.02, max(heap["EC"].max(), *limits) + 0.02
    scale, axis = alt.Scale(domain=[low, high], nice=False), alt.Axis(grid=False, orient="bottom")
    x = alt.X("EC:Q", title="EC", scale=scale, axis=axis)
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[end, 0], nice=False))  # a deck makes charts lower
    size = alt.expr(f"pow(min({DOT - 1}, width * {0.01 / (high - low):.5f}), 2)")
    colour = alt.when("datum.draw === draws").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    dot = alt.Chart(heap).transform_filter("datum.draw <= draws").encode(x, y, color=colour, tooltip=["EC"])
    now = alt.Chart(heap).transform_filter("datum.draw === draws").encode(x=alt.datum(seen), text="said:N")
    ends = dict(zip(("EC", "end"), map(float, np.round(limits, 4)), strict=True))
    bar = alt.Chart(pd.DataFrame([ends | {"top": foot + 6}])).transform_filter("draws > 39").encode(x, y)
    words = f"95 % of all draws: {' to '.join(number(each, 2) for each in limits)}"
    marks = [dot.mark_point(filled=True, opacity=1, size=size), now.mark_text(**BOLD, align="right", dx=-8, y=4)]
    marks.append(bar.mark_text(**BOLD, align="left", dy=15, text=words))
    marks.append(bar.mark_rule(strokeWidth=5, color=SLATE).encode(x2="end:Q"))
    for at, words, wide in ((seen, "counted", 4), (0, "chance", 1.5)):
        place = alt.Chart(pd.DataFrame({"EC": [at], "top": 0, "foot": foot + 6})).encode(x, y)
        said = place.mark_text(**SAID, align="left", dx=6, dy=4, text=words)
        marks = [place.mark_rule(strokeWidth=wide, color=SLATE).encode(y2="foot:Q"), *marks, said]
    chart = layer(*marks).add_params(slider("draws", "draws", 60, (1, len(draws)), 1))
    about = f"A dot for the EC of each of {len(draws)} draws."
    return finish(chart, title, about, end, subtitle="a dot is a draw; the strong one is the last")


def _with_ec(name: str, counts: np.ndarray) -> str:
    return f"{name}: EC {number(float(kappa(*counts)), 2)}"


def wall(counts: np.ndarray, name: str, top: float, **sides: str) -> pd.DataFrame:
    """Put four counts one after the other, with what is written at each; ``sides`` name the person and the network."""
    end = pd.Series(counts, list(OUTCOMES))[list(ALONG_A_WALL)].cumsum().to_numpy()
    size = np.diff(end, prepend=0)
    who = [words.format(**sides) for words in ALONG_A_WALL.values()]
    said = [f"{n:.{0 if n % 1 == 0 else 1}f} {words}" for n, words in zip(size, who, strict=True)]
    rows = {"begin": end - size, "end": end, "outcome": list(ALONG_A_WALL), "words": said, "name": name}
    return pd.DataFrame(rows | {"top": top + HEAD, "bottom": top + HEAD + HIGH * TILE})


def walls(shown: alt.Chart, high: int = HIGH) -> alt.LayerChart:
    """Draw a tile for each picture, so many in a column."""
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, shown.data["end"].max() / high], nice=False))
    tile, right = HIGH * TILE / high, alt.value("width")
    under_all = shown.mark_rect(color=PALE).encode(x=alt.value(0), x2=right, y2="bottom:Q")
    tiles = shown.transform_calculate(tile="sequence(datum.begin, datum.end)", of_wall="datum.top")
    tiles = tiles.transform_flatten(["tile"]).transform_calculate(
        left=f"floor(datum.tile / {high})",
        right="datum.left + 1",
        top=f"datum.of_wall + {tile} * (datum.tile % {high})",
        bottom=f"datum.top + {tile}",
    )
    joint = shown.transform_filter("datum.outcome === 'both wrong'").transform_calculate(
        left=f"floor(datum.begin / {high})", right=f"ceil((datum.end - 1) / {high})", top="datum.bottom + 3"
    )
    bar = joint.mark_rule(strokeWidth=3, color=BLACK).encode(x=x, x2="right:Q")
    rects = tiles.mark_rect(stroke=PAPER, strokeWidth=1.5).encode(FILL, x=x, x2="right:Q", y2="bottom:Q")
    marks: list[Any] = [under_all, rects, bar]
    placed = shown.transform_calculate(left=f"datum[datum.outcome === 'both wrong' ? 'end' : 'begin'] / {high}")
    over, under = -10, HIGH * TILE + 14
    for outcome, words, at, how in (
        ("only the person", "words:N", x, {"align": "left", "dy": over}),
        ("both wrong", "words:N", x, {"align": "right", "dx": -3, "dy": under, "fontWeight": "bold"}),
        ("only the network", "words:N", x, {"align": "left", "dx": 3, "dy": under}),
        ("both right", "words:N", right, {"align": "right", "dy": under}),
        ("both right", "name:N", right, {"align": "right", "dy": over, "fontWeight": "bold"}),
    ):
        rows = placed.transform_filter(f"datum.outcome === '{outcome}'")
        marks.append(rows.mark_text(**SAID | how).encode(x=at, text=words))
    return layer(*marks)


def experiments(intervals: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the interval of each experiment, first those without joint errors: black where it lies below 0."""
    shown = intervals.assign(seen=intervals["joint_errors"] > 0, below=intervals["high"] < 0)
    shown = shown.sort_values(["seen", "below", "high"], ascending=[True, False, True])
    shown["place"] = np.arange(len(shown)) + 3 * shown["seen"]  # with a gap between
    columns = shown["place"].max() + 1
    x, y = numbers("place", ends=[-1, columns]), numbers("low", "EC", grid=False, ends=[-0.15, 0.75])
    plot = Plot(shown, x | {"axis": None}, y, columns=0)
    plot.draw(
        plot.base(shown[["place"]][:1].assign(low=0))
        .mark_rule(strokeWidth=1.5, color=BLACK)
        .encode(x=alt.value(0), x2=alt.value("width"))
    )
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
    left, top = 6 * tiles["video"] + tiles["place"] % 5, tiles["place"] // 5
    tiles = tiles.assign(left=left, top=top, right=left + 1, bottom=top + 1).dropna()
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, tiles["right"].max()], nice=False))
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[tiles["bottom"].max(), 0], range=[98, 20], nice=False))
    key = alt.Fill("outcome:N", scale=SCALE, title=None, legend=alt.Legend(symbolType="square"))
    drawn = alt.Chart(tiles).mark_rect(stroke=PAPER, strokeWidth=1).encode(key, x=x, x2="right:Q", y=y, y2="bottom:Q")
    mostly = kinds.idxmax(axis=1).map(WHO_FAILS)
    said = pd.DataFrame({"left": 6 * kinds.index, "words": mostly})[mostly.ne(mostly.shift())]
    words = alt.Chart(said).mark_text(**BOLD, align="left").encode(x=x, y=alt.value(8), text="words:N")
    about = f"Tiles for the frames of {len(kinds)} videos, coloured for who of a person and a network fails."
    under = "a block is a video, a tile a frame; the heading says who mostly fails"
    return finish(layer(drawn, words), title, about, 100, subtitle=under)


def other_hats(found: pd.DataFrame, title: str, lead: str = "") -> alt.LayerChart:
    """Draw an interval for each kind of cards, hollow if it contains 0: of an EC, or of the lead that is named."""
    look = Look(BLACK, "diamond") if lead else KINDS["model-human"]
    found = found.rename_axis("what").reset_index()
    found["words"] = [with_interval(*row) for row in found[["EC", "low", "high"]].to_numpy()]
    y = names("what", list(found["what"])) | {"axis": None}
    plot = Plot(
        found, numbers("EC", lead or "EC", grid=False), y, look=("what", dict.fromkeys(found["what"], look)), columns=0
    )
    plot.draw(plot.base(found.assign(EC=0)).mark_tick(color=BLACK, thickness=1.5, height=ROW))
    plot.spans(color=SLATE, strokeWidth=5).points(200)
    if len(unsure := found[(found["low"] <= 0) & (found["high"] >= 0)]):
        plot.points(80, unsure, color=PAPER, shape=look.shape)
        plot.draw(plot.base(unsure).mark_text(**SAID, dy=18, text="contains 0"))
    words = plot.base(found).mark_text(**BOLD, align="left", dx=8, dy=-20).encode(x=alt.datum(0), text="what:N")
    values = plot.base(found).mark_text(**BOLD, align="right", dy=-20).encode(x=alt.value("width"), text="words:N")
    about = f"{'; '.join(found['what'] + ' ' + found['words'])}."
    rows = plot.draw(words, values).drawn()
    return finish(rows, title, about, ROW * len(found))
