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
BEGUN = 30  # draws, so that a picture of the chart says what it is
HIGH, TILE, DOT = 4, 13, 11  # tiles in a column; pixels of a tile and of a dot
HEAD, FOOT, WALL = 24, 44, 24 + HIGH * TILE + 44  # pixels above and below a wall, and of both with it
SAID: dict[str, Any] = {"fontSize": 13, "color": INK}
BOLD: dict[str, Any] = SAID | {"fontWeight": "bold"}


def cards(title: str, seed: int) -> Table:
    """Show eight cards in a hat, each framed for who of person and network was wrong, and how often a draw has each."""
    kinds = [kind for kind, names in SEEN.items() for _ in names]
    cells = "".join(f'<b style="--n: {kinds.count(kind)}">{WHO_FAILS[kind]}</b>' for kind in SEEN)
    drawn = np.bincount(np.random.default_rng(seed).integers(8, size=8), minlength=8)
    said = []
    for name, times in (("these eight", np.ones(8, int)), ("one draw", drawn)):
        counts = np.array([times[np.array(kinds) == kind].sum() for kind in OUTCOMES])
        said.append(_with_ec(name, counts))
        for kind, card, n in zip(kinds, sum(SEEN.values(), ()), times, strict=True):
            often, never = f' data-n="×{n}"' if n > 1 else "", " never" if n == 0 else ""
            image = picture(f"stimuli/silhouettes/{card}", card[:-1])
            cells += f'<span class="{FRAMES[kind]}{never}"{often}>{image}</span>'
        cells += f"<p>{said[-1]}</p>"
    html = figure(cells, title, "Eight of the 160 cards; above stands who was wrong<br>")
    return Table(html.replace("<div>", '<div class="hat">', 1), "; ".join(said))


def hat(counted: np.ndarray, draws: np.ndarray, ends: Any, title: str, network: str) -> alt.LayerChart:
    """Show pictures as a wall of tiles, by who was wrong, and below it those of a draw; and a dot for each draw so far.

    The four counts are in the order of ``OUTCOMES``, the draws one per row; ``ends`` are the limits that all leave. The
    reader chooses how many draws are shown.
    """
    heap, y, foot = _heap(counted, draws, ends, 2 * WALL)
    rows = [
        wall(counts, _with_ec(f"draw {n}" if n else "counted", counts), WALL * (n > 0), n, network=network)
        for n, counts in enumerate([counted, *draws])
    ]
    shown = alt.Chart(pd.concat(rows).round(3)).transform_filter("!datum.draw || datum.draw === draws").encode(y=y)
    chart = layer(walls(shown), heap).resolve_scale(x="independent")
    chart = chart.add_params(slider("draws", "draws", BEGUN, (1, len(draws)), 1))
    about = f"Tiles for failures on {counted.sum()} pictures and in a draw, and a dot for each of {len(draws)} draws."
    under = "a tile is a picture, coloured for who is wrong; a dot is the EC of a draw; the strong one of this draw"
    return finish(chart, title, about, foot, subtitle=under)


def _with_ec(name: str, counts: np.ndarray) -> str:
    return f"{name}: EC {number(float(kappa(*counts)), 2)}"


def wall(counts: np.ndarray, name: str, top: float, draw: int = 0, **sides: str) -> pd.DataFrame:
    """Put four counts one after the other, with what is written at each; ``sides`` name the person and the network."""
    end = pd.Series(counts, list(OUTCOMES))[list(ALONG_A_WALL)].cumsum().to_numpy()
    size = np.diff(end, prepend=0)
    who = [words.format(**{"person": "the person"} | sides) for words in ALONG_A_WALL.values()]
    said = [f"{n:.{0 if n % 1 == 0 else 1}f} {words}" for n, words in zip(size, who, strict=True)]
    rows = {"begin": end - size, "end": end, "outcome": list(ALONG_A_WALL), "words": said, "draw": draw, "name": name}
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
        left=f"datum.begin / {high}", right=f"datum.end / {high}", top="datum.bottom + 3"
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


