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
from erralign_book.charts.pictures import address_of, figure, picture, webp
from erralign_book.sources.photograph import cat

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
SOME = "datum.outcome !== 'both right'"  # of many draws only those tiles that differ
BEGUN = 30  # draws, so that a picture of the chart says what it is
HIGH, TILE, DOT, ICON = 4, 13, 11, 26  # tiles in a column; pixels of a tile, of a dot, and of what is on a card
HEAD, FOOT, WALL = 24, 44, 24 + HIGH * TILE + 44  # pixels above and below a wall, and of both with it
SAID: dict[str, Any] = {"fontSize": 13, "color": INK}
BOLD: dict[str, Any] = SAID | {"fontWeight": "bold"}


def cards(title: str, seed: int) -> Table:
    """Show eight cards in a hat, and eight drawn from it, each in a frame for who of person and network was wrong."""
    kinds = [kind for kind, names in SEEN.items() for _ in names]
    framed = [
        f'<span class="{FRAMES[kind]}">{picture(f"stimuli/silhouettes/{name}", name[:-1])}</span>'
        for kind, name in zip(kinds, sum(SEEN.values(), ()), strict=True)
    ]
    cells = "".join(f'<b style="--n: {kinds.count(kind)}">{FRAMES[kind] or "neither"}</b>' for kind in SEEN)
    cells = cells.replace("people", "person").replace("machines", "network")
    draws = {"these eight": range(8), "one draw": np.sort(np.random.default_rng(seed).integers(8, size=8))}
    said = []
    for name, places in draws.items():
        drawn = [kinds[place] for place in places]
        said.append(_with_ec(name, np.array([drawn.count(kind) for kind in OUTCOMES])))
        cells += f"{''.join(framed[place] for place in places)}<p>{said[-1]}</p>"
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
    chart = layer(walls(shown, tiled=SOME), heap).resolve_scale(x="independent")
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


def walls(shown: alt.Chart, high: int = HIGH, tiled: str = "true") -> alt.LayerChart:
    """Draw a tile for each picture that is ``tiled``, so many in a column."""
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, shown.data["end"].max() / high], nice=False))
    tile, right = HIGH * TILE / high, alt.value("width")
    under_all = shown.mark_rect(color=PALE).encode(x=alt.value(0), x2=right, y2="bottom:Q")
    tiles = shown.transform_filter(tiled).transform_calculate(
        tile="sequence(datum.begin, datum.end)", of_wall="datum.top"
    )
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
    """Draw the interval of each experiment, by joint errors: filled where it leaves out 0, the true value."""
    held = (intervals["low"] <= 0) & (intervals["high"] >= 0)
    place = 2 * intervals["joint_errors"].rank(method="dense") + np.arange(len(intervals))  # with a gap between groups
    shown = intervals.assign(place=place, held=held)
    x = numbers("place", ends=[place.min() - 1, place.max() + 1]) | {"axis": None}
    plot = Plot(shown, x, numbers("low", "EC", grid=False), columns=0)
    wide: dict[str, Any] = {"width": alt.expr("min(4, width / 160)"), "strokeWidth": 1}
    for rows, fill, line, words in ((shown[held], PAPER, SLATE, "contain"), (shown[~held], BLACK, BLACK, "leave out")):
        plot.draw(plot.base(rows).mark_bar(**wide, fill=fill, stroke=line).encode(y2="high:Q"))
        first = rows.nsmallest(1, "place").assign(low=shown["low"].min(), words=f"{len(rows)} {words} 0")
        plot.words("words", first, align="left", dx=-2, dy=16, **BOLD)
    plot.level(0, color=BLACK)
    groups = shown.groupby("joint_errors", as_index=False)["place"].min().assign(low=shown["high"].max())
    groups["words"] = groups["joint_errors"].astype(str).replace({"0": "0 joint errors seen", "1": "1 joint error"})
    plot.words("words", groups, align="left", dx=-2, dy=-14, **SAID)
    return plot.done(
        title,
        f"Intervals, of which {held.sum()} of {len(held)} contain 0.",
        260,
        "a bar is the interval of one experiment; 0 is the true value",
    )


def other_hats(found: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw an interval for each of five kinds of cards: a picture, a person, a network, a frame, and a whole video."""
    shape, frame = f"stimuli/silhouettes/{SEEN['both right'][0]}", cat()[::8, ::8]
    icons = [address_of(shape), "", "", webp(frame), webp(np.hstack([frame, frame]))]
    found = found.assign(icon=icons, room=ICON + 6)
    found.loc[found.index[-1], "room"] += ICON
    plot, about = _rows(found, dict.fromkeys(found.index, KINDS["model-human"]), "EC")
    beside: dict[str, Any] = {"xOffset": 8, "yOffset": -20, "align": "left", "baseline": "middle", "height": ICON}
    for row in (0, 3, 4):
        each = plot.table.iloc[[row]]
        drawn = plot.base(each).mark_image(**beside, width=float(each["room"].iloc[0]) - 6)
        plot.draw(drawn.encode(x=alt.datum(0), url="icon:N"))
    for row, look in ((1, KINDS["human-human"]), (2, KINDS["model-model"])):
        dot: dict[str, Any] = {"color": look.colour, "shape": look.shape, "xOffset": 8 + ICON / 2, "yOffset": -20}
        mark = plot.base(plot.table.iloc[[row]]).mark_point(filled=True, opacity=1, size=260, **dot)
        plot.draw(mark.encode(x=alt.datum(0)))
    under = "what each card is, and the 95 % interval; the mark is hollow where it contains 0"
    return plot.done(title, about, 52 * len(found), under)


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
    """Draw a value and its interval per row, hollow if it contains 0, with its name above, ``room`` pixels from 0."""
    found = found.rename_axis("what").reset_index()
    found["words"] = [with_interval(*row) for row in found[["EC", "low", "high"]].to_numpy()]
    y = names("what", list(found["what"])) | {"axis": None}
    plot = Plot(found, numbers("EC", title, grid=False), y, look=("what", looks), columns=0)
    plot.level(0, color=BLACK).spans(color=SLATE, strokeWidth=5).points(200)
    unsure = found[(found["low"] <= 0) & (found["high"] >= 0)]
    for row, name in enumerate(unsure["what"]):
        plot.points(80, unsure.iloc[[row]], color=PAPER, shape=looks[name].shape)
    left: dict[str, Any] = {"align": "left", "dx": alt.expr("8 + (datum.room || 0)")}
    ends = ("what", left, alt.datum(0)), ("words", {"align": "right"}, alt.value("width"))
    for field, side, x in ends:
        plot.draw(plot.base(found).mark_text(**BOLD | side, dy=-20).encode(x=x, text=f"{field}:N"))
    return plot, f"{'; '.join(found['what'] + ' ' + found['words'])}."
