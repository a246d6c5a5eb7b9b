"""Charts of draws, intervals and their coverage."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import numpy as np
import pandas as pd

from erralign.charts.theme import LINES, METHODS, OTHER, kind_colour, line_at


def _method_encodings(methods: Iterable[str]) -> dict:
    domain = [method for method in METHODS if method in set(methods)]
    colours, shapes = (list(looks) for looks in zip(*(METHODS[method] for method in domain), strict=True))
    legend = alt.Legend(symbolOpacity=1, columns=2)
    return {
        "color": alt.Color("method:N", title=None, legend=legend, scale=alt.Scale(domain=domain, range=colours)),
        "shape": alt.Shape("method:N", title=None, scale=alt.Scale(domain=domain, range=shapes)),
    }


def two_draws(draws: dict[str, np.ndarray], limits: dict[str, tuple[float, float]], title: str) -> alt.LayerChart:
    """Draw how values of a measure spread under methods that draw, and the interval that each of them leaves.

    Parameters
    ----------
    draws : dict of str to numpy.ndarray
        Method to its draws of the measure; the first is shown as bars, the others as lines.
    limits : dict of str to tuple
        Method to the two ends of its interval.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Bins are .02 wide; above the heaps stand the intervals, each with its method.
    """
    heaps = _heaps(draws)
    is_first = heaps["method"] == next(iter(draws))
    x = alt.X("from:Q", title="error consistency", scale=alt.Scale(nice=False))
    y = alt.Y("draws:Q", title="draws")
    colour = _method_encodings(draws)["color"]
    bars = alt.Chart(heaps[is_first]).mark_rect(opacity=0.75)
    bars = bars.encode(x=x, x2="to:Q", y=y, y2=alt.datum(0), color=colour, tooltip=["method", "from", "to", "draws"])
    lines = alt.Chart(heaps[~is_first]).mark_line(interpolate="step-after", strokeWidth=2.5)
    # An empty layer would have no extent to draw in.
    others = [lines.encode(x=x, y=y, color=colour)] if len(draws) > 1 else []
    return alt.layer(bars, *others, _spans(draws, limits, heaps["draws"].max(), colour)).properties(
        width="container",
        height=260,
        title=title,
        description=f"Histograms of draws by {' and '.join(draws)}, with the interval of each. {title}.",
    )


def _heaps(draws: dict[str, np.ndarray]) -> pd.DataFrame:
    every = np.concatenate(list(draws.values()))
    edges = np.arange(np.floor(np.nanmin(every) * 50), np.ceil(np.nanmax(every) * 50) + 1) / 50
    counts = {name: np.histogram(values, edges)[0] for name, values in draws.items()}
    return pd.concat(
        pd.DataFrame({"method": name, "from": edges[:-1], "to": edges[1:], "draws": drawn})
        for name, drawn in counts.items()
    )


def _spans(methods: Iterable[str], limits: dict[str, tuple[float, float]], top: float, colour: alt.Color) -> alt.Chart:
    spans = pd.DataFrame(
        [(name, *limits[name], top * (1.08 + 0.1 * i)) for i, name in enumerate(methods)],
        columns=["method", "low", "high", "place"],
    ).round(4)
    return (
        alt.Chart(spans)
        .mark_rule(strokeWidth=5)
        .encode(x="low:Q", x2="high:Q", y="place:Q", color=colour, tooltip=["method", "low", "high"])
    )


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the intervals of repeated experiments against the truth that they should hold.

    Parameters
    ----------
    intervals : pandas.DataFrame
        ``joint_errors``, ``EC``, ``low``, ``high``: a row an experiment.
    truth : float
        The value that all experiments are about.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A line an experiment, thick where it misses the truth, which is the dashed line.
    """
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    outcome = alt.Scale(domain=["holds the truth", "misses it"], range=[OTHER, "#D55E00"])
    shown = intervals.assign(experiment=range(1, len(held) + 1), outcome=np.where(held, *outcome.domain)).round(4)
    base = alt.Chart(shown).encode(
        x=alt.X("experiment:Q", scale=alt.Scale(nice=False, padding=6), axis=alt.Axis(grid=False, tickMinStep=1)),
        color=alt.Color("outcome:N", title=None, scale=outcome, legend=alt.Legend(symbolOpacity=1)),
        tooltip=["experiment", "joint_errors", "EC", "low", "high", "outcome"],
    )
    width = alt.condition(alt.datum.outcome == "misses it", alt.value(4), alt.value(1.5))
    rule = base.mark_rule().encode(y=alt.Y("low:Q", title="error consistency"), y2="high:Q", strokeWidth=width)
    point = base.mark_point(filled=True, size=26, opacity=1).encode(y="EC:Q")
    true = line_at(truth, "error consistency", color=LINES[0], strokeDash=[6, 3])
    return alt.layer(rule, point, true).properties(
        width="container",
        height=240,
        title=title,
        description=f"Intervals of {len(held)} experiments; {held.sum()} hold the truth, {truth:.2f}. {title}.",
    )