def _heap(counted: np.ndarray, draws: np.ndarray, limits: Any, top: float) -> tuple[alt.LayerChart, alt.Y, float]:
    """Draw a dot for each draw so far on the limits that all leave; return the axis down, and its end."""
    heap = pd.DataFrame({"EC": np.round(kappa(*draws.T), 2), "draw": np.arange(len(draws)) + 1})
    foot = top + DOT * (heap["EC"].value_counts().max() + 1)
    heap["top"], end = foot - DOT * (heap.groupby("EC").cumcount() + 0.5), foot + FOOT
    low, high = min(0, heap["EC"].min(), *limits) - 0.02, max(heap["EC"].max(), *limits) + 0.02
    scale, axis = alt.Scale(domain=[low, high], nice=False), alt.Axis(grid=False, orient="bottom")
    x = alt.X("EC:Q", title="EC", scale=scale, axis=axis)
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[end, 0], nice=False))  # a deck makes charts lower
    size = alt.expr(f"pow(min({DOT - 1}, width * {0.01 / (high - low):.5f}), 2)")
    colour = alt.when("datum.draw === draws").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    dot = alt.Chart(heap).transform_filter("datum.draw <= draws").encode(x, y, color=colour, tooltip=["EC"])
    ends = dict(zip(("EC", "end"), map(float, np.round(limits, 4)), strict=True))
    bar = alt.Chart(pd.DataFrame([ends | {"top": foot + 6}])).encode(x, y)
    words = f"95 % of all draws: {' to '.join(number(each, 2) for each in limits)}"
    below = bar.mark_text(**BOLD, align="left", dy=15, text=words)
    marks = [dot.mark_point(filled=True, opacity=1, size=size), below]
    marks.append(bar.mark_rule(strokeWidth=5, color=SLATE).encode(x2="end:Q"))
    for at, words in ((round(float(kappa(*counted)), 4), "counted"), (0, "chance")):
        place = alt.Chart(pd.DataFrame({"EC": [at], "top": top, "foot": foot + 6})).encode(x, y)
        said = place.mark_text(**SAID, align="left", dx=6, dy=4, text=words)
        marks = [place.mark_rule(strokeWidth=2, color=SLATE).encode(y2="foot:Q"), *marks, said]
    return layer(*marks), y, end


