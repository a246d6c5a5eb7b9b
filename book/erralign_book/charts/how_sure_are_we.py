"""Charts of the chapter on uncertainty: draws, the intervals that they leave, and how often these are right."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE, PALE_GREY, PAPER, SILVER, SLATE
from erralign.plot.grammar import entitle, finish, layer, numbers
from erralign.plot.theme import KINDS, halves
from erralign.plot.words import number
from erralign_book.charts import findings
from erralign_book.charts.grammar import beside_each_other, slider
from erralign_book.charts.looks import BOTH, HELD, INTERVALS

DOT, BAR, HEAD = 11, 30, 36  # pixels of a dot, of a bar with the room below it, and of the words above the bars
OUTCOMES: dict[str, Any] = {
    "both wrong": halves(BOTH, down=1),
    "only the person": ORANGE,
    "only the network": BLUE,
    "both right": PALE,
}
ALONG_A_BAR = ["only the person", "both wrong", "only the network", "both right"]
SHOWN, BEGUN = 3, 60  # of the last draws as bars; draws, so that a picture of the chart says what it is
HIGH, ROOM = 5, 1.6  # tiles in a column, and what is above them
FILL, ON_IT = (
    kind("outcome:N", scale=alt.Scale(domain=list(OUTCOMES), range=colours), legend=None)
    for kind, colours in ((alt.Fill, [*OUTCOMES.values()]), (alt.Color, [PAPER] * 3 + [INK]))
)


def hat(
    counted: dict[str, np.ndarray],
    drawn: np.ndarray,
    limits: tuple[float, float],
    title: str,
    *,
    network: str = "network",
    cut: float = 0,
) -> alt.LayerChart:
    """Show who was wrong how often as bars, as counted and as last drawn, and a dot for each draw so far.

    The four counts are in the order of ``OUTCOMES``; ``drawn`` has a draw per row, and the reader chooses how many are
    shown. ``limits`` are under the dots. Bars are cut after so many pictures, if any.
    """
    rows = [(name, 0, row, counts) for row, (name, counts) in enumerate(counted.items())]
    rows += [(f"draw {n}", n, len(counted), counts) for n, counts in enumerate(drawn, 1)]
    bars = pd.concat(_bar(counts, name).assign(draw=draw, row=row) for name, draw, row, counts in rows)
    most = cut or float(drawn[0].sum())
    bars[["begin", "end"]] = bars[["begin", "end"]].clip(upper=most)
    room = BAR * (len(counted) + SHOWN) + HEAD
    heap, height = _heap(kappa(*drawn.T), limits, float(kappa(*next(iter(counted.values())))))
    neither = f"neither (cut at {cut:g})" if cut else "neither"
    chart = layer(_bars(bars.round(3), most, network, neither), heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("draws", "draws", BEGUN, (0, len(drawn)), 1))
    about = f"Bars of four counts, and a heap of dots that grows with each of {len(drawn)} draws."
    under = "bars: who was wrong on how many pictures. A dot: the EC of a draw; strong: the last three"
    return finish(chart, title, about, room + height, subtitle=under)


def _bar(counts: np.ndarray, name: str) -> pd.DataFrame:
    """Put four counts one after the other; the last says whose they are, and what they give."""
    along = pd.Series(counts, list(OUTCOMES))[ALONG_A_BAR]
    words = [f"{count:.{0 if count % 1 == 0 else 1}f}" for count in along]
    words[-1] = f"{name}: EC {number(float(kappa(*counts)), 2)}"
    end = along.cumsum().to_numpy()
    return pd.DataFrame({"begin": end - along.to_numpy(), "end": end, "outcome": ALONG_A_BAR, "words": words})


def _bars(bars: pd.DataFrame, most: float, network: str, neither: str) -> alt.LayerChart:
    """Draw the bars, with the counts in them, and above the first one who was wrong."""
    shown = alt.Chart(bars).transform_filter(f"!datum.draw || datum.draw <= draws && datum.draw > draws - {SHOWN}")
    base = shown.transform_calculate(place="datum.row + (datum.draw ? draws - datum.draw : 0)").encode(
        alt.X("begin:Q", axis=None, scale=alt.Scale(domain=[0, most], nice=False)),
        alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[0, 1], range=[HEAD, HEAD + BAR], nice=False)),
    )
    rects = base.mark_rect(stroke=PAPER, strokeWidth=2, y2Offset=BAR - 6).encode(FILL, x2="end:Q", y2="place:Q")
    bold: Any = {"fontSize": 13, "fontWeight": "bold", "dy": BAR / 2 - 3}
    last = "datum.outcome === 'both right'"
    middle = base.transform_calculate(
        share=f"(datum.end - datum.begin) / {most}", begin="(datum.begin + datum.end) / 2"
    )
    wide = alt.expr(f"!({last}) && datum.share * width > 26 ? 1 : 0")
    said = base.transform_filter(last).mark_text(align="right", dx=-6, **bold).encode(ON_IT, x=alt.value("width"))
    both = "both" if bars["begin"].iloc[1] < bars["end"].iloc[1] else "both: 0"
    who = bars[:4].assign(words=["only the\nperson", both, f"only\n{network}", neither])
    low, high = HEAD - 12, HEAD - 26  # of one line, and of the first of two
    heads = [
        alt.Chart(who[:3:2]).mark_text(align="left", y=high, lineBreak="\n").encode(x="begin:Q", text="words:N"),
        alt.Chart(who[1:2]).mark_text(align="right", y=low, dx=-12).encode(x="end:Q", text="words:N"),
        alt.Chart(who[3:]).mark_text(align="right", y=low, x="width").encode(text="words:N"),
    ]
    return layer(
        rects, middle.mark_text(**bold, opacity=wide).encode(ON_IT, text="words:N"), said.encode(text="words:N"), *heads
    )


def _heap(values: np.ndarray, limits: tuple[float, float], counted: float) -> tuple[alt.LayerChart, int]:
    """Heap a dot for each value, in the order in which they came, on the interval that remains when all are there."""
    step = 0.02 if np.ptp(values) > 0.3 else 0.01
    dots = pd.DataFrame({"draw": np.arange(len(values)) + 1, "EC": (np.round(values / step) * step).round(4)})
    dots["level"] = dots.groupby("EC").cumcount()
    highest = int(dots["level"].max()) + 1
    height = (highest + 5) * DOT
    up = [alt.ExprRef("height"), alt.ExprRef(f"height - {height}")]  # a deck makes charts lower
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-1, highest + 4], range=up, nice=False))
    every = np.array([0, *dots["EC"], *limits])
    across = alt.Scale(domain=[every.min() - step, every.max() + step], nice=False)
    x = alt.X("EC:Q", title="EC", scale=across, axis=alt.Axis(grid=False, orient="bottom"))
    dot = (
        alt.Chart(dots)
        .mark_point(filled=True, size=80)
        .encode(
            x,
            y,
            color=alt.when(f"datum.draw > draws - {SHOWN}").then(alt.value(BLACK)).otherwise(alt.value(SILVER)),
            opacity=alt.when("datum.draw <= draws").then(alt.value(1)).otherwise(alt.value(0)),
            tooltip=["EC"],
        )
    )
    ends = alt.Chart(pd.DataFrame([limits], columns=["low", "high"]).round(4).assign(level=-1))
    bar = ends.mark_rule(strokeWidth=5, color=SLATE).encode(y, x="low:Q", x2="high:Q", tooltip=["low", "high"])
    lines = {"EC": [0, round(counted, 4)], "words": ["chance", f"counted {number(counted, 2)}"]}
    seen = alt.Chart(pd.DataFrame(lines).assign(level=[highest + 1, highest + 2.5], foot=-1)).encode(x, y)
    line = seen.mark_rule(strokeWidth=1.5, color=SLATE).encode(y2="foot:Q")
    name = seen.mark_text(dy=-8, fontSize=12, fontWeight="bold").encode(text="words:N")
    return layer(line, dot, bar, name), height


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw a tile for each experiment, by joint errors and method; those whose interval misses the truth are strong."""
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(outcome=np.where(held, *HELD)).sort_values(
        ["joint_errors", "outcome"], ascending=[True, False]
    )
    methods = list(dict.fromkeys(intervals["method"]))
    place = shown.groupby(["method", "joint_errors"]).cumcount()
    columns = (place // HIGH).groupby(shown["joint_errors"]).max() + 1
    starts = (columns + 0.6).cumsum().shift(fill_value=0)
    shown["left"] = shown["joint_errors"].map(starts) + place // HIGH
    shown["top"] = shown["method"].map(methods.index) * (HIGH + ROOM) + 1 + place % HIGH
    shown["right"], shown["bottom"] = (shown[side] + 0.88 for side in ("left", "top"))
    high = len(methods) * (HIGH + ROOM)
    base = alt.Chart(shown.round(3)).encode(
        alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, starts.iloc[-1] + columns.iloc[-1]], nice=False)),
        alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[high, 0], nice=False)),
    )
    looks = alt.Scale(domain=list(HELD), range=[PALE_GREY, BLACK])
    tiles = base.mark_rect().encode(
        alt.Fill("outcome:N", scale=looks, legend=None),
        x2="right:Q",
        y2="bottom:Q",
        tooltip=["joint_errors", "outcome", "low", "high"],
    )
    counts = held.groupby(intervals["method"], sort=False).agg(["sum", "size"])
    said = [f"{INTERVALS[name]}: {n} of {of} contain {truth:g}" for name, n, of in counts.itertuples()]
    heads = pd.DataFrame({"words": said, "left": 0.0, "top": [row * (HIGH + ROOM) for row in range(len(said))]})
    feet = pd.DataFrame({"words": [str(n) for n in starts.index], "left": starts.to_numpy(), "top": high - 0.4})
    feet["words"] = feet["words"].replace("0", "0 joint errors")
    texts = [
        alt.Chart(table).mark_text(align="left", fontSize=size, dy=8).encode(x="left:Q", y="top:Q", text="words:N")
        for table, size in ((heads, 14), (feet, 12))
    ]
    under = f"a tile is an experiment; strong: its interval misses the true value, {truth:g}"
    return finish(layer(tiles, *texts), title, f"{'. '.join(said)}.", 300, subtitle=under)


