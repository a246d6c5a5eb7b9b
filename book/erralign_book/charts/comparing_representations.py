"""Charts of the chapter on 23 measures of representations: points and lines, matrices, and who agrees."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import Plot, entitle, names, numbers
from erralign.plot.theme import Look, colour_of_values
from erralign_book.charts.grammar import beside_each_other, correlations
from erralign_book.charts.looks import CLASSES, cases

SIDE, SMALL, CELL = 165, 140, 22  # pixels: one of three panels, one of four, a row of tiles
IGNORED = 170  # pixels of four changes
PLACES, HOVER = ["x", "y"], ["picture", "group"]
FEW: Any = {"tickCount": 4, "grid": False}
CHOSEN = "datum.network === network && datum.differ === differ"


def points_in_panels(points: pd.DataFrame, title: str, axes: tuple[str, str]) -> alt.ConcatChart:
    """Draw pictures as points, in a panel per system."""
    looks = cases(points["group"], CLASSES)
    panels: list[alt.LayerChart] = []
    for name, part in points.groupby("panel", sort=False):
        square = [numbers(p, words, ends=_ends(part, p), **FEW) for p, words in zip(PLACES, axes, strict=True)]
        plot = Plot(part.drop(columns="panel"), *square, look=("group", looks), hover=HOVER, columns=3).points(90)
        panels.append(plot.drawn().properties(width=SIDE, height=SIDE, title=str(name)))
    about = f"Points of {points['picture'].nunique()} pictures in {len(panels)} panels."
    return entitle(beside_each_other(panels, len(panels)), title, about)


def six_looks(
    points: pd.DataFrame, links: pd.DataFrame, tables: Mapping[str, np.ndarray], order: Sequence[str], title: str
) -> alt.ConcatChart:
    """Draw in small panels what families of measures look at: points, lines between some, and tables of likeness.

    ``points`` say of which ``system`` they are, and which are ``near`` the picture in question; the rest is small.
    """
    groups = points["group"].drop_duplicates().tolist()
    panels = {name: _square(matrix[::2, ::2], groups) for name, matrix in tables.items()}
    panels |= {str(name): _panel(part, links[links["panel"] == name]) for name, part in points.groupby("panel")}
    sized = [panels[name].properties(width=SMALL, height=SMALL, title=name) for name in order]
    shapes = ", ".join(f"{look.shape.partition('-')[0]}: {group}" for group, look in cases(groups, CLASSES).items())
    under = f"{shapes}; bold: A, grey: B, but CCA has both; tables: the stronger, the more alike"
    about = f"Points of {points['picture'].nunique()} pictures and tables of their likeness in {len(sized)} panels."
    return entitle(beside_each_other(sized, 4), title, about, subtitle=under)


def _ends(points: pd.DataFrame, place: str) -> tuple[float, float]:
    low, high = points[PLACES].min(), points[PLACES].max()
    middle, half = (low + high)[place] / 2, 0.58 * max((high - low).max(), 1e-9)  # one step is as long on both axes
    return round(middle - half, 4), round(middle + half, 4)


def _panel(points: pd.DataFrame, links: pd.DataFrame) -> alt.LayerChart:
    square = [numbers(place, ends=_ends(points, place)) | {"axis": None} for place in PLACES]
    plot = Plot(points, *square, look=("group", cases(points["group"], CLASSES)), hover=HOVER, columns=0)
    plot.draw(plot.base(links).mark_rule(color=SILVER, strokeWidth=1.5).encode(x2="x2:Q", y2="y2:Q"))
    for (system, near), part in points.groupby(["system", "near"]):
        ink, size = BLACK if system == "A" else GREY, 80 if near else 22
        mark = plot.base(part).mark_point(filled=True, opacity=1, size=size, color=ink)
        plot.draw(mark.encode(shape=plot.shape["shape"], tooltip=HOVER))
    return plot.drawn()


def _square(matrix: np.ndarray, groups: Sequence[str]) -> alt.LayerChart:
    numbered = np.arange(1, 2 * len(matrix), 2)  # every second picture: all would be too many marks for a drawing
    first, second = np.meshgrid(numbered, numbered)
    share = (matrix - matrix.min()) / max(float(np.ptp(matrix)), 1e-12)
    columns = {"picture": first, "with": second, "share": share, "product": matrix}
    cells = pd.DataFrame({column: values.ravel() for column, values in columns.items()}).round(3)
    middles = [int(np.median(part)) for part in np.array_split(numbered, len(groups))]  # a group has its name there
    said = " : ".join(f"datum.value == {at} ? '{group}s'" for at, group in zip(middles, groups, strict=True)) + " : ''"
    named: Any = {"labelAngle": 0, "values": middles, "labelExpr": said, "ticks": False}
    x, y = names("picture:O", None) | {"axis": None}, names("with:O", None, **named)
    plot = Plot(cells, x, y, hover=["picture", "with", "product"])
    return plot.tiles(colour_of_values("share", "likeness", legend=None)).drawn()


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
