"""Charts of the chapter on uncertainty: draws, the intervals that they leave, and how often these are right."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.error_consistency import error_consistency
from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE, PALE_GREY, SILVER, SLATE
from erralign.plot.grammar import Plot, finish, layer, names, numbers
from erralign.plot.theme import KINDS, Look
from erralign.plot.words import number, with_interval
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import BOTH, HELD, INTERVALS

STEP, DOT = 0.005, 11  # of EC, between two columns of dots; pixels of a dot
CARD, ROW, WORDS = 28, 40, 128  # pixels of a card, which is smaller on a phone, of a row of them, and of its name
OUTCOMES = {
    "both wrong": Look(SLATE, "square", (ORANGE, BLUE)),
    "only the person": Look(ORANGE, "square"),
    "only the network": Look(BLUE, "square"),
    "both right": Look(PALE_GREY, "square"),
}
WRONG = (0, 1), (0, 2)  # places of outcomes where the person is wrong, and where the network is
BELOW, TOP, GAP = 0.95, 0.74, 3  # of EC: from one method to the next, and from 0 to its words; columns between groups
BEGUN = 60  # draws, so that a picture of the chart says what it is
FADED = 0.45


def hat(
    kinds: np.ndarray, drawn: np.ndarray, values: np.ndarray, limits: tuple[float, float], title: str
) -> alt.LayerChart:
    """Show pictures as cards, how often each came in a draw that the reader chooses, and a dot for each draw so far.

    ``kinds`` are the places of pictures in ``OUTCOMES``, in order; those where both are right are one block. ``drawn``
    has a draw per row, the pictures that came, and ``values`` are what they give.
    """
    observed = error_consistency(np.zeros(len(kinds), int), *(np.isin(kinds, wrong).astype(int) for wrong in WRONG))
    cards, top = _cards(kinds, drawn), ROW * len(OUTCOMES) + 14
    heap, height = _dots(values, limits, observed)
    chart = layer(cards, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("draws", "resamples", BEGUN, (0, len(drawn)), 1))
    about = f"{len(kinds)} cards, and a heap of dots that grows with each draw."
    under = "frame: wrong; faded: not drawn; a number: drawn so often. A dot: a resample; strong: this one"
    return finish(chart, title, about, top + height, subtitle=under)


def _cards(kinds: np.ndarray, drawn: np.ndarray) -> alt.LayerChart:
    """Draw a card for each picture on which somebody is wrong, a row for each outcome, and a block for all others.

    A row without cards is an empty tray. The name of a row is beside it, on a phone above it.
    """
    names = list(OUTCOMES)
    cards, groups = _of_each_draw(kinds, [np.arange(len(kinds)), *drawn])
    begin, lower = f"(width > 500 ? {WORDS} : 0)", alt.expr("width > 500 ? 0 : 8")
    places, ends = int(cards["column"].max()) + 1, [alt.ExprRef(begin), alt.ExprRef("width")]
    x = alt.X("column:Q", axis=None, scale=alt.Scale(domain=[-0.5, places - 0.5], range=ends))
    y = alt.Y("row:Q", axis=None, scale=alt.Scale(domain=[-0.5, 0.5], range=[0, ROW], nice=False))
    shown, said = (alt.Chart(rows).transform_filter("datum.draw === draws").encode(y) for rows in (cards, groups))
    frames = alt.Scale(domain=names, range=[look.fill for look in OUTCOMES.values()])
    side = alt.expr(f"pow(min({CARD}, 0.8 * (width - {begin}) / {places}), 2)")
    tiles = shown.mark_point(size=side, shape="square", strokeWidth=3, yOffset=lower).encode(
        x,
        alt.Stroke("picture:N", scale=frames, legend=None),
        opacity=alt.when("datum.times > 0").then(alt.value(1)).otherwise(alt.value(FADED)),
        tooltip=["picture:N", alt.Tooltip("times:Q", title="times drawn")],
    )
    twice = shown.transform_filter("datum.times > 1")
    twice = twice.mark_text(fontSize=13, fontWeight="bold", color=INK, yOffset=lower)

    def tray(rows: list[int], **looks: Any) -> alt.Chart:
        ends = pd.DataFrame({"row": np.array(rows) - 0.25, "end": np.array(rows) + 0.25})
        mark = alt.Chart(ends).mark_rect(yOffset=lower, y2Offset=lower, **looks)
        return mark.encode(y, x=alt.value(alt.expr(begin)), x2=alt.value("width"), y2="end:Q")

    empty = [row for row in range(len(names)) if row not in kinds]
    return layer(
        tray([len(names) - 1], color=PALE_GREY),
        tray(empty, filled=False, stroke=SILVER, strokeWidth=1.5, strokeDash=[6, 4]),
        tiles,
        twice.encode(x, text="times:Q"),
        said.mark_text(align="left", fontSize=13, dy=alt.expr("width > 500 ? 0 : -12")).encode(
            x=alt.value(0), text="words:N"
        ),
    )


def _of_each_draw(kinds: np.ndarray, draws: list[np.ndarray]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return how often each card came that somebody names wrong, and how many came of each outcome."""
    wrong = kinds[kinds < len(OUTCOMES) - 1]
    place = {"column": np.arange(len(wrong)) - np.searchsorted(kinds, wrong), "row": wrong}
    place["picture"] = np.array(list(OUTCOMES))[wrong]
    cards = [
        pd.DataFrame({"draw": n, **place, "times": np.bincount(row, minlength=len(kinds))[: len(wrong)]})
        for n, row in enumerate(draws)
    ]
    counts = [np.bincount(kinds[row], minlength=len(OUTCOMES)) for row in draws]
    groups = [
        (n, row, f"{name}: {count}")
        for n, each in enumerate(counts)
        for row, (name, count) in enumerate(zip(OUTCOMES, each, strict=True))
    ]
    return pd.concat(cards), pd.DataFrame(groups, columns=["draw", "row", "words"])


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
    own = {"EC": [round(observed, 4)], "level": highest + 0.5, "foot": -1, "words": f"observed {number(observed, 2)}"}
    seen = alt.Chart(pd.DataFrame(own)).encode(x, y)
    line = seen.mark_rule(strokeWidth=2, color=BLACK).encode(y2="foot:Q")
    name = seen.mark_text(dy=-8, fontSize=12, fontWeight="bold").encode(text="words:N")
    return layer(dot, bar.encode(y, x="low:Q", x2="high:Q", tooltip=["low", "high"]), line, name), height


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the intervals of experiments by two methods, sorted by joint errors; those that miss are strong.

    Each experiment is a column, with a stroke in a strip above; the second method has an axis of its own below.
    """
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(outcome=np.where(held, *HELD)).sort_values(["joint_errors", "EC"], kind="stable")
    shown["experiment"] = shown.groupby("method").cumcount() + GAP * shown["joint_errors"].rank(method="dense")
    counts = held.groupby(intervals["method"], sort=False).agg(["sum", "size"])
    said = counts.reset_index().assign(experiment=GAP)
    said["words"] = [
        f"{INTERVALS[name]}: {n} of {of} contain {truth:g}" for name, n, of in said[[*said][:3]].to_numpy()
    ]
    levels = {name: -BELOW * place for place, name in enumerate(said["method"])}
    said["EC"] = said["method"].map(levels) + TOP
    for end in ("EC", "low", "high"):
        shown[end] += shown["method"].map(levels)
    groups = shown[shown["method"] == said["method"][0]].groupby("joint_errors")["experiment"]
    x = numbers("experiment", "joint errors", scale={"nice": False, "padding": 6}, labels=False, tickSize=0, grid=False)
    x["axis"]["titlePadding"] = 22  # the numbers stand in between
    ticks = [level + value for level in levels.values() for value in (0, 0.2, 0.4)]
    own = f"format(datum.value - {BELOW} * floor((datum.value + 0.2) / {BELOW}), '.1f')"
    up = numbers("EC", "error consistency", ends=(min(levels.values()) - 0.15, TOP + 0.05), ticks=ticks, labelExpr=own)
    plot = Plot(shown, x, up, look=("outcome", HELD), hover=["joint_errors", "outcome"], columns=0)
    plot.level(*(level + truth for level in levels.values()), color=SLATE, strokeWidth=1)
    plot.spans(strokeWidth=2).points(20, shape="circle")
    strip = shown["method"].map(levels) + TOP - 0.06
    wide = alt.expr(f"0.8 * width / {shown['experiment'].max()}")
    plot.spans(data=shown.assign(low=strip - 0.06, high=strip), strokeWidth=wide)
    plot.words("words", said, align="left", fontSize=14, fontWeight="bold", color=INK)
    numbered = groups.median().reset_index().assign(words=lambda rows: rows["joint_errors"].astype(str))
    at = alt.Chart(numbered).mark_text(fontSize=12).encode(alt.X(**x), y=alt.value("height"), yOffset=alt.value(12))
    plot.draw(at.encode(text="words:N"))
    under = f"a column is an experiment; strong: its interval misses the true value, {truth:g}"
    return plot.done(title, f"{'. '.join(said['words'])}.", 420, under)


def overlap(found: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the intervals of two values, a pale band where both lie, and below them that of their difference."""
    shown = found.rename(columns={"EC": "value"}).rename_axis("finding").reset_index()
    shown["words"] = [
        f"{name}: {with_interval(*ends)}" for name, *ends in shown[["finding", "value", "low", "high"]].to_numpy()
    ]
    places = {"domain": [*shown["finding"][:2], "", *shown["finding"][2:]]}  # an empty row sets the difference apart
    rows = names("finding", scale=places, labels=False, ticks=False, domain=False)
    x = numbers("value", "EC, or difference of two EC", scale={"padding": 8}, grid=False)
    looks = dict(zip(shown["finding"], [KINDS["human-human"], KINDS["model-human"], Look(BLACK)], strict=True))
    plot = Plot(shown, x, rows, look=("finding", looks), hover=["finding", "value", "low", "high"], columns=0)
    both = pd.DataFrame({"value": [shown["low"][:2].max()], "end": shown["high"][:2].min()})
    band = plot.base(both).mark_rect(color=PALE).encode(x2="end:Q", y=alt.value(alt.expr("height / 8")))
    band = band.encode(y2=alt.value(alt.expr("3 * height / 8")))
    plot.draw(band).level(0, color=BLACK).spans(data=shown.iloc[::2], strokeWidth=3)
    for colour, offset in zip(BOTH, (0, 8), strict=True):
        plot.spans(data=shown.iloc[[1]], color=colour, strokeWidth=3, strokeDash=[8, 8], strokeDashOffset=offset)
    plot.points(130)
    for row, dy in enumerate((-20, 20, -20)):  # no words between the first two, where the band is
        at = plot.base(shown.loc[[row], ["finding", "words"]]).mark_text(align="left", dx=8, dy=dy, fontSize=13)
        plot.draw(at.encode(x=alt.datum(0), text="words:N"))
    return plot.done(title, f"{'; '.join(shown['words'])}.", 208, "lines: 95 % intervals; pale: where two overlap")
