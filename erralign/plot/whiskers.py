"""Pairs of systems in order, each with its interval."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.errors import check_columns, check_rows
from erralign.measures import limit_columns, short_name
from erralign.plot.parts import finish, layer, line_at, whisker, with_short_names
from erralign.plot.theme import FEW, colour_of_kinds, shape
from erralign.plot.words import number

ORIGIN = "erralign.pairwise_intervals"


def whiskers(pairs: pd.DataFrame, measure: str = "EC", title: str | None = None) -> alt.LayerChart:
    """Draw pairs from the lowest value of a measure to the highest, each with its interval.

    Parameters
    ----------
    pairs : pandas.DataFrame
        What :func:`erralign.pairwise_intervals` returns: ``system_a``, ``system_b``, ``kind``, ``n_joint_errors``, the
        measure, and its limits (``EC_low`` and ``EC_high``, or just ``low`` and ``high``).
    measure : str
        The name or the abbreviation of the measure.
    title : str, optional
        A sentence that says what to see.

    Returns
    -------
    altair.LayerChart
        A chart in which pairs with fewer than five joint errors are crosses. A pair without a value is left out.

    Raises
    ------
    ValueError
        A column is missing, or there are more pairs than one chart can draw.
    """
    shown = _in_order(pairs, measure := short_name(measure))
    bare = alt.Axis(grid=False, labels=False, ticks=False)
    base = alt.Chart(shown).encode(
        alt.X("rank:Q", title="pairs, lowest first", axis=bare, scale=alt.Scale(nice=False, padding=6)),
        colour_of_kinds(shown["kind"]),
        tooltip=["system_a", "system_b", measure, "low", "high", "n_joint_errors"],
    )
    few = shape("errors", FEW, legend=None)  # two legends do not fit a phone
    size = alt.when(alt.datum.n_joint_errors < 5).then(alt.value(130)).otherwise(alt.value(44))
    point = base.mark_point(filled=True, opacity=1).encode(few, y=f"{measure}:Q", size=size)
    rule = whisker(base, measure, strokeWidth=2)
    low, high = shown[measure].agg(["min", "max"])
    words = title or f"{measure} of {len(shown)} pairs, from {number(low, 2)} to {number(high, 2)}"
    about = f"{measure} of {len(shown)} pairs in ascending order with intervals."
    crosses = f"crosses: {next(iter(FEW))}" if (shown["n_joint_errors"] < 5).any() else None
    return finish(layer(line_at(0, measure), rule, point), words, about, 300, subtitle=crosses)


def _in_order(pairs: pd.DataFrame, measure: str) -> pd.DataFrame:
    known = ["system_a", "system_b", "kind", "n_joint_errors"]
    shown = with_short_names("pairs", pairs, known, ORIGIN)
    low, high, _ = limit_columns(measure)
    limits = {low: "low", high: "high"} if "low" not in shown else {"low": "low", "high": "high"}
    check_columns("pairs", shown, [measure, *limits], ORIGIN)
    shown = shown[[*known, measure, *limits]].rename(columns=limits).dropna(subset=measure)
    check_rows("pairs", len(shown))
    shown = shown.sort_values([measure, "system_a", "system_b"]).round(3)
    return shown.assign(rank=range(len(shown)), errors=np.where(shown["n_joint_errors"] < 5, *FEW))
