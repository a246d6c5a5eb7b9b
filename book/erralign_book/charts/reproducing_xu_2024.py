"""Charts of Xu et al. (2024): scatters, correlations and families."""

from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE, GREY, PAPER, PURPLE
from erralign.plot.parts import CHOSEN, entitle, finish, layer, selector
from erralign.plot.theme import KINDS, PAIRS, PAIRS_OF_KIND, colour_of_kinds, only
from erralign_book.charts.looks import CROWD
from erralign_book.charts.parts import beside_each_other, straight_line, tiles_with_numbers


def scatter(pairs: pd.DataFrame, x: str, y: str, title: str) -> alt.Chart:
    """Draw two measures against each other, one point per pair, with a menu that brings out one kind of pairs."""
    kinds = list(only(KINDS, pairs["kind"]))
    kept = selector("kept", ["all", *kinds], "all", "pairs", words=["all", *(PAIRS[kind] for kind in kinds)])
    by_accuracy = alt.Opacity("accuracy:Q", title="mean accuracy", legend=None, scale=alt.Scale(range=[CROWD, 1]))
    # Pairs of people are few: they come last, on top.
    ordered = pairs.sort_values("kind", ascending=False)
    shown = ordered[["kind", "data_set", "system_a", "system_b", "accuracy", x, y]].round(4)
    points = alt.Chart(shown).transform_calculate(pairs=PAIRS_OF_KIND).mark_circle(size=16)
    points = points.encode(
        alt.X(f"{x}:Q"),
        alt.Y(f"{y}:Q", scale=alt.Scale(zero=False)),
        colour_of_kinds(kinds),
        opacity=alt.condition("kept === 'all' || datum.kind === kept", by_accuracy, alt.value(0)),
        tooltip=["system_a", "system_b", "pairs:N", "data_set", alt.Tooltip("accuracy", format=".2f"), x, y],
    )
    about = f"{y} against {x}, one point for each of {len(shown)} pairs."
    return finish(points.add_params(kept), title, about, 340, subtitle="paler: lower mean accuracy")


def scatter_by_data_set(pairs: pd.DataFrame, x: str, y: str, title: str) -> alt.LayerChart:
    """Draw two measures against each other with a regression line for each data set, one of them brought out."""
    names = sorted(pairs["data_set"].unique())
    # A line may leave the cloud where a few points lie far out; the axes are those of the points.
    seen = alt.Scale(domain=pairs[y].agg(["min", "max"]).round(4).tolist(), nice=True, zero=False)
    axes = alt.X(f"{x}:Q"), alt.Y(f"{y}:Q", scale=seen)
    points = alt.Chart(pairs[["data_set", "system_a", "system_b", x, y]].round(4)).mark_circle(size=16)
    points = points.encode(
        *axes,
        color=_if_chosen(BLUE, GREY),
        opacity=_if_chosen(1, CROWD),
        tooltip=["system_a", "system_b", "data_set", x, y],
    )
    known = pairs.dropna(subset=[x, y]).groupby("data_set")
    ends = pd.concat(straight_line(part, x, y).assign(data_set=name) for name, part in known).round(4)
    lines = alt.Chart(ends).mark_line(clip=True)
    lines = lines.encode(*axes, color=_if_chosen(BLUE, GREY), detail="data_set:N", strokeWidth=_if_chosen(3, 1))
    about = f"{y} against {x} for {len(pairs)} pairs of models, a line for each of {len(names)} data sets."
    return finish(layer(points, lines).add_params(selector("data_set", names, names[0])), title, about, 340)


def _if_chosen(value: str | float, otherwise: str | float) -> Any:
    return alt.condition(CHOSEN, alt.value(value), alt.value(otherwise))


def correlation_matrix(correlations: pd.DataFrame, measures: list[str], title: str) -> alt.LayerChart:
    """Draw Spearman's r between measures: within data sets above the diagonal, over all pairs below it."""
    base = alt.Chart(_both_halves(correlations)).encode(
        x=alt.X("column:N", sort=measures, title=None, axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("row:N", sort=measures, title=None),
        tooltip=["row", "column", "over", alt.Tooltip("r", format=".3f")],
    )
    about = f"Spearman's r between {', '.join(measures)}. Above the diagonal the mean within data sets, below it over "
    return finish(tiles_with_numbers(base, fontSize=13), title, f"{about}all pairs together.", 44 * len(measures))


def _both_halves(correlations: pd.DataFrame) -> pd.DataFrame:
    upper = {"measure_a": "row", "measure_b": "column", "r_average": "r"}
    lower = {"measure_b": "row", "measure_a": "column", "r_global": "r"}
    halves = {"mean over data sets": upper, "all pairs together": lower}
    return pd.concat(
        correlations[list(names)].rename(columns=names).assign(over=over)[["row", "column", "r", "over"]]
        for over, names in halves.items()
    )


def families_by_measure(pairs: pd.DataFrame, measures: list[str], title: str) -> alt.ConcatChart:
    """Draw z-scores of each measure for pairs within and across families, one tick per pair and a dot the mean."""
    table = pairs[measures]
    scores = ((table - table.mean()) / table.std(ddof=0)).round(3)
    scores["families"] = (pairs["family_a"] + " – " + pairs["family_b"]).str.replace("Human", "People")
    means = scores.groupby("families")[measures].mean().round(3).reset_index()
    tick, mean = (alt.Chart(each).transform_fold([*measures], as_=["measure", "z"]) for each in (scores, means))
    parts = (
        tick.mark_tick(opacity=CROWD, thickness=1, color=GREY),
        mean.mark_circle(size=70, opacity=1, color=PURPLE, stroke=PAPER, strokeWidth=1.5),
    )
    order = means.set_index("families").mean(axis=1).sort_values(ascending=False).index.tolist()
    height = 20 * len(order)
    panels = [
        layer(*(_of_measure(part, measure, order, named=i % 3 == 0) for part in parts)).properties(
            width=160, height=height, title=measure
        )
        for i, measure in enumerate(measures)
    ]
    about = f"z-scores of {', '.join(measures)} for pairs by family."
    return entitle(beside_each_other(panels, 3), title, about, subtitle="ticks: pairs; dots: their means")


def _of_measure(part: alt.Chart, measure: str, order: list[str], *, named: bool) -> alt.Chart:
    here = (alt.datum.measure == measure) & alt.expr.isValid(alt.datum.z)
    axis = alt.Axis(labelExpr=f"stacked || {str(named).lower()} ? datum.label : ''", ticks=False)
    return part.transform_filter(here).encode(
        alt.X("z:Q", title="z-score"),
        alt.Y("families:N", title=None, sort=order, axis=axis),
        tooltip=["families", "measure:N", alt.Tooltip("z:Q", format=".2f")],
    )
