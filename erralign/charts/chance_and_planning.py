"""Charts of the chapter on chance and planning: what chance gives, and how many trials it takes to see more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from erralign.charts.colours import GREY, LEVELS, SLATE
from erralign.charts.parts import DASHED, finish, layer, line_at, selector, whisker
from erralign.charts.theme import (
    FAR,
    SIGNIFICANT,
    STUDIES,
    USED,
    cases,
    colour,
    colour_of_accuracies,
    legend,
    shape,
)
from erralign.charts.words import RAISED

P_VALUE = "p-value, smaller higher up"
MEASURED = "measured error consistency"
OFFSET = "measured minus true EC"


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
        A bar per step; bars at least as far from 0 as the observed value, which is the line, have another colour.
    """
    bars = alt.Chart(_steps(values, observed)).mark_rect()
    bars = bars.encode(
        alt.X("from:Q", title="error consistency by chance", scale=alt.Scale(nice=False, zero=False)),
        alt.Y("draws:Q", title="simulated experiments"),
        colour("part", FAR, legend=legend(columns=1)),
        x2="to:Q",
        y2=alt.datum(0),
        tooltip=["EC", "draws"],
    )
    seen = alt.Chart(pd.DataFrame({"observed": [round(float(observed), 4)]})).encode(x="observed:Q")
    rule = seen.mark_rule(color=SLATE, strokeWidth=3).encode(tooltip=["observed"])
    text = seen.mark_text(align="right", dx=-6, fontSize=13, color=SLATE, fontWeight="bold")
    named = text.encode(y=alt.value(8), text=alt.value("observed"))
    about = f"Histogram of {len(values)} error consistencies by chance around 0, with a line at the observed "
    return finish(layer(bars, rule, named), title, f"{about}{observed:.2f}.", 240)


def _steps(values: np.ndarray, observed: float) -> pd.DataFrame:
    steps, draws = np.unique(np.round(values, 9), return_counts=True)
    half = np.diff(steps).min() / 2
    bars = pd.DataFrame({"EC": steps, "from": steps - half, "to": steps + half, "draws": draws}).round(4)
    nearer, as_far = FAR
    # A hair nearer, since the observed value is itself a step.
    return bars.assign(part=np.where(np.abs(steps) >= abs(observed) - 1e-6, as_far, nearer))


def p_values(
    pairs: pd.DataFrame, title: str, *, by: Literal["trials", "significant"], level: float = 0.05
) -> alt.LayerChart:
    """Draw p-values against error consistency, a point per pair.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``EC``, ``p``; ``trials`` (as text, at most three), or ``p_holm`` and ``used``. A hover shows all columns.
    title : str
        What to see, in a sentence.
    by : str
        What colours tell: ``"trials"``, or what is ``"significant"``; then crosses are conditions that are left out.
    level : float
        The p-value up to which something counts as significant.

    Returns
    -------
    altair.LayerChart
        The axis of p is logarithmic and upside down; the dashed line is the level.
    """
    shown = pairs if by == "trials" else _judged(pairs, level)
    # Four digits are plenty; p near 1e-50 must not become 0.
    points = alt.Chart(shown.round({"EC": 4}).assign(p=[float(f"{p:.3g}") for p in pairs["p"]]))
    points = points.mark_point(filled=True, size=36, opacity=1).encode(
        alt.X("EC:Q", title="error consistency (EC)"),
        _upside_down(),
        *_looks_of_p(shown, by),
        tooltip=[column for column in shown if column != "p"] + [alt.Tooltip("p:Q", format=".2g")],
    )
    label = alt.Chart(pd.DataFrame({"p": [level]})).mark_text(align="right", baseline="top", dy=4, fontSize=12)
    label = label.encode(_upside_down(), x=alt.value("width"), text=alt.value(f"p = {level:g}"))
    lines = line_at(level, P_VALUE, strokeDash=DASHED), label
    about = f"p-values of {len(pairs)} pairs against their error consistency."
    subtitle = "crosses: conditions left out" if by == "significant" and not pairs["used"].all() else None
    return finish(layer(points, *lines), title, about, 320, subtitle=subtitle)


def _upside_down() -> alt.Y:
    scale = alt.Scale(type="log", reverse=True, nice=False, padding=6)
    return alt.Y("p:Q", title=P_VALUE, axis=alt.Axis(format=".0e", tickCount=6, labelExpr=_power()), scale=scale)


def _power() -> str:
    """Write the label of a tick as prose writes it: 10⁻²⁰, 5 × 10⁻² or 1."""
    exponent = "slice(split(datum.label, 'e')[1], 1)"
    for digit in "0123456789":
        exponent = f"replace({exponent}, /{digit}/g, '{digit.translate(RAISED)}')"
    mantissa = "datum.label[0] === '1' ? '' : datum.label[0] + ' × '"
    return f"datum.value === 1 ? '1' : ({mantissa}) + '10⁻' + {exponent}"