def coverage(simulated: pd.DataFrame, number: str, title: str, *, floor: float = 0.0) -> alt.LayerChart:
    """Draw how often intervals hold the truth, against how many errors there are to learn from.

    Parameters
    ----------
    simulated : pandas.DataFrame
        ``number``, ``method``, ``coverage``, ``error`` (of the simulation, 95 %), ``setting``.
    number : str
        What is counted along the axis, which is logarithmic.
    title : str
        What to see, in a sentence.
    floor : float
        Where the axis of coverage begins.

    Returns
    -------
    altair.LayerChart
        A dot a setting and method; the dashed line is the promise, .95.
    """
    shown = simulated.assign(low=simulated["coverage"] - simulated["error"])
    shown["high"] = (simulated["coverage"] + simulated["error"]).clip(upper=1)
    looks = _method_encodings(shown["method"])
    axis = alt.Axis(grid=False, values=[0.5, 1, 2, 5, 10, 20, 50, 100, 200, 400], format="~f")
    base = alt.Chart(shown.round(4)).encode(
        x=alt.X("number:Q", title=number, axis=axis, scale=alt.Scale(type="log", nice=False, padding=12)),
        color=looks["color"],
        tooltip=["setting", "method", alt.Tooltip("number", title=number, format=",.1f"), "coverage", "error"],
    )
    share = "experiments whose interval holds the truth"
    y = alt.Y("coverage:Q", title=share, scale=alt.Scale(domain=[floor, 1]), axis=alt.Axis(format="%"))
    whisker = base.mark_rule(opacity=0.6).encode(y=alt.Y("low:Q", title=share), y2="high:Q")
    point = base.mark_point(filled=True, size=60, opacity=0.85).encode(y=y, shape=looks["shape"])
    return alt.layer(point, whisker, line_at(0.95, share, strokeDash=[6, 3])).properties(
        width="container",
        height=300,
        title=title,
        description=f"Coverage of 95 % intervals in {len(shown)} simulations by method and {number}. {title}.",
    )


def whiskers(pairs: pd.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """Draw pairs from the lowest value to the highest, each with its 95 % interval.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``system_a``, ``system_b``, ``kind``, ``n_joint_errors``, the measure, ``low``, ``high``.
    measure : str
        The column of values.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Pairs with fewer than five joint errors are drawn as crosses.
    """
    marks = alt.Scale(domain=["fewer than 5 joint errors", "5 or more"], range=["cross", "circle"])
    shown = pairs.sort_values([measure, "system_a", "system_b"]).round(3)
    shown = shown.assign(rank=range(len(shown)), errors=np.where(shown["n_joint_errors"] < 5, *marks.domain))
    bare = alt.Axis(grid=False, labels=False, ticks=False)
    base = alt.Chart(shown).encode(
        x=alt.X("rank:Q", title="pairs, lowest first", axis=bare, scale=alt.Scale(nice=False, padding=6)),
        color=kind_colour(kinds=shown["kind"]),
        tooltip=["system_a", "system_b", measure, "low", "high", "n_joint_errors"],
    )
    rule = base.mark_rule(strokeWidth=2, opacity=0.7).encode(y=alt.Y("low:Q", title=measure), y2="high:Q")
    shape = alt.Shape("errors:N", scale=marks, legend=None)  # two legends do not fit a phone; the text names the cross
    size = alt.when(alt.datum.n_joint_errors < 5).then(alt.value(130)).otherwise(alt.value(44))
    point = base.mark_point(filled=True, opacity=1).encode(y=f"{measure}:Q", shape=shape, size=size)
    return alt.layer(line_at(0, measure), rule, point).properties(
        width="container",
        height=300,
        title=title,
        description=f"{measure} of {len(shown)} pairs in ascending order with 95 % intervals. {title}.",
    )
