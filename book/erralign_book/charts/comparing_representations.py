"""Charts of the chapter on 23 measures of representations: points and lines, matrices, and who agrees."""

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, INK, PAPER, SILVER
from erralign.plot.grammar import Plot, entitle, names, numbers, selector
from erralign.plot.theme import colour_of_values
from erralign_book.charts.grammar import beside_each_other, slider
from erralign_book.charts.looks import CLASSES, SYSTEMS, cases, colour_of_correlations

SIDE, WIDTH, CELL, TURNING = 250, 496, 20, 330  # pixels: one of two panels, all of them, a cell of the map, the turn
PLACES = ["x", "y"]
CHOSEN = "datum.network === network && datum.differ === differ"


def linked_points(
    points: pd.DataFrame, links: pd.DataFrame, title: str, axes: tuple[str, str], *, menu: str | None = None
) -> alt.ConcatChart:
    """Draw points in panels, and lines between some; numbered is the first of each group, or what a menu chooses."""
    looks = cases(points["group"], CLASSES)
    side = min(SIDE, WIDTH // points["panel"].nunique())
    panels: list[alt.LayerChart] = []
    for name, part in points.groupby("panel", sort=False):
        panel = _panel(part, links[links["panel"] == name], looks, axes, chosen=menu is not None)
        panels.append(panel.properties(width=side, height=side, title=str(name)))
    about = f"Points of {points['picture'].nunique()} pictures in {len(panels)} panels, some joined by lines."
    chart = beside_each_other(panels, len(panels))
    if menu:
        pictures = sorted(points["picture"].unique().tolist())
        chart = chart.add_params(selector("picture", pictures, pictures[0], menu, words=list(map(str, pictures))))
    return entitle(chart, title, about)


def _panel(
    points: pd.DataFrame, links: pd.DataFrame, looks: Mapping, axes: tuple[str, str], *, chosen: bool
) -> alt.LayerChart:
    low, high = points[PLACES].min(), points[PLACES].max()
    middle, half = (low + high) / 2, 0.58 * max((high - low).max(), 1e-9)  # one step is as long on both axes
    ends = zip((middle - half).round(4), (middle + half).round(4), strict=True)
    places = zip(PLACES, axes, ends, strict=True)
    square = [numbers(place, words, ends=each, tickCount=4, grid=False) for place, words, each in places]
    plot = Plot(points.drop(columns="panel"), *square, look=("group", looks), hover=["picture", "group"])
    first = points.groupby("group")["picture"].min().tolist()
    some = plot.base().transform_filter(
        "datum.picture === picture" if chosen else alt.FieldOneOfPredicate("picture", first)
    )
    if not links.empty:
        lines = plot.base(links.drop(columns="panel")).encode(x2="x2:Q", y2="y2:Q")
        lines = lines.mark_rule(color=GREY, strokeWidth=1.5)
        plot.draw(lines.transform_filter("datum.of === picture") if chosen else lines)
    plot.points(90)
    for ink, width in {PAPER: 3, INK: 0}.items():  # outlined in the colour of the page, a number is read on marks, too
        number = some.mark_text(dy=-12, fontSize=13, fontWeight="bold", color=ink, stroke=ink, strokeWidth=width)
        plot.draw(number.encode(text="picture:N"))
    return plot.drawn()


def turning(a: np.ndarray, b: np.ndarray, title: str) -> alt.LayerChart:
    """Draw two clouds of one size in one panel; the reader turns the first, and the lines to the second change."""
    furthest = 1.1 * float(np.linalg.norm(np.concatenate([a, b]), axis=1).max())
    x, y = (numbers(place, ends=(-furthest, furthest)) | {"axis": None} for place in PLACES)
    to_b = {"b1": b[:, 0], "b2": b[:, 1], "picture": np.arange(1, len(a) + 1)}
    clouds = {name: pd.DataFrame({"p": each[:, 0], "q": each[:, 1]} | to_b) for name, each in {"A": a, "B": b}.items()}
    shown = pd.concat(clouds, names=["system"]).reset_index("system")
    angle = "(datum.system === 'A' ? turned : 0) * PI / 180"
    turned = {"x": f"datum.p * cos({angle}) - datum.q * sin({angle})"}
    turned |= {"y": f"datum.p * sin({angle}) + datum.q * cos({angle})"}
    plot = Plot(shown, x, y, look=("system", SYSTEMS), hover=["system", "picture"], computed=turned)
    lines = plot.base().transform_filter("datum.system === 'A'")
    plot.draw(lines.mark_rule(color=SILVER).encode(x2="b1:Q", y2="b2:Q")).points(90)
    length = lines.transform_calculate(length="hypot(datum.x - datum.b1, datum.y - datum.b2)")
    said = "'mean length of the lines: ' + format(datum.mean, '.2f')"
    words = length.transform_aggregate(mean="mean(length)").transform_calculate(words=said)
    words = words.mark_text(align="left", baseline="top", fontSize=13, color=INK)
    plot.draw(words.encode(x=alt.value(0), y=alt.value(0), text="words:N"))
    plot.params.append(slider("turned", "turn A by, in degrees", 0, (0, 360), 5))
    about = f"Points of {len(a)} pictures in A and in B, joined by lines, with a slider that turns A."
    return plot.done(title, about, TURNING, width=TURNING)


def tables_of_likeness(tables: Mapping[str, np.ndarray], title: str) -> alt.ConcatChart:
    """Draw how alike each two pictures are to each system: a square table per system."""
    panels = [_square(name, matrix).properties(width=SIDE, height=SIDE) for name, matrix in tables.items()]
    about = f"Square tables of similarities between pictures, for {', '.join(tables)}."
    return entitle(beside_each_other(panels, len(panels)), title, about)


def _square(name: str, matrix: np.ndarray) -> alt.LayerChart:
    n = len(matrix)
    first, second = np.meshgrid(np.arange(1, n + 1), np.arange(1, n + 1))
    share = (matrix - matrix.min()) / max(float(np.ptp(matrix)), 1e-12)
    columns = {"picture": first, "with": second, "share": share, "product": matrix}
    cells = pd.DataFrame({column: values.ravel() for column, values in columns.items()}).round(3)
    fifth: Any = {"labelAngle": 0, "values": [1, *range(5, n + 1, 5)]}  # there is no room for every number
    x, y = (names(f"{side}:O", None, "picture", **fifth) for side in ("picture", "with"))
    plot = Plot(cells, x, y, hover=["picture", "with", "product"])
    return plot.tiles(colour_of_values("share", "likeness", legend=None)).drawn().properties(title=name)


def agreement_map(agreements: pd.DataFrame, order: Iterable[str], start: tuple[str, str], title: str) -> alt.LayerChart:
    """Draw how well each two measures agree, for one kind of networks at a time."""
    order = list(order)
    networks, differ = (agreements[name].unique().tolist() for name in ("network", "differ"))
    shown = agreements[["network", "differ", "measure_a", "measure_b", "r"]].dropna().round(3)
    both = ("measure_a", "measure_b"), ("measure_b", "measure_a")
    shown = pd.concat(shown.rename(columns={a: "row", b: "column"}) for a, b in both)
    every: Any = {"scale": {"domain": order}}
    named = [alt.Tooltip("row:N", title="measure"), alt.Tooltip("column:N", title="with")]
    x, y = names("column", order, labelAngle=-90, **every), names("row", order, **every)
    plot = Plot(shown, x, y, hover=[*named, alt.Tooltip("r", format=".2f")], where=CHOSEN)
    plot.tiles(colour_of_correlations()).menu("network", networks, start[0], "networks")
    plot.menu("differ", differ, start[1], "that differ in their")
    about = f"Map of Spearman's r between {len(order)} measures, two by two."
    return plot.done(title, about, alt.Step(CELL), width=alt.Step(CELL))
