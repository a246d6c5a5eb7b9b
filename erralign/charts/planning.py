"""Charts of what chance gives, and of how many trials it takes to see more."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.charts.theme import LINES, OTHER, line_at

# Levels of accuracy, from light to dark: no hue that means something elsewhere, and seen on white and on black.
LEVELS = ("#D3A0E0", "#AC7ED8", "#8465CC", "#5F4DB5")
WIDTH = "width of the interval"


def chance_histogram(values: np.ndarray, observed: float, title: str) -> alt.LayerChart:
    """Draw the error consistencies that chance gives at fixed accuracies, and where the observed one lies among them.

    Parameters
    ----------
    values : numpy.ndarray
        Error consistencies under chance. At fixed accuracies they lie on evenly spaced steps.
    observed : float
        The one that was seen.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A bar a step; bars at least as far from 0 as the observed value, which is the line, have another colour.
    """
    parts = alt.Scale(domain=["nearer to 0", "at least as far from 0"], range=[OTHER, LINES[1]])
    drawn = (
        alt.Chart(_steps(values, observed, parts.domain))
        .mark_rect()
        .encode(
            x=alt.X("from:Q", title="error consistency by chance", scale=alt.Scale(nice=False, zero=False)),
            x2="to:Q",
            y=alt.Y("draws:Q", title="simulated experiments"),
            y2=alt.datum(0),
            color=alt.Color("part:N", title=None, scale=parts, legend=alt.Legend(symbolOpacity=1, columns=1)),
            tooltip=["EC", "draws"],
        )
    )
    seen = alt.Chart(pd.DataFrame({"observed": [round(float(observed), 4)]}))
    rule = seen.mark_rule(color=LINES[0], strokeWidth=3).encode(x="observed:Q", tooltip=["observed"])
    text = seen.mark_text(align="right", dx=-6, fontSize=13, color=LINES[0], fontWeight="bold")
    return alt.layer(drawn, rule, text.encode(x="observed:Q", y=alt.value(8), text=alt.value("observed"))).properties(
        width="container",
        height=240,
        title=title,
        description=f"Histogram of {len(values)} error consistencies by chance around 0, with a line at the observed "
        f"{observed:.2f}. {title}.",
    )


def _steps(values: np.ndarray, observed: float, parts: list[str]) -> pd.DataFrame:
    steps, draws = np.unique(np.round(values, 9), return_counts=True)
    half = np.diff(steps).min() / 2
    bars = pd.DataFrame({"EC": steps, "from": steps - half, "to": steps + half, "draws": draws}).round(4)
    # A hair nearer, since the observed value is itself a step.
    return bars.assign(part=np.where(np.abs(steps) >= abs(observed) - 1e-6, parts[1], parts[0]))


def consistency_and_p(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the p-value of each pair against its error consistency, a colour a number of trials.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``system_a``, ``system_b``, ``EC``, ``p``, ``n_joint_errors``, ``trials`` (as text, at most three).
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        The axis of p is logarithmic and upside down; the dashed line is .05.
    """
    sizes = list(dict.fromkeys(pairs["trials"]))
    scale = alt.Scale(domain=sizes, range=list(LINES[: len(sizes)]))
    shapes = alt.Scale(domain=sizes, range=["circle", "diamond", "square"][: len(sizes)])
    axis = alt.Axis(format=".0e", tickCount=6)
    title_of_p = "p-value, smaller higher up"
    y = alt.Y("p:Q", title=title_of_p, axis=axis, scale=alt.Scale(type="log", reverse=True, nice=False, padding=6))
    shown = pairs[["system_a", "system_b", "EC", "n_joint_errors", "trials"]].round(4)
    # Four digits are plenty; p near 1e-50 must not become 0.
    points = alt.Chart(shown.assign(p=[float(f"{p:.3g}") for p in pairs["p"]]))
    points = points.mark_point(filled=True, size=36, opacity=0.75).encode(
        x=alt.X("EC:Q", title="error consistency (EC)"),
        y=y,
        color=alt.Color("trials:N", title=None, scale=scale, legend=alt.Legend(symbolOpacity=1, columns=1)),
        shape=alt.Shape("trials:N", title=None, scale=shapes),
        tooltip=["system_a", "system_b", "EC", alt.Tooltip("p:Q", format=".2g"), "n_joint_errors", "trials"],
    )
    level = alt.Chart(pd.DataFrame({"p": [0.05]})).mark_text(align="right", baseline="top", dy=4, fontSize=12)
    level = level.encode(x=alt.value("width"), y=y, text=alt.value("p = .05"))
    return alt.layer(points, line_at(0.05, title_of_p, strokeDash=[6, 3]), level).properties(
        width="container",
        height=320,
        title=title,
        description=f"p-value against error consistency for {len(pairs)} pairs on {' and on '.join(sizes)}. {title}.",
    )


