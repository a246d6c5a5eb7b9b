"""Charts of Muttenthaler et al. (2023): concepts after the probe, and shared doubts."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import INK, PAPER
from erralign.plot.parts import finish, layer, selector
from erralign.plot.theme import colour, legend, shape
from erralign_book.charts.looks import cases, colour_of_correlations
from erralign_book.charts.reproducing_muttenthaler_2023_concepts import STEP

CHOSEN = "datum.score === score"


def concepts_before_and_after(values: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the accuracy of some systems for each human concept, with a choice of before and after the probe."""
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


def matrix_of_entropies(pairs: pd.DataFrame, systems: list[str], title: str) -> alt.LayerChart:
    """Draw how the entropies of systems correlate, one tile per pair."""
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
