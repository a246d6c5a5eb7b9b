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
    "only the person": "only the person",
    "both wrong": "both",
    "only the network": "",
    "both right": "neither",
}
BEGUN = 30  # draws, so that a picture of the chart says what it is
HIGH, TILE, DOT = 4, 13, 11  # tiles in a column; pixels of a tile and of a dot
HEAD, FOOT, WALL = 24, 44, 24 + HIGH * TILE + 44  # pixels above and below a wall, and of both with it
SAID: dict[str, Any] = {"fontSize": 13, "color": INK}
BOLD: dict[str, Any] = SAID | {"fontWeight": "bold"}


def hats(counted: np.ndarray, drawn: dict[str, tuple[np.ndarray, Any]], title: str, network: str) -> alt.LayerChart:
    """Show pictures as a wall of tiles, by who was wrong; and for each hat a draw, and a heap of dots of all so far.

    The four counts are in the order of ``OUTCOMES``. Each hat has its draws, one per row, and the limits that all of
    them leave; the reader chooses how many draws are shown.
    """
    values = {name: kappa(*draws.T) for name, (draws, _) in drawn.items()}
    every = np.concatenate([[0], *values.values(), *(limits for _, limits in drawn.values())])
    step = 0.01 if np.ptp(every) > 0.4 else 0.005
    walls = [_wall(counted, "counted", 0, 0, network)]
    top, heaps, limits = WALL, [], []
    for name, (draws, ends) in drawn.items():
        walls += [_wall(counts, f"draw {n}{name}", n, top, network) for n, counts in enumerate(draws, 1)]
        heap = pd.DataFrame({"EC": np.round(values[name] / step) * step}).round(4)
        level, foot = heap.groupby("EC").cumcount(), top + WALL + DOT * (heap["EC"].value_counts().max() + 1)
        heaps.append(heap.assign(draw=heap.index + 1, top=foot - DOT * (level + 0.5)))
        words = " to ".join(number(end, 2) for end in ends)
        limits.append((*ends, np.mean(ends), foot + 6, top + WALL - 8, words))
        top = foot + FOOT
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[top, 0], nice=False))  # a deck makes charts lower
    across = alt.Scale(domain=[every.min() - 2 * step, every.max() + 2 * step], nice=False)
    below = pd.DataFrame(limits, columns=["low", "high", "EC", "top", "up", "words"]).round(4)
    chart = layer(_walls(pd.concat(walls).round(3), y), _heaps(pd.concat(heaps), below, across, y, step))
    chart = chart.resolve_scale(x="independent").add_params(slider("draws", "draws", BEGUN, (1, len(heap)), 1))
    about = f"Tiles for failures on {counted.sum()} pictures and in a draw, and a dot for each of {len(heap)} draws."
    under = "a tile is a picture, coloured for who is wrong; a dot is the EC of a draw; the strong one of this draw"
    return finish(chart, title, about, top, subtitle=under)


def _wall(counts: np.ndarray, name: str, draw: int, top: float, network: str) -> pd.DataFrame:
    """Put four counts one after the other, with what is written at each."""
    end = pd.Series(counts, list(OUTCOMES))[list(ALONG_A_WALL)].cumsum().to_numpy()
    size = np.diff(end, prepend=0)
    who = [words or f"only {network}" for words in ALONG_A_WALL.values()]
    said = [f"{n:.{0 if n % 1 == 0 else 1}f} {words}" for n, words in zip(size, who, strict=True)]
    rows = {"begin": end - size, "end": end, "outcome": list(ALONG_A_WALL), "words": said, "draw": draw}
    return pd.DataFrame(rows | {"top": top + HEAD, "name": f"{name}: EC {number(float(kappa(*counts)), 2)}"})


