"""Charts of the chapter on uncertainty: draws, the intervals that they leave, and how often these are right."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.error_consistency import error_consistency
from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE_GREY, SILVER, SLATE
from erralign.plot.grammar import Plot, finish, layer, numbers
from erralign.plot.theme import Look
from erralign_book.charts.grammar import slider
from erralign_book.charts.looks import CROWD, HELD, INTERVALS

STEP, DOT = 0.02, 11  # of EC, between two columns of dots; pixels of a dot
CARD, ROOM, BLOCK = 40, 18, 24  # pixels of a card, which is smaller on a phone, of a line of words, and of the block
OUTCOMES = {
    "both wrong": Look(SLATE, "square", (ORANGE, BLUE)),
    "only the person": Look(ORANGE, "square"),
    "only the network": Look(BLUE, "square"),
    "both right": Look(PALE_GREY, "square"),
}
WRONG = (0, 1), (0, 2)  # places of outcomes where the person is wrong, and where the network is
SIDES = (("align", "'right'", "'left'"), ("dx", "-5", "5"))  # of a word, beside its mark
BEGUN = 60  # draws, so that a picture of the chart says what it is
FADED = 0.3


def hat(
    kinds: np.ndarray, drawn: np.ndarray, values: np.ndarray, limits: tuple[float, float], title: str
) -> alt.LayerChart:
    """Show pictures as cards, how often each came in a draw that the reader chooses, and a dot for each draw so far.

    ``kinds`` are the places of pictures in ``OUTCOMES``, in order; those where both are right are one block. ``drawn``
    has a draw per row, the pictures that came, and ``values`` are what they give.
    """
    observed = error_consistency(np.zeros(len(kinds), int), *(np.isin(kinds, wrong).astype(int) for wrong in WRONG))
    cards, top = _cards(kinds, drawn), ROOM + CARD + 8 + BLOCK
    heap, height = _dots(values, limits, observed)
    chart = layer(cards, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("draws", "resamples", BEGUN, (0, len(drawn)), 1))
    about = f"{len(kinds)} cards, and a heap of dots that grows with each draw."
    under = "frame: wrong; faded: not drawn; a number: drawn so often; below, a dot for each resample"
    return finish(chart, title, about, top + ROOM + height, subtitle=under)


def _cards(kinds: np.ndarray, drawn: np.ndarray) -> alt.LayerChart:
    """Draw a card for each picture on which somebody is wrong, in groups, and a block for all others."""
    names, draws = list(OUTCOMES), [np.arange(len(kinds)), *drawn]
    few, rest = int((kinds < len(names) - 1).sum()), len(names) - 1
    begins = [int((kinds < kind).sum()) + kind for kind in range(rest)] + [0]  # a place between two groups stays empty
    cards, groups = [], []
    for draw, row in enumerate(draws):
        times = np.bincount(row, minlength=len(kinds))[:few].tolist()
        cards += [(draw, card + kind, names[kind], n) for card, (kind, n) in enumerate(zip(kinds, times, strict=False))]
        counts = np.bincount(kinds[row], minlength=len(names)).tolist()
        groups += [(draw, begins[kind] - 0.45, kind == rest, f"{names[kind]}: {n}") for kind, n in enumerate(counts)]
    places = few + rest - 1
    x = alt.X("column:Q", axis=None, scale=alt.Scale(domain=[-0.5, places - 0.5], nice=False))
    shown, said = (
        alt.Chart(pd.DataFrame(rows, columns=["draw", "column", *others])).transform_filter("datum.draw === draws")
        for rows, others in ((cards, ("picture", "times")), (groups, ("below", "words")))
    )
    middle, foot = alt.YValue(ROOM + CARD / 2), ROOM + CARD + 8
    side = alt.expr(f"pow(0.8 * min({CARD}, width / {places}), 2)")
    frames = alt.Scale(domain=names, range=[look.fill for look in OUTCOMES.values()])
    shown, said = shown.encode(x, middle), said.mark_text(align="left", fontSize=12).encode(x, text="words:N")
    tiles = shown.mark_point(size=side, shape="square", strokeWidth=3).encode(
        alt.Stroke("picture:N", scale=frames, legend=None),
        opacity=alt.when("datum.times > 0").then(alt.value(1)).otherwise(alt.value(FADED)),
        tooltip=["picture:N", alt.Tooltip("times:Q", title="times drawn")],
    )
    twice = shown.transform_filter("datum.times > 1").mark_text(fontSize=14, fontWeight="bold", color=INK)
    block = alt.Chart(pd.DataFrame({"column": [-0.45], "end": [places - 0.55]})).mark_rect(color=PALE_GREY)
    return layer(
        block.encode(x, x2="end:Q", y=alt.value(foot), y2=alt.value(foot + BLOCK)),
        tiles,
        twice.encode(text="times:Q"),
        said.transform_filter("!datum.below").encode(y=alt.value(ROOM / 2)),
        said.transform_filter("datum.below").encode(x=alt.value(8), y=alt.value(foot + BLOCK / 2)),
    )


def _dots(values: np.ndarray, limits: tuple[float, float], observed: float) -> tuple[alt.LayerChart, int]:
    """Heap a dot for each value, in the order in which they came, on the interval that remains when all are there."""
    dots = pd.DataFrame({"draw": np.arange(len(values)) + 1, "EC": (np.round(values / STEP) * STEP).round(4)})
    dots["level"] = dots.groupby("EC").cumcount()
    dots["words"] = [f"this draw {value:.2f}".replace("-", "−") for value in values]
    highest = int(dots["level"].max()) + 1
    height = (highest + 5) * DOT
    up = [alt.ExprRef("height"), alt.ExprRef(f"height - {height}")]  # a deck makes charts lower
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-1, highest + 4], range=up, nice=False))
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
    own = pd.DataFrame({"EC": [observed], "level": highest + 2.5, "foot": -1, "words": f"observed {observed:.2f}"})
    seen = alt.Chart(own.round(4)).encode(x, y)
    line = seen.mark_rule(strokeWidth=2, color=BLACK).encode(y2="foot:Q")
    name = seen.mark_text(dy=-8, fontSize=12, fontWeight="bold").encode(text="words:N")
    now = alt.Chart(dots).transform_filter("datum.draw === draws").encode(x)
    # Its words cross neither the line nor the frame.
    near, far = (observed + share * (end - observed) for share, end in ((0.6, both.min()), (0.5, both.max())))
    side = f"datum.EC > {far:.2f} || datum.EC > {near:.2f} && datum.EC <= {observed:.2f}"
    beside: dict[str, Any] = {name: alt.expr(f"{side} ? {a} : {b}") for name, a, b in SIDES}
    said = now.mark_text(fontSize=12, fontWeight="bold", **beside)
    bar = bar.encode(y, x="low:Q", x2="high:Q", tooltip=["low", "high"])
    top = alt.datum(highest + 1)
    marks = now.mark_rule(color=BLACK).encode(y, y2=top), dot, bar, line, name, said.encode(y=top, text="words:N")
    return layer(*marks), height


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the intervals of experiments by a method to choose, sorted by joint errors; those that miss are strong."""
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(outcome=np.where(held, *HELD)).sort_values(["joint_errors", "EC"])
    shown["experiment"] = shown.groupby("method").cumcount() + 1
    counts = held.groupby(intervals["method"], sort=False).agg(["sum", "size"])
    said = counts.reset_index().assign(experiment=1)
    said["words"] = [f"{n} of {of} contain the true value" for n, of in counts.to_numpy()]
    groups = shown[shown["method"] == said["method"][0]].groupby("joint_errors")["experiment"]
    x = numbers("experiment", "joint errors", scale={"nice": False, "padding": 6}, labels=False, tickSize=0, grid=False)
    x["axis"]["titlePadding"] = 22  # the numbers stand in between
    hover = ["joint_errors", "EC", "low", "high", "outcome"]
    up = numbers("EC", "error consistency")
    plot = Plot(shown, x, up, look=("outcome", HELD), hover=hover, where="datum.method === method", columns=0)
    # Faint lines part the numbers of joint errors.
    plot.level(*(groups.max().iloc[:-1] + 0.5), along="x", opacity=CROWD).dashed(truth, color=SLATE)
    plot.spans(strokeWidth=1.5).points(20, shape="circle")
    plot.words("words", said, y=-12, align="left", fontSize=15, fontWeight="bold", color=INK)
    numbered = groups.median().reset_index().assign(words=lambda rows: rows["joint_errors"].astype(str))
    at = alt.Chart(numbered).mark_text(fontSize=12).encode(alt.X(**x), y=alt.value("height"), yOffset=alt.value(12))
    plot.draw(at.encode(text="words:N"))
    words = [INTERVALS[method] for method in said["method"]]
    plot.menu("method", said["method"], said["method"][0], "method", words)
    about = " ".join(f"{name}: {n}." for name, n in zip(words, said["words"], strict=True))
    under = f"sorted by joint errors, then by EC; strong: misses the true value, {truth:g} (dashed)"
    return plot.done(title, about, 260, under)
