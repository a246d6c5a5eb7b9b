"""Charts of Muttenthaler et al. (2023): concepts after the probe, and shared doubts."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.parts import finish, selector
from erralign_book.charts.parts import tiles_with_numbers
from erralign_book.charts.reproducing_muttenthaler_2023_concepts import STEP, rows_of_concepts

CHOSEN = "datum.score === score"


def concepts_before_and_after(values: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the accuracy of some systems for each human concept, with a choice of before and after the probe."""
    shown = values[["system", "concept", "score", "value", "low", "high"]].round(3)
    scores, rows = list(dict.fromkeys(shown["score"])), shown["concept"].nunique()
    chosen, least = alt.Chart(shown).transform_filter(CHOSEN), np.floor(10 * shown["low"].min()) / 10
    drawn = rows_of_concepts(chosen, shown, "accuracy on triplets of new things", [least, 1])
    drawn = drawn.add_params(selector("score", scores, scores[0], "accuracy", words=scores))
    systems = ", ".join(shown["system"].unique())
    about = f"Accuracy of {systems} for {rows} human concepts, before and after a linear probe."
    return finish(drawn, title, about, STEP * rows)


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
    wide_enough = alt.expr(f"width < {28 * len(systems)} ? 0 : 1")  # for numbers: on a phone the tiles are not
    tiles = tiles_with_numbers(base, "Pearson's r", fontSize=12, opacity=wide_enough)
    about = f"Pearson's correlation of the entropies of {', '.join(systems)} over triplets."
    return finish(tiles, title, about, 34 * len(systems))