def _walls(walls: pd.DataFrame, y: alt.Y) -> alt.LayerChart:
    """Draw a tile for each failure, column by column, on what both named; of a count that is not whole, a part."""
    shown = alt.Chart(walls).transform_filter("!datum.draw || datum.draw === draws").encode(y=y)
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, walls["end"].max() / HIGH], nice=False))
    block = shown.transform_filter("datum.outcome === 'both right'").transform_calculate(
        bottom=f"datum.top + {HIGH * TILE}"
    )
    under_all = block.mark_rect(color=PALE).encode(x=alt.value(0), x2=alt.value("width"), y2="bottom:Q")
    tiles = shown.transform_filter("datum.outcome !== 'both right'").transform_calculate(
        tile="sequence(floor(datum.begin), ceil(datum.end))", of_wall="datum.top"
    )
    tiles = tiles.transform_flatten(["tile"]).transform_calculate(
        left=f"floor(datum.tile / {HIGH})",
        right="datum.left + 1",
        over=f"datum.of_wall + {TILE} * (datum.tile % {HIGH})",
        top=f"datum.over + {TILE} * max(0, datum.begin - datum.tile)",
        bottom=f"datum.over + {TILE} * min(1, datum.end - datum.tile)",
    )
    rects = tiles.mark_rect(stroke=PAPER, strokeWidth=1.5).encode(FILL, x=x, x2="right:Q", y2="bottom:Q")
    over, under = -10, HIGH * TILE + 13
    places: dict[str, tuple[str, Any, dict[str, Any]]] = {
        "only the person": ("words", x, {"align": "left", "dy": over}),
        "both wrong": ("words", x, {"align": "right", "dx": -3, "dy": under}),
        "only the network": ("words", x, {"align": "left", "dx": 3, "dy": under}),
        "both right": ("words", alt.value("width"), {"align": "right", "dy": under}),
    }
    placed = shown.transform_calculate(left=f"datum[datum.outcome === 'both wrong' ? 'end' : 'begin'] / {HIGH}")
    parts = [(placed.transform_filter(f"datum.outcome === '{who}'"), *place) for who, place in places.items()]
    parts.append((parts[-1][0], "name", alt.value("width"), BOLD | {"align": "right", "dy": over}))
    texts = [rows.mark_text(**SAID | how).encode(x=at, text=f"{field}:N") for rows, field, at, how in parts]
    return layer(under_all, rects, *texts)


