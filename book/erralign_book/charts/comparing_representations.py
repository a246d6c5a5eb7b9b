"""Charts of the chapter on 23 measures of representations: points and lines, matrices, and who agrees."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import Plot, entitle, names, numbers, selector
from erralign.plot.theme import Look, colour_of_values
from erralign_book.charts.grammar import beside_each_other, correlations, slider
from erralign_book.charts.looks import CLASSES, cases

SIDE, WIDTH, CELL, TURNING = 250, 496, 22, 330  # pixels: one of two panels, all of them, a row of tiles, the turn
IGNORED = 170  # pixels of four changes
PLACES = ["x", "y"]
CHOSEN = "datum.network === network && datum.differ === differ"


def linked_points(
    points: pd.DataFrame, links: pd.DataFrame, title: str, axes: tuple[str, str], *, menu: str | None = None
) -> alt.ConcatChart:
    """Draw points in panels, and lines between some; a menu chooses a picture, which is numbered."""
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
    if not links.empty:
        lines = plot.base(links.drop(columns="panel")).encode(x2="x2:Q", y2="y2:Q")
        lines = lines.mark_rule(color=GREY, strokeWidth=1.5)
        plot.draw(lines.transform_filter("datum.of === picture") if chosen else lines)
    plot.points(90)
    if chosen:
        some = plot.base().transform_filter("datum.picture === picture").encode(text="picture:N")
        for ink, width in {PAPER: 3, INK: 0}.items():  # outlined in the colour of the page, it is read on marks, too
            plot.draw(some.mark_text(dy=-12, fontSize=13, fontWeight="bold", color=ink, stroke=ink, strokeWidth=width))
    return plot.drawn()


def turning(a: np.ndarray, b: np.ndarray, groups: Sequence[str], title: str) -> alt.LayerChart:
    """Draw two clouds of one size in one panel; the reader turns the first, and the lines to the second change."""
    furthest = 1.1 * float(np.linalg.norm(np.concatenate([a, b]), axis=1).max())
    x, y = (numbers(place, ends=(-furthest, furthest)) | {"axis": None} for place in PLACES)
    to_b = {"b1": b[:, 0], "b2": b[:, 1], "picture": np.arange(1, len(a) + 1), "group": groups}
    clouds = {name: pd.DataFrame({"p": each[:, 0], "q": each[:, 1]} | to_b) for name, each in {"A": a, "B": b}.items()}
    shown = pd.concat(clouds, names=["system"]).reset_index("system")
    angle = "(datum.system === 'A' ? turned : 0) * PI / 180"
    turned = {"x": f"datum.p * cos({angle}) - datum.q * sin({angle})"}
    turned |= {"y": f"datum.p * sin({angle}) + datum.q * cos({angle})"}
    looks, hover = cases(groups, CLASSES), ["system", "picture", "group"]
    plot = Plot(shown, x, y, look=("group", looks), hover=hover, computed=turned, columns=0)
    lines = plot.base().transform_filter("datum.system === 'A'")
    plot.draw(lines.mark_rule(color=SILVER).encode(x2="b1:Q", y2="b2:Q"))
    for name, ink in {"A": BLACK, "B": GREY}.items():
        cloud = plot.base(shown[shown["system"] == name]).mark_point(filled=True, opacity=1, size=90, color=ink)
        plot.draw(cloud.encode(shape=plot.shape["shape"], tooltip=hover))
    length = lines.transform_calculate(length="hypot(datum.x - datum.b1, datum.y - datum.b2)")
    said = "'mean length of the lines: ' + format(datum.mean, '.2f')"
    words = length.transform_aggregate(mean="mean(length)").transform_calculate(words=said)
    words = words.mark_text(align="left", baseline="top", fontSize=13, color=INK)
    plot.draw(words.encode(x=alt.value(0), y=alt.value(0), text="words:N"))
    plot.params.append(slider("turned", "turn A by, in degrees", 0, (0, 360), 5))
    about = f"Points of {len(a)} pictures in A and in B, joined by lines, with a slider that turns A."
    marks = ", ".join(f"{look.shape.partition('-')[0]}: {group}" for group, look in looks.items())
    return plot.done(title, about, TURNING, f"strong: A, grey: B; {marks}", width=TURNING)


def tables_of_likeness(tables: Mapping[str, np.ndarray], groups: Sequence[str], title: str) -> alt.ConcatChart:
    """Draw how alike each two pictures are to each system: a square table per system."""
    panels = [_square(name, matrix, groups).properties(width=SIDE, height=SIDE) for name, matrix in tables.items()]
    about = f"Square tables of similarities between pictures, for {', '.join(tables)}."
    under = "strong colour: alike; pale: opposite, seen from the middle of the cloud"
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle=under)


def _square(name: str, matrix: np.ndarray, groups: Sequence[str]) -> alt.LayerChart:
    n = len(matrix)
    first, second = np.meshgrid(np.arange(1, n + 1), np.arange(1, n + 1))
    share = (matrix - matrix.min()) / max(float(np.ptp(matrix)), 1e-12)
    columns = {"picture": first, "with": second, "share": share, "product": matrix}
    cells = pd.DataFrame({column: values.ravel() for column, values in columns.items()}).round(3)
    middles = pd.Series(first[0]).groupby(np.asarray(groups)).median().astype(int)  # a group has its name there
    said = " : ".join(f"datum.value == {at} ? '{group}s'" for group, at in middles.items()) + " : ''"
    named: Any = {"labelAngle": 0, "values": middles.tolist(), "labelExpr": said, "ticks": False}
    x, y = (names(f"{side}:O", None, **named) for side in ("picture", "with"))
    plot = Plot(cells, x, y, hover=["picture", "with", "product"])
    return plot.tiles(colour_of_values("share", "likeness", legend=None)).drawn().properties(title=name)


def agreement_map(agreements: pd.DataFrame, order: Iterable[str], start: tuple[str, str], title: str) -> alt.LayerChart:
    """Draw how well each two measures agree, for one kind of networks at a time."""
    order = list(order)
    networks, differ = (agreements[name].unique().tolist() for name in ("network", "differ"))
    columns = ["network", "differ", "measure_a", "measure_b", "r"]
    shown = agreements.loc[agreements["measure_a"].isin(order) & agreements["measure_b"].isin(order), columns]
    both = ("measure_a", "measure_b"), ("measure_b", "measure_a")
    tables = [shown.rename(columns={a: "row", b: "column"}) for a, b in both]
    itself = pd.DataFrame({"row": order, "column": order, "r": 1.0})
    tables.append(shown[["network", "differ"]].drop_duplicates().merge(itself, how="cross"))
    named = [alt.Tooltip("row:N", title="measure"), alt.Tooltip("column:N", title="with")]
    plot = correlations(pd.concat(tables), order, [*named, alt.Tooltip("r", format=".2f")], where=CHOSEN)
    plot.menu("network", networks, start[0], "networks").menu("differ", differ, start[1], "that differ in their")
    about = f"Map of Spearman's r between {len(order)} measures, two by two."
    return plot.done(title, about, alt.Step(CELL))


def ignored(tested: pd.DataFrame, families: Mapping[str, str], title: str) -> alt.LayerChart:
    """Draw which changes each measure ignores, with the name of its family beside the first of it."""
    looks = {"ignores it": Look(BLACK), "notices it": Look(PALE_GREY)}
    shown = tested.assign(what=np.where(tested["holds"], *looks), family=tested["measure"].map(families))
    x = names("change", list(shown["change"].unique()), orient="top", labelAngle=0)
    y = names("measure", list(families))
    plot = Plot(shown, x, y, look=("what", looks), hover=["measure", "family", "change", "what"], columns=2)
    plot.tiles(stroke=PAPER, strokeWidth=2)
    first = shown.drop(columns="change").set_index("measure").loc[list(families)].reset_index()
    first = first.drop_duplicates("family")
    label = plot.base(first).mark_text(align="left", dx=8, color=INK).encode(x=alt.value("width"), text="family:N")
    about = f"Tiles of {len(families)} measures and {shown['change'].nunique()} changes, black where one is ignored."
    return plot.draw(label).done(title, about, alt.Step(CELL), width=IGNORED)