def experiments(intervals: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the interval of each experiment, first those without joint errors: filled where it leaves out 0."""
    shown = intervals.assign(seen=intervals["joint_errors"] > 0).sort_values(["seen", "high"])
    shown["held"] = held = (shown["low"] <= 0) & (shown["high"] >= 0)
    shown["place"] = np.arange(len(shown)) + 4 * shown["seen"]  # with a gap between the groups
    x = numbers("place", ends=[-1, len(shown) + 4]) | {"axis": None}
    y = numbers("low", "EC", grid=False, scale={"range": [alt.ExprRef("height"), 50]})
    plot = Plot(shown, x, y, columns=0)
    wide: dict[str, Any] = {"width": alt.expr("min(4, width / 160)"), "strokeWidth": 1}
    fill, stroke = (alt.when("datum.held").then(alt.value(c)).otherwise(alt.value(BLACK)) for c in (PAPER, SLATE))
    plot.draw(plot.base().mark_bar(**wide).encode(y2="high:Q", fill=fill, stroke=stroke)).level(0, color=BLACK)
    groups = shown.assign(missed=~held).groupby("seen", as_index=False)
    said = groups.agg(place=("place", "min"), end=("place", "max"), n=("place", "size"), missed=("missed", "sum"))
    said["who"] = np.where(said["seen"], "one or more seen", "no joint error seen")
    missed = "{0.missed} of {0.n} leave out 0".format
    said["words"] = [missed(row) if row.missed else f"all {row.n} contain 0" for row in said.itertuples()]
    bracket = plot.base(said)
    plot.draw(bracket.mark_rule(strokeWidth=2, color=BLACK).encode(x2="end:Q", y=alt.value(40)))
    for field, at, how in (("who", 8, SAID), ("words", 26, BOLD)):
        plot.draw(bracket.mark_text(**how, align="left").encode(y=alt.value(at), text=f"{field}:N"))
    about = f"Intervals, of which {held.sum()} of {len(held)} contain 0."
    return plot.done(title, about, 280, "a bar: the interval of one experiment, filled where it leaves out 0")


def videos(counts: np.ndarray, title: str) -> alt.LayerChart:
    """Show each video as a block of tiles, one per frame; ``counts`` has a row for each of ``OUTCOMES``."""
    kinds = pd.DataFrame(counts.T, columns=list(OUTCOMES))[list(ALONG_A_WALL)]
    each = [np.repeat(list(ALONG_A_WALL), row) for row in kinds.to_numpy()]
    tiles = pd.DataFrame(each).rename_axis("video").reset_index().melt("video", var_name="place", value_name="outcome")
    left, top = 6 * tiles["video"] + tiles["place"] % 5, tiles["place"] // 5
    tiles = tiles.assign(left=left, top=top, right=left + 1, bottom=top + 1).dropna()
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, tiles["right"].max()], nice=False))
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[tiles["bottom"].max(), 0], range=[98, 20], nice=False))
    drawn = alt.Chart(tiles).mark_rect(stroke=PAPER, strokeWidth=1).encode(FILL, x=x, x2="right:Q", y=y, y2="bottom:Q")
    mostly = kinds.idxmax(axis=1).map(WHO_FAILS)
    said = pd.DataFrame({"left": 6 * kinds.index, "words": mostly})[mostly.ne(mostly.shift())]
    words = alt.Chart(said).mark_text(**BOLD, align="left").encode(x=x, y=alt.value(8), text="words:N")
    about = f"Tiles for the frames of {len(kinds)} videos, coloured for who of a person and a network fails."
    under = "a block is a video, a tile a frame; above stands who mostly fails"
    return finish(layer(drawn, words), title, about, 100, subtitle=under)


def other_hats(found: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw an interval for each kind of cards."""
    plot, about = _rows(found, dict.fromkeys(found.index, KINDS["model-human"]), "EC")
    return plot.done(title, about, 52 * len(found), "what a card is, and how many there are; hollow: contains 0")


def paired(seen: pd.Series, drawn: pd.DataFrame, limits: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of two networks with one person, and below it by how much the first leads, each a row with its name.

    The first two entries of ``seen`` are the networks, the others are their difference, drawn in two ways; so are the
    columns of ``drawn`` and of ``limits``, whose rows are the lower and the upper ones.
    """
    networks, apart = list(seen.index[:2]), list(seen.index[2:])
    found = pd.DataFrame({"EC": seen, "low": limits.iloc[0], "high": limits.iloc[1]})
    looks = {**dict.fromkeys(networks, KINDS["model-human"]), **dict.fromkeys(apart, Look(BLACK, "diamond"))}
    plot, about = _rows(found, looks, f"EC with the person, and the lead of {networks[0]}")
    ticks = plot.base(drawn.melt(var_name="what", value_name="EC")).mark_tick(color=SILVER, thickness=1, height=16)
    plot.layers.insert(0, ticks)
    return plot.done(title, about, 260, "a tick is a draw of 160 pictures; a bar is a 95 % interval")


def _rows(found: pd.DataFrame, looks: dict[str, Look], title: str) -> tuple[Plot, str]:
    """Draw a value and its interval per row, hollow if it contains 0, with its name above."""
    found = found.rename_axis("what").reset_index()
    found["words"] = [with_interval(*row) for row in found[["EC", "low", "high"]].to_numpy()]
    y = names("what", list(found["what"])) | {"axis": None}
    plot = Plot(found, numbers("EC", title, grid=False), y, look=("what", looks), columns=0)
    plot.level(0, color=BLACK).spans(color=SLATE, strokeWidth=5).points(200)
    unsure = found[(found["low"] <= 0) & (found["high"] >= 0)]
    for row, name in enumerate(unsure["what"]):
        plot.points(80, unsure.iloc[[row]], color=PAPER, shape=looks[name].shape)
    left: dict[str, Any] = {"align": "left", "dx": 8}
    ends = ("what", left, alt.datum(0)), ("words", {"align": "right"}, alt.value("width"))
    for field, side, x in ends:
        plot.draw(plot.base(found).mark_text(**BOLD | side, dy=-20).encode(x=x, text=f"{field}:N"))
    return plot, f"{'; '.join(found['what'] + ' ' + found['words'])}."
