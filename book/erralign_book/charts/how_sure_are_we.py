"""Charts of the chapter on uncertainty: draws from a hat, the intervals that they leave, and what these promise."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE, PAPER, SILVER, SLATE
from erralign.plot.grammar import Plot, finish, layer, names, numbers
from erralign.plot.theme import KINDS, Look, halves
from erralign.plot.words import number, with_interval
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import BOTH, HELD

OUTCOMES: dict[str, Any] = {
    "both wrong": halves(BOTH),
    "only the person": ORANGE,
    "only the network": BLUE,
    "both right": PALE,
}
FILL, ON_IT = (
    kind("outcome:N", scale=alt.Scale(domain=list(OUTCOMES), range=colours), legend=None)
    for kind, colours in ((alt.Fill, [*OUTCOMES.values()]), (alt.Color, [PAPER] * 3 + [INK]))
)
ALONG_A_WALL = {
    "only the person": "only {person}",
    "both wrong": "both",
    "only the network": "only {network}",
    "both right": "neither",
}
SOME = "datum.outcome !== 'both right'"  # of many draws only those tiles that differ
BEGUN = 30  # draws, so that a picture of the chart says what it is
HIGH, TILE, DOT = 4, 13, 11  # tiles in a column; pixels of a tile and of a dot
HEAD, FOOT, WALL = 24, 44, 24 + HIGH * TILE + 44  # pixels above and below a wall, and of both with it
SAID: dict[str, Any] = {"fontSize": 13, "color": INK}
BOLD: dict[str, Any] = SAID | {"fontWeight": "bold"}


def hat(counted: np.ndarray, draws: np.ndarray, ends: Any, title: str, network: str) -> alt.LayerChart:
    """Show pictures as a wall of tiles, by who was wrong, and below it those of a draw; and a dot for each draw so far.

    The four counts are in the order of ``OUTCOMES``, the draws one per row; ``ends`` are the limits that all leave. The
    reader chooses how many draws are shown.
    """
    heaps, y, foot = _heaps(counted, {"": (draws, ends)}, 2 * WALL, "datum.draw === draws")
    rows = [
        wall(counts, _with_ec(f"draw {n}" if n else "counted", counts), WALL * (n > 0), n, network=network)
        for n, counts in enumerate([counted, *draws])
    ]
    shown = alt.Chart(pd.concat(rows).round(3)).transform_filter("!datum.draw || datum.draw === draws").encode(y=y)
    chart = layer(walls(shown, tiled=SOME), heaps).resolve_scale(x="independent")
    chart = chart.add_params(slider("draws", "draws", BEGUN, (1, len(draws)), 1))
    about = f"Tiles for failures on {counted.sum()} pictures and in a draw, and a dot for each of {len(draws)} draws."
    under = "a tile is a picture, coloured for who is wrong; a dot is the EC of a draw; the strong one of this draw"
    return finish(chart, title, about, foot, subtitle=under)


def half_cards(counted: np.ndarray, drawn: dict[str, tuple[np.ndarray, Any]], title: str, network: str) -> Any:
    """Show a hat, half a card more of each kind, and on one axis the draws of each hat, as a heap of dots."""
    heaps, y, foot = _heaps(counted, drawn, WALL + 3 * TILE, "datum.EC > 0")
    more = pd.DataFrame({"outcome": list(ALONG_A_WALL), "top": WALL, "end": WALL + TILE / 2})
    more["left"] = more.index * counted.sum() / HIGH / len(more)
    more["words"] = [f"+ ½ {name or network}" for name in ("person", "both", "", "neither")]
    cards = alt.Chart(more).transform_calculate(right="datum.left + 1").encode(alt.X("left:Q", axis=None), y)
    half = cards.mark_rect().encode(FILL, x2="right:Q", y2="end:Q")
    words = cards.mark_text(**SAID, align="left", dx=4, dy=4).encode(alt.X("right:Q"), text="words:N")
    shown = alt.Chart(wall(counted, _with_ec("in the hat", counted), 0, network=network)).encode(y=y)
    chart = (
        layer(layer(walls(shown, tiled=SOME), half, words), heaps)
        .resolve_scale(x="independent")
        .add_params(alt.param(name="draws", value=100))
    )
    about = f"Tiles for failures on {counted.sum()} pictures, and a heap of dots for each of two hats."
    under = "a dot is the EC of a draw, black above 0; bars: 95 % intervals; + ½: half a card more"
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


def walls(shown: alt.Chart, high: int = HIGH, tiled: str = "true") -> alt.LayerChart:
    """Draw a tile for each picture that is ``tiled``, so many in a column; of a count that is not whole, a part."""
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, shown.data["end"].max() / high], nice=False))
    tile, right = HIGH * TILE / high, alt.value("width")
    under_all = shown.mark_rect(color=PALE).encode(x=alt.value(0), x2=right, y2="bottom:Q")
    tiles = shown.transform_filter(tiled).transform_calculate(
        tile="sequence(floor(datum.begin), ceil(datum.end))", of_wall="datum.top"
    )
    tiles = tiles.transform_flatten(["tile"]).transform_calculate(
        left=f"floor(datum.tile / {high})",
        right="datum.left + 1",
        over=f"datum.of_wall + {tile} * (datum.tile % {high})",
        top=f"datum.over + {tile} * max(0, datum.begin - datum.tile)",
        bottom=f"datum.over + {tile} * min(1, datum.end - datum.tile)",
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


def _heaps(
    counted: np.ndarray, drawn: dict[str, tuple[np.ndarray, Any]], top: float, strong: str
) -> tuple[alt.LayerChart, alt.Y, float]:
    """Draw a dot for each draw so far on the limits that all leave; return the axis down, and its end."""
    heaps, rows, up = [], [], top
    for name, (draws, limits) in drawn.items():
        heap = pd.DataFrame({"EC": np.round(kappa(*draws.T), 2), "draw": np.arange(len(draws)) + 1})
        level, foot = heap.groupby("EC").cumcount(), top + DOT * (heap["EC"].value_counts().max() + 1)
        heaps.append(heap.assign(top=foot - DOT * (level + 0.5)))
        words = f"{name}|{' to '.join(number(end, 2) for end in limits)}".strip("|")
        rows.append((*limits, max(0, limits[0]), foot + 6, words))
        top = foot + FOOT
    dots, ends = pd.concat(heaps), pd.DataFrame(rows, columns=["low", "high", "EC", "top", "words"]).round(4)
    every = np.concatenate([[0], dots["EC"], ends["low"], ends["high"]])
    low, high = every.min() - 0.02, every.max() + 0.02
    scale, axis = alt.Scale(domain=[low, high], nice=False), alt.Axis(grid=False, orient="bottom")
    x = alt.X("EC:Q", title="EC", scale=scale, axis=axis)
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[top, 0], nice=False))  # a deck makes charts lower
    size = alt.expr(f"pow(min({DOT - 1}, width * {0.01 / (high - low):.5f}), 2)")
    colour = alt.when(strong).then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    dot = alt.Chart(dots).transform_filter("datum.draw <= draws").encode(x, y, color=colour, tooltip=["EC"])
    limits = alt.Chart(ends).encode(y=y)
    bar = limits.mark_rule(strokeWidth=5, color=SLATE).encode(alt.X("low:Q", title="EC", scale=scale), x2="high:Q")
    below = limits.mark_text(**BOLD, align="left", dx=8, dy=15, lineBreak="|").encode(x, text="words:N")
    marks = [dot.mark_point(filled=True, opacity=1, size=size), bar, below]
    value = round(float(kappa(*counted)), 4)
    for at, foot, dx, dy, text in (
        (value, ends["top"].min(), -2, -14, f"counted: {number(value, 2)}"),
        (0, ends["top"].max(), 8, 0, "more alike than chance →"),
    ):
        place = alt.Chart(pd.DataFrame({"EC": [at], "top": up, "foot": foot})).encode(x, y)
        words = place.mark_text(**SAID, align="left", dx=dx, dy=dy, text=text)
        marks = [place.mark_rule(strokeWidth=2, color=SLATE).encode(y2="foot:Q"), *marks, words]
    return layer(*marks), y, top


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the interval of each experiment, by joint errors; those that miss the truth are strong."""
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(outcome=np.where(held, *HELD))
    place = 2 * shown["joint_errors"].rank(method="dense") + np.arange(len(shown))  # with a gap between groups
    groups = shown.assign(place=place).groupby("joint_errors")["place"].min().reset_index()
    groups["words"] = groups["joint_errors"].astype(str).replace("0", "0 joint errors seen")
    x = numbers("place", ends=[place.min() - 1, place.max() + 1]) | {"axis": None}
    plot = Plot(shown.assign(place=place), x, numbers("low", "EC", grid=False), look=("outcome", HELD), columns=0)
    plot.spans(strokeWidth=alt.expr("min(5, width / 150)")).level(truth, color=BLACK)
    plot.words("words", groups.assign(low=shown["high"].max()), align="left", dx=-2, dy=-14, **SAID)
    under = f"{held.sum()} of {len(held)} intervals contain the true value, {truth:g}; the black ones miss it"
    return plot.done(title, f"Intervals, of which {held.sum()} of {len(held)} contain {truth:g}.", 260, under)