def overlap(found: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw the intervals of two mixed pairs, a pale band where both lie, and beside them that of their difference."""
    shown = found.rename(columns={"EC": "value"}).rename_axis("finding").reset_index()
    shown["words"] = shown["finding"] + "\n" + findings.figures(shown)
    pairs, difference = shown[:2], shown[2:]
    looks = dict.fromkeys(pairs["finding"], KINDS["model-human"])
    axis: Any = {"scale": findings.ROOM | {"zero": False, "nice": True}, "grid": False}
    plot = findings.in_rows(pairs, numbers("value", "EC with people", **axis), looks, zero=False)
    both = pd.DataFrame({"value": [pairs["low"].max()], "end": pairs["high"].min()})
    plot.draw(plot.base(both).mark_rect(color=PALE).encode(y=alt.value(0), y2=alt.value("height"), x2="end:Q"))
    for colour, offset in zip(BOTH, (0, 8), strict=True):
        plot.spans(color=colour, strokeWidth=3, strokeDash=[8, 8], strokeDashOffset=offset)
    beside = findings.in_rows(difference, numbers("value", "difference of the two EC", **axis))
    beside.spans(color=BLACK, strokeWidth=3)
    for each in (plot, beside):
        each.points(130).words("words", dy=-32, lineBreak="\n", fontSize=13, color=INK)
    panels = [each.drawn().properties(width=300, height=170) for each in (plot, beside)]
    about = f"{'; '.join(shown['words'].str.replace(chr(10), ': '))}."
    under = "lines: 95 % intervals; the band: where two overlap"
    drawn = beside_each_other(panels, 2).resolve_scale(fill="independent", shape="independent")
    return entitle(drawn, title, about, subtitle=under)
