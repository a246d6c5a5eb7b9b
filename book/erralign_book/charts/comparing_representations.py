"""Charts of the chapter on 23 measures of representations: points and lines, matrices, and who agrees."""

from collections.abc import Iterable, Mapping

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, INK
from erralign.plot.parts import entitle, finish, layer, selector
from erralign.plot.theme import RAMP
from erralign_book.charts.looks import ANSWERS, cases, colour_of_correlations
from erralign_book.charts.parts import beside_each_other, marked

SIDE, WIDTH, CELL = 250, 534, 20  # pixels of one of two panels, of all of them, and of a cell of the map
PLACES = ["x", "y"]
CHOSEN = "datum.network === network && datum.differ === differ"


def linked_points(
    points: pd.DataFrame, links: pd.DataFrame, title: str, axes: tuple[str, str], *, menu: str | None = None
) -> alt.ConcatChart:
    """Draw points in panels side by side, and lines between some of them."""
    looks = cases(points["group"], ANSWERS)
    side = min(SIDE, WIDTH // points["panel"].nunique())
    panels = [
        _panel(part, links[links["panel"] == name], looks, axes, chosen=menu is not None).properties(
            width=side, height=side, title=str(name)
        )
        for name, part in points.groupby("panel", sort=False)
    ]
    about = f"Numbered points of {points['picture'].nunique()} pictures in {len(panels)} panels, some joined by lines."
    chart = beside_each_other(panels, len(panels))
    if menu:
        pictures = sorted(points["picture"].unique().tolist())
        chart = chart.add_params(selector("picture", pictures, pictures[0], menu, words=list(map(str, pictures))))
    return entitle(chart, title, about)


def _panel(
    points: pd.DataFrame, links: pd.DataFrame, looks: Mapping, axes: tuple[str, str], *, chosen: bool
) -> alt.LayerChart:
    every = points[PLACES].to_numpy()
    middle, span = (every.max(axis=0) + every.min(axis=0)) / 2, 0.58 * max(np.ptp(every, axis=0).max(), 1e-9)
    x, y = (
        alt.Scale(domain=[round(float(m - span), 4), round(float(m + span), 4)], nice=False) for m in middle.tolist()
    )
    across, up = (
        alt.X("x:Q", title=axes[0], scale=x, axis=alt.Axis(tickCount=4, grid=False)),
        alt.Y("y:Q", title=axes[1], scale=y, axis=alt.Axis(tickCount=4, grid=False)),
    )
    lines = alt.Chart(links.drop(columns="panel").round(4)).mark_rule(color=GREY, strokeWidth=1.5)
    lines = lines.encode(across, up, x2="x2:Q", y2="y2:Q")
    if chosen:
        lines = lines.transform_filter("datum.of === picture")
    base = alt.Chart(points.drop(columns="panel").round(4)).encode(across, up)
    dots = marked(base, "group", looks, size=115).encode(tooltip=["picture", "group"])
    numbers = base.mark_text(fontSize=10, color=INK).encode(text="picture:N")
    return layer(dots, numbers) if links.empty else layer(lines, dots, numbers)


def tables_of_likeness(tables: Mapping[str, np.ndarray], title: str) -> alt.ConcatChart:
    """Draw how alike each two pictures are to each system: a square table per system."""
    panels = [_square(name, matrix).properties(width=SIDE, height=SIDE) for name, matrix in tables.items()]
    about = f"Square tables of similarities between pictures, for {', '.join(tables)}."
    return entitle(beside_each_other(panels, len(panels)), title, about)


def _square(name: str, matrix: np.ndarray) -> alt.Chart:
    n = len(matrix)
    first, second = np.meshgrid(np.arange(1, n + 1), np.arange(1, n + 1))
    share = (matrix - matrix.min()) / max(float(np.ptp(matrix)), 1e-12)
    cells = pd.DataFrame({"picture": first.ravel(), "with": second.ravel(), "share": share.ravel().round(3)})
    cells["product"] = matrix.ravel().round(3)
    scale = alt.Scale(domain=[0, 0.25, 0.5, 0.75, 1], range=list(RAMP), interpolate="rgb")
    squares = alt.Chart(cells, title=name).mark_rect()
    fifth = alt.Axis(labelAngle=0, values=[1, *range(5, n + 1, 5)])  # there is no room for every number
    return squares.encode(
        alt.X("picture:O", title="picture", axis=fifth),
        alt.Y("with:O", title="picture", axis=fifth),
        alt.Color("share:Q", scale=scale, legend=None),
        tooltip=["picture", "with", "product"],
    )


def agreement_map(agreements: pd.DataFrame, order: Iterable[str], start: tuple[str, str], title: str) -> alt.Chart:
    """Draw how well each two measures agree, for one kind of networks at a time."""
    order = list(order)
    networks, differ = (agreements[name].unique().tolist() for name in ("network", "differ"))
    cells = (
        alt.Chart(agreements[["network", "differ", "measure_a", "measure_b", "r"]].dropna().round(3))
        .transform_filter(CHOSEN)
        .transform_calculate(half="[0, 1]")
        .transform_flatten(["half"])
        .transform_calculate(
            row="datum.half ? datum.measure_b : datum.measure_a",
            column="datum.half ? datum.measure_a : datum.measure_b",
        )
        .mark_rect()
        .encode(
            alt.X("column:N", sort=order, title=None, scale=alt.Scale(domain=order), axis=alt.Axis(labelAngle=-90)),
            alt.Y("row:N", sort=order, title=None, scale=alt.Scale(domain=order)),
            colour_of_correlations(),
            tooltip=[
                alt.Tooltip("row:N", title="measure"),
                alt.Tooltip("column:N", title="with"),
                alt.Tooltip("r", format=".2f"),
            ],
        )
        .add_params(
            selector("network", networks, start[0], "networks"),
            selector("differ", differ, start[1], "that differ in their"),
        )
    )
    about = f"Map of Spearman's r between {len(order)} measures, two by two."
    return finish(cells, title, about, alt.Step(CELL), width=alt.Step(CELL))
