"""Charts of Muttenthaler et al. (2023): concepts after the probe, two systems concept by concept, shared doubts."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.charts.colours import GREY, INK, PAPER
from erralign.charts.parts import DASHED, finish, layer, selector
from erralign.charts.reproducing_muttenthaler_2023_concepts import STEP
from erralign.charts.theme import CASES, cases, colour, colour_of_correlations, legend, shape

CHOSEN = "datum.score === score"


def concepts_before_and_after(values: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the accuracy of some systems for each human concept, with a choice of before and after the probe.

    Parameters
    ----------
    values : pandas.DataFrame
        ``system`` (at most three), ``concept`` (in the order of the rows), ``score`` (such as ``after the probe``; the
        first is shown first), ``value``, ``low``, ``high`` (from 0 to 1).
    title : str
        What to see whichever is chosen, in a sentence.

    Returns
    -------
    altair.LayerChart
        One point per system in each row, with its interval.
    """
    columns = ["system", "concept", "score", "value", "low", "high"]
    shown, rows = values[columns].round(3), list(dict.fromkeys(values["concept"]))
    looks, words, scores = cases(shown["system"]), legend(columns=1), list(dict.fromkeys(shown["score"]))
    scale = alt.Scale(domain=[np.floor(10 * shown["low"].min()) / 10, 1], nice=False)
    axis = "accuracy on triplets of new things"
    y = alt.Y("concept:N", title=None, sort=rows, axis=alt.Axis(labelLimit=150))
    base = alt.Chart(shown).transform_filter(CHOSEN).encode(y=y, color=colour("system", looks, legend=words))
    bars = base.mark_rule(strokeWidth=1).encode(alt.X("low:Q", title=axis, scale=scale), x2="high:Q")
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        alt.X("value:Q", title=axis, scale=scale), shape=shape("system", looks, legend=words), tooltip=columns
    )
    drawn = layer(bars, points).add_params(selector("score", scores, scores[0], "accuracy", words=scores))
    about = f"Accuracy of {', '.join(looks)} for {len(rows)} human concepts, before and after a linear probe."
    return finish(drawn, title, about, STEP * len(rows))


def concept_by_concept(values: pd.DataFrame, systems: tuple[str, str], title: str) -> alt.LayerChart:
    """Draw one system against another, one point per human concept, with a choice of what is compared.

    Parameters
    ----------
    values : pandas.DataFrame
        ``concept``, ``score`` (such as ``zero-shot accuracy``; the first is shown first), ``x``, ``y`` (from 0 to 1).
    systems : tuple of str
        The system of ``x``, and that of ``y``.
    title : str
        What to see whichever is chosen, in a sentence.

    Returns
    -------
    altair.LayerChart
        On the dashed line both are equal.
    """
    shown, scores = values[["concept", "score", "x", "y"]].round(3), list(dict.fromkeys(values["score"]))
    ends = [np.floor(10 * shown[["x", "y"]].min().min()) / 10, 1.0]
    scale = alt.Scale(domain=ends, nice=False)
    x, y = alt.X("x:Q", title=systems[0], scale=scale), alt.Y("y:Q", title=systems[1], scale=scale)
    points = alt.Chart(shown).transform_filter(CHOSEN)
    points = points.mark_point(filled=True, size=60, opacity=1, color=CASES[0].colour)
    points = points.encode(x, y, tooltip=["concept", "score", *_named(systems)])
    equal = alt.Chart(pd.DataFrame({"x": ends, "y": ends}))
    equal = equal.mark_line(color=GREY, strokeWidth=1.5, strokeDash=DASHED).encode(x, y)
    drawn = layer(equal, points).add_params(selector("score", scores, scores[0], "compared", words=scores))
    about = f"{systems[1]} against {systems[0]} for {shown['concept'].nunique()} human concepts."
    return finish(drawn, title, about, 320, subtitle="dashed: both are equal")


def _named(systems: tuple[str, str]) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{place}:Q", title=name) for place, name in zip("xy", systems, strict=True)]


def matrix_of_entropies(pairs: pd.DataFrame, systems: list[str], title: str) -> alt.LayerChart:
    """Draw how the entropies of systems correlate, one tile per pair.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``system_a``, ``system_b``, ``pearson``, ``low``, ``high``.
    systems : list of str
        From top to bottom.
    title : str
        A sentence that says what to see.

    Returns
    -------
    altair.LayerChart
        A number in each tile that is wide enough for it; each pair is there twice.
    """
    there = pairs.rename(columns={"system_a": "row", "system_b": "column"})
    back = pairs.rename(columns={"system_b": "row", "system_a": "column"})
    both = pd.concat([there, back]).rename(columns={"pearson": "r"})[["row", "column", "r", "low", "high"]].round(3)
    base = alt.Chart(both).encode(
        x=alt.X("column:N", sort=systems, title=None, axis=alt.Axis(labelAngle=-90, orient="top", labelLimit=220)),
        y=alt.Y("row:N", sort=systems, title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=["row", "column", "r", "low", "high"],
    )
    tile = base.mark_rect(stroke=PAPER, strokeWidth=2).encode(colour_of_correlations("Pearson's r"))
    # On a phone the tiles are too narrow for numbers.
    number = base.mark_text(fontSize=12, opacity=alt.expr(f"width < {28 * len(systems)} ? 0 : 1")).encode(
        text=alt.Text("r:Q", format=".2f"),
        color=alt.condition("abs(datum.r) > 0.65", alt.value(PAPER), alt.value(INK)),
    )
    about = f"Pearson's correlation of the entropies of {', '.join(systems)} over triplets."
    return finish(layer(tile, number), title, about, 34 * len(systems))
