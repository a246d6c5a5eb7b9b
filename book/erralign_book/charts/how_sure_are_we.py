"""Charts of the chapter on uncertainty: draws, the intervals that they leave, and how often these are right."""

from collections.abc import Iterable

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import SLATE
from erralign.plot.parts import dots, finish, layer, line_at, whisker
from erralign.plot.theme import Look, colour, legend, only, shape
from erralign_book.charts.looks import HELD, INTERVALS, METHODS, SHEER
from erralign_book.charts.parts import DASHED, logarithmic


def two_draws(draws: dict[str, np.ndarray], limits: dict[str, tuple[float, float]], title: str) -> alt.LayerChart:
    """Draw how values of a measure spread under methods that draw, and the interval that each of them leaves."""
    heaps = _heaps(draws)
    is_first = heaps["method"] == INTERVALS[next(iter(draws))]
    x = alt.X("from:Q", title="error consistency", scale=alt.Scale(nice=False))
    top = heaps["draws"].max()
    scale = alt.Scale(domain=[0, top * (1.06 + 0.1 * len(draws))], nice=False)  # room for the intervals
    y = alt.Y("draws:Q", title="draws", scale=scale)
    looks = colour("method", _in_words(draws), legend=legend(columns=2))
    bars = alt.Chart(heaps[is_first]).mark_rect(opacity=SHEER)
    bars = bars.encode(x, y, looks, x2="to:Q", y2=alt.datum(0), tooltip=["method", "from", "to", "draws"])
    lines = alt.Chart(heaps[~is_first]).mark_line(interpolate="step-after", strokeWidth=2.5)
    # An empty layer would have no extent to draw in.
    others = [lines.encode(x, y, looks)] if len(draws) > 1 else []
    rows = [(INTERVALS[name], *limits[name], top * (1.08 + 0.1 * i)) for i, name in enumerate(draws)]
    spans = alt.Chart(pd.DataFrame(rows, columns=["method", "low", "high", "place"]).round(4)).mark_rule(strokeWidth=5)
    spans = spans.encode(looks, x="low:Q", x2="high:Q", y="place:Q", tooltip=["method", "low", "high"])
    about = f"Histograms of draws by {' and '.join(_in_words(draws))}, with the interval of each."
    return finish(layer(bars, *others, spans), title, about, 260)


def _in_words(methods: Iterable[str]) -> dict[str, Look]:
    """Return the looks of methods, each by the name that prose gives it."""
    return {INTERVALS.get(name, name): look for name, look in only(METHODS, methods).items()}


def _heaps(draws: dict[str, np.ndarray]) -> pd.DataFrame:
    every = np.concatenate(list(draws.values()))
    edges = np.arange(np.floor(np.nanmin(every) * 50), np.ceil(np.nanmax(every) * 50) + 1) / 50
    counts = {name: np.histogram(values, edges)[0] for name, values in draws.items()}
    return pd.concat(
        pd.DataFrame({"method": INTERVALS[name], "from": edges[:-1], "to": edges[1:], "draws": drawn})
        for name, drawn in counts.items()
    )


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the intervals of repeated experiments against the true value that they should contain."""
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    shown = intervals.assign(experiment=range(1, len(held) + 1), outcome=np.where(held, *HELD)).round(4)
    base = alt.Chart(shown).encode(
        alt.X("experiment:Q", scale=alt.Scale(nice=False, padding=6), axis=alt.Axis(grid=False, tickMinStep=1)),
        colour("outcome", HELD),
        tooltip=["experiment", "joint_errors", "EC", "low", "high", "outcome"],
    )
    width = alt.condition(alt.datum.outcome == "misses it", alt.value(4), alt.value(1.5))
    rule = whisker(base, "error consistency").encode(strokeWidth=width)
    point = dots(base, 26).encode(y="EC:Q")
    true = line_at(truth, "error consistency", color=SLATE, strokeDash=DASHED)
    about = f"Intervals of {len(held)} experiments; {held.sum()} contain the true value, {truth:.2f}."
    return finish(layer(rule, point, true), title, about, 240, subtitle="dashed: the true value")


def coverage(simulated: pd.DataFrame, number: str, title: str, *, floor: float = 0.0) -> alt.LayerChart:
    """Draw how often intervals contain the true value, against how many errors there are to learn from."""
    share, looks, words = "intervals that contain the true value", _in_words(simulated["method"]), legend(columns=2)
    low, high = simulated["coverage"] - simulated["error"], simulated["coverage"] + simulated["error"]
    shown = simulated.assign(low=low, high=high.clip(upper=1), method=simulated["method"].replace(INTERVALS)).round(4)
    base = alt.Chart(shown).encode(
        logarithmic("number", number, [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 400], "~f"),
        colour("method", looks, legend=words),
        tooltip=["setting", "method", alt.Tooltip("number", title=number, format=",.1f"), "coverage", "error"],
    )
    y = alt.Y("coverage:Q", title=share, scale=alt.Scale(domain=[floor, 1]), axis=alt.Axis(format="%"))
    point = dots(base, 60).encode(y, shape("method", looks, legend=words))
    about = f"Coverage of 95 % intervals in {len(simulated)} simulations by method and {number}."
    promise = line_at(0.95, share, strokeDash=DASHED)
    words_for_marks = "dashed: the 95 % that is promised; whiskers: the error of the simulation"
    return finish(layer(point, whisker(base, share), promise), title, about, 300, subtitle=words_for_marks)