def width_by_trials(widths: pd.DataFrame, title: str, *, marked: tuple[int, float]) -> alt.LayerChart:
    """Draw how wide intervals of error consistency are, against the number of trials (Klein et al., Figure 3).

    Parameters
    ----------
    widths : pandas.DataFrame
        ``accuracy`` (at most four), ``n_trials``, ``how`` (at most two), ``width``.
    title : str
        What to see, in a sentence.
    marked : tuple
        A number of trials and a width, where two thin lines cross.

    Returns
    -------
    altair.LayerChart
        A colour an accuracy, a dash a way to get the width.
    """
    ways = list(dict.fromkeys(widths["how"]))
    dashes = alt.Scale(domain=ways, range=[[1, 0], [5, 4]][: len(ways)])
    legend = alt.Legend(columns=1, labelLimit=300, symbolType="stroke", symbolSize=400)
    x = alt.X(
        "n_trials:Q",
        title="trials",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(values=[40, 100, 400, 1000, 4000, 10_000], format="~s", grid=False),
    )
    y = alt.Y("width:Q", title=WIDTH)
    lines = (
        alt.Chart(widths[["accuracy", "n_trials", "how", "width"]].round(4).astype({"accuracy": str}))
        .mark_line(strokeWidth=2)
        .encode(
            x=x,
            y=y,
            color=_accuracy_colour(widths["accuracy"]),
            strokeDash=alt.StrokeDash("how:N", title=None, scale=dashes, legend=legend),
            tooltip=["accuracy", "n_trials", "how", "width"],
        )
    )
    trials = alt.Chart(pd.DataFrame({"n_trials": [marked[0]]})).mark_rule(color=OTHER).encode(x=x)
    return alt.layer(trials, line_at(marked[1], WIDTH, strokeWidth=1), lines).properties(
        width="container",
        height=300,
        title=title,
        description=f"Width of 95 % intervals against the number of trials from {widths['n_trials'].min()} to "
        f"{widths['n_trials'].max()} at accuracies {', '.join(map(str, widths['accuracy'].unique()))}. {title}.",
    )


def offset_by_consistency(offsets: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw how far measured error consistency lies from the true one, by the true one (Klein et al., Figure 6).

    Parameters
    ----------
    offsets : pandas.DataFrame
        ``how``, ``accuracy`` (text: at most four, and ``pooled``), ``EC``, ``low``, ``high``.
    start : str
        The ``how`` shown first; there is a selector.
    title : str
        What to see; neutral, since a selector changes the data.

    Returns
    -------
    altair.LayerChart
        Two lines an accuracy, between which 95 % of the experiments lie.
    """
    select = alt.binding_select(options=list(dict.fromkeys(offsets["how"])), name="copied trials ")
    chosen = alt.param(name="copied_trials", value=start, bind=select)
    shown = offsets[["how", "accuracy", "EC", "low", "high"]].round(4)
    base = alt.Chart(shown).transform_filter("datum.how === copied_trials").mark_line(strokeWidth=2)
    lines = [
        base.encode(
            x=alt.X("EC:Q", title="true error consistency"),
            y=alt.Y(f"{end}:Q", title="measured minus true EC"),
            color=_accuracy_colour(offsets["accuracy"]),
            tooltip=["accuracy", "EC", "low", "high"],
        )
        for end in ("low", "high")
    ]
    return (
        alt.layer(*lines, line_at(0, "measured minus true EC", strokeDash=[6, 3]))
        .add_params(chosen)
        .properties(
            width="container",
            height=300,
            title=title,
            description="Limits that hold 95 % of the differences between measured and true error consistency, "
            f"against the true one, by accuracy. {title}.",
        )
    )


def _accuracy_colour(accuracies: pd.Series) -> alt.Color:
    names = list(dict.fromkeys(accuracies.astype(str)))
    levels = [name for name in names if name != "pooled"]
    colours = [OTHER if name == "pooled" else LEVELS[levels.index(name)] for name in names]
    scale = alt.Scale(domain=names, range=colours)
    return alt.Color("accuracy:N", title="accuracy of both", scale=scale, legend=alt.Legend(symbolOpacity=1, columns=3))