def _judged(pairs: pd.DataFrame, level: float) -> pd.DataFrame:
    *found, not_found = SIGNIFICANT
    significant = np.select([pairs["p_holm"] <= level, pairs["p"] <= level], found, not_found)
    return pairs.assign(significant=significant, used=np.where(pairs["used"], *USED))


def _looks_of_p(pairs: pd.DataFrame, by: str) -> tuple[alt.Color, alt.Shape]:
    if by == "trials":
        sizes, words = cases(pairs["trials"]), legend(columns=1)
        return colour("trials", sizes, legend=words), shape("trials", sizes, legend=words)
    # Two legends do not fit a phone; the subtitle names the crosses.
    words = legend(columns=2)
    return colour("significant", SIGNIFICANT, title="significant", legend=words), shape("used", USED, legend=None)


def measured_by_trials(experiments: pd.DataFrame, marked: dict[str, Sequence[int]], title: str) -> alt.LayerChart:
    """Draw where measured error consistency lies, by the number of trials and accuracy (Klein et al., Figure 3).

    Parameters
    ----------
    experiments : pandas.DataFrame
        ``n_trials``, ``accuracy`` (text, at most five), ``EC`` (true, one value), ``mean``, ``low``, ``high``.
    marked : dict of str to sequence of int
        Studies, and the numbers of trials that they had; marked along the axis.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A point is a mean, a whisker holds 95 %; side by side around their number of trials.
    """
    shown = experiments[["n_trials", "accuracy", "mean", "low", "high"]].round(4)
    steps = shown["accuracy"].rank(method="dense")
    # Side by side on a logarithmic axis.
    base = alt.Chart(shown.assign(place=(shown["n_trials"] * 1.055 ** (steps - steps.mean())).round(2)))
    base = base.encode(
        _trials("place"),
        colour_of_accuracies(sorted(shown["accuracy"].unique())),
        tooltip=["n_trials", "accuracy", "mean", "low", "high"],
    )
    points = base.mark_point(filled=True, size=40, opacity=1).encode(y=alt.Y("mean:Q", title=MEASURED))
    truth = line_at(experiments["EC"].iloc[0], MEASURED, strokeDash=DASHED)
    about = "Means and middle 95 % of measured error consistency by number of trials and accuracy of both systems."
    drawn = layer(truth, whisker(base, MEASURED, strokeWidth=2), points, _studies(marked))
    return finish(drawn, title, about, 300, subtitle="dashed: the true value; below: trials in the literature")


def _trials(field: str) -> alt.X:
    axis = alt.Axis(values=[100, 200, 400, 800, 1600, 3200], format=",", grid=False)
    return alt.X(f"{field}:Q", title="trials", scale=alt.Scale(type="log", nice=False, padding=12), axis=axis)


def _studies(marked: dict[str, Sequence[int]]) -> alt.Chart:
    rows = pd.DataFrame([(study, n) for study, trials in marked.items() for n in trials], columns=["study", "place"])
    marks = alt.Chart(rows).mark_point(filled=True, size=60, opacity=1, color=GREY)
    looks = {study: STUDIES[place] for place, study in enumerate(marked)}
    return marks.encode(
        _trials("place"),
        shape("study", looks, legend=legend(columns=1)),
        y=alt.value("height"),
        tooltip=["study", alt.Tooltip("place", title="trials")],
    )


def offset_by_consistency(offsets: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how far measured error consistency lies from the true one, by the true one (Klein et al., Figure 6).

    Parameters
    ----------
    offsets : pandas.DataFrame
        ``n_trials``, ``accuracy`` (text, one of them ``pooled``, which is shown first), ``EC`` (true), ``low``,
        ``high`` (of the measured).
    title : str
        What to see; neutral, since a selector changes the data.

    Returns
    -------
    altair.LayerChart
        A band for each number of trials, the narrower the more; 95 % of the experiments lie in it.
    """
    ends = offsets[["low", "high"]].sub(offsets["EC"], axis=0)
    shown = offsets[["n_trials", "accuracy", "EC"]].join(ends).round(4).sort_values(["n_trials", "EC"])
    words_of_trials = legend(columns=5, labelExpr="format(datum.value, ',')")
    bands = alt.Chart(shown).transform_filter("datum.accuracy === both").mark_area(opacity=1, line=False)
    bands = bands.encode(
        alt.X("EC:Q", title="true error consistency"),
        alt.Y("low:Q", title=OFFSET),
        alt.Color("n_trials:O", title="trials", scale=alt.Scale(range=list(LEVELS)), legend=words_of_trials),
        y2="high:Q",
        tooltip=["n_trials", "accuracy", "EC", "low", "high"],
    )
    levels = ["pooled", *(level for level in shown["accuracy"].unique() if level != "pooled")]
    words = ["all five, as in the paper", *levels[1:]]
    both = selector("both", levels, "pooled", "accuracy of both", words=words)
    about = "Bands that hold 95 % of the differences between measured and true error consistency, against the true one."
    return finish(
        layer(bands, line_at(0, OFFSET, strokeDash=DASHED)).add_params(both),
        title,
        about,
        320,
        subtitle="each band: 95 % of experiments",
    )