def paired(seen: pd.Series, drawn: pd.DataFrame, limits: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of two networks with one person, and below it by how much the first leads, each a row with its name.

    The first two entries of ``seen`` are the networks, the others are their difference, drawn in two ways; so are the
    columns of ``drawn`` and of ``limits``, whose rows are the lower and the upper ones.
    """
    networks, apart = list(seen.index[:2]), list(seen.index[2:])
    found = pd.DataFrame({"EC": seen, "low": limits.iloc[0], "high": limits.iloc[1]}).rename_axis("what").reset_index()
    found["words"] = [with_interval(*row) for row in found[["EC", "low", "high"]].to_numpy()]
    looks = {**dict.fromkeys(networks, KINDS["model-human"]), **dict.fromkeys(apart, Look(BLACK, "diamond"))}
    y = names("what", list(seen.index)) | {"axis": None}
    plot = Plot(
        found,
        numbers("EC", f"EC with the person, and the lead of {networks[0]}", grid=False),
        y,
        look=("what", looks),
        columns=0,
    )
    ticks = plot.base(drawn.melt(var_name="what", value_name="EC")).mark_tick(color=SILVER, thickness=1, height=16)
    plot.draw(ticks).level(0, color=BLACK).spans(color=SLATE, strokeWidth=5).points(200)
    unsure = found[found["what"].isin(apart) & (found["low"] <= 0) & (found["high"] >= 0)]
    plot.points(80, unsure, color=PAPER, shape="diamond")
    sides: dict[str, dict[str, Any]] = {"what": {"align": "left"}, "words": {"align": "right"}}
    for (field, side), x in zip(sides.items(), (alt.datum(0), alt.value("width")), strict=True):
        plot.draw(plot.base(found).mark_text(**BOLD | side, dx=8, dy=-20).encode(x=x, text=f"{field}:N"))
    about = f"{'; '.join(found['what'] + ' ' + found['words'])}."
    return plot.done(title, about, 260, "a tick is a draw of 160 pictures; a bar is a 95 % interval")