def _heaps(dots: pd.DataFrame, ends: pd.DataFrame, across: alt.Scale, y: alt.Y, step: float) -> alt.LayerChart:
    """Draw a dot for each draw so far, in the order in which they came, on the limits that all draws leave."""
    low, high = across["domain"]
    x = alt.X("EC:Q", title="EC", scale=across, axis=alt.Axis(grid=False, orient="bottom"))
    size = alt.expr(f"pow(min({DOT - 1}, width * {step / (high - low):.5f}), 2)")
    drawn = alt.Chart(dots).transform_filter("datum.draw <= draws").encode(x, y, tooltip=["EC"])
    strong = alt.when("datum.draw === draws").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    dot = drawn.mark_point(filled=True, opacity=1, size=size).encode(color=strong)
    limits = alt.Chart(ends).encode(y=y)
    bar = limits.mark_rule(strokeWidth=5, color=SLATE).encode(alt.X("low:Q", scale=across), x2="high:Q")
    chance = limits.transform_calculate(EC="0").encode(x)
    line = chance.mark_rule(strokeWidth=1.5, color=SLATE).encode(y2="up:Q")
    sides: list[Any] = [("left", 8, "more alike than chance →")] + [("right", -8, "← less")] * bool(low < -4 * step)
    words = [
        chance.mark_text(**SAID, align=align, dx=dx, text=text).encode(alt.Y("up:Q", scale=y["scale"]))
        for align, dx, text in sides
    ]
    return layer(line, dot, bar, limits.mark_text(**BOLD, dy=15).encode(x, text="words:N"), *words)


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the interval of each experiment, by joint errors; those that miss the truth are strong."""
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(outcome=np.where(held, *HELD))
    place = 2 * shown["joint_errors"].rank(method="dense") + np.arange(len(shown))  # with a gap between groups
    groups = shown.assign(place=place).groupby("joint_errors")["place"].min().reset_index()
    groups["words"] = groups["joint_errors"].astype(str).replace("0", "0 joint errors seen")
    ends = [place.min() - 1, place.max() + 1]
    x = numbers("place", ends=ends) | {"axis": None}
    plot = Plot(shown.assign(place=place), x, numbers("low", "EC", grid=False), look=("outcome", HELD), columns=0)
    plot.spans(strokeWidth=alt.expr("min(3, width / 170)")).level(truth, color=BLACK)
    plot.words("words", groups.assign(low=shown["high"].max()), align="left", dx=-2, dy=-14, **SAID)
    said = f"{held.sum()} of {len(held)} contain {truth:g}"
    under = f"a line is the interval of an experiment; the strong ones miss the true value, {truth:g}"
    return plot.done(title, f"Intervals, of which {said}.", 260, under)


def paired(seen: pd.Series, drawn: pd.DataFrame, limits: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of two networks with one person in each draw, joined by a line, and beside them their difference.

    The first two entries of ``seen`` are the networks, the others are their difference, drawn in two ways; so are the
    columns of ``drawn`` and of ``limits``, whose rows are the lower and the upper ones.
    """
    first, second, *apart = seen.index
    found = pd.DataFrame({"EC": seen, "low": limits.iloc[0], "high": limits.iloc[1]}).rename_axis("what").reset_index()
    found["words"] = [
        with_interval(*row).replace(" (", "\n").rstrip(")") for row in found[["EC", "low", "high"]].to_numpy()
    ]
    draws = drawn.rename_axis("draw").reset_index().melt("draw", var_name="what", value_name="EC")
    two_lines = "split(replace(datum.label, '-', '-, '), ', ')"  # for a phone
    plain: Any = {"labelAngle": 0, "labelFontSize": 14, "labelPadding": 20, "ticks": False, "domain": False}
    x = names("what", list(seen.index), orient="top", labelExpr=two_lines, **plain)
    looks = {first: KINDS["model-human"], second: KINDS["model-human"], **dict.fromkeys(apart, Look(BLACK))}
    y = numbers("EC", "EC with the person", scale={"range": [alt.ExprRef("height"), 56]}, grid=False)
    plot = Plot(found, x, y, look=("what", looks), columns=0)
    plot.level(0, color=BLACK).lines(draws[~draws["what"].isin(apart)], color=SILVER, strokeWidth=1, detail="draw:N")
    ticks = plot.base(draws[draws["what"].isin(apart)]).mark_tick(
        color=SILVER, thickness=1, width=40, orient="horizontal"
    )
    plot.draw(ticks).spans(color=SLATE, strokeWidth=5).points(200)
    unsure = found[found["what"].isin(apart) & (found["low"] <= 0) & (found["high"] >= 0)]
    plot.draw(plot.base(unsure).mark_point(filled=True, opacity=1, size=90, color=PAPER))
    above = plot.base(found).transform_calculate(
        said="width < 400 ? replace(datum.words, ' to ', ' to\\n') : datum.words"
    )
    plot.draw(above.mark_text(**BOLD, lineBreak="\n").encode(y=alt.value(8), text="said:N"))
    for dy, name in ((-9, first), (14, second)):
        zero = alt.Chart(pd.DataFrame({"EC": [0], "words": f"{name} leads"})).mark_text(**SAID, align="right", dy=dy)
        beside = alt.value(alt.expr("0.625 * width - 26"))  # the first difference
        plot.draw(zero.encode(alt.Y(**plot.y), x=beside, text="words:N"))
    about = f"{'; '.join(found['what'] + ' ' + found['words'])}."
    under = "a thin line is a draw of 160 pictures; thick lines: 95 % intervals"
    return plot.done(title, about.replace("\n", ", "), 340, under)
